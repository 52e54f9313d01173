// What a library says about itself: every fault is named, and found before what depends on it is
// read.
#include "plugin/card.hpp"

#include <boost/test/unit_test.hpp>

#include <cstring>
#include <functional>
#include <limits>
#include <vector>

namespace {

using namespace fenchel;

int32_t oracle(const void*, const fenchel_batch*, const double*, double*) { return FENCHEL_OK; }
void fact(const void*, int32_t, fenchel_fact*) {}
void* create(const fenchel_value* const*, const fenchel_shape*) { return nullptr; }
void destroy(void*) {}

// A good loss card with one parameter, and all that it points to.
struct Good {
  std::vector<fenchel_param> params{
      {sizeof(fenchel_param), FENCHEL_NUMBER, "gamma", "0.1", "(0, inf)", "width"}};
  fenchel_loss table{};
  fenchel_card card{};

  Good() {
    table.struct_size = sizeof table;
    table.targets = FENCHEL_TARGET_BINARY;
    table.layout = FENCHEL_LAYOUT_SCALAR;
    table.fact = fact;
    table.value = oracle;
    table.gradient = oracle;
    card.struct_size = sizeof card;
    card.abi_major = FENCHEL_ABI_MAJOR;
    card.abi_minor = FENCHEL_ABI_MINOR;
    card.kind = FENCHEL_KIND_LOSS;
    card.id = "good";
    card.version = "1.0.0";
    card.summary = "good";
    card.table = &table;
    card.create = create;
    card.destroy = destroy;
  }

