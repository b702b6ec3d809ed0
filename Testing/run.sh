#!/bin/bash
# The test command: installs missing packages (Debian, Ubuntu), builds, runs every test, and ends with ctest's summary.
# Arguments go to ctest, as in `bash Testing/run.sh -R Curvature`.
. "$(dirname "${BASH_SOURCE[0]}")/../CMake/setup.sh"

install_missing "$BUILD_PACKAGES" "$BUILD_COMMANDS"
install_missing "$(paraview_packages) python3-pytest python3-scipy python3-skimage mricron-data libgtest-dev
  $(known_packages clang-format-14 chromium-headless-shell) binutils" objdump
for preset in asan tsan; do # build/ci runs these again only if their sources have changed
  python3 Testing/Checks/sanitized.py passed $preset || install_missing "clang libclang-rt-dev" clang++
done
link_python_modules

mkdir -p build/ci
cmake --preset ci | tee build/ci/configure.log
[ "${PIPESTATUS[0]}" -eq 0 ] || fail "configuring failed"
cmake --build --preset ci || fail "building failed"
log=build/ci/ctest.log
junit=build/ci/ctest.xml
rm -f $junit
# One test more than processors, since those with a display, a server or ranks often wait.
with_display ctest --preset ci --parallel "$(($(nproc) + 1))" --output-junit "$PWD/$junit" "$@" 2>&1 | tee $log
status=${PIPESTATUS[0]}
echo
grep 'not among the tests' build/ci/configure.log
[ ! -e $junit ] || python3 Testing/Checks/slowest.py $junit
# Repeat the result at the end of a long output.
grep -E '^[0-9]+% tests passed' $log | tail -n 1
exit $status
