#include "run/session.hpp"

#include "calculus/combinators.hpp"

namespace fenchel {
namespace {

// Reading errors that concern the spec's path show where the spec says it.
Dataset read_at(const std::filesystem::path& file, const ReadOptions& options, const Place& place) {
  if (!std::filesystem::exists(file))
    throw Error(Exit::bad_input, "no file " + file.string(), place,
                "paths in a spec are relative to the spec's folder");
  return read_dataset(file, options);
}

}  // namespace

Session::Session(Spec spec, const Registry& registry)
    : spec_(std::move(spec)), parallel_(spec_.run.threads) {
  const Plugin& loss = registry.require(FENCHEL_KIND_LOSS, spec_.loss);
  registry.require(FENCHEL_KIND_REGULARIZER, spec_.regularizer);
  registry.require(FENCHEL_KIND_SOLVER, spec_.solver);
  read_data(static_cast<const fenchel_loss*>(loss.card->table)->targets);
  compose(registry, loss);
}

ReadOptions Session::read_options() const {
  ReadOptions options;
  options.format = spec_.data.format;
  options.header = spec_.data.header;
  options.label = spec_.data.label;
  options.delimiter = spec_.data.delimiter;
  options.storage = spec_.data.storage;
  options.features = spec_.data.features.value_or(0);
  return options;
}

void Session::read_data(std::int32_t target) {
  ReadOptions options = read_options();
  train_ = read_at(spec_.data.train, options, spec_.data.train_place);
  features_ = train_.x.columns;
  labels_ = LabelMap::learn(target, train_.labels, train_.file);
  targets_ = labels_.encode(train_.labels, train_.file);
  if (spec_.data.test) {
    options.features = features_;
    options.ignore_unseen = true;
    test_ = read_at(*spec_.data.test, options, spec_.data.test_place);
    labels_.encode(test_->labels, test_->file);  // a label unseen in training ends here, not after
  }
  if (spec_.data.normalize == Normalize::rows) normalize_rows(train_.x);
  if (spec_.data.normalize == Normalize::columns) column_divisors_ = normalize_columns(train_.x);
  if (spec_.data.bias != Bias::none) append_ones(train_.x);
}

void Session::compose(const Registry& registry, const Plugin& loss) {
  const std::int32_t layout = static_cast<const fenchel_loss*>(loss.card->table)->layout;
  if (layout != FENCHEL_LAYOUT_SCALAR)
    throw Error(Exit::refused,
                "loss '" + spec_.loss.name + "' needs a linear map that this version does not have",
                spec_.loss.place);
  map_ = std::make_unique<RowsMap>(train_.x);
  const fenchel_shape& shape = map_->shape();
  const bool free_bias = spec_.data.bias == Bias::free;
  fenchel_shape seen = shape;
  if (free_bias) --seen.parameters;
  RegularizerPart inner = registry.make_regularizer(spec_.regularizer, seen);
  RegularizerPart regularizer = free_bias ? with_free_bias(inner, seen.parameters) : inner;
  problem_ = std::make_unique<Problem>(*map_, targets_, registry.make_loss(spec_.loss, shape),
                                       std::move(regularizer), parallel_);
  solver_ = registry.make_solver(spec_.solver, shape);
}

Model Session::model(const std::vector<double>& weights) const {
  Model model;
  model.features = features_;
  model.weights.assign(weights.begin(), weights.begin() + features_);
  if (spec_.data.bias != Bias::none) model.bias = {weights.back()};
  model.labels = labels_;
  model.loss = spec_.loss.name;
  model.normalize = spec_.data.normalize;
  model.column_divisors = column_divisors_;
  model.feature_names = train_.feature_names;
  model.reading = read_options();
  return model;
}

Metrics Session::train_metrics(const Model& model) const {
  std::vector<double> weights = model.weights;
  weights.insert(weights.end(), model.bias.begin(), model.bias.end());
  std::vector<double> scores(static_cast<std::size_t>(problem_->shape().scores));
  problem_->apply(weights.data(), scores.data());
  return evaluate(model, scores, targets_);
}

std::optional<Metrics> Session::test_metrics(const Model& model) const {
  if (!test_) return std::nullopt;
  return evaluate(model, score_rows(model, test_->x), labels_.encode(test_->labels, test_->file));
}

}  // namespace fenchel
