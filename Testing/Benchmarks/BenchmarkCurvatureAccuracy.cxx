// Compares the times of the accuracies of curvature paths, and of the derivatives of travel times, with first
// order in the same run. Uses the public interface only; --help lists the options.
// A row is a whole solve, "new" without and "again" with cached surroundings of the seed, or "derivatives" of
// the travel times of all points, each at its cheapest heading.
#include "Arguments.h"
#include "CurvatureProblems.h"
#include "Table.h"

#include <cstdio>
#include <vector>

using namespace isochrone;
using namespace isochrone::benchmark;

namespace {

struct NamedAccuracy {
  const char* name;
  curvature::Accuracy accuracy;
};
constexpr NamedAccuracy accuracies[] = {{"First Order", curvature::Accuracy::FirstOrder},
                                        {"Seed Ball", curvature::Accuracy::SeedBall},
                                        {"Second Order", curvature::Accuracy::SecondOrder}};

class Benchmark {
public:
  Benchmark(bool withCuda, const std::string& file)
      : cuda(withCuda), table(file, machine(),
                              {{"model", "model", -9},
                               {"grid", "grid", -12},
                               {"accuracy", "accuracy", -12},
                               {"what", "what", -11},
                               {"on", "on", -6},
                               {"seconds", "seconds", 9, 4},
                               {"over_first_order", "/ first order", 13, 2}}) {}

  void run(int size, int headings, double radius) {
    for (const Model model : models) {
      for (const int threads : {1, 2}) run(model, size, headings, radius, Backend::Host, threads);
      if (cuda) run(model, size, headings, radius, Backend::Cuda, 0);
    }
  }

private:
  bool cuda;
  Table table;
  int newSeeds = 0;

  void run(Model model, int size, int headings, double radius, Backend backend, int threads) {
    Case c = makeCase(model, size, size, headings, radius, "constant");
    curvature::Options options;
    options.backend = backend, options.threads = threads, options.startCache = curvature::makeStartCache();
    double firstOrder = 0;
    const auto row = [&](const char* accuracy, const char* what, double median) {
      char on[16];
      std::snprintf(on, sizeof on, threads ? "host %d" : "cuda", threads);
      table.row(
          {shortName(model), sizeText(c.problem.grid), accuracy, what, on, median, median / firstOrder});
    };
    curvature::Result result;
    const auto solve = [&] { result = curvature::solveCurvaturePaths(c.problem, options, {}); };
    for (const auto& [name, accuracy] : accuracies) {
      c.problem.accuracy = accuracy;
      if (accuracy != curvature::Accuracy::FirstOrder) {
        // A different turning radius, even in the last digits, invalidates the cache.
        row(name, "new", medianSeconds([&] {
              c.problem.turningRadius.constant = radius * (1 + 1e-12 * ++newSeeds);
              solve();
            }));
      }
      const double median = medianSeconds(solve);
      if (accuracy == curvature::Accuracy::FirstOrder) firstOrder = median;
      row(name, "again", median);
      row(name, "derivatives", derivatives(c.problem, result, options));
    }
  }

  static double derivatives(const Problem& problem, const curvature::Result& result,
                            const curvature::Options& solved) {
    std::vector<curvature::WeightedTip> tips;
    for (int j = 0; j < problem.grid.ny; ++j)
      for (int i = 0; i < problem.grid.nx; ++i) tips.push_back({{double(i), double(j), 0, true}, 1});
    curvature::SensitivityOptions options;
    options.backend = solved.backend, options.threads = solved.threads;
    options.startCache = solved.startCache;
    return medianSeconds([&] { curvature::differentiate(problem, result, tips, options, {}); });
  }
};

} // namespace

int main(int argc, char** argv) {
  bool quick = false, cuda = false;
  std::string file;
  return Arguments("Measures the accuracies of curvature paths and the derivatives of travel times.")
      .flag("--quick", "one small grid", quick)
      .flag("--cuda", "on the CUDA device as well, set-up and copies included", cuda)
      .text("--json FILE", "writes the rows there too", file)
      .run(argc, argv, [&] {
        Benchmark benchmark(cuda, file);
        if (quick) return benchmark.run(31, 24, 6), 0;
        benchmark.run(101, 60, 10);
        benchmark.run(201, 96, 20);
        benchmark.run(300, 96, 30);
        return 0;
      });
}
