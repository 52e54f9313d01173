#include "plugin/registry.hpp"

#include "plugin/values.hpp"

#include <boost/dll/shared_library.hpp>

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <mutex>

namespace fenchel {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSymbol = "fenchel_plugin";

// A library in memory and what it said, once.
struct Loaded {
  boost::dll::shared_library library;
  const fenchel_card* card = nullptr;
  std::string fault;
};

// Never destroyed: instances, and threads' destructors, may outlive everything else.
std::map<fs::path, Loaded>& loaded_libraries() {
  static auto* const kept = new std::map<fs::path, Loaded>;
  return *kept;
}

// The loader's own words, without the path that stands before them.
std::string loader_message(const fs::path& file) {
  const char* said = dlerror();
  std::string message = said ? said : "the loader gives no reason";
  const std::string prefix = file.string() + ": ";
  if (message.starts_with(prefix)) message.erase(0, prefix.size());
  return message;
}

// Asks the library for its card, and checks it.
void describe_itself(Loaded& loaded) {
  if (!loaded.library.has(kSymbol)) {
    loaded.fault = fmt::format("exports no symbol '{}'", kSymbol);
    return;
  }
  try {
    auto& entry = loaded.library.get<const fenchel_card*(std::uint32_t, std::uint32_t)>(kSymbol);
    const fenchel_card* card = entry(FENCHEL_ABI_MAJOR, FENCHEL_ABI_MINOR);
    loaded.fault = card_fault(card);
    if (loaded.fault.empty()) loaded.card = card;
  } catch (const std::exception& error) {
    loaded.fault = fmt::format("'{}' threw an exception: {}", kSymbol, error.what());
  } catch (...) {
    loaded.fault = fmt::format("'{}' threw an unknown exception", kSymbol);
  }
}

// The card of a library, or the reason why there is none (then the card is null).
struct Outcome {
  const fenchel_card* card = nullptr;
  std::string reason;
};

Outcome load(const fs::path& file) {
  static std::mutex guard;
  const std::lock_guard lock(guard);
  const fs::path key = real_path(file);
  auto& all = loaded_libraries();
  auto known = all.find(key);
  if (known == all.end()) {
    Loaded fresh;
    boost::dll::fs::error_code failed;
    fresh.library.load(key.string(),
                       boost::dll::load_mode::rtld_now | boost::dll::load_mode::rtld_local, failed);
    if (failed) return {nullptr, fmt::format("cannot be loaded: {}", loader_message(key))};
    describe_itself(fresh);
    known = all.emplace(key, std::move(fresh)).first;
  }
  return {known->second.card, known->second.fault};
}

std::string misnamed(const fs::path& file, const fenchel_card& card) {
  const std::string needed = library_name(card);
  if (file.filename() == needed) return {};
  return fmt::format("holds the {} '{}', so its name must be {}", kind_name(card.kind), card.id,
                     needed);
}

// The libraries of a folder that are named as plugins are, by name.
std::vector<fs::path> libraries_in(const fs::path& folder, std::error_code& failed) {
  std::vector<fs::path> files;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    const std::string name = entry->path().filename().string();
    std::error_code ignored;
    if (name.starts_with("fenchel-") && name.ends_with(".so") && !entry->is_directory(ignored))
      files.push_back(entry->path());
  }
  std::ranges::sort(files);
  return files;
}

template <class PartType, class Table>
PartType make(std::int32_t kind, const Plugin& plugin, const Component& component,
              const fenchel_shape& shape) {
  const fenchel_card& card = *plugin.card;
  const auto failed = [&](const std::string& reason) {
    return Error(Exit::plugin_failed,
                 fmt::format("the {} {} could not be made: {}", kind_name(kind), card.id, reason),
                 component.place, fmt::format("its library is {}", plugin.file.string()));
  };
  if (card.kind != kind) throw failed(fmt::format("it is a {}", kind_name(card.kind)));
  const Values values(card, component);
  void* self = nullptr;
  try {
    self = card.create(values.data(), &shape);
  } catch (const std::exception& error) {
    throw failed(error.what());
  } catch (...) {
    throw failed("unknown exception");
  }
  if (!self) throw failed(explain_failure(card.explain));

  PartType part;
  part.id = card.id;
  part.text = values.text();
  part.self = self;
  part.owner = std::shared_ptr<void>(self, card.destroy);
  part.explain = card.explain;
  part.table = static_cast<const Table*>(card.table);
  return part;
}

