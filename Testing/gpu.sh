#!/usr/bin/env bash
# gpu.sh [GTEST_SOURCE]: runs everything that needs a CUDA device. Builds the kernels alone, compares host and CUDA, runs
# compute-sanitizer on small cases, then all benchmarks, and prints one table.
#
# Needs CMake, a C++20 compiler, nvcc, and a GoogleTest source folder: the argument, $GTEST_SOURCE or /usr/src/googletest
# (Debian: libgtest-dev). Builds in $BUILD (default build/gpu). JSON goes to $OUT if set, else to the build folder. Exits
# with 2 without a CUDA device, with 1 if a test fails.
set -u
source_folder=$(cd "$(dirname "$0")/.." && pwd)
build=${BUILD:-$source_folder/build/gpu}
gtest=${1:-${GTEST_SOURCE:-/usr/src/googletest}}
export PATH=$PATH:/usr/local/cuda/bin
jobs=$(nproc)

fail() {
  echo "gpu.sh: $*" >&2
  exit 2
}

for tool in cmake nvcc; do
  command -v "$tool" >/dev/null || fail "needs $tool in PATH"
done
[ -f "$gtest/CMakeLists.txt" ] || fail "needs a GoogleTest source folder, '$gtest' is none: gpu.sh FOLDER"
if ! devices=$(nvidia-smi -L 2>&1) || [ -z "$devices" ]; then
  fail "no CUDA device here, nothing was tested (nvidia-smi: ${devices:-lists none})"
fi
architecture=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d '. ')
mkdir -p "$build" "${OUT:=$build}" || fail "cannot write to $build or $OUT"

step() { printf '\n== %s\n' "$*"; }
declare -a summary
note() { summary+=("$(printf '%-34s %s' "$1" "$2")"); }
bad=0

step "build for compute capability $architecture"
nvcc --version | tail -n 1
cmake -S "$gtest" -B "$build/gtest-build" -DCMAKE_BUILD_TYPE=Release -DBUILD_GMOCK=OFF \
  -DCMAKE_INSTALL_PREFIX="$build/gtest" >"$build/gtest.log" 2>&1 &&
  cmake --build "$build/gtest-build" -j "$jobs" --target install >>"$build/gtest.log" 2>&1 ||
  { tail -n 20 "$build/gtest.log"; fail "GoogleTest does not build"; }
cmake -S "$source_folder" -B "$build/kernels" -DCMAKE_BUILD_TYPE=Release -DISOCHRONE_KERNELS_ONLY=ON \
  -DISOCHRONE_CUDA=ON -DISOCHRONE_CUDA_ARCHITECTURES="$architecture" -DCMAKE_PREFIX_PATH="$build/gtest" \
  >"$build/configure.log" 2>&1 || { tail -n 20 "$build/configure.log"; fail "the project does not configure"; }
# Every program that runs kernels on the device or on host teams.
programs=$(cd "$source_folder/Testing/Kernels" && ls -- */Test*Cuda.c* */Test*Tiles.cxx | sed 's|.*/||; s|\..*||' | sort)
cmake --build "$build/kernels" -j "$jobs" \
  --target TestTeam $programs TestTileStudy \
  BenchmarkCurvaturePaths BenchmarkCurvatureAccuracy BenchmarkCurvatureTable2 BenchmarkDistanceTransform BenchmarkImageTravelTime \
  BenchmarkMeshSensitivity BenchmarkMeshTravelTime BenchmarkRayTracing BenchmarkSensitivity TileStudyCuda ImageTileStudyCuda \
  >"$build/build.log" 2>&1 || { grep -E -A5 'error' "$build/build.log" | head -n 40; fail "the project does not build"; }
tests=$build/kernels/Testing/Kernels
benchmarks=$build/kernels/Testing/Benchmarks

