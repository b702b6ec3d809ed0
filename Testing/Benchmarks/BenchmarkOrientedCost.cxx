// Oriented costs: seconds, and memory a state. Uses the public interface only.
//   BenchmarkOrientedCost [--quick] [--json FILE]
// 60 headings, widths of 1.5, 2.5 and 4 pixels, length 6 pixels; smooth random images of the sizes of the
// paper's retinas and others (Mirebeau et al. 2022, section 3.3). --quick: one small image.
#include "CurvatureBenchmark.h"
#include "CurvatureProblems.h"
#include "Error.h"
#include "OrientedCost/OrientedCost.h"
#include "Table.h"

#include <cstdio>
#include <string>
#include <thread>
#include <vector>

using namespace isochrone;
using namespace isochrone::benchmark;

int main(int argc, char** argv) try {
  const Arguments arguments(argc, argv);
  if (!arguments.good) return 2;
  Table table(arguments.file,
              {{"machine", processor()},
               {"cores", double(std::thread::hardware_concurrency())},
               {"compiler", __VERSION__}},
              {{"grid", "grid", -12},
               {"on", "on", -6},
               {"seconds", "seconds", 9, 4},
               {"ns_per_state", "ns/state", 9, 2}});
  struct Size {
    int nx, ny;
  };
  const std::vector<Size> sizes = arguments.quick
                                      ? std::vector<Size>{{64, 48}}
                                      : std::vector<Size>{{387, 449}, {398, 598}, {512, 512}, {706, 706}};
  for (const auto [nx, ny] : sizes) {
    const std::vector<float> image = smoothed(uniformNumbers(std::size_t(nx) * ny), nx, ny, 2);
    oriented::Problem problem;
    problem.nx = nx, problem.ny = ny;
    problem.intensity = image;
    problem.widths = {1.5, 2.5, 4};
    problem.length = 6;
    const std::string grid =
        std::to_string(nx) + "x" + std::to_string(ny) + "x" + std::to_string(problem.headings);
    for (const int threads : {1, 2}) {
      const double median = medianSeconds([&] { oriented::makeOrientedCost(problem, threads, {}); });
      table.row({grid, "host " + std::to_string(threads), median,
                 1e9 * median / (double(problem.points()) * problem.headings)});
    }
  }
  return 0;
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
