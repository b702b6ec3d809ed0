// Measures every solver on a busy machine: alone, and beside as many processes without end as there are
// cores. Each core then gives the solver half of its time: a solve should take twice as long, and no thread
// should wait for one that does not run. Uses the public interfaces only; --help lists the options.
#include "Arguments.h"
#include "BusyProcesses.h"
#include "SolverCases.h"
#include "Table.h"

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include <sched.h>

using namespace isochrone;
using namespace isochrone::benchmark;

namespace {

std::vector<SolverCase> casesOf(bool quick) {
  const auto square = [](std::int64_t n) { return ImageGrid{n, n, 1, 1, 1, 1}; };
  std::vector<SolverCase> cases;
  cases.push_back(curvatureCase(Model::Dubins, 8, 8, 16, 10, "constant"));
  cases.push_back(orientedCase(8));
  cases.push_back(imageCase("3", 8, 8));
  cases.push_back(distanceCase(square(8)));
  cases.push_back(rayCase("noise", square(8), 1));
  cases.push_back(meshCase(1, 1));
  if (quick) return cases;
  cases.push_back(curvatureCase(Model::Dubins, 100, 100, 64, 10, "constant"));
  cases.push_back(orientedCase(128));
  cases.push_back(imageCase("3", 128, 128));
  cases.push_back(imageCase("tensor-4", 48, 48));
  cases.push_back(distanceCase(square(1024)));
  cases.push_back(rayCase("noise", square(512), 1));
  cases.push_back(meshCase(24, 1));
  return cases;
}

void run(bool quick, const std::string& file) {
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  Table table(file, machine(),
              {{"solver", "solver", -10},
               {"problem", "problem", -28},
               {"alone", "alone ms", 9, 3},
               {"beside", "beside ms", 10, 3},
               {"largest", "largest ms", 10, 3},
               {"per_core", "per core", 9, 2}});
  const std::vector<SolverCase> cases = casesOf(quick);
  const std::size_t most = quick ? 1 : 15;
  const auto times = [&](const SolverCase& c) {
    std::vector<double> all;
    for (double spent = 0; all.size() < most && spent < 10; spent += all.back())
      all.push_back(seconds([&] { c.solve(0); }));
    std::sort(all.begin(), all.end());
    return all;
  };
  std::vector<double> alone;
  for (const SolverCase& c : cases) {
    const std::vector<double> all = times(c);
    alone.push_back(all[all.size() / 2]);
  }
  cpu_set_t allowed;
  sched_getaffinity(0, sizeof allowed, &allowed);
  std::vector<int> numbers;
  for (int core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(core, &allowed)) numbers.push_back(core);
  const BusyProcesses busy(cores, [&](unsigned i) { // each on one core, which the system may not do by itself
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(numbers[i % numbers.size()], &one);
    sched_setaffinity(0, sizeof one, &one);
    volatile int number = 0;
    while (number < 1'000'000) number = number + 1;
  });
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const SolverCase& c = cases[i];
    const std::vector<double> beside = times(c);
    const double median = beside[beside.size() / 2];
    table.row(
        {c.solver, c.problem, 1e3 * alone[i], 1e3 * median, 1e3 * beside.back(), median / alone[i] / 2});
  }
}

} // namespace

int main(int argc, char** argv) {
  bool quick = false;
  std::string file;
  return Arguments("Measures every solver beside as many busy processes as there are cores.")
      .flag("--quick", "small problems only, once", quick)
      .text("--json FILE", "writes the rows there too", file)
      .run(argc, argv, [&] { return run(quick, file), 0; });
}
