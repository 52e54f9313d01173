#include "spec/spec.hpp"

#include "spec/merge.hpp"
#include "spec/validate.hpp"

namespace fenchel {

Spec load_spec(const std::filesystem::path& file, const std::vector<std::string>& sets) {
  Node tree = spec::load_tree(file);
  for (const std::string& set : sets) spec::apply_set(tree, set);
  Spec loaded = spec::validate(tree, file);
  loaded.resolved = spec::resolved_tree(tree, loaded);
  return loaded;
}

}  // namespace fenchel