  std::string fault() {
    card.params = params.data();
    card.param_count = static_cast<std::int64_t>(params.size());
    return card_fault(&card);
  }
};

// The fault of a good card after `spoil`.
std::string fault_after(const std::function<void(Good&)>& spoil) {
  Good good;
  spoil(good);
  return good.fault();
}

std::string param_fault(std::int32_t type, const char* fallback, const char* range) {
  return fault_after([&](Good& g) {
    g.params[0].type = type;
    g.params[0].fallback = fallback;
    g.params[0].range = range;
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(plugin_card)

BOOST_AUTO_TEST_CASE(a_good_card_has_no_fault) { BOOST_TEST(Good().fault() == ""); }

BOOST_AUTO_TEST_CASE(null_means_that_the_plugin_declines) {
  BOOST_TEST(card_fault(nullptr) == "says that it cannot serve a host with plugin ABI 1.0");
}

BOOST_AUTO_TEST_CASE(nothing_is_read_beyond_the_size_a_card_claims) {
  // Four bytes are all there is; reading on would be caught by the address sanitizer.
  const std::vector<std::uint32_t> tiny{sizeof(std::uint32_t)};
  BOOST_TEST(card_fault(reinterpret_cast<const fenchel_card*>(tiny.data())) ==
             "its card has size 4, plugin ABI 1.0 needs 96");
}

BOOST_AUTO_TEST_CASE(the_major_version_must_be_ours) {
  BOOST_TEST(fault_after([](Good& g) { g.card.abi_major = 2; }) ==
             "made for plugin ABI 2.0, this host has 1.0: rebuild it with this host's headers");
  BOOST_TEST(fault_after([](Good& g) { g.card.abi_major = 0; }) ==
             "made for plugin ABI 0.0, this host has 1.0: rebuild it with this host's headers");
}

BOOST_AUTO_TEST_CASE(a_newer_minor_version_names_the_host_it_needs) {
  BOOST_TEST(fault_after([](Good& g) { g.card.abi_minor = FENCHEL_ABI_MINOR + 3; }) ==
             "needs a host with plugin ABI 1.3 or later, this one has 1.0");
}

BOOST_AUTO_TEST_CASE(a_longer_card_of_our_version_is_welcome) {
  BOOST_TEST(fault_after([](Good& g) { g.card.struct_size += 64; }) == "");
}

BOOST_AUTO_TEST_CASE(version_is_judged_before_anything_whose_meaning_it_decides) {
  const auto broken = [](Good& g) {
    g.card.abi_major = 2;
    g.card.kind = 77;
    g.card.id = nullptr;
    g.card.table = nullptr;
  };
  BOOST_TEST(fault_after(broken).starts_with("made for plugin ABI 2.0"));
}

BOOST_AUTO_TEST_CASE(kind_id_version_and_summary_are_needed) {
  BOOST_TEST(fault_after([](Good& g) { g.card.kind = 4; }) == "its kind is 4, which is none");
  BOOST_TEST(fault_after([](Good& g) { g.card.id = nullptr; }) == "its id is missing");
  BOOST_TEST(fault_after([](Good& g) { g.card.id = ""; }) == "its id is missing");
  BOOST_TEST(fault_after([](Good& g) { g.card.id = "Smooth_Hinge"; }) ==
             "its id 'Smooth_Hinge' is not in kebab-case");
  BOOST_TEST(fault_after([](Good& g) { g.card.version = nullptr; }) == "its version is missing");
  BOOST_TEST(fault_after([](Good& g) { g.card.summary = nullptr; }) == "its summary is missing");
  BOOST_TEST(fault_after([](Good& g) { g.card.citation = nullptr; }) == "");
}

BOOST_AUTO_TEST_CASE(kebab_case_is_lower_case_with_single_inner_hyphens) {
  for (const char* good : {"l2", "hinge", "smooth-max-of-hinge", "a-1"})
    BOOST_TEST(is_kebab_case(good), good);
  for (const char* bad : {"", "-a", "a-", "a--b", "A", "a_b", "1a", "a b", "é"})
    BOOST_TEST(!is_kebab_case(bad), bad);
}

BOOST_AUTO_TEST_CASE(parameters_have_sane_sizes_names_and_types) {
  BOOST_TEST(fault_after([](Good& g) { g.params[0].struct_size = 8; }) ==
             "its parameter 1 has size 8, plugin ABI 1.0 needs 40");
  BOOST_TEST(fault_after([](Good& g) { g.params[0].struct_size = 44; }) ==
             "its parameter 1 has size 44, which cannot be");
  BOOST_TEST(fault_after([](Good& g) { g.params[0].struct_size = 1U << 20U; }) ==
             "its parameter 1 has size 1048576, which cannot be");
  BOOST_TEST(fault_after([](Good& g) { g.params[0].name = nullptr; }) ==
             "its parameter 1's name is missing");
  BOOST_TEST(fault_after([](Good& g) { g.params[0].name = "Gamma"; }) ==
             "parameter name 'Gamma' is not in kebab-case");
  BOOST_TEST(fault_after([](Good& g) { g.params[0].type = 9; }) ==
             "parameter 'gamma' has type 9, which is none");
  BOOST_TEST(fault_after([](Good& g) { g.params.push_back(g.params[0]); }) ==
             "parameter 'gamma' is declared twice");
  const auto uneven = [](Good& g) {
    g.params.push_back(g.params[0]);
    g.params[1].struct_size += 8;
  };
  BOOST_TEST(fault_after(uneven) == "its parameter 2 has size 48, parameter 1 has 40");
}

BOOST_AUTO_TEST_CASE(the_list_of_parameters_is_there_and_of_sane_length) {
  Good good;
  good.card.param_count = -1;
  BOOST_TEST(card_fault(&good.card) == "it declares -1 parameters");
  good.card.param_count = std::numeric_limits<std::int64_t>::max();
  BOOST_TEST(card_fault(&good.card) == "it declares 9223372036854775807 parameters");
  good.card.param_count = 2;
  BOOST_TEST(card_fault(&good.card) == "its list of 2 parameters is missing");
}

BOOST_AUTO_TEST_CASE(larger_parameters_of_a_later_version_are_stepped_over_by_their_own_size) {
  struct Later {
    fenchel_param param;
    std::int64_t more;
  };
  const Later list[] = {{{sizeof(Later), FENCHEL_NUMBER, "first", "1", nullptr, ""}, -1},
                        {{sizeof(Later), FENCHEL_NUMBER, "second", nullptr, nullptr, ""}, -1}};
  Good good;
  good.card.params = &list[0].param;
  good.card.param_count = 2;
  BOOST_TEST(card_fault(&good.card) == "");
  BOOST_TEST(std::strcmp(param_at(good.card, 1).name, "second") == 0);
}

BOOST_AUTO_TEST_CASE(defaults_and_ranges_are_checked_when_a_plugin_is_loaded) {
  BOOST_TEST(param_fault(FENCHEL_NUMBER, "0.1", "(0, inf") ==
             "parameter 'gamma': range '(0, inf' is neither an interval such as (0, inf) nor words "
             "such as a | b");
  BOOST_TEST(param_fault(FENCHEL_NUMBER, "0.1", "[2, 1]") ==
             "parameter 'gamma': range '[2, 1]' is empty");
  BOOST_TEST(param_fault(FENCHEL_NUMBER, "-0.1", "(0, inf)") ==
             "parameter 'gamma': default: must be in (0, inf), found -0.1");
  BOOST_TEST(param_fault(FENCHEL_NUMBER, "some", nullptr) ==
             "parameter 'gamma': default: must be a finite number, found some");
  BOOST_TEST(param_fault(FENCHEL_INTEGER, "1.5", nullptr) ==
             "parameter 'gamma': default: must be an integer, found 1.5");
  BOOST_TEST(param_fault(FENCHEL_TEXT, "c", "a | b") ==
             "parameter 'gamma': default: must be a or b, found c");
  BOOST_TEST(param_fault(FENCHEL_NUMBERS, "1, 2", nullptr) ==
             "parameter 'gamma': default '1, 2' is not a list such as [1, 2]");
  BOOST_TEST(param_fault(FENCHEL_NUMBERS, "[1, 2, -3]", "[0, inf)") ==
             "parameter 'gamma': default: must be in [0, inf), found -3");
  BOOST_TEST(param_fault(FENCHEL_NUMBER, nullptr, "(0, inf)") == "");
  BOOST_TEST(param_fault(FENCHEL_NUMBERS, "[]", "[0, inf)") == "");
}

BOOST_AUTO_TEST_CASE(a_range_must_suit_the_type) {
  BOOST_TEST(param_fault(FENCHEL_NUMBER, nullptr, "a | b") ==
             "parameter 'gamma': range 'a | b' is words, but the type is number");
  BOOST_TEST(param_fault(FENCHEL_TEXT, nullptr, "[0, 1]") ==
             "parameter 'gamma': range '[0, 1]' is an interval, but the type is text");
  BOOST_TEST(param_fault(FENCHEL_FLAG, "true", "[0, 1]") ==
             "parameter 'gamma': a flag has no range");
}

BOOST_AUTO_TEST_CASE(a_loss_table_is_whole_and_has_what_every_loss_must_have) {
  BOOST_TEST(fault_after([](Good& g) { g.card.table = nullptr; }) == "its loss table is missing");
  BOOST_TEST(fault_after([](Good& g) { g.table.struct_size = 16; }) ==
             "its loss table has size 16, plugin ABI 1.0 needs 80");
  BOOST_TEST(fault_after([](Good& g) { g.table.targets = 5; }) ==
             "its loss table says targets 5, which are none");
  BOOST_TEST(fault_after([](Good& g) { g.table.layout = 0; }) ==
             "its loss table says layout 0, which is none");
  BOOST_TEST(fault_after([](Good& g) { g.table.fact = nullptr; }) == "its loss table lacks 'fact'");
  BOOST_TEST(fault_after([](Good& g) { g.table.value = nullptr; }) ==
             "its loss table lacks 'value'");
  BOOST_TEST(fault_after([](Good& g) { g.table.gradient = nullptr; }) ==
             "its loss table lacks 'gradient'");
}

BOOST_AUTO_TEST_CASE(tables_of_the_other_kinds_are_checked_too) {
  fenchel_regularizer regularizer{};
  regularizer.struct_size = sizeof regularizer;
  regularizer.fact = fact;
  BOOST_TEST(fault_after([&](Good& g) {
               g.card.kind = FENCHEL_KIND_REGULARIZER;
               g.card.table = &regularizer;
             }) == "its regularizer table lacks 'value'");
  fenchel_solver solver{};
  solver.struct_size = sizeof solver;
  solver.requirement = [](const void*, int32_t, fenchel_requirement*) -> int32_t { return 0; };
  solver.start = [](void*, const fenchel_problem*) -> int32_t { return 0; };
  solver.step = [](void*, int32_t*) -> int32_t { return 0; };
  const auto with_solver = [&](Good& g) {
    g.card.kind = FENCHEL_KIND_SOLVER;
    g.card.table = &solver;
  };
  BOOST_TEST(fault_after(with_solver) == "its solver table lacks 'view'");
  solver.view = [](void*, fenchel_view*) -> int32_t { return 0; };
  BOOST_TEST(fault_after(with_solver) == "");
}

BOOST_AUTO_TEST_CASE(instances_can_be_made_and_destroyed) {
  BOOST_TEST(fault_after([](Good& g) { g.card.create = nullptr; }) ==
             "its function 'create' is missing");
  BOOST_TEST(fault_after([](Good& g) { g.card.destroy = nullptr; }) ==
             "its function 'destroy' is missing");
  BOOST_TEST(fault_after([](Good& g) { g.card.explain = nullptr; }) == "");
}

BOOST_AUTO_TEST_SUITE_END()
