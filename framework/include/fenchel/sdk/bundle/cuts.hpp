// The cuts of a bundle method: linear lower bounds ⟨aⱼ, w⟩ + bⱼ ≤ L(A w), each with its weight βⱼ
// in the model's dual solution and the αⱼ that it came from, aⱼ = −(1/n)Aᵀαⱼ.
//
// All of it lives in the host's arena, a slot a cut; the slot of a dropped cut is used again. An αⱼ
// of at most 256 different values (hinge, maxima over labels, multivariate scores) takes a byte a
// score.
#pragma once

#include <fenchel/sdk/solver.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <unordered_map>
#include <vector>

namespace fenchel::sdk::bundle {

class Cuts {
 public:
  void start(Problem problem) {
    problem_ = problem;
    slots_ = problem.integers("cut-slots", 1);
    for (std::int64_t k = 0; k < *slots_; ++k) {
      open(k);
      if (head(static_cast<std::size_t>(k))[kAge] >= 0.0)
        order_.push_back(static_cast<std::size_t>(k));
    }
  }

  std::size_t size() const { return order_.size(); }
  // Where cut j is kept: stays the same while the cut lives, and is below `slots`.
  std::size_t slot(std::size_t j) const { return order_[j]; }
  std::size_t slots() const { return arrays_.size(); }
  const double* slope(std::size_t j) const { return arrays_[order_[j]]; }
  double offset(std::size_t j) const { return head(order_[j])[kOffset]; }
  double weight(std::size_t j) const { return head(order_[j])[kWeight]; }
  void set_weight(std::size_t j, double beta) { head(order_[j])[kWeight] = beta; }

  // With weight 0. Returns its j.
  std::size_t add(const double* slope, double offset, const double* dual) {
    const std::size_t k = free_slot();
    std::copy_n(slope, problem_.parameters(), arrays_[k]);
    head(k)[kOffset] = offset;
    head(k)[kWeight] = 0.0;
    head(k)[kAge] = 0.0;
    store(k, dual);
    const auto place = order_.insert(std::lower_bound(order_.begin(), order_.end(), k), k);
    return static_cast<std::size_t>(place - order_.begin());
  }

  // Counts the steps that a cut has been without weight, and drops it after `most` of them.
  void retire(std::int64_t most) {
    std::erase_if(order_, [&](std::size_t k) {
      double& age = head(k)[kAge];
      age = head(k)[kWeight] > 0.0 ? 0.0 : age + 1.0;
      if (age <= static_cast<double>(most)) return false;
      age = -1.0;
      return true;
    });
  }

  void dual(std::size_t j, double* out) const {
    const std::size_t k = order_[j];
    const auto count = static_cast<std::size_t>(problem_.scores());
    if (head(k)[kCoded] == 0.0) {
      std::copy_n(problem_.numbers(name("cut-dual-", k).c_str(), problem_.scores()), count, out);
      return;
    }
    const auto* codes = bytes(k);
    const double* values = palette(k);
    for (std::size_t i = 0; i < count; ++i) out[i] = values[codes[i]];
  }

 private:
  // Behind the slope. Age: steps without weight, −1 for a slot that is free.
  enum : std::int64_t { kOffset, kWeight, kAge, kCoded, kHead };
  static constexpr std::size_t kPalette = 256;

  static std::string name(const char* what, std::size_t k) { return what + std::to_string(k); }
  double* head(std::size_t k) const { return arrays_[k] + problem_.parameters(); }
  unsigned char* bytes(std::size_t k) const {
    return reinterpret_cast<unsigned char*>(
        problem_.integers(name("cut-codes-", k).c_str(), problem_.scores() / 8 + 1));
  }
  double* palette(std::size_t k) const {
    return problem_.numbers(name("cut-palette-", k).c_str(), kPalette);
  }

  void open(std::int64_t k) {
    const auto slot = static_cast<std::size_t>(k);
    arrays_.push_back(problem_.numbers(name("cut-", slot).c_str(), problem_.parameters() + kHead));
  }
  std::size_t free_slot() {
    for (std::size_t k = 0; k < arrays_.size(); ++k)
      if (head(k)[kAge] < 0.0) return k;
    open((*slots_)++);
    return arrays_.size() - 1;
  }

  void store(std::size_t k, const double* dual) {
    const auto count = static_cast<std::size_t>(problem_.scores());
    head(k)[kCoded] = encode(dual) ? 1.0 : 0.0;
    if (head(k)[kCoded] == 0.0) {
      std::copy_n(dual, count, problem_.numbers(name("cut-dual-", k).c_str(), problem_.scores()));
      return;
    }
    std::copy(codes_.begin(), codes_.end(), bytes(k));
    std::copy(values_.begin(), values_.end(), palette(k));
  }

  // False where there are more than 256 values.
  bool encode(const double* dual) {
    codes_.resize(static_cast<std::size_t>(problem_.scores()));
    values_.clear();
    std::unordered_map<std::uint64_t, unsigned char> known;
    for (std::size_t i = 0; i < codes_.size(); ++i) {
      if (i > 0 && dual[i] == dual[i - 1]) {
        codes_[i] = codes_[i - 1];
        continue;
      }
      const auto [place, made] = known.try_emplace(std::bit_cast<std::uint64_t>(dual[i]),
                                                   static_cast<unsigned char>(values_.size()));
      if (made) {
        if (values_.size() == kPalette) return false;
        values_.push_back(dual[i]);
      }
      codes_[i] = place->second;
    }
    return true;
  }

  Problem problem_;
  std::int64_t* slots_ = nullptr;
  std::vector<double*> arrays_;     // one a slot
  std::vector<std::size_t> order_;  // the slots in use, increasing
  std::vector<unsigned char> codes_;
  std::vector<double> values_;
};

}  // namespace fenchel::sdk::bundle