# A skipped test is a failure, because the device was not used.
step "tests, host against CUDA"
for test in TestTeam $programs TestTileStudy; do
  "$tests/$test" >"$build/$test.log" 2>&1
  status=$?
  skipped=$(sed -n 's/^\[  SKIPPED \] \([0-9]*\) tests\{0,1\}, listed below:.*/\1/p' "$build/$test.log")
  skipped=${skipped:-0}
  total=$(grep -o '^\[==========\] [0-9]* tests\? from .* ran' "$build/$test.log" | grep -o '[0-9]* tests\?' | head -n 1)
  if [ $status -ne 0 ] || [ "$skipped" -ne 0 ]; then
    bad=1
    grep -E 'Failure|FAILED|SKIPPED|error' -A4 "$build/$test.log" | head -n 40
    note "$test" "FAILED (${total:-did not finish}, $skipped skipped)"
  else
    note "$test" "passed ($total)"
  fi
done

step "compute-sanitizer"
small='*WallsAndRoughCost*:*OnePoint*:*FewHeadings*:CudaTeam.*:*ImageCuda*NoSpeedHoles:*ImageCuda*PlaneUnequal'
small+=':*ImageAdjointCuda*Random?:*TensorAdjointCuda*Random?:*ImageTensorCuda*SpaceRubble:*ImageTensorCuda*PlaneNoise:*ImageTensorCuda*SeveralSeeds'
small+=':*DistanceCuda*/Everything*:*DistanceCuda*/CornerLast:*DistanceCuda*/Share0001:*DistanceCuda*/BeamY'
small+=':*MeshAdjointCuda*/Everything:*MeshCuda*/Everything:*MeshCuda*/Triangles:*MeshCuda*/Wheel257:*MeshCuda*/OneTetrahedron'
small+=':*RayCuda*/Small*:*RayCuda*/Everything*:*RayCuda*/LineFast:*RaysPeriodicCuda*/Small*:*TiltedCuda*/Small*'
small+=':*ImageOrthogonalCuda*Agrees*/*Tiny:*ImageOrthogonalCuda*Agrees*/SphericalWedgeOfPoles:*ImagePeriodic*/*Small'
small+=':*CurvaturePeriodicCuda*/Dubins_NotSquare:DistanceGridCuda.*ShorterThanAWindow*:SurfaceCuda.*Planes'
for tool in memcheck racecheck; do
  for test in $(printf '%s\n' $programs | grep 'Cuda$' | grep -v Allocation); do
    if ! command -v compute-sanitizer >/dev/null; then
      note "$tool $test" "not run: no compute-sanitizer here"
      continue
    fi
    log=$build/$tool-$test.log
    timeout 300 compute-sanitizer --tool "$tool" --error-exitcode 9 "$tests/$test" --gtest_brief=1 \
      --gtest_filter="$small" >"$log" 2>&1
    status=$?
    result=$(grep -E 'ERROR SUMMARY|RACECHECK SUMMARY' "$log" | tail -n 1 | sed 's/^=* *//')
    grep -q '^\[  PASSED  \] 0 tests' "$log" && result= # no case is small
    if [ -z "$result" ]; then
      note "$tool $test" "not run: $(grep -vE '^$' "$log" | tail -n 1)"
    elif [ $status -eq 0 ]; then
      note "$tool $test" "clean ($result)"
    else
      bad=1
      head -n 40 "$log"
      note "$tool $test" "FAILED ($result)"
    fi
  done
done

step "benchmark: curvature paths, the paper's Table 2, images: host and CUDA (set-up and copies included)"
"$benchmarks/BenchmarkCurvaturePaths" --cuda --json "$OUT/curvature_paths.json" ||
  { bad=1; note BenchmarkCurvaturePaths FAILED; }
"$benchmarks/BenchmarkCurvatureAccuracy" --cuda --json "$OUT/curvature_accuracy.json" ||
  { bad=1; note BenchmarkCurvatureAccuracy FAILED; }
"$benchmarks/BenchmarkCurvatureTable2" --cuda --json "$OUT/curvature_table_2.json" ||
  { bad=1; note BenchmarkCurvatureTable2 FAILED; }
"$benchmarks/BenchmarkImageTravelTime" --cuda --json "$OUT/image_travel_time.json" ||
  { bad=1; note BenchmarkImageTravelTime FAILED; }
