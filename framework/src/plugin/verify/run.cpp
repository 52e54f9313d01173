#include "plugin/verify/checks.hpp"

namespace fenchel::verify {

namespace {

struct Named {
  const char* name;
  CheckBody body;
};

constexpr Named kChecks[] = {{"facts", check_facts},
                             {"finite", check_finite},
                             {"convexity", check_convexity},
                             {"lower-bound", check_lower_bound},
                             {"domain", check_domain},
                             {"gradient", check_gradient},
                             {"subgradient", check_subgradient},
                             {"fenchel-young", check_fenchel_young},
                             {"conjugate", check_conjugate},
                             {"prox", check_prox},
                             {"moreau", check_moreau},
                             {"dual-domain", check_dual_domain},
                             {"lipschitz", check_lipschitz},
                             {"smoothness", check_smoothness},
                             {"strong-convexity", check_strong_convexity},
                             {"quadratic", check_quadratic}};

}  // namespace

Finding run_check(const char* name, const std::function<void(Check&)>& body) {
  Check check(name);
  try {
    body(check);
  } catch (const CallFailed& failure) {
    check.fail(failure.what());
  }
  return check.finding();
}

std::vector<Finding> run_checks(const std::vector<Probe>& probes, std::uint64_t seed) {
  std::vector<Finding> findings;
  for (const Named& named : kChecks) {
    // Each check has a stream of its own, so that its findings do not depend on the others.
    Random random(seed + 0x9e3779b97f4a7c15ULL * (findings.size() + 1));
    findings.push_back(run_check(named.name, [&](Check& check) {
      for (const Probe& probe : probes) named.body(check, probe, random);
    }));
  }
  return findings;
}

}  // namespace fenchel::verify
