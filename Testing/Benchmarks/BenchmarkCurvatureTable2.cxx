// Measures the paper's Table 2, row by row: our seconds beside those of the paper's GPU and CPU. Uses the
// public interface only; --help lists the options. The boat's time includes the fields of its drift, which
// also have a separate column.
#include "Arguments.h"
#include "CurvatureTable2Problems.h"
#include "Table.h"

#include <algorithm>

using namespace isochrone;
using namespace isochrone::benchmark;

namespace {

struct Times {
  double all = 0, fields = 0; ///< s; fields of the drift
};

/// Returns median times of a whole solve.
/// @param once  measures a single solve
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

void run(bool quick, bool cuda, const std::string& file) {
  Table table(file, machine(),
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
    const Table2Case c = makeTable2Case(row, quick ? 5 : 1);
    const Times one = measure(c, Backend::Host, 1, quick), two = measure(c, Backend::Host, 2, quick);
    Table::Value device = "-", deviceRatio = "-";
    if (cuda) {
      const double median = measure(c, Backend::Cuda, 0, quick).all;
      device = median, deviceRatio = row.gpu / median;
    }
    table.row({row.experiment, shortName(row.model), sizeText(c.problem.grid), one.all, two.all, device,
               two.fields, row.gpu, row.cpu, row.gpu / two.all, row.cpu / one.all, deviceRatio});
  }
}

} // namespace

int main(int argc, char** argv) {
  bool quick = false, cuda = false;
  std::string file;
  return Arguments("Measures the rows of the paper's Table 2.")
      .flag("--quick", "edges a fifth as long, each solved once: the ratios are meaningless", quick)
      .flag("--cuda", "on the CUDA device as well, set-up and copies included", cuda)
      .text("--json FILE", "writes the rows there too", file)
      .run(argc, argv, [&] { return run(quick, cuda, file), 0; });
}
