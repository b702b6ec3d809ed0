// The paper's Table 2, row by row: our seconds beside those of its GPU and of its CPU. Uses the public
// interface only.
//   BenchmarkCurvatureTable2 [--quick] [--cuda] [--json FILE]
// --quick: edges five times shorter and each solved once, so that the ratios mean nothing; --cuda: on the
// CUDA device besides, set-up and copies included. In the boat's time are the fields of its drift, named
// apart besides.
#include "CurvatureBenchmark.h"
#include "CurvatureTable2Problems.h"
#include "Error.h"
#include "Table.h"

#include <cstdio>
#include <thread>

using namespace isochrone;
using namespace isochrone::benchmark;

namespace {

struct Times {
  double all = 0, fields = 0; ///< s; of the drift
};

/// Median times of a whole solve.
/// @param once  instead of medians
Times measure(const Table2Case& c, Backend backend, int threads, bool once) {
  curvature::Options options;
  options.backend = backend, options.threads = threads;
  std::vector<double> fieldSeconds;
  Times times;
  const auto solve = [&] {
    if (c.driftX.empty()) {
      curvature::solveCurvaturePaths(c.problem, options, {});
      return;
    }
    const double radius = c.problem.turningRadius.constant;
    const curvature::Vehicle vehicle{1, radius, radius, c.driftX, c.driftY};
    curvature::GroundFields fields;
    fieldSeconds.push_back(seconds([&] { fields = curvature::groundFields(c.problem, vehicle, threads); }));
    Problem overGround = c.problem;
    overGround.cost.values = fields.cost;
    overGround.turningRadius.values = fields.turningRadius;
    overGround.curvatureShift.values = fields.curvatureShift;
    overGround.balancedRadius = fields.balancedRadius;
    curvature::solveCurvaturePaths(overGround, options, {});
  };
  times.all = once ? seconds(solve) : medianSeconds(solve);
  std::sort(fieldSeconds.begin(), fieldSeconds.end());
  if (!fieldSeconds.empty()) times.fields = fieldSeconds[(fieldSeconds.size() - 1) / 2];
  return times;
}

} // namespace

int main(int argc, char** argv) try {
  const Arguments arguments(argc, argv);
  if (!arguments.good) return 2;
  Table table(arguments.file,
              {{"machine", processor()},
               {"cores", double(std::thread::hardware_concurrency())},
               {"compiler", __VERSION__}},
              {{"experiment", "experiment", -10},
               {"model", "model", -8},
               {"grid", "grid", -11},
               {"host_1", "host 1", 7, 3},
               {"host_2", "host 2", 7, 3},
               {"cuda", "cuda", 7, 4},
               {"drift_fields", "fields", 7, 3},
               {"paper_gpu", "paper GPU", 9, 2},
               {"paper_cpu", "paper CPU", 9, 2},
               {"gpu_over_host_2", "GPU/host 2", 10, 1},
               {"cpu_over_host_1", "CPU/host 1", 10, 0},
               {"gpu_over_cuda", "GPU/cuda", 8, 1}});
  for (const PaperRow& row : table2) {
    const Table2Case c = makeTable2Case(row, arguments.quick ? 5 : 1);
    const Times one = measure(c, Backend::Host, 1, arguments.quick),
                two = measure(c, Backend::Host, 2, arguments.quick);
    Table::Value device = "-", deviceRatio = "-";
    if (arguments.cuda) {
      const double median = measure(c, Backend::Cuda, 0, arguments.quick).all;
      device = median, deviceRatio = row.gpu / median;
    }
    table.row({row.experiment, shortName(row.model), sizeOf(c.problem.grid), one.all, two.all, device,
               two.fields, row.gpu, row.cpu, row.gpu / two.all, row.cpu / one.all, deviceRatio});
  }
  return 0;
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
