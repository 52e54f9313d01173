// Feature templates: the attributes of a position of a sequence, from the columns around it.
//
//   template   bias | part "|" part …          a conjunction of parts
//   part       COLUMN[OFFSET] | COLUMN         OFFSET from the position; none: 0
//              prefix(part, N) | suffix(part, N) | shape(part) | lower(part)
//   OFFSET, N  an integer, or a range 1..4
//
// A template with ranges stands for several; all its ranges are equally long and move together, so
// that tag[-2..0]|tag[-1..1] are three pairs of neighbours. The attribute's name is the template
// with its numbers, "=" and the values: "tag[-1]|tag[0]=DT NN".
//
// Behind the ends of a sequence the value is _B-1, _B-2, … and _B+1, _B+2, …, whatever the
// function. A prefix or suffix that is longer than its text gives no attribute.
#pragma once

#include "base/error.hpp"
#include "spec/spec.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fenchel::reading {

// The cells of one sequence, row by row.
struct Cells {
  std::vector<std::string_view> texts;
  std::size_t columns = 1;

  std::int64_t length() const { return static_cast<std::int64_t>(texts.size() / columns); }
  std::string_view at(std::int64_t row, std::size_t column) const {
    return texts[static_cast<std::size_t>(row) * columns + column];
  }
};

class Templates {
 public:
  // Throws Error (bad_input) at the template's place, with the nearest valid name; also for one
  // that stands twice or looks at the column `label`.
  Templates(const std::vector<PlacedText>& texts, const std::vector<std::string>& columns,
            std::size_t label);

  // How many there are, ranges counted out.
  std::size_t size() const { return templates_.size(); }
  // The name of attribute number `index` at a position; empty where it has none. Valid until the
  // next call.
  std::string_view name(std::size_t index, const Cells& cells, std::int64_t position);

 private:
  enum class Kind { prefix, suffix, shape, lower };
  struct Function {
    Kind kind;
    std::int64_t length;  // of a prefix or suffix, in characters
  };
  struct Part {
    std::size_t column;
    std::int64_t offset;
    std::vector<Function> functions;  // innermost first
  };
  struct Template {
    std::string head;  // up to "="
    std::vector<Part> parts;
  };
  class Parser;

  bool append(const Part& part, const Cells& cells, std::int64_t position);
  static bool apply(const Function& function, std::string& text, std::size_t begin);

  std::vector<Template> templates_;
  std::string name_;
};

}  // namespace fenchel::reading
