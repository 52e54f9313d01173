// What every kind of plugin shares: its card, its parameters, its facts, and the guard that keeps
// exceptions inside the library.
#pragma once

#include <fenchel/abi.h>

#include <array>
#include <concepts>
#include <cstring>
#include <exception>
#include <limits>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace fenchel::sdk {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

struct Card {
  const char* id;
  const char* summary;
  const char* citation = nullptr;
  const char* version = "1.0.0";
};

// ---- Parameters ---------------------------------------------------------------------------------

enum class Type : std::int32_t {
  number = FENCHEL_NUMBER,
  integer = FENCHEL_INTEGER,
  flag = FENCHEL_FLAG,
  text = FENCHEL_TEXT,
  numbers = FENCHEL_NUMBERS,
};

// A parameter of a plugin: `static constexpr Param params[] = {{.name = "gamma", …}};`
struct Param {
  const char* name;
  Type type = Type::number;
  const char* fallback = nullptr;  // the default as a spec would write it; null: required
  const char* range = nullptr;     // "(0, inf)", "[1, 5]", "fixed | backtracking"
  const char* meaning = "";
};

// The checked parameters of one instance, by name, and the sizes of the problem it is made for.
class Params {
 public:
  Params(std::span<const Param> declared, const fenchel_value* const* values,
         const fenchel_shape* shape)
      : declared_(declared), values_(values), shape_(shape) {}

  double number(std::string_view name) const { return value(name).number; }
  std::int64_t integer(std::string_view name) const { return value(name).integer; }
  bool flag(std::string_view name) const { return value(name).integer != 0; }
  std::string_view text(std::string_view name) const { return value(name).text; }
  std::span<const double> numbers(std::string_view name) const {
    const fenchel_value& v = value(name);
    return {v.numbers, static_cast<std::size_t>(v.count)};
  }
  const fenchel_shape& shape() const { return *shape_; }

 private:
  const fenchel_value& value(std::string_view name) const {
    for (std::size_t i = 0; i < declared_.size(); ++i)
      if (name == declared_[i].name) return *values_[i];
    throw std::logic_error("the plugin asks for an undeclared parameter '" + std::string(name) +
                           "'");
  }

  std::span<const Param> declared_;
  const fenchel_value* const* values_;
  const fenchel_shape* shape_;
};

// ---- Facts --------------------------------------------------------------------------------------

enum class Norm : std::int32_t {
  l2 = FENCHEL_NORM_L2,
  l1 = FENCHEL_NORM_L1,
  linf = FENCHEL_NORM_LINF
};

// A number with its state. A default-constructed fact is unknown; `absent` is a proof that there is
// none; a number, or `true`, is a proof.
struct Fact {
  std::int32_t state = FENCHEL_UNKNOWN;
  double value = 0.0;
  Norm norm = Norm::l2;

  constexpr Fact() = default;
  constexpr Fact(std::int32_t s, double v, Norm in = Norm::l2) : state(s), value(v), norm(in) {}
  constexpr Fact(std::floating_point auto v) : state(FENCHEL_KNOWN), value(v) {}
  constexpr Fact(std::same_as<bool> auto yes)
      : state(yes ? FENCHEL_KNOWN : FENCHEL_ABSENT), value(yes ? 1.0 : 0.0) {}
};

inline constexpr Fact absent{FENCHEL_ABSENT, 0.0};
inline constexpr Fact unknown{};
constexpr Fact known(double value, Norm norm) { return {FENCHEL_KNOWN, value, norm}; }
// A modulus that vanishes with a parameter: known where it is positive, absent at zero.
constexpr Fact positive(double value) { return value > 0.0 ? Fact(value) : absent; }

inline void store(const Fact& fact, fenchel_fact* out) {
  out->state = fact.state;
  out->value = fact.value;
  out->norm = static_cast<std::int32_t>(fact.norm);
}

// ---- Scratch ------------------------------------------------------------------------------------

// Memory of this thread for oracles that need some: kept between calls and, if its type only grows,
// allocated at the first one alone.
template <class Workspace>
Workspace& per_thread() {
  thread_local Workspace workspace;
  return workspace;
}

// `count` numbers of this thread. A second call gives the same memory again.
inline std::span<double> scratch(std::size_t count) {
  auto& numbers = per_thread<std::vector<double>>();
  if (numbers.size() < count) numbers.resize(count);
  return std::span<double>(numbers).first(count);
}

// What rounding may do to a sum of `count` terms, relative to its size: how far outside its domain
// a function still counts a point as inside.
constexpr double rounding_margin(std::size_t count) {
  return 1e-13 + std::numeric_limits<double>::epsilon() * static_cast<double>(count);
}

// ---- The boundary -------------------------------------------------------------------------------

namespace detail {

inline thread_local std::array<char, 512> last_error{};

inline void remember(const char* what) noexcept {
  std::strncpy(last_error.data(), what, last_error.size() - 1);
}

inline const char* explain() { return last_error.data(); }

// Runs `body`; an exception becomes FENCHEL_FAILED and its text the answer of `explain`.
template <class Body>
std::int32_t guarded(Body&& body) noexcept {
  try {
    body();
    return FENCHEL_OK;
  } catch (const std::exception& error) {
    remember(error.what());
  } catch (...) {
    remember("unknown exception");
  }
  return FENCHEL_FAILED;
}

template <class T>
concept Parametrized = requires {
  T::params;
};

template <class T>
constexpr std::span<const Param> declared_params() {
  if constexpr (Parametrized<T>)
    return std::span<const Param>(T::params);
  else
    return {};
}

template <class T>
void* create(const fenchel_value* const* values, const fenchel_shape* shape) {
  void* self = nullptr;
  guarded([&] { self = new T(Params(declared_params<T>(), values, shape)); });
  return self;
}

template <class T>
void destroy(void* self) {
  delete static_cast<T*>(self);
}

template <class T>
const T& as(const void* self) {
  return *static_cast<const T*>(self);
}

// The card of T, with its parameters in the boundary's form.
template <class T>
const fenchel_card* card(std::int32_t kind, const void* table) {
  static constexpr std::size_t kCount = declared_params<T>().size();
  static const auto params = [] {
    std::array<fenchel_param, kCount + 1> list{};
    for (std::size_t i = 0; i < kCount; ++i) {
      const Param& p = declared_params<T>()[i];
      list[i] = {sizeof(fenchel_param),
                 static_cast<std::int32_t>(p.type),
                 p.name,
                 p.fallback,
                 p.range,
                 p.meaning};
    }
    return list;
  }();
  static const fenchel_card made{sizeof(fenchel_card),
                                 FENCHEL_ABI_MAJOR,
                                 FENCHEL_ABI_MINOR,
                                 kind,
                                 T::card.id,
                                 T::card.version,
                                 T::card.summary,
                                 T::card.citation,
                                 params.data(),
                                 static_cast<std::int64_t>(kCount),
                                 table,
                                 create<T>,
                                 destroy<T>,
                                 explain};
  return &made;
}

}  // namespace detail
}  // namespace fenchel::sdk

#define FENCHEL_PLUGIN(Type, Kind, Table)                                                      \
  extern "C" FENCHEL_EXPORT const fenchel_card* fenchel_plugin(std::uint32_t, std::uint32_t) { \
    return fenchel::sdk::detail::card<Type>(Kind, &(Table));                                   \
  }
