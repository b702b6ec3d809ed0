// Measures the derivatives of mesh travel times, as multiples of the first solve in the same run.
#include "Arguments.h"
#include "MeshProblems.h"
#include "Table.h"

#include <ctime>
#include <functional>
#include <string>
#include <utility>
#include <vector>

using namespace isochrone;
using namespace isochrone::benchmark;

namespace {

struct Measured {
  double processor, wall; ///< seconds; that of the processor is hardly changed by other processes
};

/// Returns the medians over runs of all pieces of work in turn.
std::vector<Measured> measure(const std::vector<std::function<void()>>& works) {
  std::vector<std::vector<double>> processor(works.size()), wall(works.size());
  for (std::size_t run = 0; run < measuredRuns(); ++run)
    for (std::size_t w = 0; w < works.size(); ++w) {
      const std::clock_t begin = std::clock();
      wall[w].push_back(seconds(works[w]));
      processor[w].push_back(double(std::clock() - begin) / CLOCKS_PER_SEC);
    }
  std::vector<Measured> all;
  for (std::size_t w = 0; w < works.size(); ++w) all.push_back({median(processor[w]), median(wall[w])});
  return all;
}

std::vector<mesh::Tip> tipsOf(const MeshProblem& m, std::int64_t count) {
  const std::int64_t vertices = m.problem.vertexCount();
  std::vector<mesh::Tip> tips;
  for (std::int64_t t = 0; t < count; ++t) tips.push_back({vertices - 1 - t * vertices / count});
  return tips;
}

void measureMesh(Table& table, int cubes, double ratio, int threads, bool cuda) {
  const MeshProblem m = makeMeshProblem("cube", cubes, ratio, false);
  mesh::Options options;
  options.backend = Backend::Host, options.threads = threads;
  Values<float> times;
  const auto sum = [&](std::int64_t count, Backend backend = Backend::Host) {
    return [&, count, backend] {
      std::vector<mesh::WeightedTip> tips;
      for (const mesh::Tip& tip : tipsOf(m, count)) tips.push_back({tip, 1});
      mesh::differentiate(m.problem, times, tips, {backend, threads});
    };
  };
  std::vector<std::pair<std::string, std::function<void()>>> works{
      {"first solve", [&] { times = mesh::solveMeshTravelTime(m.problem, options, {}).travelTime; }},
      {"sum of 1 tip", sum(1)},
      {"sum of 100 tips", sum(100)},
      {"sum of all points", sum(m.problem.vertexCount())},
      {"rows of 100 tips", [&] {
         mesh::differentiateEach(m.problem, times, tipsOf(m, 100), {Backend::Host, threads});
       }}};
  if (cuda) {
    works.emplace_back("100 tips, CUDA", sum(100, Backend::Cuda));
    works.emplace_back("all points, CUDA", sum(m.problem.vertexCount(), Backend::Cuda));
  }
  std::vector<std::function<void()>> all;
  for (const auto& [name, work] : works) all.push_back(work);
  const std::vector<Measured> measured = measure(all);
  for (std::size_t w = 0; w < works.size(); ++w)
    table.row({double(m.problem.cellCount()), ratio, double(threads), works[w].first, measured[w].processor,
               measured[w].processor / measured[0].processor, measured[w].wall,
               measured[w].wall / measured[0].wall});
}

} // namespace

int main(int argc, char** argv) {
  std::string file;
  int cubes = 41;
  bool cuda = false;
  std::vector<int> threads{1, 2}, ratios{1, 3, 10};
  return Arguments(
             "Measures the derivatives of the travel times of tips on a jittered cube, with one speed and\n"
             "with fibres of 3:1.")
      .number("--cubes N", "cubes of six tetrahedra per edge", cubes, 2)
      .number("--ratios R,...", "speed along fibres over speed across; 1: one speed", ratios, 1)
      .number("--threads N,...", "one run per number", threads, 1)
      .flag("--cuda", "sums on the CUDA device, too: updates and masses; the rest on the host", cuda)
      .text("--json FILE", "writes the rows there too", file)
      .run(argc, argv, [&] {
        Table table(file, machine(),
                    {{"tetrahedra", "tetrahedra", 10},
                     {"ratio", "ratio", 5},
                     {"threads", "threads", 7},
                     {"work", "work", -17},
                     {"processor", "processor s", 11, 3},
                     {"solves", "solves", 6, 2},
                     {"wall", "wall s", 7, 3},
                     {"wallSolves", "solves", 6, 2}});
        for (const int ratio : ratios)
          for (const int t : threads) measureMesh(table, cubes, ratio, t, cuda);
        return 0;
      });
}
