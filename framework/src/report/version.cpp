#include "report/version.hpp"

namespace fenchel {

const char* version() { return FENCHEL_VERSION; }

}  // namespace fenchel
