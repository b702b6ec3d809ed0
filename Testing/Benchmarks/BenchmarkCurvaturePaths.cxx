// Measures travel times of the four models: ns, rounds, updates and memory per point, and the speed-up over
// our heap fast marching in the same run. Uses the public interface only; --help lists the options.
#include "Arguments.h"
#include "CurvatureProblems.h"
#include "Reference/CurvatureReference.h"
#include "Table.h"

#include <cstdio>
#include <cstdlib>
#include <vector>

using namespace isochrone;
using namespace isochrone::benchmark;

namespace {

std::string wantedInstructionSet() {
  const char* wanted = std::getenv("ISOCHRONE_HOST_ISA");
  return wanted ? wanted : "best";
}

struct Size {
  int nx, ny, headings;
};

class Benchmark {
public:
  Benchmark(bool withCuda, const std::string& file)
      : cuda(withCuda), table(file, machine({{"instruction_set", wantedInstructionSet()}}),
                              {{"model", "model", -9},
                               {"grid", "grid", -12},
                               {"kind", "kind", -9},
                               {"radius", "radius", 6},
                               {"on", "on", -6},
                               {"seconds", "seconds", 9, 4},
                               {"ns_per_point", "ns/pt", 7, 1},
                               {"rounds", "rounds", 9},
                               {"updates_per_point", "updates/pt", 11, 2},
                               {"bytes_per_point", "bytes/pt", 10, 1},
                               {"heap_ratio", "heap/this", 12}}) {
    std::printf(
        "ns per point of heap fast marching (one thread, double) at 60x60x48, constant cost, radius 12 "
        "pixels:\n");
    for (const Model model : models) {
      const Case c = makeCase(model, 60, 60, 48, 12, "constant");
      heap[int(model)] =
          1e9 * seconds([&] { reference::march(c.problem); }) / double(c.problem.grid.points());
      std::printf("  %-9s %8.0f\n", shortName(model), heap[int(model)]);
    }
  }

  void run(const Size& size, const std::string& kind, double radius) {
    for (const Model model : models) {
      const Case c = makeCase(model, size.nx, size.ny, size.headings, radius, kind);
      for (const int threads : {1, 2}) time(c, radius, Backend::Host, threads);
      if (cuda) time(c, radius, Backend::Cuda, 0);
    }
  }

private:
  bool cuda;
  double heap[4]; ///< ns per point, by model
  Table table;

  void time(const Case& c, double radius, Backend backend, int threads) {
    curvature::Options options;
    options.backend = backend;
    options.threads = threads;
    curvature::Result result;
    const double median =
        medianSeconds([&] { result = curvature::solveCurvaturePaths(c.problem, options, {}); });
    const double points = double(c.problem.grid.points()), ns = 1e9 * median / points,
                 bytes = double(result.workBytes) / points;
    const double ratio = heap[int(c.problem.model)] / ns;
    char on[16];
    std::snprintf(on, sizeof on, threads ? "host %d" : "cuda", threads);
    table.row({shortName(c.problem.model), sizeText(c.problem.grid), c.name, radius, on, median, ns,
               double(result.rounds), result.updatesPerPoint, bytes, ratio});
  }
};

} // namespace

int main(int argc, char** argv) {
  bool quick = false, cuda = false;
  std::string file;
  return Arguments("Measures the four models of curvature paths.")
      .flag("--quick", "one size and radius", quick)
      .flag("--cuda", "on the CUDA device as well, set-up and copies included", cuda)
      .text("--json FILE", "writes the rows there too", file)
      .run(argc, argv, [&] {
        Benchmark benchmark(cuda, file);
        if (quick) {
          for (const char* kind : {"constant", "rough"}) benchmark.run({100, 100, 64}, kind, 10);
          return 0;
        }
        for (const Size& size : {Size{300, 300, 96}, Size{100, 100, 64}}) {
          for (const double radius : {30., 10., 5.}) benchmark.run(size, "constant", radius);
          for (const char* kind : {"smooth", "rough", "radius"}) benchmark.run(size, kind, 30);
        }
        benchmark.run({128, 128, 32}, "constant", 13); // a seed dragged in the panel, with 0.1 s as the aim
        benchmark.run({705, 447, 60}, "constant", 30);
        benchmark.run({705, 447, 60}, "floor", 30);
        return 0;
      });
}
