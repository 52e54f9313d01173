// Forward-backward on logarithms: exact where scores differ so much that exponentials underflow.
// k² exponentials a position and pass. Every row is counted from its largest entry, and marginals
// are normalised position by position, so that nothing large is left to cancel.
#pragma once

#include <fenchel/kernels/chain_viterbi.hpp>

#include <cmath>

namespace fenchel::kernels::detail {

struct LogChain {
  std::size_t length, labels;
  double *transitions, *terms;  // k × k each
  double *forward, *emission;   // T rows
  double* backward;             // two rows

  static constexpr std::size_t size(std::size_t length, std::size_t labels) {
    return 2 * labels * labels + 2 * labels + 2 * length * chain_stride(labels) +
           ChainScratch::kAlign;
  }
  LogChain(std::size_t T, std::size_t k, std::span<double> scratch) : length(T), labels(k) {
    ChainScratch room(scratch);
    transitions = room.take(k * k);
    terms = room.take(k * k);
    forward = room.take(T * chain_stride(k));
    backward = room.take(2 * k);
    emission = room.take(T * chain_stride(k));
  }
};

inline double largest(const double* x, std::size_t count) {
  return *std::max_element(x, x + count);
}

// log Σ exp(x); −∞ where all are.
inline double log_sum(const double* x, std::size_t count) {
  const double top = largest(x, count);
  if (!(top > kImpossible)) return kImpossible;
  double sum = 0.0;
  for (std::size_t j = 0; j < count; ++j) sum += std::exp(x[j] - top);
  return top + std::log(sum);
}

// x −= its largest entry, which is returned.
inline double lower_row(double* x, std::size_t count) {
  const double top = largest(x, count);
  if (!(top > kImpossible)) no_allowed_path();
  for (std::size_t j = 0; j < count; ++j) x[j] -= top;
  return top;
}

// out += p with p = exp(terms)/Σ exp(terms), which also becomes `second`.
inline void add_normalised(double* terms, std::size_t count, double* out, double* second) {
  lower_row(terms, count);
  double sum = 0.0;
  for (std::size_t j = 0; j < count; ++j) sum += terms[j] = std::exp(terms[j]);
  for (std::size_t j = 0; j < count; ++j) {
    out[j] += terms[j] / sum;
    if (second) second[j] = terms[j] / sum;
  }
}

// log Z − ⟨z, f(truth)⟩/μ, or log Z where there is no truth.
inline double log_forward(const ChainBlock& z, const ChainRules& rules, const ChainMargin& margin,
                          double mu, const LogChain& c) {
  const std::size_t k = c.labels;
  for (std::size_t a = 0; a < k; ++a)
    for (std::size_t b = 0; b < k; ++b)
      c.transitions[a * k + b] =
          rules.follows(a, b) ? z.transitions()[a * k + b] / mu : kImpossible;
  double total = 0.0;
  for (std::size_t t = 0; t < c.length; ++t) {
    double* emission = c.emission + t * chain_stride(k);
    double* here = c.forward + t * k;
    const double* before = t > 0 ? here - k : nullptr;
    augmented_scores(z, margin, t, emission, 0.0);
    // The truth's score is taken off on the way: the sum stays as small as the result.
    const double base = margin.truth.empty() ? 0.0 : z.position(t)[margin.label(t)];
    for (std::size_t b = 0; b < k; ++b) {
      emission[b] = (emission[b] - base) / mu;
      if (t == 0) {
        here[b] = rules.begins(b) ? emission[b] : kImpossible;
        continue;
      }
      for (std::size_t a = 0; a < k; ++a) c.terms[a] = before[a] + c.transitions[a * k + b];
      here[b] = emission[b] + log_sum(c.terms, k);
    }
    double taken = 0.0;
    if (t > 0 && !margin.truth.empty())
      taken = z.transitions()[margin.label(t - 1) * k + margin.label(t)] / mu;
    total += lower_row(here, k) - taken;
  }
  total += margin.weight * static_cast<double>(c.length) / mu;
  return total + log_sum(c.forward + (c.length - 1) * k, k);
}

// Node marginals; the sum of the pair marginals and those of each edge where asked for.
inline void log_backward(const LogChain& c, double* nodes, double* pairs, double* edges) {
  const std::size_t k = c.labels;
  std::fill(nodes, nodes + c.length * k, 0.0);
  if (pairs) std::fill(pairs, pairs + k * k, 0.0);
  std::fill(c.backward, c.backward + k, 0.0);
  for (std::size_t t = c.length; t-- > 0;) {
    const double* forward = c.forward + t * k;
    for (std::size_t b = 0; b < k; ++b) c.terms[b] = forward[b] + c.backward[b];
    add_normalised(c.terms, k, nodes + t * k, nullptr);
    if (t == 0) return;
    const double* before = forward - k;
    const double* emission = c.emission + t * chain_stride(k);
    double* gain = c.backward + k;  // of a label and all that follows
    for (std::size_t b = 0; b < k; ++b) gain[b] = emission[b] + c.backward[b];
    for (std::size_t a = 0; a < k; ++a) {
      double* terms = c.terms + a * k;
      for (std::size_t b = 0; b < k; ++b) terms[b] = c.transitions[a * k + b] + gain[b];
      c.backward[a] = log_sum(terms, k);
      for (std::size_t b = 0; b < k; ++b) terms[b] += before[a];
    }
    lower_row(c.backward, k);
    if (pairs) add_normalised(c.terms, k * k, pairs, edges ? edges + (t - 1) * k * k : nullptr);
  }
}

}  // namespace fenchel::kernels::detail
