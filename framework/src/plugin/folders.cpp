// Where plugins are looked for.
#include "plugin/registry.hpp"

#include <boost/dll/runtime_symbol_info.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace fenchel {
namespace {

namespace fs = std::filesystem;

// Appends `folder` unless it is there already under another name.
void add_folder(std::vector<fs::path>& folders, const fs::path& folder) {
  const auto same = [&](const fs::path& other) { return real_path(other) == real_path(folder); };
  if (std::ranges::none_of(folders, same)) folders.push_back(folder);
}

}  // namespace

fs::path real_path(const fs::path& path) {
  std::error_code failed;
  fs::path whole = fs::weakly_canonical(path, failed);
  return failed ? fs::absolute(path) : whole;
}

std::vector<fs::path> folders_beside(const fs::path& bin) {
  const fs::path root = bin / "..";
  std::vector<fs::path> candidates{root / "plugins", root / "lib/fenchel/plugins",
                                   root / "lib64/fenchel/plugins"};
  // Debian's multiarch folder, lib/x86_64-linux-gnu and its like.
  std::vector<fs::path> multiarch;
  std::error_code failed;
  for (fs::directory_iterator entry(root / "lib", failed), end; !failed && entry != end;
       entry.increment(failed))
    multiarch.push_back(entry->path() / "fenchel/plugins");
  std::ranges::sort(multiarch);
  candidates.insert(candidates.end(), multiarch.begin(), multiarch.end());

  std::vector<fs::path> folders;
  for (const fs::path& candidate : candidates) {
    std::error_code ignored;
    if (fs::is_directory(candidate, ignored)) add_folder(folders, real_path(candidate));
  }
  return folders;
}

std::vector<fs::path> plugin_folders(const std::vector<fs::path>& asked) {
  std::vector<fs::path> folders;
  Place at;
  at.key = "--plugins";
  for (const fs::path& folder : asked) {
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored))
      throw Error(Exit::bad_input, fmt::format("'{}' is not a folder", folder.string()), at,
                  "name a folder that holds fenchel-*.so files");
    add_folder(folders, folder);
  }
  if (const char* path = std::getenv("FENCHEL_PLUGIN_PATH")) {
    std::istringstream pieces(path);
    for (std::string piece; std::getline(pieces, piece, ':');)
      if (!piece.empty()) add_folder(folders, piece);
  }

  boost::dll::fs::error_code failed;
  const fs::path program = boost::dll::program_location(failed).string();
  if (!failed)
    for (const fs::path& folder : folders_beside(program.parent_path()))
      add_folder(folders, folder);
  return folders;
}

}  // namespace fenchel
