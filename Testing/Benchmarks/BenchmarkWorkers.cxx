// Measures how every solver would scale on a machine with more cores, by simulated workers
// (Execution/SimulatedWorkers.h), and compares two of them with two threads. Uses the public interfaces only;
// --help lists the options.
#include "Arguments.h"
#include "SolverCases.h"
#include "Table.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace isochrone;
using namespace isochrone::benchmark;

namespace {

std::vector<SolverCase> casesOf(bool quick) {
  if (quick)
    return {curvatureCase(Model::Dubins, 64, 64, 32, 10, "constant"),
            orientedCase(32),
            imageCase("3", 32, 32),
            imageCase("tensor-4", 16, 16),
            distanceCase({64, 64, 64, 1, 1, 1}),
            rayCase("noise", {64, 64, 1, 1, 1, 1}, 1),
            meshCase(6, 1)};
  std::vector<SolverCase> cases;
  for (const Model model : models) cases.push_back(curvatureCase(model, 300, 300, 96, 30, "constant"));
  cases.push_back(curvatureCase(Model::ReedsSheppForward, 300, 300, 96, 30, "rough"));
  for (const Model model : models) cases.push_back(curvatureCase(model, 705, 447, 60, 30, "floor"));
  cases.push_back(orientedCase(512));
  for (const char* kind : {"1", "3", "4-8", "noise"}) cases.push_back(imageCase(kind, 256, 256));
  cases.push_back(imageCase("tensor-10", 1024, 1));
  cases.push_back(imageCase("tensor-10", 128, 128));
  cases.push_back(distanceCase({4096, 4096, 1, 1, 1, 1}));
  cases.push_back(distanceCase({256, 256, 256, 1, 1, 1}));
  cases.push_back(rayCase("noise", {2048, 2048, 1, 1, 1, 1}, 1));
  cases.push_back(rayCase("gradient", {128, 128, 128, 1, 1, 1}, 1));
  cases.push_back(rayCase("maze", {1024, 1024, 1, 1, 1, 1}, 16));
  for (const double ratio : {1., 3., 10.}) cases.push_back(meshCase(40, ratio));
  return cases;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void run(bool quick, const std::string& part, const std::vector<int>& workers, const std::string& file) {
  std::vector<std::string> keys, titles;
  for (const int count : workers) {
    keys.push_back("workers_" + std::to_string(count));
    titles.push_back(std::to_string(count) + " simulated");
  }
  std::vector<Table::Column> columns{{"solver", "solver", -10},
                                     {"problem", "problem", -30},
                                     {"seconds", "1 thread, s", 11, 4},
                                     {"threads_2", "2 threads", 9, 2}};
  for (std::size_t i = 0; i < workers.size(); ++i)
    columns.push_back({keys[i].c_str(), titles[i].c_str(), 12, 2});
  Table table(file, machine(), columns);
  for (const SolverCase& c : casesOf(quick)) {
    if ((c.solver + " " + c.problem).find(part) == std::string::npos) continue;
    // Runs in turn, so that the speed of the machine cancels.
    std::vector<double> alone, two;
    std::vector<std::vector<double>> simulated(workers.size());
    for (int run = 0; run < (quick ? 1 : 5); ++run) {
      alone.push_back(seconds([&] { c.solve(1); }));
      two.push_back(alone.back() / seconds([&] { c.solve(2); }));
      for (std::size_t i = 0; i < workers.size(); ++i)
        simulated[i].push_back(alone.back() / simulatedSeconds([&] { c.solve(workers[i]); }));
    }
    std::vector<Table::Value> row{c.solver, c.problem, median(alone), median(two)};
    for (const auto& speedUps : simulated) row.emplace_back(median(speedUps));
    table.row(row);
  }
}

} // namespace

int main(int argc, char** argv) {
  bool quick = false;
  std::string part, file;
  std::vector<int> workers{1, 2, 4, 8, 16, 32, 64};
  return Arguments("Measures the speed-up of every solver with two threads and with simulated workers.")
      .flag("--quick", "small problems only, once", quick)
      .text("--cases TEXT", "only the cases whose names contain it", part)
      .number("--workers N,...", "numbers of simulated workers", workers, 1, 64)
      .text("--json FILE", "writes the rows there too", file)
      .run(argc, argv, [&] { return run(quick, part, workers, file), 0; });
}
