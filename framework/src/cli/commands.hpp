// The subcommands, each with plain options and an exit code. Output for people and `--json` go to
// standard output, diagnostics and progress to standard error.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace fenchel::cli {

struct SpecOptions {
  std::filesystem::path spec;
  std::vector<std::string> sets;
  std::vector<std::filesystem::path> plugins;
  bool json = false;
};

struct SolveOptions : SpecOptions {
  std::filesystem::path out;
  int threads = 0;  // 0: as the spec says
  bool quiet = false;
};

struct PredictOptions {
  std::filesystem::path model, data, out;
  std::vector<std::filesystem::path> plugins;
  bool scores = false, probabilities = false;
  std::string threshold;  // empty, "best" or a number
};

struct PluginOptions {
  std::vector<std::filesystem::path> plugins;
  std::string name;            // info
  std::filesystem::path file;  // verify
  bool json = false;
};

int solve(const SolveOptions& options);
int check(const SpecOptions& options);
int predict_file(const PredictOptions& options);
int plugins_list(const PluginOptions& options);
int plugins_info(const PluginOptions& options);
int plugins_verify(const PluginOptions& options);

}  // namespace fenchel::cli
