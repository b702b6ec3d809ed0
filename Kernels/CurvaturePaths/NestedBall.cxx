// The ball of a seed by the scheme itself, on two small grids that get finer towards the seed.
#include "CurvaturePaths/SectorSolver.h"
#include "CurvaturePaths/SeedBalls.h"
#include "CurvaturePaths/SeedGrid.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <list>
#include <memory>
#include <mutex>

namespace isochrone::curvature {

namespace {

using Fine = SeedFrame::Fine;

constexpr int half = SeedFrame::halfWidth / 2;

/// What Dubins hands on: times up to so many times the half width of the grid. Later ones have turned a loop,
/// and the finer the grid, the more the relaxed scheme gains by cutting it short.
constexpr double dubinsTimes = 1.5;

double latestTime(const Problem& fine) {
  if (fine.model != Model::Dubins) return std::numeric_limits<double>::infinity();
  const auto values = fine.cost.values;
  const double least = values.empty() ? fine.cost.constant : *std::min_element(values.begin(), values.end());
  return dubinsTimes * SeedFrame::halfWidth * std::min(fine.grid.hx, fine.grid.hy) * least;
}

/// Travel times on the coarser of the two grids.
Values<float> solveNested(const Fine& coarse, const Fine& fine, int heading, bool anyHeading, int threads) {
  Values<float> times;
  const double latest = latestTime(fine.problem);
  for (const Fine* grid : {&fine, &coarse}) {
    const StateGrid& g = grid->problem.grid;
    std::vector<StartState> starts;
    for (int k = 0; k < g.headings; ++k) {
      if (anyHeading || k == heading * (grid == &fine ? 2 : 1))
        starts.push_back({g.index(SeedFrame::halfWidth, SeedFrame::halfWidth, k), 0, 0});
      for (int j = -half; j <= half && !times.empty(); ++j)
        for (int i = -half; i <= half; ++i) {
          const float time = times[fine.problem.grid.index(SeedFrame::halfWidth + 2 * i,
                                                           SeedFrame::halfWidth + 2 * j, 2 * k)];
          if (std::isfinite(time) && time <= latest)
            starts.push_back({g.index(SeedFrame::halfWidth + i, SeedFrame::halfWidth + j, k), 0, time});
        }
    }
    keepLeast(starts);
    Result result;
    solveBySectors(grid->problem, starts, {}, threads, {}, result);
    times = std::move(result.travelTime);
  }
  return times;
}

/// All that the times on the grids depend on.
std::vector<double> keyOf(const Fine& coarse, const Fine& fine, int heading, bool anyHeading) {
  const Problem& p = coarse.problem;
  std::vector<double> key{double(p.model), p.relaxation, p.balancedRadius, double(p.grid.headings),
                          p.grid.hx,       p.grid.hy,    double(heading),  double(anyHeading)};
  for (const Field* field : {&p.cost, &p.turningRadius, &p.curvatureShift}) key.push_back(field->constant);
  for (const Fine* grid : {&coarse, &fine}) {
    for (const auto& values : grid->fields) {
      key.push_back(double(values.size()));
      key.insert(key.end(), values.begin(), values.end());
    }
    key.insert(key.end(), grid->walls.begin(), grid->walls.end());
  }
  return key;
}

/// The latest solutions: who moves a tip or changes something far from the seeds solves them once.
class Memory {
public:
  using Times = std::shared_ptr<const Values<float>>;

  Times find(const std::vector<double>& key) {
    const std::lock_guard lock(mutex);
    for (auto entry = entries.begin(); entry != entries.end(); ++entry)
      if (entry->key == key) {
        entries.splice(entries.begin(), entries, entry);
        return entry->times;
      }
    return nullptr;
  }

  void keep(std::vector<double> key, Times times) {
    const std::lock_guard lock(mutex);
    entries.push_front({std::move(key), std::move(times)});
    if (entries.size() > most) entries.pop_back();
  }

private:
  static constexpr std::size_t most =
      16; ///< half a megabyte each at 60 headings; twice that with an oriented cost
  struct Entry {
    std::vector<double> key;
    Times times;
  };
  std::mutex mutex;
  std::list<Entry> entries;
};

Memory& memory() {
  static Memory memory;
  return memory;
}

} // namespace

std::vector<StartState> nestedBall(const Problem& problem, std::int32_t seedIndex, int threads) {
  const State seed = clampedToGrid(problem.grid, problem.seeds[seedIndex].state);
  const SeedFrame frame(problem, seed);
  Fine coarse = frame.fine(2), fine = frame.fine(4);
  double scale = 1; // a constant cost is solved as 1, for all of them alike
  for (Fine* grid : {&coarse, &fine}) {
    grid->problem.accuracy = Accuracy::SecondOrder;
    if (grid->problem.cost.values.empty()) scale = problem.cost.constant, grid->problem.cost.constant = 1;
  }
  std::vector<double> key = keyOf(coarse, fine, frame.heading(2), seed.anyHeading);
  Memory::Times times = memory().find(key);
  if (!times) {
    times = std::make_shared<Values<float>>(
        solveNested(coarse, fine, frame.heading(2), seed.anyHeading, threads));
    memory().keep(std::move(key), times);
  }

  const StateGrid &g = problem.grid, &small = coarse.problem.grid;
  const auto [i0, i1] = frame.range(small, 0);
  const auto [j0, j1] = frame.range(small, 1);
  const double latest = latestTime(coarse.problem);
  std::vector<StartState> ball;
  for (int k = 0; k < g.headings; ++k)
    for (std::int64_t j = j0; j <= j1; ++j)
      for (std::int64_t i = i0; i <= i1; ++i)
        if (const auto time = frame.at(small, *times, i, j, k); time && *time <= latest)
          ball.push_back({g.index(i, j, k), seedIndex, problem.seeds[seedIndex].startValue + scale * *time});
  return ball;
}

} // namespace isochrone::curvature
