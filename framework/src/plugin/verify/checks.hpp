// The checks that hold for any function, loss or regularizer. Each looks at one function and adds
// to a collected verdict; a check that needs an oracle the function lacks adds nothing.
#pragma once

#include "plugin/verify/check.hpp"
#include "plugin/verify/probe.hpp"

namespace fenchel::verify {

using CheckBody = void (*)(Check&, const Probe&, Random&);

// Values (values.cpp)
void check_finite(Check&, const Probe&, Random&);       // no NaN; gradients and proxes are finite
void check_gradient(Check&, const Probe&, Random&);     // against finite differences
void check_subgradient(Check&, const Probe&, Random&);  // f(b) >= f(a) + <g(a), b - a>
void check_convexity(Check&, const Probe&, Random&);    // f at a mean against the mean of f
void check_lower_bound(Check&, const Probe&, Random&);
void check_domain(Check&, const Probe&, Random&);  // +infinity beyond the domain radius

// Duality (duality.cpp)
void check_fenchel_young(Check&, const Probe&, Random&);  // f + f* >= <z, u>, = at a gradient
void check_prox(Check&, const Probe&, Random&);           // (s - p)/t is a subgradient at p
void check_moreau(Check&, const Probe&, Random&);         // f(p) + f*((s - p)/t) = <p, (s - p)/t>
void check_dual_domain(Check&, const Probe&, Random&);    // project_dual against f*

// f*(u) against sup <u, z> - f(z), by search (supremum.cpp)
void check_conjugate(Check&, const Probe&, Random&);

// Declared constants against the worst pairs that a search finds (constants.cpp)
void check_lipschitz(Check&, const Probe&, Random&);
void check_smoothness(Check&, const Probe&, Random&);
void check_strong_convexity(Check&, const Probe&, Random&);

// What is declared must make sense together (facts.cpp)
void check_facts(Check&, const Probe&, Random&);
void check_quadratic(Check&, const Probe&, Random&);

// Runs every check above over the functions; one finding each.
std::vector<Finding> run_checks(const std::vector<Probe>& probes, std::uint64_t seed);
// Runs `body(check)`; a failed call becomes a failed finding.
Finding run_check(const char* name, const std::function<void(Check&)>& body);

}  // namespace fenchel::verify
