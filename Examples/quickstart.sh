#!/bin/bash
# Makes a first picture: installs missing packages (Debian, Ubuntu), builds the plugin, and tracks vessels in a photograph of
# a retina in ParaView. Results: build/quickstart/.
. "$(dirname "${BASH_SOURCE[0]}")/../CMake/setup.sh"

install_missing "$BUILD_PACKAGES python3-skimage" "$BUILD_COMMANDS"
install_missing "$(paraview_packages)" ""
link_python_modules

# Build CUDA kernels for the devices of this machine only, for a fast build.
cuda=""
if devices=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null); then
  cuda="-DISOCHRONE_CUDA=AUTO -DISOCHRONE_CUDA_ARCHITECTURES=$(echo "$devices" | tr -d '. ' | sort -u | paste -sd ';')"
fi
cmake --preset plugin $cuda || fail "configuring failed"
cmake --build --preset plugin || fail "building failed"

plugin=$(find build/plugin -name Isochrone.so -print -quit)
[ -n "$plugin" ] || fail "the build made no Isochrone.so"
export PV_PLUGIN_PATH="$PWD/$(dirname "$plugin")"
with_display pvpython Examples/retina_vessels.py build/quickstart
