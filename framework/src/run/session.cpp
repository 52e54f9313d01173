#include "run/session.hpp"

#include "calculus/build.hpp"
#include "calculus/combinators.hpp"
#include "data/chain_map.hpp"
#include "report/decode.hpp"
#include "report/sequence_metrics.hpp"
#include "spec/read.hpp"
#include "spec/validate.hpp"

#include <cmath>

namespace fenchel {
namespace {

// Reading errors that concern the spec's path show where the spec says it.
Dataset read_at(const std::filesystem::path& file, const ReadOptions& options, const Place& place) {
  if (!std::filesystem::exists(file))
    throw Error(Exit::bad_input, "no file " + file.string(), place,
                "paths in a spec are relative to the spec's folder");
  return read_dataset(file, options);
}

void require_solver(const Component& solver, const Registry& registry) {
  if (solver.name != "auto") registry.require(FENCHEL_KIND_SOLVER, solver);
}

}  // namespace

Session::Session(Spec spec, const Registry& registry)
    : spec_(std::move(spec)), parallel_(spec_.run.threads) {
  const auto* loss = static_cast<const fenchel_loss*>(base_loss(spec_.loss, registry).card->table);
  // Unknown names end here, before the data are read.
  for (const Component& solver : spec_.compare) require_solver(solver, registry);
  if (spec_.compare.empty()) require_solver(spec_.solver, registry);
  loss_id_ = base_loss(spec_.loss, registry).card->id;
  loss_has_bias_ = bias_oracle(*loss) != nullptr;
  read_data(loss->targets);
  compose(registry, loss->layout);
}

ReadOptions Session::read_options() const {
  ReadOptions options;
  options.format = spec_.data.format;
  options.header = spec_.data.header;
  options.label = spec_.data.label;
  options.delimiter = spec_.data.delimiter;
  options.storage = spec_.data.storage;
  options.features = spec_.data.features.value_or(0);
  options.columns = spec_.data.columns;
  options.templates = spec_.data.templates;
  options.begin_end = spec_.data.begin_end;
  options.keep_unseen_labels = spec_.data.keep_unseen_labels;
  for (const Node& column : weight_columns(spec_.loss)) options.drop.push_back(column.scalar);
  return options;
}

void Session::read_data(std::int32_t target) {
  ReadOptions options = read_options();
  train_ = read_at(spec_.data.train, options, spec_.data.train_place);
  if (target == FENCHEL_TARGET_SEQUENCE && train_.sequences.empty())
    throw Error(Exit::bad_input,
                "loss '" + loss_id_ + "' needs sequences, this file has one label a row",
                spec_.data.train_place, "say 'format: crfsuite' or 'format: conll'");
  if (target != FENCHEL_TARGET_SEQUENCE && !spec_.data.transitions.is_null())
    throw Error(
        Exit::bad_input,
        "loss '" + loss_id_ + "' looks at every position by itself: there are no transitions",
        key_place(spec_.data.transitions), "remove the key, or take a loss of sequences");
  features_ = train_.x.columns;
  labels_ = LabelMap::learn(target, train_.labels, train_.file);
  targets_ = labels_.encode(train_.labels, train_.file);
  if (target == FENCHEL_TARGET_SEQUENCE)
    allowed_ = allowed_transitions(spec_.data.transitions, labels_, targets_, train_.sequences,
                                   train_.file);
  if (spec_.data.test) {
    options.features = features_;
    options.ignore_unseen = true;
    if (!train_.sequences.empty()) options.attributes = &train_.feature_names;
    test_ = read_at(*spec_.data.test, options, spec_.data.test_place);
    // A label unseen in training ends here, not after.
    if (!options.keep_unseen_labels || target != FENCHEL_TARGET_SEQUENCE)
      labels_.encode(test_->labels, test_->file);
  }
  if (spec_.data.normalize == Normalize::rows) normalize_rows(train_.x);
  if (spec_.data.normalize == Normalize::columns) column_divisors_ = normalize_columns(train_.x);
  if (spec_.data.bias != Bias::none) append_ones(train_.x);
}

// The columns that `weighted` asks for, all of them there.
std::map<std::string, std::vector<double>> Session::taken_columns() const {
  for (const Node& column : weight_columns(spec_.loss)) {
    if (train_.dropped.contains(column.scalar)) continue;
    if (column.scalar == spec_.data.label)
      throw Error(Exit::bad_input, "'" + column.scalar + "' is the label column", column.place,
                  "weights come from another column, or from a file");
    throw Error(Exit::bad_input, "the data have no column '" + column.scalar + "'", column.place,
                spec::did_you_mean(column.scalar, train_.feature_names,
                                   "name a column of the header, or give the weights in a file"));
  }
  return train_.dropped;
}

void Session::compose(const Registry& registry, std::int32_t layout) {
  make_map(layout);
  const bool free_bias = spec_.data.bias == Bias::free;
  BuildContext context{
      registry, map_->shape(), train_.feature_names, spec_.data.bias == Bias::penalized,
      labels_,  targets_,      taken_columns()};
  LossPart loss = build_loss(spec_.loss, context);
  if (free_bias) --context.shape.parameters;
  RegularizerPart regularizer = build_regularizer(spec_.regularizer, context);
  if (free_bias) regularizer = with_free_bias(std::move(regularizer), context.shape.parameters);
  problem_ = std::make_unique<Problem>(*map_, targets_, std::move(loss), std::move(regularizer),
                                       parallel_);
}

void Session::refuse_free_bias(const char* which) const {
  if (spec_.data.bias != Bias::free) return;
  throw Error(Exit::refused,
              std::string("a free bias is served for losses ") + which + " '" + loss_id_ + "'",
              spec_.loss.place,
              loss_has_bias_ ? "the loss has a free bias of its own: write 'bias: none'"
                             : "write 'bias: penalized'");
}

void Session::make_map(std::int32_t layout) {
  if (layout == FENCHEL_LAYOUT_SCALAR) {
    map_ = std::make_unique<RowsMap>(train_.x);
  } else if (layout == FENCHEL_LAYOUT_WHOLE) {
    refuse_free_bias("with a sum over examples, not for");
    map_ = std::make_unique<WholeMap>(train_.x);
  } else if (layout == FENCHEL_LAYOUT_OUTPUTS) {
    refuse_free_bias("with one score an example, not for");
    map_ = std::make_unique<OutputsMap>(train_.x, static_cast<std::int32_t>(labels_.labels.size()));
  } else if (layout == FENCHEL_LAYOUT_CHAIN) {
    refuse_free_bias("with one score an example, not for");
    map_ = std::make_unique<ChainMap>(train_.x, train_.sequences.starts,
                                      static_cast<std::int32_t>(labels_.labels.size()), allowed_);
  } else {
    throw Error(Exit::refused,
                "loss '" + loss_id_ + "' needs a linear map that this version does not have",
                spec_.loss.place);
  }
}

double Session::loss_bias(const std::vector<double>& scores) const {
  const LossPart& loss = innermost(problem_->loss());
  const fenchel_batch whole = problem_->batch(0, problem_->shape().blocks);
  double bias = 0.0;
  if (bias_oracle(*loss.table)->bias(loss.self, &whole, scores.data(), &bias) != FENCHEL_OK)
    throw part_failure("loss", loss, "'bias' failed: " + explain_failure(loss.explain));
  if (!std::isfinite(bias)) throw part_failure("loss", loss, "'bias' returned no finite number");
  return bias;
}

std::vector<double> Session::train_scores(const std::vector<double>& weights) const {
  std::vector<double> scores(static_cast<std::size_t>(problem_->shape().scores));
  problem_->apply(weights.data(), scores.data());
  return scores;
}

Model Session::model(const std::vector<double>& weights) const {
  Model model;
  model.features = features_;
  model.outputs = map_->shape().outputs;
  model.map = model.outputs > 1 ? "multiclass" : "rows";
  // Parameters lie feature by feature, a model output by output.
  const auto at = [&](std::int64_t feature, std::int64_t output) {
    return weights[static_cast<std::size_t>(feature * model.outputs + output)];
  };
  for (std::int64_t c = 0; c < model.outputs; ++c) {
    for (std::int64_t j = 0; j < features_; ++j) model.weights.push_back(at(j, c));
    if (spec_.data.bias != Bias::none) model.bias.push_back(at(features_, c));
  }
  if (loss_has_bias_) {
    model.bias.resize(1, 0.0);
    model.bias.front() += loss_bias(train_scores(weights));  // beside that of a column of ones
  }
  model.labels = labels_;
  model.loss = loss_id_;
  model.normalize = spec_.data.normalize;
  model.column_divisors = column_divisors_;
  model.feature_names = train_.feature_names;
  model.reading = read_options();
  if (!train_.sequences.empty()) complete_sequences(weights, model);
  if (labels_.target == FENCHEL_TARGET_BINARY)
    model.threshold = best_threshold(labels_, biased_scores(weights), targets_);
  return model;
}

void Session::complete_sequences(const std::vector<double>& weights, Model& model) const {
  // Guessed from the file's name, perhaps; a model says it.
  if (model.reading.format.empty()) model.reading.format = "crfsuite";
  if (labels_.target != FENCHEL_TARGET_SEQUENCE) return;
  model.map = "chain";
  model.transitions.assign(weights.end() - model.outputs * model.outputs, weights.end());
  model.allowed = allowed_;
  Component loss = spec_.loss;
  while (loss.name != loss_id_)  // inside its combinators
    loss = spec::read_component(*loss.parameters.find("of"));
  model.loss_parameters = loss.parameters;
}

std::vector<double> Session::biased_scores(const std::vector<double>& weights) const {
  std::vector<double> scores = train_scores(weights);
  const double bias = loss_has_bias_ ? loss_bias(scores) : 0.0;
  for (double& z : scores) z += bias;
  return scores;
}

Metrics Session::train_metrics(const Model& model, const std::vector<double>& weights) const {
  if (!model.of_sequences()) return evaluate(model, biased_scores(weights), targets_);
  return labelled(
      {map_->shape(), map_->score_offsets(), map_->target_offsets(), train_scores(weights)},
      train_.labels, train_.file);
}

std::optional<Metrics> Session::test_metrics(const Model& model) const {
  if (!test_) return std::nullopt;
  if (model.of_sequences())
    return labelled(score_sequences(model, *test_), test_->labels, test_->file);
  return evaluate(model, score_rows(model, test_->x), labels_.encode(test_->labels, test_->file));
}

Metrics Session::labelled(const SequenceScores& scores, const RawLabels& labels,
                          const std::string& file) const {
  const LossPart& loss = innermost(problem_->loss());
  if (!can_decode(loss)) return {};
  const LabelMap all = spec_.data.keep_unseen_labels ? labels_.extended(labels) : labels_;
  return sequence_metrics(all.labels, scores.target_offsets, all.encode(labels, file),
                          decode(loss, scores));
}

}  // namespace fenchel
