// CurvatureBenchmark.h - what the benchmarks of curvature paths share: arguments, and what a row says of its
// grid.
#pragma once

#include "CurvaturePaths/CurvaturePaths.h"

#include <cstdio>
#include <string>

namespace isochrone::benchmark {

/// [--quick] [--cuda] [--json FILE]
struct Arguments {
  bool quick = false, cuda = false, good = true;
  const char* file = nullptr;

  Arguments(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
      const std::string word = argv[i];
      if (word == "--quick")
        quick = true;
      else if (word == "--cuda")
        cuda = true;
      else if (word == "--json" && i + 1 < argc)
        file = argv[++i];
      else
        good = false;
    }
    if (!good) std::fprintf(stderr, "usage: %s [--quick] [--cuda] [--json FILE]\n", argv[0]);
  }
};

inline std::string sizeOf(const curvature::StateGrid& grid) {
  return std::to_string(grid.nx) + "x" + std::to_string(grid.ny) + "x" + std::to_string(grid.headings);
}

} // namespace isochrone::benchmark
