// abi.h as C++20, and held against what C made of it.
#include "layout.h"

#include <cstdio>
#include <type_traits>

extern "C" const size_t* c_layout(size_t* count);

// Only data and function pointers may cross.
static_assert(std::is_trivial_v<fenchel_card> && std::is_standard_layout_v<fenchel_card>);
static_assert(std::is_trivial_v<fenchel_loss> && std::is_standard_layout_v<fenchel_loss>);
static_assert(std::is_trivial_v<fenchel_problem> && std::is_standard_layout_v<fenchel_problem>);

int main() {
  size_t count = 0;
  const size_t* const c = c_layout(&count);
  if (count != LAYOUT_COUNT) {
    std::printf("C lists %zu numbers, C++ %d\n", count, static_cast<int>(LAYOUT_COUNT));
    return 1;
  }
  int differences = 0;
  for (size_t i = 0; i < count; ++i) {
    if (c[i] == layout[i]) continue;
    std::printf("entry %zu of layout.h: %zu in C, %zu in C++\n", i, c[i], layout[i]);
    ++differences;
  }
  return differences == 0 ? 0 : 1;
}
