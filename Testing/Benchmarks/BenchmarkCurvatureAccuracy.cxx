// What the accuracies of curvature paths and the derivatives of travel times cost, beside the first order
// solve in the same run. Uses the public interface only.
//   BenchmarkCurvatureAccuracy [--quick] [--cuda] [--json FILE]
// A row is a whole solve, "new" where the seed's surroundings have not been solved before and "again" where
// they have, or "derivatives": those of the travel times of all points, heading by cheapest heading.
// --quick: one small grid; --cuda: on the CUDA device besides, set-up and copies included.
#include "CurvatureBenchmark.h"
#include "CurvatureProblems.h"
#include "Error.h"
#include "Table.h"

#include <cstdio>
#include <thread>
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
  Benchmark(bool withCuda, const char* file)
      : cuda(withCuda), table(file,
                              {{"machine", processor()},
                               {"cores", double(std::thread::hardware_concurrency())},
                               {"compiler", __VERSION__}},
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
      table.row({shortName(model), sizeOf(c.problem.grid), accuracy, what, on, median, median / firstOrder});
    };
    curvature::Result result;
    const auto solve = [&] { result = curvature::solveCurvaturePaths(c.problem, options, {}); };
    for (const auto& [name, accuracy] : accuracies) {
      c.problem.accuracy = accuracy;
      if (accuracy != curvature::Accuracy::FirstOrder) {
        // Another turning radius, if only in its last digits, makes the seed a new one.
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

int main(int argc, char** argv) try {
  const Arguments arguments(argc, argv);
  if (!arguments.good) return 2;
  Benchmark benchmark(arguments.cuda, arguments.file);
  if (arguments.quick) {
    benchmark.run(31, 24, 6);
    return 0;
  }
  benchmark.run(101, 60, 10);
  benchmark.run(201, 96, 20);
  benchmark.run(300, 96, 30);
  return 0;
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