// Why a component finds no plugin, as far as the libraries tell.
[[noreturn]] void refuse_unknown(const Registry& registry, std::int32_t kind,
                                 const Component& component) {
  const std::string kind_text = kind_name(kind);
  const std::string library = fmt::format("fenchel-{}-{}.so", kind_text, component.name);
  for (const LoadFailure& failure : registry.failures())
    if (failure.file.filename() == library)
      throw Error(Exit::bad_input,
                  fmt::format("the {} '{}' cannot be used: {} {}", kind_text, component.name,
                              failure.file.string(), failure.reason),
                  component.place);

  std::vector<std::string> ids;
  std::string advice;
  for (const Plugin& plugin : registry.plugins()) {
    if (plugin.card->kind == kind)
      ids.emplace_back(plugin.card->id);
    else if (component.name == plugin.card->id)
      advice = fmt::format("'{}' is a {}; ", component.name, kind_name(plugin.card->kind));
  }
  std::ranges::sort(ids);
  const std::string near = nearest_name(component.name, ids);
  if (!near.empty()) advice += fmt::format("did you mean '{}'? ", near);
  advice += ids.empty() ? "none was found in the plugin folders (see `fenchel plugins list`)"
                        : fmt::format("known: {}", fmt::join(ids, ", "));
  throw Error(Exit::bad_input, fmt::format("unknown {} '{}'", kind_text, component.name),
              component.place, advice);
}

}  // namespace

Registry Registry::scan(const std::vector<fs::path>& folders) {
  Registry registry;
  std::vector<fs::path> seen;  // one file under two names is one plugin
  for (const fs::path& folder : folders) {
    std::error_code failed;
    const std::vector<fs::path> files = libraries_in(folder, failed);
    if (failed) registry.failures_.push_back({folder, "cannot be searched: " + failed.message()});
    for (const fs::path& file : files) {
      const fs::path key = real_path(file);
      if (std::ranges::find(seen, key) != seen.end()) continue;
      seen.push_back(key);

      Outcome outcome = load(file);
      if (outcome.card) {
        if (const Plugin* first = registry.find(outcome.card->kind, outcome.card->id))
          outcome.reason =
              fmt::format("duplicate id '{}': this {} is already provided by {}", outcome.card->id,
                          kind_name(outcome.card->kind), first->file.string());
        else
          outcome.reason = misnamed(file, *outcome.card);
      }
      if (outcome.reason.empty())
        registry.plugins_.push_back({file, outcome.card});
      else
        registry.failures_.push_back({file, outcome.reason});
    }
  }
  return registry;
}

const Plugin* Registry::find(std::int32_t kind, const std::string& id) const {
  const auto fits = [&](const Plugin& p) { return p.card->kind == kind && p.card->id == id; };
  const auto found = std::ranges::find_if(plugins_, fits);
  return found == plugins_.end() ? nullptr : &*found;
}

const Plugin& Registry::require(std::int32_t kind, const Component& component) const {
  const Plugin* plugin = find(kind, component.name);
  if (!plugin) refuse_unknown(*this, kind, component);
  return *plugin;
}

LossPart Registry::make_loss(const Component& component, const fenchel_shape& shape) const {
  return fenchel::make_loss(require(FENCHEL_KIND_LOSS, component), component, shape);
}

RegularizerPart Registry::make_regularizer(const Component& component,
                                           const fenchel_shape& shape) const {
  return fenchel::make_regularizer(require(FENCHEL_KIND_REGULARIZER, component), component, shape);
}

SolverPart Registry::make_solver(const Component& component, const fenchel_shape& shape) const {
  return fenchel::make_solver(require(FENCHEL_KIND_SOLVER, component), component, shape);
}

LossPart make_loss(const Plugin& plugin, const Component& component, const fenchel_shape& shape) {
  LossPart part = make<LossPart, fenchel_loss>(FENCHEL_KIND_LOSS, plugin, component, shape);
  if (fact_of(part, FENCHEL_FACT_ENTROPY).state == FENCHEL_KNOWN)
    part.tempered = [plugin, component, shape](double temperature) {
      Component warm = component;
      std::erase_if(warm.parameters.entries,
                    [](const auto& entry) { return entry.first == "temperature"; });
      Node value;
      value.kind = Node::Kind::scalar;
      value.scalar = fmt::format("{}", temperature);
      value.place = component.place;
      warm.parameters.kind = Node::Kind::map;
      warm.parameters.entries.emplace_back("temperature", std::move(value));
      return make_loss(plugin, warm, shape);
    };
  return part;
}

RegularizerPart make_regularizer(const Plugin& plugin, const Component& component,
                                 const fenchel_shape& shape) {
  return make<RegularizerPart, fenchel_regularizer>(FENCHEL_KIND_REGULARIZER, plugin, component,
                                                    shape);
}

SolverPart make_solver(const Plugin& plugin, const Component& component,
                       const fenchel_shape& shape) {
  return make<SolverPart, fenchel_solver>(FENCHEL_KIND_SOLVER, plugin, component, shape);
}

Plugin load_plugin(const fs::path& file) {
  Place at;
  at.file = file.string();
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) throw Error(Exit::bad_input, "no such file", at);
  Outcome outcome = load(file);
  if (outcome.card) outcome.reason = misnamed(file, *outcome.card);
  if (!outcome.reason.empty()) throw Error(Exit::plugin_failed, outcome.reason, at);
  return {file, outcome.card};
}

}  // namespace fenchel
