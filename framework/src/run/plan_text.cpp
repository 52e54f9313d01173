#include "run/plan.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace fenchel {
namespace {

using Json = nlohmann::ordered_json;

std::string number(double x) { return std::isfinite(x) ? fmt::format("{:.3g}", x) : "no bound"; }
Json finite(double x) { return std::isfinite(x) ? Json(x) : Json(); }

std::string verdict_line(const Verdict& v) {
  return fmt::format(
      "  {} {:<12} {:<22} needed: {:<16} found: {:<16} {}{}\n", v.holds ? "ok  " : "FAIL", v.about,
      v.fact, v.needed, v.found, v.why,
      v.alternative > 0 ? fmt::format(" [alternative {}: one is enough]", v.alternative) : "");
}

std::string standing(const Fit& fit) {
  if (fit.fits) return "fits";
  if (!fit.fits_repaired) return "does not fit";
  std::string names;
  for (const Repair& repair : fit.needed) names += (names.empty() ? "" : ", ") + repair.name;
  return (fit.allowed ? "with " : "needs ") + names;
}

std::string ranking_text(const Plan& plan) {
  std::string text = fmt::format("\npredicted passes to a gap of {:.3g}\n", plan.scale.epsilon);
  for (const Fit& fit : plan.ranking) {
    const bool possible = fit.fits || fit.fits_repaired;
    text += fmt::format("  {:<16} {:<28} {:<12} {:<12} {}\n", fit.solver.id, standing(fit),
                        possible ? number(fit.passes) : "",
                        possible ? fmt::format("{:.1f} MB", fit.bytes / 1e6) : "",
                        possible ? fit.theorem : fit.check.refusal);
  }
  return text;
}

Json repair_json(const Repair& r) {
  return {{"name", r.name}, {r.parameter, r.value}, {"price", r.price}, {"text", r.text}};
}

Json fit_json(const Fit& fit) {
  Json out{{"solver", fit.solver.id},
           {"fits", fit.fits},
           {"fits_repaired", fit.fits_repaired},
           {"allowed", fit.allowed}};
  out["passes"] = finite(fit.passes);
  out["bytes"] = fit.bytes;
  out["theorem"] = fit.theorem;
  out["needs"] = Json::array();
  for (const Repair& repair : fit.needed) out["needs"].push_back(repair_json(repair));
  out["refusal"] = fit.check.refusal;
  return out;
}

Json constants_json(const std::vector<Constant>& constants) {
  Json out;
  for (const Constant& c : constants)
    out[c.name] = {{"state", c.state},
                   {"value", c.state == "known" ? Json(c.value) : Json()},
                   {"derivation", c.derivation}};
  return out;
}

std::string problem_text(const Plan& plan, const Problem& problem) {
  std::string text = problem_formula(problem) + "\n\nconstants\n";
  for (const Constant& c : problem_constants(problem, true))
    text +=
        fmt::format("  {:<30} {:<12} {}\n", c.name,
                    c.state == "known" ? fmt::format("{:.6g}", c.value) : c.state, c.derivation);
  const Scale& scale = plan.scale;
  text +=
      fmt::format("  {:<30} {:<12.6g} {}\n", scale.zero_inside ? "J(0)" : "J(w0)", scale.at_zero,
                  scale.zero_inside ? "evaluated" : "at the prox of 0, which is not in the domain");
  text += fmt::format("  {:<30} {:<12} {}\n", "|w*| at most", number(scale.distance),
                      scale.distance_from);
  return text +
         fmt::format("  {:<30} {:<12.3g} {}\n", "epsilon", scale.epsilon, scale.epsilon_from);
}

std::string solver_text(const Plan& plan) {
  std::string text = fmt::format("\nsolver {}{}\n", plan.chosen.solver.text,
                                 plan.automatic ? " (chosen: fewest predicted passes)" : "");
  for (const Verdict& v : plan.chosen.check.verdicts) text += verdict_line(v);
  return text;
}

std::string repairs_text(const Plan& plan) {
  std::string text = plan.possible.empty() ? "" : "\nrepairs\n";
  for (const Repair& repair : plan.possible)
    text += fmt::format("  {:<22} {}\n", repair.name, repair.text);
  return text;
}

std::string end_text(const Plan& plan) {
  const std::string refusal = plan.refusal();
  if (!refusal.empty()) return "REFUSED: " + refusal + "\n";
  std::string text = "accepted";
  for (const Repair& repair : plan.chosen.needed)
    text += fmt::format(", with {} ({} = {:.3g})", repair.name, repair.parameter, repair.value);
  return text + "\n";
}

Json solver_json(const Plan& plan) {
  const std::string refusal = plan.refusal();
  Json out{{"accepted", refusal.empty()},       {"refusal", refusal},
           {"solver", plan.chosen.solver.text}, {"automatic", plan.automatic},
           {"chosen", fit_json(plan.chosen)},   {"requirements", Json::array()}};
  for (const Verdict& v : plan.chosen.check.verdicts)
    out["requirements"].push_back({{"about", v.about},
                                   {"fact", v.fact},
                                   {"needed", v.needed},
                                   {"found", v.found},
                                   {"why", v.why},
                                   {"alternative", v.alternative},
                                   {"holds", v.holds}});
  return out;
}

// What does not depend on the solver.
void add_problem(Json& out, const Plan& plan, const Problem& problem) {
  out["formula"] = problem_formula(problem);
  out["constants"] = constants_json(problem_constants(problem, true));
  out["scale"] = {{"at_zero", plan.scale.at_zero},
                  {"initial", finite(plan.scale.initial)},
                  {"distance", finite(plan.scale.distance)},
                  {"epsilon", finite(plan.scale.epsilon)}};
  out["repairs"] = Json::array();
  for (const Repair& repair : plan.possible) out["repairs"].push_back(repair_json(repair));
  out["ranking"] = Json::array();
  for (const Fit& fit : plan.ranking) out["ranking"].push_back(fit_json(fit));
}

}  // namespace

std::string plan_text(const Plan& plan, const Problem& problem) {
  return problem_text(plan, problem) + solver_text(plan) + repairs_text(plan) + ranking_text(plan) +
         "\n" + end_text(plan);
}

std::string plan_json(const Plan& plan, const Problem& problem) {
  Json out = solver_json(plan);
  add_problem(out, plan, problem);
  return out.dump(2);
}

std::string plans_text(const std::vector<Plan>& plans, const Problem& problem) {
  std::string text = problem_text(plans.front(), problem);
  for (const Plan& plan : plans) text += solver_text(plan) + "  " + end_text(plan);
  return text + repairs_text(plans.front()) + ranking_text(plans.front());
}

std::string plans_json(const std::vector<Plan>& plans, const Problem& problem) {
  Json out{{"accepted", true}, {"solvers", Json::array()}};
  for (const Plan& plan : plans) {
    out["solvers"].push_back(solver_json(plan));
    if (!plan.refusal().empty()) out["accepted"] = false;
  }
  add_problem(out, plans.front(), problem);
  return out.dump(2);
}

}  // namespace fenchel
