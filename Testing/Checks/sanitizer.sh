#!/bin/bash
# sanitizer.sh PRESET: builds the kernel tests with a sanitizer (build/PRESET) and runs those that
# Testing/Kernels/CMakeLists.txt selects.
set -e
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
cmake --preset "$1"
cmake --build --preset "$1"
ctest --preset "$1" --parallel 2
