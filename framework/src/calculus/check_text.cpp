#include "calculus/check.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace fenchel {

std::string check_text(const Check& check, const std::string& solver) {
  std::string text = check.formula + "\n\nconstants\n";
  for (const Constant& c : check.constants)
    text +=
        fmt::format("  {:<30} {:<12} {}\n", c.name,
                    c.state == "known" ? fmt::format("{:.6g}", c.value) : c.state, c.derivation);
  text += fmt::format("\nsolver {}\n", solver);
  for (const Verdict& v : check.verdicts)
    text += fmt::format(
        "  {} {:<12} {:<22} needed: {:<22} found: {:<16} {}{}\n", v.holds ? "ok  " : "FAIL",
        v.about, v.fact, v.needed, v.found, v.why,
        v.alternative > 0 ? fmt::format(" [alternative {}: one is enough]", v.alternative) : "");
  text += check.accepted ? "\naccepted\n" : "\nREFUSED: " + check.refusal + "\n";
  return text;
}

std::string check_json(const Check& check, const std::string& solver) {
  nlohmann::ordered_json out;
  out["accepted"] = check.accepted;
  out["refusal"] = check.refusal;
  out["formula"] = check.formula;
  out["solver"] = solver;
  for (const Constant& c : check.constants) {
    auto& entry = out["constants"][c.name];
    entry["state"] = c.state;
    entry["value"] =
        c.state == "known" ? nlohmann::ordered_json(c.value) : nlohmann::ordered_json(nullptr);
    entry["derivation"] = c.derivation;
  }
  out["requirements"] = nlohmann::ordered_json::array();
  for (const Verdict& v : check.verdicts)
    out["requirements"].push_back({{"about", v.about},
                                   {"fact", v.fact},
                                   {"needed", v.needed},
                                   {"found", v.found},
                                   {"why", v.why},
                                   {"alternative", v.alternative},
                                   {"holds", v.holds}});
  return out.dump(2);
}

}  // namespace fenchel
