#include "base/error.hpp"
#include "cli/commands.hpp"
#include "report/version.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>
#include <functional>

namespace {

using namespace fenchel;

void spec_arguments(CLI::App& command, cli::SpecOptions& options) {
  command.add_option("SPEC", options.spec, "the problem, in YAML")->required();
  command
      .add_option("--set", options.sets,
                  "key=value: change one entry of the spec, e.g. solver.fista.restart=false")
      ->allow_extra_args(false);
  command.add_flag("--json", options.json, "print JSON on standard output, and nothing else");
  command.add_option("--plugins", options.plugins, "look for plugins in this folder first")
      ->allow_extra_args(false);
}

// Parses and runs; `code` is what the chosen command returned.
int run(int argc, char** argv) {
  CLI::App app("fenchel: regularized risk minimisation from YAML specs, with a certificate");
  app.set_version_flag("--version", std::string("fenchel ") + version());
  app.require_subcommand(1);
  std::function<int()> command;

  cli::SolveOptions solve;
  CLI::App* solve_app = app.add_subcommand("solve", "solve a spec and certify the result");
  spec_arguments(*solve_app, solve);
  solve_app->add_option("--out", solve.out, "folder for result, trace and model");
  solve_app->add_option("--threads", solve.threads, "number of threads")
      ->check(CLI::Range(1, 1024));
  solve_app->add_flag("--quiet", solve.quiet, "no progress and no summary");
  solve_app->callback([&] { command = [&] { return cli::solve(solve); }; });

  cli::SpecOptions check;
  CLI::App* check_app =
      app.add_subcommand("check", "show the problem, its constants and whether the solver fits");
  spec_arguments(*check_app, check);
  check_app->callback([&] { command = [&] { return cli::check(check); }; });

  cli::PredictOptions predict;
  CLI::App* predict_app = app.add_subcommand("predict", "apply a model to data");
  predict_app->add_option("MODEL", predict.model, "model.json, or the folder that holds it")
      ->required();
  predict_app->add_option("DATA", predict.data, "a data file")->required();
  predict_app->add_option("--out", predict.out, "write the predictions to this file");
  predict_app->add_flag("--scores", predict.scores, "CSV with the scores");
  predict_app->add_option("--threshold", predict.threshold,
                          "of the positive label: best (for F1 in training), or a number");
  predict_app->add_flag("--probabilities", predict.probabilities,
                        "sequences: CSV with the probability of every label");
  predict_app->add_option("--plugins", predict.plugins, "look for plugins in this folder first")
      ->allow_extra_args(false);
  predict_app->callback([&] { command = [&] { return cli::predict_file(predict); }; });

  cli::PluginOptions plugins;
  CLI::App* plugins_app = app.add_subcommand("plugins", "list, describe and verify plugins");
  plugins_app->require_subcommand(1);
  const auto plugin_command = [&](const char* name, const char* help,
                                  int (*function)(const cli::PluginOptions&)) {
    CLI::App* sub = plugins_app->add_subcommand(name, help);
    sub->add_option("--plugins", plugins.plugins, "look for plugins in this folder first")
        ->allow_extra_args(false);
    sub->add_flag("--json", plugins.json, "print JSON on standard output, and nothing else");
    sub->callback([&plugins, &command, function] {
      command = [&plugins, function] { return function(plugins); };
    });
    return sub;
  };
  plugin_command("list", "all plugins found, and those that failed to load", cli::plugins_list);
  plugin_command("info", "parameters, facts and requirements of one plugin", cli::plugins_info)
      ->add_option("ID", plugins.name, "hinge, or loss/hinge")
      ->required();
  plugin_command("verify", "hold a plugin library against its definition", cli::plugins_verify)
      ->add_option("FILE", plugins.file, "the library")
      ->required();

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : static_cast<int>(Exit::bad_input);
  }
  return command();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const Error& error) {
    std::fprintf(stderr, "fenchel: %s\n", error.what());
    return static_cast<int>(error.exit());
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "fenchel: out of memory\n");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fenchel: %s\n", error.what());
  }
  return static_cast<int>(Exit::bad_input);
}
