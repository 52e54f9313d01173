// Every loss and regularizer that is found keeps its promises, at its defaults and elsewhere in the
// ranges of its parameters. A new plugin is tested by existing.
#include "base/error.hpp"
#include "plugin/card.hpp"
#include "plugin/registry.hpp"
#include "plugin/sample.hpp"
#include "plugin/values.hpp"
#include "plugin/verify.hpp"

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <optional>
#include <random>

namespace {

using namespace fenchel;

const Registry& registry() {
  static const Registry found = Registry::scan({FENCHEL_PLUGIN_DIR});
  return found;
}

// 10 to a uniform power between -3 and 3 where the range holds that, else uniform in the range.
double draw(const Range& range, std::mt19937_64& random) {
  std::uniform_real_distribution<double> exponent(-3.0, 3.0);
  for (int attempt = 0; attempt < 100; ++attempt) {
    const double magnitude = std::pow(10.0, exponent(random));
    const double value = random() % 2 == 0 ? magnitude : -magnitude;
    if (range.holds(magnitude) && !range.holds(value)) return magnitude;
    if (range.holds(value)) return value;
  }
  return std::uniform_real_distribution<double>(range.low, range.high)(random);
}

void assign(Component& component, const char* name, double value) {
  Node scalar;
  scalar.kind = Node::Kind::scalar;
  scalar.scalar = fmt::format("{}", value);
  if (Node* present = component.parameters.find(name))
    *present = scalar;
  else
    component.parameters.entries.emplace_back(name, scalar);
}

Component drawn(const fenchel_card& card, std::mt19937_64& random) {
  Component component = sample_of(card).component;
  for (std::int64_t i = 0; i < card.param_count; ++i) {
    const fenchel_param& param = param_at(card, i);
    if (param.type == FENCHEL_NUMBER)
      assign(component, param.name, draw(Range::parse(param.range), random));
  }
  return component;
}

// The defaults; random values of every number; and each closed lower end with the others random.
std::vector<Component> variants(const fenchel_card& card, std::mt19937_64& random) {
  std::vector<Component> list{sample_of(card).component};
  bool numbers = false;
  for (std::int64_t i = 0; i < card.param_count; ++i) {
    const fenchel_param& param = param_at(card, i);
    if (param.type != FENCHEL_NUMBER) continue;
    numbers = true;
    const Range range = Range::parse(param.range);
    if (!std::isfinite(range.low) || range.low_open) continue;
    list.push_back(drawn(card, random));
    assign(list.back(), param.name, range.low);
  }
  for (int k = 0; numbers && k < 5; ++k) list.push_back(drawn(card, random));
  return list;
}

// Numbers drawn one by one may not go together (an empty box): the plugin may refuse those.
std::optional<RegularizerPart> made_unless_refused(const Component& component) {
  try {
    return registry().make_regularizer(component, nominal_shape());
  } catch (const Error& error) {
    BOOST_TEST_MESSAGE(component.name << ": " << error.what());
    return std::nullopt;
  }
}

void expect_all(const std::string& part, const std::vector<Finding>& findings) {
  BOOST_TEST(findings.size() > 10U, part << " was hardly checked");
  for (const Finding& finding : findings)
    BOOST_TEST(finding.passed, part << ": " << finding.check << ": " << finding.detail);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(plugins_keep_their_promises)

BOOST_AUTO_TEST_CASE(every_library_loads) {
  for (const LoadFailure& failure : registry().failures())
    BOOST_ERROR(failure.file.string() << ": " << failure.reason);
  BOOST_TEST(!registry().plugins().empty());
}

BOOST_AUTO_TEST_CASE(every_loss_fits_its_definition) {
  std::mt19937_64 random(1);
  int seen = 0;
  for (const Plugin& plugin : registry().plugins()) {
    if (plugin.card->kind != FENCHEL_KIND_LOSS) continue;
    for (const Component& component : variants(*plugin.card, random)) {
      const fenchel_shape shape = nominal_shape(*plugin.card);
      const LossPart loss = registry().make_loss(component, shape);
      expect_all(loss.text, verify_loss(loss, shape, 7));
      ++seen;
    }
  }
  BOOST_TEST(seen > 0);
}

BOOST_AUTO_TEST_CASE(every_regularizer_fits_its_definition) {
  std::mt19937_64 random(2);
  int seen = 0;
  for (const Plugin& plugin : registry().plugins()) {
    if (plugin.card->kind != FENCHEL_KIND_REGULARIZER) continue;
    const int before = seen;
    for (const Component& component : variants(*plugin.card, random)) {
      const std::optional<RegularizerPart> omega = made_unless_refused(component);
      if (!omega) continue;
      expect_all(omega->text, verify_regularizer(*omega, nominal_shape(), 7));
      ++seen;
    }
    BOOST_TEST(seen > before, plugin.card->id << " was never made");
  }
  BOOST_TEST(seen > 0);
}

BOOST_AUTO_TEST_SUITE_END()
