// What is said of plugins, to people and as JSON; and the sample instance that it is said of.
#include "plugin/describe.hpp"

#include "plugin/sample.hpp"
#include "plugin/values.hpp"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <set>

namespace {

using namespace fenchel;
namespace fs = std::filesystem;

const fs::path kFixtures = FENCHEL_FIXTURE_DIR;
const fs::path kPlugins = FENCHEL_PLUGIN_DIR;

Registry shipped() { return Registry::scan({kPlugins}); }

bool holds(const std::string& text, const std::string& piece) {
  return text.find(piece) != std::string::npos;
}

// The words of the first line that begins with `word`, with single spaces between them.
std::string line_of(const std::string& text, const std::string& word) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string first, rest, next;
    if (!(words >> first) || first != word) continue;
    while (words >> next) rest += (rest.empty() ? "" : " ") + next;
    return rest;
  }
  return "no such line";
}

std::string chosen_for(std::int32_t type, const char* range) {
  const fenchel_param param{sizeof(fenchel_param), type, "p", nullptr, range, ""};
  fenchel_card card{};
  card.id = "part";
  card.params = &param;
  card.param_count = 1;
  const Sample sample = sample_of(card);
  const Values accepted(card, sample.component);
  return sample.chosen.at(0).second;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(plugin_describe)

BOOST_AUTO_TEST_CASE(every_fact_has_a_name_of_its_own) {
  BOOST_TEST(fact_name(FENCHEL_FACT_STRONG_CONVEXITY) == "strong-convexity");
  BOOST_TEST(fact_name(FENCHEL_FACT_HAS_PROX) == "has-prox");
  BOOST_TEST(fact_name(FENCHEL_FACT_BLOCK_NORM) == "block-norm");
  BOOST_TEST(fact_name(99) == "fact 99");
  std::set<std::string> names;
  int count = 0;
  for (const auto& [first, last] : {std::pair(1, 9), std::pair(64, 67), std::pair(128, 136)})
    for (int id = first; id <= last; ++id, ++count) {
      BOOST_TEST(is_kebab_case(fact_name(id)), "fact " << id);
      names.insert(fact_name(id));
    }
  BOOST_TEST(names.size() == static_cast<std::size_t>(count));
}

BOOST_AUTO_TEST_CASE(a_parameter_without_default_gets_a_value_of_its_range) {
  BOOST_TEST(chosen_for(FENCHEL_NUMBER, "(0, inf)") == "1");
  BOOST_TEST(chosen_for(FENCHEL_NUMBER, "(0, 1)") == "0.5");
  BOOST_TEST(chosen_for(FENCHEL_NUMBER, "[3, inf)") == "3");
  BOOST_TEST(chosen_for(FENCHEL_NUMBER, "(3, inf)") == "4");
  BOOST_TEST(chosen_for(FENCHEL_NUMBER, "(-inf, -2)") == "-3");
  BOOST_TEST(chosen_for(FENCHEL_NUMBER, nullptr) == "1");
  BOOST_TEST(chosen_for(FENCHEL_INTEGER, "[2, 5]") == "3");
  BOOST_TEST(chosen_for(FENCHEL_INTEGER, "(1, 2]") == "2");
  BOOST_TEST(chosen_for(FENCHEL_FLAG, nullptr) == "true");
  BOOST_TEST(chosen_for(FENCHEL_TEXT, "fast | slow") == "fast");
  BOOST_TEST(chosen_for(FENCHEL_NUMBERS, "(0, 1)") == "[0.5]");
}

BOOST_AUTO_TEST_CASE(the_list_shows_plugins_by_kind_and_id_then_failures) {
  const Registry registry = Registry::scan({kFixtures / "null-table", kFixtures / "false-done",
                                            kFixtures / "twin-first", kFixtures / "squared-c"});
  BOOST_TEST(describe_list(registry) ==
             "kind    id          version  summary\n"
             "loss    squared-c   1.0.0    (z - y)^2 / 2, in plain C\n"
             "loss    twin        1.0.0    zero\n"
             "solver  false-done  1.0.0    done at once, with w = 0\n"
             "\nnot usable\n"
             "  " +
                 (kFixtures / "null-table/fenchel-loss-null-table.so").string() +
                 ": its loss table is missing\n");
  BOOST_TEST(describe_list(Registry::scan({})) == "no plugins found\n");
}

BOOST_AUTO_TEST_CASE(the_list_as_json_says_the_same) {
  const auto json = nlohmann::json::parse(
      registry_json(Registry::scan({kFixtures / "null-table", kFixtures / "squared-c"})));
  BOOST_TEST(json["plugins"].size() == 1);
  BOOST_TEST(json["plugins"][0]["id"] == "squared-c");
  BOOST_TEST(json["plugins"][0]["kind"] == "loss");
  BOOST_TEST(json["failures"][0]["reason"] == "its loss table is missing");
}

BOOST_AUTO_TEST_CASE(a_regularizer_is_described_at_the_value_chosen_for_it) {
  const std::string text = describe_plugin(plugin_named(shipped(), "l1"));
  BOOST_TEST(line_of(text, "id") == "l1");
  BOOST_TEST(line_of(text, "kind") == "regularizer");
  BOOST_TEST(line_of(text, "file") == (kPlugins / "fenchel-regularizer-l1.so").string());
  BOOST_TEST(holds(line_of(text, "citation"), "Tibshirani"));
  BOOST_TEST(line_of(text, "lambda") == "number required (0, inf) weight of the norm");
  BOOST_TEST(line_of(text, "facts") == "at lambda = 1");
  BOOST_TEST(line_of(text, "lipschitz") == "known 1 l1");
  BOOST_TEST(line_of(text, "smoothness") == "absent");
  BOOST_TEST(line_of(text, "dual-radius") == "unknown");
  BOOST_TEST(line_of(text, "has-prox") == "known 1 l2");
}

BOOST_AUTO_TEST_CASE(a_loss_says_what_targets_it_takes) {
  const std::string text = describe_plugin(plugin_named(shipped(), "loss/hinge"));
  BOOST_TEST(line_of(text, "targets") == "binary");
  BOOST_TEST(line_of(text, "layout") == "scalar");
  BOOST_TEST(holds(text, "\nno parameters\n"));
  BOOST_TEST(line_of(text, "lipschitz") == "known 1 l2");
}

BOOST_AUTO_TEST_CASE(a_solver_shows_its_requirements) {
  const Registry registry = Registry::scan({kFixtures / "throwing-step"});
  const std::string text = describe_plugin(registry.plugins().at(0));
  BOOST_TEST(holds(text,
                   "requirements\n"
                   "  about        fact          needed      alternative  why\n"
                   "  loss         has-gradient  known                    it follows gradients\n"
                   "  loss         convex        not absent               it hopes for a minimum\n"
                   "  problem      blocks        >= 2                     it needs company\n"
                   "  regularizer  quadratic     <= 8        one of 1     a plain ball\n"
                   "  regularizer  has-prox      known       one of 1     or a prox\n"),
             text);
}

BOOST_AUTO_TEST_CASE(a_plugin_that_cannot_be_made_is_described_all_the_same) {
  const Registry registry = Registry::scan({kFixtures / "throwing-constructor"});
  const Plugin& plugin = registry.plugins().at(0);
  BOOST_TEST(
      holds(describe_plugin(plugin),
            "no instance: the loss throwing-constructor could not be made: no instance today"));
  const auto json = nlohmann::json::parse(plugin_json(plugin));
  BOOST_TEST(json["failure"] ==
             "the loss throwing-constructor could not be made: no instance today");
}

BOOST_AUTO_TEST_CASE(a_plugin_as_json_has_parameters_facts_and_requirements) {
  const auto l1 = nlohmann::json::parse(plugin_json(plugin_named(shipped(), "l1")));
  BOOST_TEST(l1["parameters"][0]["name"] == "lambda");
  BOOST_TEST(l1["parameters"][0]["required"] == true);
  BOOST_TEST(l1["parameters"][0]["default"].is_null());
  BOOST_TEST(l1["parameters"][0]["range"] == "(0, inf)");
  BOOST_TEST(l1["chosen"]["lambda"] == "1");
  BOOST_TEST(l1["facts"][1]["name"] == "lipschitz");
  BOOST_TEST(l1["facts"][1]["value"] == 1.0);
  BOOST_TEST(l1["facts"][1]["norm"] == "l1");
  BOOST_TEST(l1["facts"][2]["state"] == "absent");

  const Registry registry = Registry::scan({kFixtures / "throwing-step"});
  const auto solver = nlohmann::json::parse(plugin_json(registry.plugins().at(0)));
  BOOST_TEST(solver["requirements"].size() == 5);
  BOOST_TEST(solver["requirements"][2]["fact"] == "blocks");
  BOOST_TEST(solver["requirements"][2]["needed"] == ">= 2");
  BOOST_TEST(solver["requirements"][3]["alternative"] == 1);
}

BOOST_AUTO_TEST_CASE(a_wrong_name_gets_the_nearest_or_the_reason_of_a_failed_library) {
  const Registry registry = Registry::scan({kFixtures / "squared-c", kFixtures / "null-table"});
  BOOST_TEST(plugin_named(registry, "squared-c").card->kind == FENCHEL_KIND_LOSS);
  const auto near = [](const Error& error) {
    return std::string(error.what()) == "no plugin is called 'squared'; did you mean 'squared-c'?";
  };
  BOOST_CHECK_EXCEPTION(plugin_named(registry, "squared"), Error, near);
  const auto far = [](const Error& error) {
    return error.advice() == "see `fenchel plugins list`";
  };
  BOOST_CHECK_EXCEPTION(plugin_named(registry, "solver/completely-else"), Error, far);
  const auto failed = [](const Error& error) {
    return holds(error.what(), "fenchel-loss-null-table.so its loss table is missing");
  };
  BOOST_CHECK_EXCEPTION(plugin_named(registry, "loss/null-table"), Error, failed);
}

BOOST_AUTO_TEST_SUITE_END()
