// Measures how every solver would scale on a machine with more cores, by simulated workers
// (Execution/SimulatedWorkers.h), and compares two of them with two threads. Uses the public interfaces only;
// --help lists the options.
//
// Speed-ups compare with a solve on one thread. The workers share the caches of one core, so their tasks,
// which are also smaller, take longer than on cores of their own. "2 processes" is what a second core is
// worth where nothing is shared but the memory: solves per second of two processes, each on one thread, over
// those of one.
#include "Arguments.h"
#include "BusyProcesses.h"
#include "Execution/SimulatedWorkers.h"
#include "SolverCases.h"
#include "Table.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace isochrone;
using namespace isochrone::benchmark;

namespace {

const std::vector<std::string> solvers{"curvature", "oriented", "image", "distance", "rays", "mesh"};

std::vector<SolverCase> quickCasesOf(const std::string& solver) {
  if (solver == "curvature") return {curvatureCase(Model::Dubins, 64, 64, 32, 10, "constant")};
  if (solver == "oriented") return {orientedCase(32)};
  if (solver == "image") return {imageCase("3", 32, 32), imageCase("tensor-4", 16, 16)};
  if (solver == "distance") return {distanceCase({64, 64, 64, 1, 1, 1})};
  if (solver == "rays") return {rayCase("noise", {64, 64, 1, 1, 1, 1}, 1)};
  return {meshCase(6, 1)};
}

std::vector<SolverCase> casesOf(const std::string& solver) {
  std::vector<SolverCase> cases;
  if (solver == "curvature") {
    for (const Model model : models) cases.push_back(curvatureCase(model, 300, 300, 96, 30, "constant"));
    cases.push_back(curvatureCase(Model::ReedsSheppForward, 300, 300, 96, 30, "rough"));
    for (const Model model : models) cases.push_back(curvatureCase(model, 705, 447, 60, 30, "floor"));
  } else if (solver == "oriented") {
    cases.push_back(orientedCase(512));
  } else if (solver == "image") {
    for (const char* kind : {"1", "3", "4-8", "noise"}) cases.push_back(imageCase(kind, 256, 256));
    cases.push_back(imageCase("tensor-10", 1024, 1));
    cases.push_back(imageCase("tensor-10", 128, 128));
  } else if (solver == "distance") {
    cases.push_back(distanceCase({4096, 4096, 1, 1, 1, 1}));
    cases.push_back(distanceCase({256, 256, 256, 1, 1, 1}));
  } else if (solver == "rays") {
    cases.push_back(rayCase("noise", {2048, 2048, 1, 1, 1, 1}, 1));
    cases.push_back(rayCase("gradient", {128, 128, 128, 1, 1, 1}, 1));
    cases.push_back(rayCase("maze", {1024, 1024, 1, 1, 1, 1}, 16));
  } else {
    for (const double ratio : {1., 3., 10.}) cases.push_back(meshCase(40, ratio));
    cases.push_back(meshCase(80, 10));
  }
  return cases;
}

/// Measures one case, all numbers of workers in turn, so that the speed of the machine cancels.
void measure(const SolverCase& c, const std::vector<int>& workers, Table& table) {
  std::vector<double> alone, two, processes;
  std::vector<std::vector<double>> simulated(workers.size());
  const auto once = [&](int threads) { return seconds([&] { c.solve(threads); }); };
  // The first one after a solve with other memory is slower.
  const auto solve = [&](int threads) { return std::min(once(threads), once(threads)); };
  for (std::size_t run = 0; run < measuredRuns(); ++run) {
    alone.push_back(solve(1));
    two.push_back(alone.back() / solve(2));
    {
      const BusyProcesses second(1, [&](unsigned) { c.solve(1); });
      processes.push_back(2 * alone.back() / solve(1));
    }
    for (std::size_t i = 0; i < workers.size(); ++i) {
      const execution::SimulatedWorkers simulation;
      const double all = once(workers[i]);
      simulated[i].push_back(alone.back() / (all - simulation.savedSeconds()));
    }
  }
  std::vector<Table::Value> row{c.solver, c.problem, median(alone), median(two), median(processes)};
  for (const std::vector<double>& speedUps : simulated) row.emplace_back(median(speedUps));
  table.row(row);
}

void run(bool quick, const std::vector<std::string>& chosen, const std::vector<int>& workers,
         const std::string& file) {
  std::vector<std::string> keys, titles;
  for (const int count : workers) {
    keys.push_back("workers_" + std::to_string(count));
    titles.push_back(std::to_string(count) + " simulated");
  }
  std::vector<Table::Column> columns{{"solver", "solver", -10},
                                     {"problem", "problem", -30},
                                     {"seconds", "1 thread, s", 11, 4},
                                     {"threads_2", "2 threads", 9, 2},
                                     {"processes_2", "2 processes", 11, 2}};
  for (std::size_t i = 0; i < workers.size(); ++i)
    columns.push_back({keys[i].c_str(), titles[i].c_str(), 12, 2});
  Table table(file, machine(), columns);
  for (const std::string& solver : chosen)
    for (const SolverCase& c : quick ? quickCasesOf(solver) : casesOf(solver)) measure(c, workers, table);
}

} // namespace

int main(int argc, char** argv) {
  bool quick = false;
  std::string file;
  std::vector<std::string> chosen = solvers;
  std::vector<int> workers{2, 4, 8, 16, 32, 64};
  return Arguments("Measures the speed-up of every solver with two threads and with simulated workers.")
      .flag("--quick", "small problems", quick)
      .text("--solvers NAME,...", "of", chosen, solvers)
      .number("--workers N,...", "numbers of simulated workers", workers, 1, 64)
      .text("--json FILE", "writes the rows there too", file)
      .run(argc, argv, [&] { return run(quick, chosen, workers, file), 0; });
}
