#!/bin/bash
# sanitizer.sh [PRESET...]: builds the kernel tests with a sanitizer (build/PRESET), runs those that
# Testing/Kernels/CMakeLists.txt selects, and records in sanitized.txt that they passed on these sources. Without arguments:
# asan and tsan.
set -e
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
[ $# -gt 0 ] || set -- asan tsan
for preset in "$@"; do
  digest=$(python3 Testing/Checks/sanitized.py digest)
  cmake --preset "$preset"
  cmake --build --preset "$preset"
  ctest --preset "$preset" --parallel "$(nproc)"
  python3 Testing/Checks/sanitized.py record "$preset" "$digest"
done
