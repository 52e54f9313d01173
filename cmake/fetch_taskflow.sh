#!/usr/bin/env bash
# fetch_taskflow.sh DEST: puts the headers of Taskflow 3.7.0 into DEST/taskflow, from the first source
# that answers with the pinned bytes. Does nothing where DEST already holds them.
set -euo pipefail

destination=${1:?usage: fetch_taskflow.sh DEST}

# The source archive of this Python package carries Taskflow 3.7.0 in extern/taskflow.
package=rapidfuzz==3.9.7
package_sha256=f1c7296534c1afb6f495aa95871f14ccdc197c6db42965854e483100df313030
package_tree=e841a41a6d6fec43034129163e2b9cec8a57a36f6760846f2a8b13dc2f7d0dd5

archive=https://github.com/taskflow/taskflow/archive/refs/tags/v3.7.0.tar.gz
archive_sha256=788b88093fb3788329ebbf7c7ee05d1f8960d974985a301798df01e77e04233b

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tried=()

# One hash of all files below DIR/taskflow, by name and content.
tree_hash() {
  (cd "$1" && find taskflow -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum) |
    sha256sum | cut -d' ' -f1
}

# note WAY REASON: remembers why a way failed, and fails.
note() {
  tried+=("$1: $2")
  return 1
}

# The first line of a log that speaks of an error: later ones mostly follow from it.
reason() {
  { grep -m 1 -i 'error' "$1" || tail -n 1 "$1"; } 2>/dev/null | cut -c 1-400
}

check_sha256() { echo "$2  $1" | sha256sum --check --status; }

# keep TREE: moves a verified tree into place; its hash stands beside it for the next call.
keep() {
  mkdir -p "$(dirname "$destination")"
  rm -rf "$destination.part" "$destination"
  mkdir "$destination.part"
  mv "$1/taskflow" "$destination.part/taskflow"
  cp "$1/LICENSE" "$destination.part/"
  tree_hash "$destination.part" >"$destination.part/tree.sha256"
  mv "$destination.part" "$destination"
}

# A tree without a recorded hash was put there by hand, and is left alone.
already_there() {
  [[ -f $destination/taskflow/taskflow.hpp ]] || return 1
  [[ ! -f $destination/tree.sha256 ]] ||
    [[ $(tree_hash "$destination") == "$(<"$destination/tree.sha256")" ]]
}

from_python_package() {
  local way="the source archive of the Python package $package" log=$work/pip.log file
  python3 -m pip --version >/dev/null 2>&1 || { note "$way" "python3 has no pip"; return 1; }
  echo "$package --hash=sha256:$package_sha256" >"$work/requirements.txt"
  # pip asks a source archive for its metadata; --no-binary is for this one package, so that the
  # tools it needs for that come as wheels.
  python3 -m pip download --quiet --disable-pip-version-check --no-deps \
    --no-binary "${package%%==*}" --require-hashes -r "$work/requirements.txt" -d "$work" \
    >"$log" 2>&1 || { note "$way" "$(reason "$log")"; return 1; }
  file=$(echo "$work/${package%%==*}"-*.tar.gz)
  check_sha256 "$file" "$package_sha256" || { note "$way" "the archive's sha256 differs"; return 1; }
  tar --no-same-owner -xzf "$file" -C "$work"
  [[ $(tree_hash "${file%.tar.gz}/extern/taskflow") == "$package_tree" ]] ||
    { note "$way" "the hash of its Taskflow folder differs"; return 1; }
  keep "${file%.tar.gz}/extern/taskflow"
}

from_release_archive() {
  local way=$archive file=$work/taskflow.tar.gz log=$work/curl.log
  if command -v curl >/dev/null; then
    curl -fsSL --connect-timeout 20 -o "$file" "$archive" >"$log" 2>&1
  elif command -v wget >/dev/null; then
    wget -nv --timeout=20 --tries=1 -O "$file" "$archive" >"$log" 2>&1
  else
    echo "neither curl nor wget is installed" >"$log"
    false
  fi || { note "$way" "$(reason "$log")"; return 1; }
  check_sha256 "$file" "$archive_sha256" || { note "$way" "the archive's sha256 differs"; return 1; }
  mkdir "$work/release"
  tar --no-same-owner -xzf "$file" -C "$work/release" --strip-components=1
  keep "$work/release"
}

already_there && exit 0
echo "Fetching Taskflow 3.7.0 (header-only) into $destination"
from_python_package || from_release_archive && exit 0
{
  echo "Taskflow 3.7.0 could not be fetched. Tried:"
  printf '  - %s\n' "${tried[@]}"
  echo "Install Taskflow 3.7 yourself, or unpack it so that $destination/taskflow/taskflow.hpp exists."
} >&2
exit 1
