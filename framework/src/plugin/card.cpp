#include "plugin/card.hpp"

#include "plugin/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <stdexcept>

namespace fenchel {
namespace {

// The bytes of a struct up to and including its last member in version 1.0. Later versions append,
// so these stay as they are when the structs grow.
#define FENCHEL_SIZE_TO(Struct, member) (offsetof(Struct, member) + sizeof(Struct::member))
constexpr std::size_t kCardSize = FENCHEL_SIZE_TO(fenchel_card, explain);
constexpr std::size_t kParamSize = FENCHEL_SIZE_TO(fenchel_param, meaning);
constexpr std::size_t kLossSize = FENCHEL_SIZE_TO(fenchel_loss, oracle);
constexpr std::size_t kRegularizerSize = FENCHEL_SIZE_TO(fenchel_regularizer, oracle);
constexpr std::size_t kSolverSize = FENCHEL_SIZE_TO(fenchel_solver, oracle);
#undef FENCHEL_SIZE_TO

// Beyond these a declaration is taken for garbage and not read.
constexpr std::size_t kLargestParam = 4096;
constexpr std::int64_t kMostParams = 1000;

// A fault found on the way; its text is the reason.
struct Fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <class... Args>
[[noreturn]] void fault(fmt::format_string<Args...> text, Args&&... args) {
  throw Fault(fmt::format(text, std::forward<Args>(args)...));
}

void need_size(std::string_view what, std::size_t found, std::size_t needed) {
  if (found < needed)
    fault("its {} has size {}, plugin ABI {}.0 needs {}", what, found, FENCHEL_ABI_MAJOR, needed);
}

void need_text(std::string_view what, const char* text) {
  if (!text || !*text) fault("its {} is missing", what);
}

void check_version(const fenchel_card& card) {
  if (card.abi_major != FENCHEL_ABI_MAJOR)
    fault("made for plugin ABI {}.{}, this host has {}.{}: rebuild it with this host's headers",
          card.abi_major, card.abi_minor, FENCHEL_ABI_MAJOR, FENCHEL_ABI_MINOR);
  if (card.abi_minor > FENCHEL_ABI_MINOR)
    fault("needs a host with plugin ABI {}.{} or later, this one has {}.{}", card.abi_major,
          card.abi_minor, FENCHEL_ABI_MAJOR, FENCHEL_ABI_MINOR);
}

void check_identity(const fenchel_card& card) {
  if (card.kind < FENCHEL_KIND_LOSS || card.kind > FENCHEL_KIND_SOLVER)
    fault("its kind is {}, which is none", card.kind);
  need_text("id", card.id);
  if (!is_kebab_case(card.id)) fault("its id '{}' is not in kebab-case", card.id);
  need_text("version", card.version);
  need_text("summary", card.summary);
}

void check_param(const fenchel_param& param, std::int64_t index) {
  need_text(fmt::format("parameter {}'s name", index + 1), param.name);
  if (!is_kebab_case(param.name)) fault("parameter name '{}' is not in kebab-case", param.name);
  if (param.type < FENCHEL_NUMBER || param.type > FENCHEL_NUMBERS)
    fault("parameter '{}' has type {}, which is none", param.name, param.type);
  try {
    check_declaration(param);
  } catch (const std::invalid_argument& error) {
    fault("parameter '{}': {}", param.name, error.what());
  }
}

void check_params(const fenchel_card& card) {
  if (card.param_count < 0 || card.param_count > kMostParams)
    fault("it declares {} parameters", card.param_count);
  if (card.param_count == 0) return;
  if (!card.params) fault("its list of {} parameters is missing", card.param_count);

  const std::size_t stride = card.params[0].struct_size;
  need_size("parameter 1", stride, kParamSize);
  if (stride > kLargestParam || stride % alignof(fenchel_param) != 0)
    fault("its parameter 1 has size {}, which cannot be", stride);

  std::set<std::string_view> names;
  for (std::int64_t i = 0; i < card.param_count; ++i) {
    const fenchel_param& param = param_at(card, i);
    if (param.struct_size != stride)
      fault("its parameter {} has size {}, parameter 1 has {}", i + 1, param.struct_size, stride);
    check_param(param, i);
    if (!names.insert(param.name).second) fault("parameter '{}' is declared twice", param.name);
  }
}

void check_table(const fenchel_loss& table) {
  need_size("loss table", table.struct_size, kLossSize);
  if (table.targets < FENCHEL_TARGET_NONE || table.targets > FENCHEL_TARGET_SEQUENCE)
    fault("its loss table says targets {}, which are none", table.targets);
  if (table.layout < FENCHEL_LAYOUT_SCALAR || table.layout > FENCHEL_LAYOUT_CHAIN)
    fault("its loss table says layout {}, which is none", table.layout);
  if (!table.fact) fault("its loss table lacks 'fact'");
  if (!table.value) fault("its loss table lacks 'value'");
  if (!table.gradient) fault("its loss table lacks 'gradient'");
}

void check_table(const fenchel_regularizer& table) {
  need_size("regularizer table", table.struct_size, kRegularizerSize);
  if (!table.fact) fault("its regularizer table lacks 'fact'");
  if (!table.value) fault("its regularizer table lacks 'value'");
}

void check_table(const fenchel_solver& table) {
  need_size("solver table", table.struct_size, kSolverSize);
  if (!table.requirement) fault("its solver table lacks 'requirement'");
  if (!table.start) fault("its solver table lacks 'start'");
  if (!table.step) fault("its solver table lacks 'step'");
  if (!table.view) fault("its solver table lacks 'view'");
}

void check_functions(const fenchel_card& card) {
  if (!card.table) fault("its {} table is missing", kind_name(card.kind));
  switch (card.kind) {
    case FENCHEL_KIND_LOSS: check_table(*static_cast<const fenchel_loss*>(card.table)); break;
    case FENCHEL_KIND_REGULARIZER:
      check_table(*static_cast<const fenchel_regularizer*>(card.table));
      break;
    default: check_table(*static_cast<const fenchel_solver*>(card.table)); break;
  }
  if (!card.create) fault("its function 'create' is missing");
  if (!card.destroy) fault("its function 'destroy' is missing");
}

}  // namespace

std::string card_fault(const fenchel_card* card) try {
  if (!card)
    fault("says that it cannot serve a host with plugin ABI {}.{}", FENCHEL_ABI_MAJOR,
          FENCHEL_ABI_MINOR);
  need_size("card", card->struct_size, kCardSize);
  check_version(*card);
  check_identity(*card);
  check_params(*card);
  check_functions(*card);
  return {};
} catch (const Fault& found) {
  return found.what();
}

const fenchel_param& param_at(const fenchel_card& card, std::int64_t index) {
  const auto* bytes = reinterpret_cast<const std::byte*>(card.params);
  return *reinterpret_cast<const fenchel_param*>(bytes + index * card.params[0].struct_size);
}

std::string library_name(const fenchel_card& card) {
  return fmt::format("fenchel-{}-{}.so", kind_name(card.kind), card.id);
}

const char* kind_name(std::int32_t kind) {
  switch (kind) {
    case FENCHEL_KIND_LOSS: return "loss";
    case FENCHEL_KIND_REGULARIZER: return "regularizer";
    case FENCHEL_KIND_SOLVER: return "solver";
    default: return "unknown";
  }
}

}  // namespace fenchel
