// Solvers. A solver never prints, times, stops or starts threads: it takes a step when asked.
//
//   struct Gradient {
//     static constexpr Card card{.id = "gradient", .summary = "…"};
//     static constexpr Param params[] = {…};                      // optional
//     explicit Gradient(const Params&);
//     std::vector<Requirement> requirements() const;
//     void start(Problem problem);       // allocate state through problem.numbers(…)
//     Outcome step();                    // about one pass over the data
//     View view();                       // the current w, and alpha and z where it has them
//     void part(std::int64_t j, double* dual); // optional: alpha_j, where alpha is a mixture
//     Rate rate(const RateQuery&) const; // optional: what its theorem promises
//   };
//   FENCHEL_SOLVER(Gradient)
#pragma once

#include <fenchel/sdk/base.hpp>

#include <vector>

namespace fenchel::sdk {

enum class About : std::int32_t {
  loss = FENCHEL_ABOUT_LOSS,
  regularizer = FENCHEL_ABOUT_REGULARIZER,
  problem = FENCHEL_ABOUT_PROBLEM,
};

enum class Relation : std::int32_t {
  known = FENCHEL_RELATION_KNOWN,
  at_least = FENCHEL_RELATION_AT_LEAST,
  at_most = FENCHEL_RELATION_AT_MOST,
  possible = FENCHEL_RELATION_POSSIBLE,
};

struct Requirement {
  About about;
  std::int32_t fact;  // FENCHEL_FACT_…
  const char* why;
  Relation relation = Relation::known;
  double value = 0.0;
  std::int32_t alternative = 0;  // one requirement of each positive number must hold
};

enum class Outcome : std::int32_t {
  more = FENCHEL_STEP_MORE,
  done = FENCHEL_STEP_DONE,
  stalled = FENCHEL_STEP_STALLED,
};

struct View {
  const double* weights = nullptr;
  const double* dual = nullptr;
  const double* scores = nullptr;
  // alpha as a mixture instead: sum_j part_weights[j] alpha_j, each filled in by the solver's
  // `part`.
  std::int64_t parts = 0;
  const double* part_weights = nullptr;
  const double* own_gap = nullptr;  // the solver's own bound on J(w) - J*, for the trace
};

// The host's problem with lengths and exceptions. Cheap to copy.
class Problem {
 public:
  Problem() = default;
  explicit Problem(const fenchel_problem* raw) : p_(raw) {}

  std::int64_t blocks() const { return p_->shape->blocks; }
  std::int64_t scores() const { return p_->shape->scores; }
  std::int64_t parameters() const { return p_->shape->parameters; }
  const fenchel_shape& shape() const { return *p_->shape; }
  const fenchel_problem& raw() const { return *p_; }
  bool resumed() const { return p_->resumed != 0; }

  Fact fact(About about, std::int32_t id) const {
    fenchel_fact f{};
    f.struct_size = sizeof f;
    p_->fact(p_->context, static_cast<std::int32_t>(about), id, &f);
    return {f.state, f.value, static_cast<Norm>(f.norm)};
  }
  // The value of a fact, or `otherwise` where it is not known.
  double constant(About about, std::int32_t id, double otherwise = 0.0) const {
    const Fact f = fact(about, id);
    return f.state == FENCHEL_KNOWN ? f.value : otherwise;
  }

  void apply(const double* w, double* z) const { call(p_->apply(p_->context, w, z)); }
  void adjoint(const double* duals, double* v) const { call(p_->adjoint(p_->context, duals, v)); }

  double risk(const double* z) const { return scalar(p_->risk, z); }
  // Writes the gradients of phi_i (without 1/n) and returns the risk.
  double risk_gradient(const double* z, double* gradient) const {
    double value = 0.0;
    call(p_->risk_gradient(p_->context, z, gradient, &value));
    return value;
  }
  double risk_conjugate(const double* duals) const { return scalar(p_->risk_conjugate, duals); }
  void risk_prox(const double* z, double step, double* out) const {
    call(p_->risk_prox(p_->context, z, step, out));
  }

  double omega(const double* w) const { return scalar(p_->omega, w); }
  void omega_prox(const double* w, double step, double* out) const {
    call(p_->omega_prox(p_->context, w, step, out));
  }
  double omega_conjugate(const double* v) const { return scalar(p_->omega_conjugate, v); }
  void omega_conjugate_gradient(const double* v, double* out) const {
    call(p_->omega_conjugate_gradient(p_->context, v, out));
  }

  fenchel_batch block(std::int64_t i) const {
    fenchel_batch batch{};
    batch.struct_size = sizeof batch;
    call(p_->block(p_->context, i, &batch));
    return batch;
  }
  fenchel_rows rows() const {
    fenchel_rows rows{};
    rows.struct_size = sizeof rows;
    call(p_->rows(p_->context, &rows));
    return rows;
  }
  void touched(std::int64_t entries) const { p_->touched(p_->context, entries); }
  // For people: appears among the events of the result.
  void note(const char* text) const {
    const auto* notes = static_cast<const fenchel_notes*>(p_->extension(p_->context, "notes", 1));
    if (notes) notes->say(p_->context, text);
  }

  // State that survives a checkpoint.
  double* numbers(const char* name, std::int64_t count) const {
    return present(p_->numbers(p_->context, name, count), name);
  }
  std::int64_t* integers(const char* name, std::int64_t count) const {
    return present(p_->integers(p_->context, name, count), name);
  }

  // For calls through `raw()`: a failure of the host or of another part ends the step.
  static void call(std::int32_t status) {
    if (status != FENCHEL_OK) throw std::runtime_error("a call to the host failed");
  }

