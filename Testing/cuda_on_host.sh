#!/bin/bash
# cuda_on_host.sh [--all] [PROGRAM [FILTER]]: runs the CUDA tests on the emulated device (Testing/CudaOnHost). Without
# arguments it runs the cases of the test command. --all runs every case of every program, half of them in shuffled order;
# PROGRAM and FILTER (of GoogleTest) select among them. Needs build/ci, which the test command builds.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
library=$root/build/ci/cuda-on-host
[ -e "$library/libcudart.so" ] || { echo "cuda_on_host.sh: $library is empty: run Testing/run.sh first" >&2; exit 2; }
if [ $# -eq 0 ]; then
  exec ctest --test-dir "$root/build/ci" -L cuda_on_host --parallel "$(nproc)" --output-on-failure
fi
[ "$1" != --all ] || shift
programs=${1:-$(cd "$root/build/ci/bin" && echo Test*Cuda)}
export GTEST_FILTER=${2:-*} GTEST_TOTAL_SHARDS=$((2 * $(nproc))) LOGS=$root/build/ci/cuda-on-host/logs
export LD_LIBRARY_PATH=$library CUDA_ON_HOST_STRICT=1 BIN=$root/build/ci/bin
mkdir -p "$LOGS"

run() { # PROGRAM SHARD: every other shard in shuffled order; prints a line of the table
  local log=$LOGS/$1.$2 begin=$SECONDS order=0 status
  [ $(($2 % 2)) -eq 0 ] || order=$((7 + $2))
  GTEST_SHARD_INDEX=$2 CUDA_ON_HOST_ORDER=$order "$BIN/$1" >"$log" 2>&1
  status=$?
  printf '%-28s %5d passed %5d failed %5d skipped %5d findings %7d s  status %d\n' "$1 ($2, order $order)" \
    "$(grep -c '^\[       OK \]' "$log")" "$(grep -c '^\[  FAILED  \].*ms)' "$log")" "$(grep -c '^\[  SKIPPED \].*ms)' "$log")" \
    "$(grep -c '^cuda-on-host: ' "$log")" $((SECONDS - begin)) $status
  return $status
}
export -f run
for program in $programs; do
  for ((shard = 0; shard < GTEST_TOTAL_SHARDS; ++shard)); do echo "$program" $shard; done
done | xargs -P "$(nproc)" -L 1 bash -c 'run "$0" "$1"'
status=$?
echo "logs: $LOGS"
exit $status
