/* abi.h as C11. */
#include "layout.h"

const size_t* c_layout(size_t* count);

const size_t* c_layout(size_t* count) {
  *count = LAYOUT_COUNT;
  return layout;
}
