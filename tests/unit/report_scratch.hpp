// What the tests of the report module share: a folder of their own, and small models.
#pragma once

#include "report/result.hpp"

#include <fenchel/abi.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

namespace report_test {

namespace fs = std::filesystem;

// A folder that is there while the object lives.
class Scratch {
 public:
  Scratch() {
    static std::atomic<int> count{0};
    path_ = fs::temp_directory_path() /
            ("fenchel-report-" + std::to_string(::getpid()) + "-" + std::to_string(count++));
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code code;
    fs::remove_all(path_, code);
  }
  const fs::path& path() const { return path_; }
  fs::path operator/(const std::string& name) const { return path_ / name; }

 private:
  fs::path path_;
};

inline void put(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

inline std::string get(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// The names in a folder, hidden ones included.
inline std::set<std::string> names(const fs::path& folder) {
  std::set<std::string> found;
  for (const auto& entry : fs::directory_iterator(folder))
    found.insert(entry.path().filename().string());
  return found;
}

inline fenchel::Model binary_model(std::vector<double> weights) {
  fenchel::Model model;
  model.features = static_cast<std::int64_t>(weights.size());
  model.weights = std::move(weights);
  model.labels.target = FENCHEL_TARGET_BINARY;
  model.labels.labels = {"-1", "1"};
  model.loss = "hinge";
  return model;
}

inline fenchel::Model real_model(std::vector<double> weights) {
  fenchel::Model model = binary_model(std::move(weights));
  model.labels.target = FENCHEL_TARGET_REAL;
  model.labels.labels.clear();
  model.loss = "squared";
  return model;
}

inline fenchel::Model class_model(std::vector<std::string> labels, std::vector<double> weights) {
  fenchel::Model model = binary_model(std::move(weights));
  model.outputs = static_cast<std::int64_t>(labels.size());
  model.features /= model.outputs;
  model.labels.target = FENCHEL_TARGET_CLASS;
  model.labels.labels = std::move(labels);
  model.map = "multiclass";
  model.loss = "multinomial";
  return model;
}

inline fenchel::Matrix dense(std::int64_t rows, std::int64_t columns, std::vector<double> values) {
  fenchel::Matrix x;
  x.rows = rows;
  x.columns = columns;
  x.dense = true;
  x.starts.clear();
  x.values = std::move(values);
  return x;
}

// The same rows without their zeros.
inline fenchel::Matrix sparse(const fenchel::Matrix& x) {
  fenchel::Matrix out;
  out.rows = x.rows;
  out.columns = x.columns;
  for (std::int64_t i = 0; i < x.rows; ++i) {
    for (std::int64_t j = 0; j < x.columns; ++j) {
      const double value = x.values[static_cast<std::size_t>(i * x.columns + j)];
      if (value == 0.0) continue;
      out.indices.push_back(static_cast<std::int32_t>(j));
      out.values.push_back(value);
    }
    out.starts.push_back(static_cast<std::int64_t>(out.values.size()));
  }
  return out;
}

}  // namespace report_test

// What() of the fenchel::Error that an expression throws must hold a text; exit code 2.
#define CHECK_REFUSED(expression, text)                                               \
  BOOST_CHECK_EXCEPTION(expression, fenchel::Error, [](const fenchel::Error& error) { \
    BOOST_TEST_INFO(error.what());                                                    \
    BOOST_TEST(std::string(error.what()).find(text) != std::string::npos);            \
    return error.exit() == fenchel::Exit::bad_input;                                  \
  })
