#!/usr/bin/env bash
# check.sh INCLUDE SCRATCH CC CXX: abi.h compiles as C11 with CC and as C++20 with CXX without a
# warning, and both see the same layout. Exit 77 (skipped) where a compiler is missing.
set -euo pipefail
include=$1 scratch=$2 cc=$3 cxx=$4
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
for compiler in "$cc" "$cxx"; do
  command -v "$compiler" >/dev/null || { echo "skipped: no $compiler here"; exit 77; }
done
mkdir -p "$scratch"
strict=(-Wall -Wextra -Wpedantic -Werror -I "$include")
"$cc" -std=c11 "${strict[@]}" -c "$here/abi.c" -o "$scratch/abi_c.o"
"$cxx" -std=c++20 "${strict[@]}" -c "$here/abi.cpp" -o "$scratch/abi_cpp.o"
"$cxx" "$scratch/abi_c.o" "$scratch/abi_cpp.o" -o "$scratch/abi"
"$scratch/abi"
