// Measures oriented costs: seconds, and nanoseconds per state. Uses the public interface only; --help lists
// the options. 60 headings, widths of 1.5, 2.5 and 4 pixels, length 6 pixels; smooth random images of the
// sizes of the paper's retinas and others (Mirebeau et al. 2022, section 3.3).
#include "Arguments.h"
#include "SolverCases.h"
#include "Table.h"

#include <string>
#include <vector>

using namespace isochrone;
using namespace isochrone::benchmark;

namespace {

void run(bool quick, const std::string& file) {
  Table table(file, machine(),
              {{"grid", "grid", -12},
               {"on", "on", -6},
               {"seconds", "seconds", 9, 4},
               {"ns_per_state", "ns/state", 9, 2}});
  struct Size {
    int nx, ny;
  };
  const std::vector<Size> sizes =
      quick ? std::vector<Size>{{64, 48}} : std::vector<Size>{{387, 449}, {398, 598}, {512, 512}, {706, 706}};
  for (const auto [nx, ny] : sizes) {
    const std::vector<float> image = smoothImage(nx, ny);
    const oriented::Problem problem = orientedProblem(image, nx, ny, {1.5, 2.5, 4});
    const std::string grid = sizeText(curvature::StateGrid{nx, ny, problem.headings});
    for (const int threads : {1, 2}) {
      const double median = medianSeconds([&] { oriented::makeOrientedCost(problem, threads, {}); });
      table.row({grid, "host " + std::to_string(threads), median,
                 1e9 * median / (double(problem.points()) * problem.headings)});
    }
  }
}

} // namespace

int main(int argc, char** argv) {
  bool quick = false;
  std::string file;
  return Arguments("Measures oriented costs.")
      .flag("--quick", "one small image", quick)
      .text("--json FILE", "writes the rows there too", file)
      .run(argc, argv, [&] { return run(quick, file), 0; });
}
