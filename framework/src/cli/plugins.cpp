#include "cli/commands.hpp"
#include "plugin/describe.hpp"
#include "plugin/sample.hpp"
#include "plugin/verify.hpp"
#include "run/verify_solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

namespace fenchel::cli {
namespace {

constexpr std::uint64_t kSeed = 1;

std::vector<Finding> verify(const Plugin& plugin,
                            const std::vector<std::filesystem::path>& folders) {
  const Component component = sample_of(*plugin.card).component;
  const fenchel_shape shape = nominal_shape(*plugin.card);
  switch (plugin.card->kind) {
    case FENCHEL_KIND_LOSS: return verify_loss(make_loss(plugin, component, shape), shape, kSeed);
    case FENCHEL_KIND_REGULARIZER:
      return verify_regularizer(make_regularizer(plugin, component, shape), shape, kSeed);
    default: return verify_solver(plugin, Registry::scan(plugin_folders(folders)), kSeed);
  }
}

std::string findings_json(const Plugin& plugin, const std::vector<Finding>& findings, bool passed) {
  nlohmann::ordered_json out;
  out["id"] = plugin.card->id;
  out["kind"] = kind_name(plugin.card->kind);
  out["passed"] = passed;
  for (const Finding& f : findings)
    out["findings"].push_back({{"check", f.check}, {"passed", f.passed}, {"detail", f.detail}});
  return out.dump(2);
}

}  // namespace

int plugins_list(const PluginOptions& options) {
  const Registry registry = Registry::scan(plugin_folders(options.plugins));
  std::cout << (options.json ? registry_json(registry) + "\n" : describe_list(registry));
  return 0;
}

int plugins_info(const PluginOptions& options) {
  const Registry registry = Registry::scan(plugin_folders(options.plugins));
  const Plugin& plugin = plugin_named(registry, options.name);
  std::cout << (options.json ? plugin_json(plugin) + "\n" : describe_plugin(plugin));
  return 0;
}

int plugins_verify(const PluginOptions& options) {
  const Plugin plugin = load_plugin(options.file);
  const std::vector<Finding> findings = verify(plugin, options.plugins);
  const bool passed =
      std::all_of(findings.begin(), findings.end(), [](const Finding& f) { return f.passed; });
  if (options.json) {
    std::cout << findings_json(plugin, findings, passed) << '\n';
  } else {
    for (const Finding& f : findings)
      std::cout << fmt::format("{} {:<28} {}\n", f.passed ? "ok  " : "FAIL", f.check, f.detail);
    std::cout << fmt::format("{} '{}': {}\n", kind_name(plugin.card->kind), plugin.card->id,
                             passed ? "all checks passed" : "does not keep to its definition");
  }
  return static_cast<int>(passed ? Exit::converged : Exit::plugin_failed);
}

}  // namespace fenchel::cli
