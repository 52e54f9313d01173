// The solvers of `compare`: on the same problem, under the same rules, one after another.
#pragma once

#include "run/entrant.hpp"

#include <string>
#include <vector>

namespace fenchel {

// "2-fista": where the files of a member go, below the output folder. Members count from 0.
std::string member_folder(const Spec& spec, std::size_t member);

// A solver as the spec writes it, on one line: "fista(step = fixed)".
std::string member_name(const Component& solver);

// All of `compare`, in its order, before any of them runs: so that a mistake in the last one costs
// no time. One that cannot be made is an entrant that has failed. Throws Error (bad_input) for
// parameters that are wrong.
std::vector<Entrant> enter_all(const Session& session, const Registry& registry,
                               double load_seconds);

// The result of one that an interrupt kept from running.
void mark_not_run(Entrant& entrant);

}  // namespace fenchel
