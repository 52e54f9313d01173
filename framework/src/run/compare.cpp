#include "run/compare.hpp"

#include "spec/text.hpp"

#include <fmt/format.h>

namespace fenchel {
namespace {

Entrant failed_entrant(const Session& session, Spec spec, const Error& error, double load_seconds) {
  Entrant entrant;
  describe_problem(session, false, entrant.result);
  entrant.result.solver = spec.solver.name;
  entrant.result.message = error.what();
  entrant.result.seconds.load = entrant.result.seconds.total = load_seconds;
  entrant.spec = std::move(spec);
  return entrant;
}

}  // namespace

std::string member_folder(const Spec& spec, std::size_t member) {
  return fmt::format("{}-{}", member + 1, spec.compare.at(member).name);
}

std::string member_name(const Component& solver) {
  std::string terms;
  for (const auto& [key, value] : solver.parameters.entries)
    terms += fmt::format("{}{} = {}", terms.empty() ? "" : ", ", spec::printable(key),
                         value.is_scalar() ? spec::printable(value.scalar) : "...");
  return terms.empty() ? solver.name : solver.name + "(" + terms + ")";
}

std::vector<Entrant> enter_all(const Session& session, const Registry& registry,
                               double load_seconds) {
  std::vector<Entrant> entrants;
  const Spec& spec = session.spec();
  for (std::size_t k = 0; k < spec.compare.size(); ++k) {
    Spec one = alone(spec, k, member_folder(spec, k));
    try {
      entrants.push_back(enter(session, one, registry, load_seconds));
    } catch (const Error& error) {
      if (error.exit() != Exit::plugin_failed) throw;
      entrants.push_back(failed_entrant(session, std::move(one), error, load_seconds));
    }
  }
  return entrants;
}

void mark_not_run(Entrant& entrant) {
  entrant.result.status = Status::interrupted;
  entrant.result.message = "not run: the comparison was interrupted before";
}

}  // namespace fenchel
