// Measures every solver on a busy machine: alone, and beside as many processes without end as there are
// cores. Each core then gives the solver half of its time: a solve should take twice as long, and no thread
// should wait for one that does not run. Uses the public interfaces only; --help lists the options.
#include "Arguments.h"
#include "CurvatureProblems.h"
#include "DistanceProblems.h"
#include "ImageProblems.h"
#include "MeshProblems.h"
#include "OrientedCost/OrientedCost.h"
#include "RayProblems.h"
#include "Table.h"

#include <algorithm>
#include <csignal>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

using namespace isochrone;
using namespace isochrone::benchmark;

namespace {

/// Processes that keep cores busy.
class BusyProcesses {
public:
  explicit BusyProcesses(unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      const pid_t child = fork();
      if (child < 0) throw Error("cannot start a process");
      if (child > 0)
        children.push_back(child);
      else
        for (volatile bool forEver = true; forEver && getppid() != 1;) {
        }
    }
  }
  ~BusyProcesses() {
    for (const pid_t child : children) kill(child, SIGKILL), waitpid(child, nullptr, 0);
  }
  BusyProcesses(const BusyProcesses&) = delete;
  BusyProcesses& operator=(const BusyProcesses&) = delete;

private:
  std::vector<pid_t> children;
};

struct Solve {
  std::string solver, problem;
  std::function<void()> run;
};

class Solves {
public:
  explicit Solves(bool quick) {
    addCurvature(8, 8, "8x8x16"), addOriented(8), addImage("3", 8, 8), addDistance(8), addRays(8), addMesh(1);
    if (quick) return;
    addCurvature(100, 64, "100x100x64"), addOriented(128), addImage("3", 128, 128),
        addImage("tensor-4", 48, 48);
    addDistance(1024), addRays(512), addMesh(24);
  }

  const std::vector<Solve>& all() const { return solves; }

private:
  std::vector<Solve> solves;

  void addCurvature(int size, int headings, const std::string& name) {
    const auto c = std::make_shared<Case>(makeCase(Model::Dubins, size, size, headings, 10, "constant"));
    solves.push_back({"curvature", name, [c] { curvature::solveCurvaturePaths(c->problem, {}, {}); }});
  }

  void addOriented(int size) {
    const auto image = std::make_shared<std::vector<float>>(
        smoothed(uniformNumbers(std::size_t(size) * size), size, size, 2));
    solves.push_back({"oriented", std::to_string(size) + "x" + std::to_string(size), [image, size] {
                        oriented::Problem problem;
                        problem.nx = problem.ny = size;
                        problem.intensity = *image;
                        problem.widths = {1.5, 2.5};
                        problem.length = 6;
                        oriented::makeOrientedCost(problem, 0, {});
                      }});
  }

  void addImage(const std::string& kind, int size, int depth) {
    const auto c = std::make_shared<ImageCase>(makeImageCase(kind, size, depth));
    solves.push_back({"image", kind + " " + sizeText(c->problem.grid),
                      [c] { image::solveImageTravelTime(c->problem, {}, {}); }});
  }

  void addDistance(int size) {
    const auto c = std::make_shared<DistanceCase>(
        makeDistanceCase("random 1", distance::Grid{size, size, 1, 1, 1, 1}, nullptr));
    solves.push_back({"distance", sizeText(c->problem.grid),
                      [c] { distance::solveDistanceTransform(c->problem, {}, {}); }});
  }

  void addRays(int size) {
    const auto c = std::make_shared<RayCase>(makeRayCase("noise", rays::Grid{size, size, 1, 1, 1, 1}, 1));
    solves.push_back({"rays", sizeText(c->problem.grid), [c] { rays::solveRayTracing(c->problem, {}, {}); }});
  }

  void addMesh(int cubes) {
    const auto m = std::make_shared<MeshProblem>(makeMeshProblem("cube", cubes, 1, false));
    solves.push_back({"mesh", std::to_string(m->cells.size() / 4) + " cells",
                      [m] { mesh::solveMeshTravelTime(m->problem, {}, {}); }});
  }
};

void run(bool quick, const std::string& file) {
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  Table table(file, machine(),
              {{"solver", "solver", -10},
               {"problem", "problem", -18},
               {"alone", "alone ms", 9, 3},
               {"beside", "beside ms", 10, 3},
               {"largest", "largest ms", 10, 3},
               {"per_core", "per core", 9, 2}});
  const Solves solves(quick);
  const std::size_t most = quick ? 1 : 15;
  const auto times = [&](const Solve& s) {
    std::vector<double> all;
    for (double spent = 0; all.size() < most && spent < 10; spent += all.back())
      all.push_back(seconds(s.run));
    std::sort(all.begin(), all.end());
    return all;
  };
  std::vector<double> alone;
  for (const Solve& s : solves.all()) {
    const std::vector<double> all = times(s);
    alone.push_back(all[all.size() / 2]);
  }
  const BusyProcesses busy(cores);
  for (std::size_t i = 0; i < solves.all().size(); ++i) {
    const Solve& s = solves.all()[i];
    const std::vector<double> beside = times(s);
    const double median = beside[beside.size() / 2];
    table.row(
        {s.solver, s.problem, 1e3 * alone[i], 1e3 * median, 1e3 * beside.back(), median / alone[i] / 2});
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