tensors() { # SIZE DEPTH: travel times with tensors, JSON to tensors_SIZE.json
  "$benchmarks/BenchmarkImageTravelTime" --cuda --methods none --case tensor-10 --size "$1" --depth "$2" \
    --json "$OUT/tensors_$1.json" || { bad=1; note "BenchmarkImageTravelTime tensors $1" FAILED; }
}
tensors 1024 1
tensors 128 128
tensors 256 256
for grid in periodic rectilinear sector globe; do
  "$benchmarks/BenchmarkImageTravelTime" --cuda --methods none --case $grid-noise --size 128 --json "$OUT/image_$grid.json" ||
    { bad=1; note "BenchmarkImageTravelTime $grid" FAILED; }
done
step "benchmark: derivatives of image travel times (of the host processor time and 10 rows of the Jacobian, of CUDA wall clock, copies included)"
"$benchmarks/BenchmarkSensitivity" --cuda --cases constant,smooth,noise --orders 1,2 --rows 10 --threads 1 --json "$OUT/image_sensitivity.json" ||
  { bad=1; note BenchmarkSensitivity FAILED; }
step "benchmark: derivatives of mesh travel times (host with all cores, CUDA: updates and masses)"
"$benchmarks/BenchmarkMeshSensitivity" --cuda --threads "$jobs" --json "$OUT/mesh_sensitivity.json" ||
  { bad=1; note BenchmarkMeshSensitivity FAILED; }
distances() { # NAME OPTION...: distance transforms, JSON to distance_NAME.json
  local name=$1
  shift
  "$benchmarks/BenchmarkDistanceTransform" --cuda --threads "$jobs" "$@" --json "$OUT/distance_$name.json" ||
    { bad=1; note "BenchmarkDistanceTransform $name" FAILED; }
}
step "benchmark: distance transforms (passes other than copying and memory are kernels alone)"
distances small
distances 8192 --size 8192
distances 512_cubed --size 512 --depth 512 --case "random 1"
distances 512_cubed_shell --size 512 --depth 512 --case shell
rays() { # NAME OPTION...: ray tracing, JSON to rays_NAME.json
  local name=$1
  shift
  "$benchmarks/BenchmarkRayTracing" --cuda --threads "$jobs" "$@" --json "$OUT/rays_$name.json" ||
    { bad=1; note "BenchmarkRayTracing $name" FAILED; }
}
step "benchmark: ray tracing (copies included)"
rays fast --size 1600 --radius 6 --methods buckets
rays 16_sources --size 1600 --radius 6 --sources 16
rays accurate --size 1600 --radius 6 --rule accurate
rays volume --size 128 --depth 128 --radius 3 --methods buckets
meshes() { # NAME OPTION...: mesh travel times, JSON to meshes_NAME.json
  local name=$1
  shift
  "$benchmarks/BenchmarkMeshTravelTime" --cuda --threads "$jobs" "$@" --json "$OUT/meshes_$name.json" ||
    { bad=1; note "BenchmarkMeshTravelTime $name" FAILED; }
}
step "benchmark: mesh travel times (solve: with copies to the device and back)"
for ratio in 1 3 10; do
  meshes "3M_$ratio" --ratio $ratio --methods isochrone,plain,many,one --subdomains 74,160,320
  meshes "24M_$ratio" --ratio $ratio --size 160 --methods isochrone,plain,many,one --subdomains 2700,3000,4000,8000
done
step "benchmark: tiles (paper, Table 1 and section 2.2)"
"$benchmarks/TileStudyCuda" --json "$OUT/tile_study.json" || { bad=1; note TileStudyCuda FAILED; }
step "benchmark: tiles of images (Jeong and Whitaker, Table 3 and figure 10)"
"$benchmarks/ImageTileStudyCuda" --json "$OUT/image_tile_study.json" || { bad=1; note ImageTileStudyCuda FAILED; }

step "summary"
echo "$devices"
printf '%s\n' "${summary[@]}"
echo "JSON: $OUT/curvature_paths.json $OUT/curvature_accuracy.json $OUT/curvature_table_2.json $OUT/image_travel_time.json $OUT/tile_study.json" \
  "$OUT/image_sensitivity.json" "$OUT/mesh_sensitivity.json" "$OUT/image_tile_study.json" "$OUT"/distance_*.json "$OUT"/rays_*.json "$OUT"/meshes_*.json
[ $bad -eq 0 ] && echo "gpu.sh: all passed" || echo "gpu.sh: FAILED"
exit $bad
