#include "spec/merge.hpp"
#include "spec/parse.hpp"
#include "spec/read.hpp"

#include <algorithm>
#include <system_error>
#include <utility>
#include <vector>

namespace fenchel::spec {
namespace {

namespace fs = std::filesystem;

// The same file by whatever name.
fs::path identity(const fs::path& file) {
  std::error_code error;
  fs::path found = fs::weakly_canonical(file, error);
  return error ? file : found;
}

std::string cycle_text(const std::vector<fs::path>& chain, const fs::path& again) {
  auto at = std::find(chain.begin(), chain.end(), again);
  std::string text;
  for (; at != chain.end(); ++at) text += at->filename().string() + " -> ";
  return text + again.filename().string();
}

Node load_over(const fs::path& file, const Place& asked, std::vector<fs::path>& chain) {
  const fs::path id = identity(file);
  if (std::find(chain.begin(), chain.end(), id) != chain.end())
    throw Error(Exit::bad_input, "a cycle of extends: " + cycle_text(chain, id), asked,
                "remove one of them");
  if (chain.size() > kMaxExtends)
    throw Error(Exit::bad_input,
                "more than " + std::to_string(kMaxExtends) + " specs extend one another", asked,
                "merge some of them");
  chain.push_back(id);
  Node tree = read_yaml(file, asked);
  require_map(tree);
  const auto found = std::find_if(tree.entries.begin(), tree.entries.end(),
                                  [](const auto& entry) { return entry.first == "extends"; });
  if (found == tree.entries.end()) return tree;
  const Node extends = std::move(found->second);
  tree.entries.erase(found);
  const fs::path base_file = read_text(extends, "the path of a spec");
  Node base = load_over(file.parent_path() / base_file, extends.place, chain);
  merge_spec(base, std::move(tree));
  return base;
}

}  // namespace

Node load_tree(const fs::path& file) {
  std::vector<fs::path> chain;
  return load_over(file, {}, chain);
}

}  // namespace fenchel::spec
