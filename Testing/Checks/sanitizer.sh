#!/bin/bash
# sanitizer.sh PRESET: builds the kernel tests with a sanitizer (build/PRESET) and runs them. Of the cases that a claim is
# tested on, it takes the one that has everything (walls, varying cost, radius and shift), and no images that are slow with a
# sanitizer; `ctest --preset PRESET` takes all.
set -e
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
cmake --preset "$1"
cmake --build --preset "$1"
ctest --preset "$1" --tests-regex '^[^/]*$|Everything' --exclude-regex 'DistanceTransform(Large|Shapes)|RayTracing(Accuracy|Facts|Random)' --parallel 2
