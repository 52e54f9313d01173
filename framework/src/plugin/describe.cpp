#include "plugin/describe.hpp"

#include "plugin/sample.hpp"
#include "plugin/values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <tuple>

namespace fenchel {
namespace {

using Json = nlohmann::ordered_json;
using Row = std::vector<std::string>;

constexpr std::array kPartFacts{
    FENCHEL_FACT_CONVEX,           FENCHEL_FACT_LIPSCHITZ,   FENCHEL_FACT_SMOOTHNESS,
    FENCHEL_FACT_STRONG_CONVEXITY, FENCHEL_FACT_DUAL_RADIUS, FENCHEL_FACT_DOMAIN_RADIUS,
    FENCHEL_FACT_SEPARABLE,        FENCHEL_FACT_QUADRATIC,   FENCHEL_FACT_LOWER_BOUND,
    FENCHEL_FACT_GROWTH,           FENCHEL_FACT_ENTROPY,     FENCHEL_FACT_HAS_GRADIENT,
    FENCHEL_FACT_HAS_CONJUGATE,    FENCHEL_FACT_HAS_PROX,    FENCHEL_FACT_HAS_CONJUGATE_GRADIENT};

struct NamedFact {
  std::int32_t id;
  fenchel_fact fact;
};

// What only an instance can say.
struct Instance {
  Sample sample;
  std::vector<NamedFact> facts;
  std::vector<fenchel_requirement> requirements;
  std::string failure;  // why there is no instance
};

template <class PartType>
std::vector<NamedFact> facts_of(const PartType& part) {
  std::vector<NamedFact> facts;
  facts.reserve(kPartFacts.size());
  for (const std::int32_t id : kPartFacts) facts.push_back({id, fact_of(part, id)});
  return facts;
}

Instance try_out(const Plugin& plugin) {
  Instance made;
  made.sample = sample_of(*plugin.card);
  const Component& component = made.sample.component;
  const fenchel_shape shape = nominal_shape(*plugin.card);
  try {
    switch (plugin.card->kind) {
      case FENCHEL_KIND_LOSS: made.facts = facts_of(make_loss(plugin, component, shape)); break;
      case FENCHEL_KIND_REGULARIZER:
        made.facts = facts_of(make_regularizer(plugin, component, shape));
        break;
      default: made.requirements = requirements_of(make_solver(plugin, component, shape)); break;
    }
  } catch (const Error& error) {
    made.failure = error.message();
  }
  return made;
}

const char* or_empty(const char* text) { return text ? text : ""; }

Json or_null(const char* text) { return text ? Json(text) : Json(nullptr); }

const char* target_name(std::int32_t target) {
  constexpr std::array names{"none", "binary", "real", "class", "sequence"};
  return names.at(static_cast<std::size_t>(target));
}

const char* layout_name(std::int32_t layout) {
  constexpr std::array names{"", "scalar", "outputs", "whole", "chain"};
  return names.at(static_cast<std::size_t>(layout));
}

// Characters of a UTF-8 text: its bytes but for those that continue a character.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

// Columns as wide as their widest cell, the last one ragged; every line is indented.
std::string table(const std::vector<Row>& rows, std::string_view indent = "") {
  std::vector<std::size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width(row[c]));
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line(indent);
    for (std::size_t c = 0; c < row.size(); ++c)
      line += row[c] + std::string(widths[c] - width(row[c]) + 2, ' ');
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

std::vector<Plugin> by_kind_and_id(const Registry& registry) {
  std::vector<Plugin> sorted = registry.plugins();
  std::ranges::sort(sorted, {}, [](const Plugin& p) {
    return std::tuple(p.card->kind, std::string_view(p.card->id));
  });
  return sorted;
}

std::string params_text(const fenchel_card& card) {
  if (card.param_count == 0) return "\nno parameters\n";
  std::vector<Row> rows{{"name", "type", "default", "range", "meaning"}};
  for (std::int64_t i = 0; i < card.param_count; ++i) {
    const fenchel_param& p = param_at(card, i);
    rows.push_back({p.name, type_name(p.type), p.fallback ? p.fallback : "required",
                    p.range ? p.range : "any", or_empty(p.meaning)});
  }
  return "\nparameters\n" + table(rows, "  ");
}

// " at lambda = 1", where that was our choice.
std::string chosen_text(const Sample& sample) {
  std::vector<std::string> terms;
  for (const auto& [name, text] : sample.chosen)
    terms.push_back(fmt::format("{} = {}", name, text));
  return terms.empty() ? "" : fmt::format(" at {}", fmt::join(terms, ", "));
}

std::string facts_text(const Instance& made) {
  std::vector<Row> rows{{"name", "state", "value", "norm"}};
  for (const auto& [id, fact] : made.facts) {
    const bool known = fact.state == FENCHEL_KNOWN;
    rows.push_back({fact_name(id), state_name(fact.state),
                    known ? fmt::format("{}", fact.value) : "", known ? norm_name(fact.norm) : ""});
  }
  return fmt::format("\nfacts{}\n{}", chosen_text(made.sample), table(rows, "  "));
}

std::string requirements_text(const Instance& made) {
  if (made.requirements.empty()) return "\nno requirements\n";
  std::vector<Row> rows{{"about", "fact", "needed", "alternative", "why"}};
  for (const fenchel_requirement& r : made.requirements)
    rows.push_back({about_name(r.about), fact_name(r.fact), relation_text(r),
                    r.alternative > 0 ? fmt::format("one of {}", r.alternative) : "",
                    or_empty(r.why)});
  return fmt::format("\nrequirements{}\n{}", chosen_text(made.sample), table(rows, "  "));
}

Json brief(const Plugin& plugin) {
  const fenchel_card& card = *plugin.card;
  return {{"kind", kind_name(card.kind)},
          {"id", card.id},
          {"version", card.version},
          {"summary", card.summary},
          {"citation", or_null(card.citation)},
          {"file", plugin.file.string()}};
}

Json params_json(const fenchel_card& card) {
  Json list = Json::array();
  for (std::int64_t i = 0; i < card.param_count; ++i) {
    const fenchel_param& p = param_at(card, i);
    list.push_back({{"name", p.name},
                    {"type", type_name(p.type)},
                    {"required", p.fallback == nullptr},
                    {"default", or_null(p.fallback)},
                    {"range", or_null(p.range)},
                    {"meaning", or_empty(p.meaning)}});
  }
  return list;
}

Json facts_json(const Instance& made) {
  Json list = Json::array();
  for (const auto& [id, fact] : made.facts) {
    Json entry{{"name", fact_name(id)}, {"state", state_name(fact.state)}};
    if (fact.state == FENCHEL_KNOWN) {
      entry["value"] = fact.value;
      entry["norm"] = norm_name(fact.norm);
    }
    list.push_back(std::move(entry));
  }
  return list;
}

Json requirements_json(const Instance& made) {
  Json list = Json::array();
  for (const fenchel_requirement& r : made.requirements)
    list.push_back({{"about", about_name(r.about)},
                    {"fact", fact_name(r.fact)},
                    {"needed", relation_text(r)},
                    {"value", r.value},
                    {"alternative", r.alternative},
                    {"why", or_empty(r.why)}});
  return list;
}

// A plugin's strings should be UTF-8; where they are not, the JSON still is.
std::string dumped(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string describe_list(const Registry& registry) {
  std::string text;
  if (registry.plugins().empty())
    text = "no plugins found\n";
  else {
    std::vector<Row> rows{{"kind", "id", "version", "summary"}};
    for (const auto& [file, card] : by_kind_and_id(registry))
      rows.push_back({kind_name(card->kind), card->id, card->version, card->summary});
    text = table(rows);
  }
  if (registry.failures().empty()) return text;
  text += "\nnot usable\n";
  for (const auto& [file, reason] : registry.failures())
    text += fmt::format("  {}: {}\n", file.string(), reason);
  return text;
}

std::string registry_json(const Registry& registry) {
  Json json{{"plugins", Json::array()}, {"failures", Json::array()}};
  for (const Plugin& plugin : by_kind_and_id(registry)) json["plugins"].push_back(brief(plugin));
  for (const auto& [file, reason] : registry.failures())
    json["failures"].push_back({{"file", file.string()}, {"reason", reason}});
  return dumped(json);
}

std::string describe_plugin(const Plugin& plugin) {
  const fenchel_card& card = *plugin.card;
  std::vector<Row> head{{"id", card.id},
                        {"kind", kind_name(card.kind)},
                        {"version", card.version},
                        {"summary", card.summary}};
  if (card.citation) head.push_back({"citation", card.citation});
  if (card.kind == FENCHEL_KIND_LOSS) {
    const auto& loss = *static_cast<const fenchel_loss*>(card.table);
    head.push_back({"targets", target_name(loss.targets)});
    head.push_back({"layout", layout_name(loss.layout)});
  }
  head.push_back({"file", plugin.file.string()});

  const Instance made = try_out(plugin);
  std::string text = table(head) + params_text(card);
  if (!made.failure.empty())
    return text + fmt::format("\nno instance{}: {}\n", chosen_text(made.sample), made.failure);
  return text + (card.kind == FENCHEL_KIND_SOLVER ? requirements_text(made) : facts_text(made));
}

std::string plugin_json(const Plugin& plugin) {
  const fenchel_card& card = *plugin.card;
  const Instance made = try_out(plugin);
  Json json = brief(plugin);
  if (card.kind == FENCHEL_KIND_LOSS) {
    const auto& loss = *static_cast<const fenchel_loss*>(card.table);
    json["targets"] = target_name(loss.targets);
    json["layout"] = layout_name(loss.layout);
  }
  json["parameters"] = params_json(card);
  Json chosen = Json::object();
  for (const auto& [name, text] : made.sample.chosen) chosen[name] = text;
  json["chosen"] = std::move(chosen);
  if (!made.failure.empty())
    json["failure"] = made.failure;
  else if (card.kind == FENCHEL_KIND_SOLVER)
    json["requirements"] = requirements_json(made);
  else
    json["facts"] = facts_json(made);
  return dumped(json);
}

}  // namespace fenchel