 private:
  double scalar(std::int32_t (*function)(void*, const double*, double*), const double* x) const {
    double value = 0.0;
    call(function(p_->context, x, &value));
    return value;
  }
  template <class T>
  static T* present(T* array, const char* name) {
    if (!array)
      throw std::runtime_error(std::string("the host gives no state array '") + name + "'");
    return array;
  }

  const fenchel_problem* p_ = nullptr;
};

// A splitmix64 stream whose whole state is one integer of the solver's arena.
class Random {
 public:
  Random() = default;
  explicit Random(std::int64_t* state) : state_(state) {}

  std::uint64_t next() {
    auto s = static_cast<std::uint64_t>(*state_) + 0x9e3779b97f4a7c15ULL;
    *state_ = static_cast<std::int64_t>(s);
    s = (s ^ (s >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    s = (s ^ (s >> 27U)) * 0x94d049bb133111ebULL;
    return s ^ (s >> 31U);
  }
  // Uniform on 0 .. bound - 1 (bound < 2^32; the bias is below bound / 2^32).
  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(((next() >> 32U) * static_cast<std::uint64_t>(bound)) >> 32U);
  }

 private:
  std::int64_t* state_ = nullptr;
};

// The problem as a rate sees it: its facts, the tolerance, and how far the start is from the
// optimum.
class RateQuery {
 public:
  explicit RateQuery(const fenchel_rate_query* raw) : q_(raw) {}

  // The value of a known fact, or `otherwise`.
  double constant(About about, std::int32_t id, double otherwise = 0.0) const {
    fenchel_fact f{};
    f.struct_size = sizeof f;
    q_->fact(q_->context, static_cast<std::int32_t>(about), id, &f);
    return f.state == FENCHEL_KNOWN ? f.value : otherwise;
  }
  const fenchel_shape& shape() const { return *q_->shape; }
  double epsilon() const { return q_->epsilon; }
  double initial() const { return q_->initial; }
  double distance() const { return q_->distance; }

 private:
  const fenchel_rate_query* q_;
};

struct Rate {
  double iterations = infinity;
  double passes = infinity;
  double bytes = 0.0;
  const char* theorem = "";
};

namespace detail {

template <class T>
struct SolverCalls {
  static std::int32_t requirement(const void* self, std::int32_t index, fenchel_requirement* out) {
    std::int32_t status = FENCHEL_END;
    const std::int32_t guard = guarded([&] {
      const std::vector<Requirement> list = as<T>(self).requirements();
      if (index < 0 || static_cast<std::size_t>(index) >= list.size()) return;
      const Requirement& r = list[static_cast<std::size_t>(index)];
      out->about = static_cast<std::int32_t>(r.about);
      out->fact = r.fact;
      out->relation = static_cast<std::int32_t>(r.relation);
      out->value = r.value;
      out->alternative = r.alternative;
      out->why = r.why;
      status = FENCHEL_OK;
    });
    return guard == FENCHEL_OK ? status : guard;
  }
  static std::int32_t start(void* self, const fenchel_problem* problem) {
    return guarded([&] { static_cast<T*>(self)->start(Problem(problem)); });
  }
  static std::int32_t step(void* self, std::int32_t* outcome) {
    return guarded([&] { *outcome = static_cast<std::int32_t>(static_cast<T*>(self)->step()); });
  }
  static std::int32_t view(void* self, fenchel_view* out) {
    return guarded([&] {
      const View v = static_cast<T*>(self)->view();
      out->weights = v.weights;
      out->dual = v.dual;
      out->scores = v.scores;
      // A host of an earlier version has no room for the rest.
      if (out->struct_size < sizeof(fenchel_view)) return;
      out->own_gap = v.own_gap;
      if constexpr (kHasParts) {
        out->parts = v.parts;
        out->part_weights = v.part_weights;
        out->part = part;
      }
    });
  }
  static constexpr bool kHasParts = requires(T & s, double* dual) { s.part(std::int64_t{}, dual); };
  static std::int32_t part(void* self, std::int64_t j, double* dual) {
    return guarded([&] {
      if constexpr (kHasParts) static_cast<T*>(self)->part(j, dual);
    });
  }

  static std::int32_t predict(const void* self, const fenchel_rate_query* query,
                              fenchel_rate* out) {
    return guarded([&] {
      const Rate r = as<T>(self).rate(RateQuery(query));
      out->iterations = r.iterations;
      out->passes = r.passes;
      out->bytes = r.bytes;
      out->theorem = r.theorem;
    });
  }
  static const void* oracle(const char* name, std::uint32_t revision) {
    static constexpr fenchel_rate_oracle rate{sizeof(fenchel_rate_oracle), 0, predict};
    return std::string_view(name) == "rate" && revision == 1 ? &rate : nullptr;
  }

  static constexpr fenchel_solver table() {
    fenchel_solver t{};
    t.struct_size = sizeof(fenchel_solver);
    t.requirement = requirement;
    t.start = start;
    t.step = step;
    t.view = view;
    if constexpr (requires(const T& s, const RateQuery& q) { s.rate(q); }) t.oracle = oracle;
    return t;
  }
};

template <class T>
inline constexpr fenchel_solver kSolverTable = SolverCalls<T>::table();

}  // namespace detail
}  // namespace fenchel::sdk

#define FENCHEL_SOLVER(Type) \
  FENCHEL_PLUGIN(Type, FENCHEL_KIND_SOLVER, fenchel::sdk::detail::kSolverTable<Type>)
