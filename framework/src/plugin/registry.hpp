// Finds plugin libraries, loads and describes them (phase one), and makes instances (phase two).
#pragma once

#include "plugin/parts.hpp"
#include "spec/spec.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace fenchel {

// A library that loaded and described itself well.
struct Plugin {
  std::filesystem::path file;
  const fenchel_card* card = nullptr;
};

// A library that could not be used, and why.
struct LoadFailure {
  std::filesystem::path file;
  std::string reason;
};

class Registry {
 public:
  // Loads every fenchel-*.so of these folders, in order; the first of two plugins with the same kind
  // and id wins, the other becomes a failure. Libraries stay loaded until the program ends.
  static Registry scan(const std::vector<std::filesystem::path>& folders);

  const std::vector<Plugin>& plugins() const { return plugins_; }
  const std::vector<LoadFailure>& failures() const { return failures_; }

  // Null where there is none.
  const Plugin* find(std::int32_t kind, const std::string& id) const;

  // Instances for a spec's components. Throws Error: bad_input for an unknown id (with the nearest
  // one, and the load failure if a library of that name failed) or bad parameters, plugin_failed when
  // construction fails.
  LossPart make_loss(const Component& component, const fenchel_shape& shape) const;
  RegularizerPart make_regularizer(const Component& component, const fenchel_shape& shape) const;
  SolverPart make_solver(const Component& component, const fenchel_shape& shape) const;

  // The plugin behind a component, checked to exist; parameters are not looked at.
  const Plugin& require(std::int32_t kind, const Component& component) const;

 private:
  std::vector<Plugin> plugins_;
  std::vector<LoadFailure> failures_;
};

// Loads one file by itself (for `plugins verify`). Throws Error (plugin_failed) with the reason.
Plugin load_plugin(const std::filesystem::path& file);

// --plugins DIR, FENCHEL_PLUGIN_PATH (colon-separated), beside the program (../lib/fenchel/plugins
// when installed, ../plugins in a build tree).
std::vector<std::filesystem::path> plugin_folders(const std::vector<std::filesystem::path>& asked);

// "loss", "regularizer", "solver".
const char* kind_name(std::int32_t kind);

}  // namespace fenchel
