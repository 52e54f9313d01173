// From a spec to a problem with its solver: data read, labels mapped, parts made, nothing solved
// yet.
#pragma once

#include "data/dataset.hpp"
#include "data/linear_map.hpp"
#include "data/transitions.hpp"
#include "plugin/registry.hpp"
#include "report/result.hpp"
#include "run/parallel.hpp"
#include "run/problem.hpp"
#include "spec/spec.hpp"

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace fenchel {

struct SequenceScores;  // report/decode.hpp

class Session {
 public:
  // Throws Error for anything wrong with data, labels or parts.
  Session(Spec spec, const Registry& registry);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const Spec& spec() const { return spec_; }
  const Problem& problem() const { return *problem_; }
  std::int64_t nonzeros() const { return train_.x.nonzeros(); }

  // The trained model in the form that is written to disk.
  Model model(const std::vector<double>& weights) const;
  // Metrics of a model on the training data, and on the test data where the spec names some.
  Metrics train_metrics(const Model& model, const std::vector<double>& weights) const;
  std::optional<Metrics> test_metrics(const Model& model) const;

 private:
  void read_data(std::int32_t target);
  void compose(const Registry& registry, std::int32_t layout);
  void make_map(std::int32_t layout);
  void refuse_free_bias(const char* which) const;
  std::vector<double> train_scores(const std::vector<double>& weights) const;  // A w
  // … and what a loss with a bias of its own adds.
  std::vector<double> biased_scores(const std::vector<double>& weights) const;
  // The bias that the loss minimises over at these scores, where it has one of its own.
  double loss_bias(const std::vector<double>& scores) const;
  Metrics labelled(const SequenceScores& scores, const RawLabels& labels,
                   const std::string& file) const;
  void complete_sequences(const std::vector<double>& weights, Model& model) const;
  std::map<std::string, std::vector<double>> taken_columns() const;
  ReadOptions read_options() const;

  Spec spec_;
  Parallel parallel_;
  Dataset train_;
  std::optional<Dataset> test_;
  std::string loss_id_;  // of the plugin inside all combinators
  bool loss_has_bias_ = false;
  LabelMap labels_;
  std::vector<double> targets_;
  Allowed allowed_;  // transitions of sequences
  std::vector<double> column_divisors_;
  std::int64_t features_ = 0;  // of the data, without a bias column
  std::unique_ptr<LinearMap> map_;
  std::unique_ptr<Problem> problem_;
};

}  // namespace fenchel
