// The version of the program, as it stands in result.json.
#pragma once

namespace fenchel {

const char* version();

}  // namespace fenchel
