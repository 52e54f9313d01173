#include "run/solver_problem.hpp"

#include <exception>
#include <string_view>

namespace fenchel {

template <class Body>
std::int32_t SolverProblem::guard(Body&& body) noexcept {
  try {
    body();
    return FENCHEL_OK;
  } catch (const Error& error) {
    if (!failure_) failure_ = error;
  } catch (const std::exception& error) {
    if (!failure_) failure_ = Error(Exit::plugin_failed, error.what());
  }
  return FENCHEL_FAILED;
}

namespace {

SolverProblem& at(void* context) { return *static_cast<SolverProblem*>(context); }
const Problem& problem_at(void* context) { return at(context).problem(); }

void fact(void* context, std::int32_t about, std::int32_t id, fenchel_fact* out) {
  const std::uint32_t size = out->struct_size;
  *out = problem_at(context).constants().find(about, id).fact;
  out->struct_size = size;
}

std::int32_t apply(void* context, const double* w, double* scores) {
  return at(context).guard([&] {
    problem_at(context).apply(w, scores);
    at(context).count(problem_at(context).shape().entries);
  });
}
std::int32_t adjoint(void* context, const double* duals, double* out) {
  return at(context).guard([&] {
    problem_at(context).adjoint(duals, out);
    at(context).count(problem_at(context).shape().entries);
  });
}

std::int32_t risk(void* context, const double* scores, double* value) {
  return at(context).guard([&] { *value = problem_at(context).risk(scores); });
}
std::int32_t risk_gradient(void* context, const double* scores, double* gradient, double* value) {
  return at(context).guard([&] {
    problem_at(context).loss_gradient(scores, gradient);
    *value = problem_at(context).risk(scores);
  });
}
std::int32_t risk_conjugate(void* context, const double* duals, double* value) {
  return at(context).guard([&] { *value = problem_at(context).risk_conjugate(duals); });
}
std::int32_t risk_prox(void* context, const double* scores, double step, double* out) {
  return at(context).guard([&] { problem_at(context).loss_prox(scores, step, out); });
}

std::int32_t omega(void* context, const double* w, double* value) {
  return at(context).guard([&] { *value = problem_at(context).omega(w); });
}
std::int32_t omega_prox(void* context, const double* w, double step, double* out) {
  return at(context).guard([&] { problem_at(context).omega_prox(w, step, out); });
}
std::int32_t omega_conjugate(void* context, const double* v, double* value) {
  return at(context).guard([&] { *value = problem_at(context).omega_conjugate(v); });
}
std::int32_t omega_conjugate_gradient(void* context, const double* v, double* out) {
  return at(context).guard([&] { problem_at(context).omega_conjugate_gradient(v, out); });
}

std::int32_t block(void* context, std::int64_t i, fenchel_batch* batch) {
  return at(context).guard([&] { *batch = problem_at(context).batch(i, 1); });
}
std::int32_t block_scores(void* context, std::int64_t i, const double* w, double* scores) {
  return at(context).guard(
      [&] { at(context).count(problem_at(context).map().block_scores(i, w, scores)); });
}
std::int32_t block_add(void* context, std::int64_t i, const double* duals, double factor,
                       double* v) {
  return at(context).guard(
      [&] { at(context).count(problem_at(context).map().block_add(i, duals, factor, v)); });
}
std::int32_t rows(void* context, fenchel_rows* out) {
  return problem_at(context).map().rows(out) ? FENCHEL_OK : FENCHEL_FAILED;
}

void touched(void* context, std::int64_t entries) { at(context).count(entries); }
double* numbers(void* context, const char* name, std::int64_t count) {
  double* array = nullptr;
  at(context).guard([&] { array = at(context).arena().numbers(name, count); });
  return array;
}
std::int64_t* integers(void* context, const char* name, std::int64_t count) {
  std::int64_t* array = nullptr;
  at(context).guard([&] { array = at(context).arena().integers(name, count); });
  return array;
}
void say(void* context, const char* text) {
  at(context).guard([&] { at(context).add_note(text); });
}
constexpr fenchel_notes kNotes{sizeof(fenchel_notes), 0, say};
const void* extension(void*, const char* name, std::uint32_t revision) {
  return std::string_view(name) == "notes" && revision == 1 ? &kNotes : nullptr;
}

}  // namespace

SolverProblem::SolverProblem(const Problem& problem, std::uint64_t seed, double target_gap,
                             double target_relative_gap)
    : problem_(problem) {
  table_.struct_size = sizeof table_;
  table_.context = this;
  table_.shape = &problem.shape();
  table_.seed = seed;
  table_.target_gap = target_gap;
  table_.target_relative_gap = target_relative_gap;
  table_.fact = fact;
  table_.apply = apply;
  table_.adjoint = adjoint;
  table_.risk = risk;
  table_.risk_gradient = risk_gradient;
  table_.risk_conjugate = risk_conjugate;
  table_.risk_prox = risk_prox;
  table_.omega = omega;
  table_.omega_prox = omega_prox;
  table_.omega_conjugate = omega_conjugate;
  table_.omega_conjugate_gradient = omega_conjugate_gradient;
  table_.block = block;
  table_.block_scores = block_scores;
  table_.block_add = block_add;
  table_.loss = problem.loss().table;
  table_.loss_self = problem.loss().self;
  table_.regularizer = problem.regularizer().table;
  table_.regularizer_self = problem.regularizer().self;
  table_.rows = rows;
  table_.touched = touched;
  table_.numbers = numbers;
  table_.integers = integers;
  table_.extension = extension;
}

double SolverProblem::passes() const {
  const auto pass = 2.0 * static_cast<double>(problem_.shape().entries);
  return pass > 0.0 ? static_cast<double>(touched_) / pass : 0.0;
}

void SolverProblem::set_passes(double passes) {
  touched_ =
      static_cast<std::int64_t>(passes * 2.0 * static_cast<double>(problem_.shape().entries));
}

}  // namespace fenchel
