#include "cli/commands.hpp"
#include "run/compare.hpp"
#include "run/plan.hpp"
#include "run/session.hpp"

#include <algorithm>
#include <iostream>

namespace fenchel::cli {
namespace {

std::vector<Plan> plans_of(const Session& session, const Registry& registry) {
  const Spec& spec = session.spec();
  std::vector<Plan> plans;
  if (spec.compare.empty()) plans.push_back(make_plan(session.problem(), spec, registry, true));
  for (std::size_t k = 0; k < spec.compare.size(); ++k)
    plans.push_back(
        make_plan(session.problem(), alone(spec, k, member_folder(spec, k)), registry, true));
  return plans;
}

}  // namespace

int check(const SpecOptions& options) {
  const Registry registry = Registry::scan(plugin_folders(options.plugins));
  const Session session(load_spec(options.spec, options.sets), registry);
  const std::vector<Plan> plans = plans_of(session, registry);
  const Problem& problem = session.problem();
  if (session.spec().compare.empty())
    std::cout << (options.json ? plan_json(plans.front(), problem) + "\n"
                               : plan_text(plans.front(), problem));
  else
    std::cout << (options.json ? plans_json(plans, problem) + "\n" : plans_text(plans, problem));
  const bool accepted = std::all_of(plans.begin(), plans.end(),
                                    [](const Plan& plan) { return plan.refusal().empty(); });
  return static_cast<int>(accepted ? Exit::converged : Exit::refused);
}

}  // namespace fenchel::cli
