// Finds plugin libraries, loads and describes them (phase one), and makes instances (phase two).
#pragma once

#include "plugin/card.hpp"
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
  // Loads every fenchel-*.so of these folders, in order; the first of two plugins with the same
  // kind and id wins, the other becomes a failure. Libraries stay loaded until the program ends.
  static Registry scan(const std::vector<std::filesystem::path>& folders);

  const std::vector<Plugin>& plugins() const { return plugins_; }
  const std::vector<LoadFailure>& failures() const { return failures_; }

  // Null where there is none.
  const Plugin* find(std::int32_t kind, const std::string& id) const;

  // Instances for a spec's components. Throws Error: bad_input for an unknown id (with the nearest
  // one, and the load failure if a library of that name failed) or bad parameters, plugin_failed
  // when construction fails.
  LossPart make_loss(const Component& component, const fenchel_shape& shape) const;
  RegularizerPart make_regularizer(const Component& component, const fenchel_shape& shape) const;
  SolverPart make_solver(const Component& component, const fenchel_shape& shape) const;

  // The plugin behind a component, checked to exist; parameters are not looked at.
  const Plugin& require(std::int32_t kind, const Component& component) const;

 private:
  std::vector<Plugin> plugins_;
  std::vector<LoadFailure> failures_;
};

// Loads one file by itself (for `plugins verify`). Throws Error: bad_input where there is no such
// file, plugin_failed with the reason where it is no good plugin.
Plugin load_plugin(const std::filesystem::path& file);

// An instance of one plugin, which must be of that kind. Errors as those of Registry's makers.
LossPart make_loss(const Plugin& plugin, const Component& component, const fenchel_shape& shape);
RegularizerPart make_regularizer(const Plugin& plugin, const Component& component,
                                 const fenchel_shape& shape);
SolverPart make_solver(const Plugin& plugin, const Component& component,
                       const fenchel_shape& shape);

// --plugins DIR, FENCHEL_PLUGIN_PATH (colon-separated), beside the program (../lib/fenchel/plugins
// when installed, ../plugins in a build tree). Throws Error (bad_input) where an asked one is
// missing.
std::vector<std::filesystem::path> plugin_folders(const std::vector<std::filesystem::path>& asked);

// The plugin folders that exist beside a program in a folder `bin`.
std::vector<std::filesystem::path> folders_beside(const std::filesystem::path& bin);

// A path with links and dots resolved, as far as it exists: the same for two names of one file.
std::filesystem::path real_path(const std::filesystem::path& path);

}  // namespace fenchel
