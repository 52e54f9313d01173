#include "data/transitions.hpp"

#include "data/text.hpp"
#include "spec/read.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fenchel {
namespace {

using reading::shown;

constexpr const char* kBegin = "begin";

class Rule {
 public:
  Rule(const Node& rule, const std::vector<std::string>& labels)
      : rule_(rule), labels_(labels), k_(labels.size()) {}

  Allowed observed(const std::vector<double>& targets, const Sequences& sequences) const {
    Allowed allowed((k_ + 1) * k_, 0);
    each(targets, sequences, [&](std::size_t from, std::size_t to, std::size_t, std::size_t) {
      allowed[from * k_ + to] = 1;
    });
    return allowed;
  }

  Allowed bio() const {
    for (const std::string& label : labels_)
      if (label != "O" && !label.starts_with("B-") && !label.starts_with("I-"))
        throw Error(Exit::bad_input,
                    fmt::format("the label {} is none of O, B-… and I-…", shown(label)),
                    rule_.place, "take all, observed, or a map");
    Allowed allowed((k_ + 1) * k_, 1);
    for (std::size_t to = 0; to < k_; ++to) {
      if (!labels_[to].starts_with("I-")) continue;
      const std::string type = labels_[to].substr(2);
      for (std::size_t from = 0; from <= k_; ++from) {
        const bool inside = from < k_ && labels_[from] != "O" && labels_[from].substr(2) == type;
        allowed[from * k_ + to] = inside ? 1 : 0;
      }
    }
    return allowed;
  }

  Allowed listed() const {
    Allowed allowed((k_ + 1) * k_, 1);
    for (const auto& [name, followers] : rule_.entries) {
      const std::size_t from = name == kBegin ? k_ : label(name, key_place(followers));
      std::fill_n(allowed.begin() + static_cast<std::ptrdiff_t>(from * k_), k_, std::uint8_t{0});
      const bool list = followers.is_list();
      for (const Node& item : list ? followers.items : std::vector<Node>{followers})
        allowed[from * k_ + label(item.scalar, item.place)] = 1;
    }
    return allowed;
  }

  void require_kept(const Allowed& allowed, const std::vector<double>& targets,
                    const Sequences& sequences, const std::string& file) const {
    each(targets, sequences,
         [&](std::size_t from, std::size_t to, std::size_t sequence, std::size_t position) {
           if (allowed[from * k_ + to]) return;
           throw Error(
               Exit::bad_input,
               fmt::format("label {} {} is not allowed by data.transitions", shown(labels_[to]),
                           from == k_ ? "at the beginning" : "after " + shown(labels_[from])),
               reading::place_of(file, sequences.lines[sequence] + static_cast<int>(position)),
               "correct the label, or allow the transition");
         });
  }

 private:
  // body(from, to, sequence, position), `from` k at the beginning.
  template <class Body>
  void each(const std::vector<double>& targets, const Sequences& sequences,
            const Body& body) const {
    for (std::size_t s = 0; s < sequences.count(); ++s) {
      std::size_t from = k_;
      const auto begin = static_cast<std::size_t>(sequences.starts[s]);
      for (std::size_t row = begin; row < static_cast<std::size_t>(sequences.starts[s + 1]);
           ++row) {
        const auto to = static_cast<std::size_t>(targets[row]);
        body(from, to, s, row - begin);
        from = to;
      }
    }
  }

  std::size_t label(const std::string& name, const Place& place) const {
    const auto found = std::find(labels_.begin(), labels_.end(), name);
    if (found == labels_.end())
      throw Error(
          Exit::bad_input, fmt::format("no label is {}", shown(name)), place,
          spec::did_you_mean(name, labels_, "the labels are " + reading::first_few(labels_, 10)));
    return static_cast<std::size_t>(found - labels_.begin());
  }

  const Node& rule_;
  const std::vector<std::string>& labels_;
  std::size_t k_;
};

}  // namespace

Allowed allowed_transitions(const Node& rule, const LabelMap& labels,
                            const std::vector<double>& targets, const Sequences& sequences,
                            const std::string& file) {
  if (rule.is_null() || rule.scalar == "all") return {};
  const Rule made(rule, labels.labels);
  if (rule.scalar == "observed") return made.observed(targets, sequences);
  Allowed allowed = rule.is_map() ? made.listed() : made.bio();
  made.require_kept(allowed, targets, sequences, file);
  return allowed;
}

}  // namespace fenchel
