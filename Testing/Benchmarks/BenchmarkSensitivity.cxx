// Measures the derivatives of image travel times, as multiples of the solve in the same run.
#include "Arguments.h"
#include "Backend.h"
#include "ImageTravelTime/ImageTravelTime.h"
#include "Noise.h"
#include "Table.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

using namespace isochrone;
using namespace isochrone::benchmark;

namespace {

/// Returns the shortest time of some runs: with a device by the wall clock, else the processor time of all
/// threads, which hardly depends on other processes.
double leastSeconds(bool onDevice, const auto& work) {
  double least = 1e30;
  for (std::size_t run = 0; run < std::min<std::size_t>(measuredRuns(), 3); ++run) {
    const std::clock_t begin = std::clock();
    const double wall = seconds(work), processor = double(std::clock() - begin) / CLOCKS_PER_SEC;
    least = std::min(least, onDevice ? wall : processor);
  }
  return least;
}

/// An image of one of the media, with a seed near a corner.
struct SensitivityCase {
  image::Problem problem;
  std::vector<float> speed;

  SensitivityCase(const std::string& medium, int size) {
    const auto n = double(size);
    image::Grid& grid = problem.grid;
    grid = {size, size, size, 1, 1, 1};
    for (std::int64_t p = 0; p < grid.points(); ++p) {
      const GridIndex at = grid.indices(p);
      double v = 1;
      if (medium == "noise") v = 0.1 + 0.9 * noise(std::uint64_t(p));
      if (medium == "smooth")
        v = 1.5 +
            0.5 * std::sin(9 * double(at[0]) / n) * std::cos(7 * double(at[1]) / n + 5 * double(at[2]) / n);
      if (medium == "tensors")
        addTensor(9 * double(at[0]) / n + 5 * double(at[1]) / n, double(at[2]) / n);
      else
        speed.push_back(float(v));
    }
    if (medium == "tensors") problem.speedType = image::SpeedType::SquaredVelocityTensor;
    problem.speed = speed;
    problem.seeds = {{{std::round(0.1 * n), std::round(0.2 * n), std::round(0.3 * n)}, 0}};
  }

private:
  /// Appends squared speeds: 1 along a direction, 1 / 100 across it.
  void addTensor(double turn, double height) {
    const double v[] = {std::cos(turn) * std::cos(height), std::sin(turn) * std::cos(height),
                        std::sin(height)};
    for (const auto& [a, b] : {std::pair{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}})
      speed.push_back(float((a == b ? 0.01 : 0) + 0.99 * v[a] * v[b]));
  }
};

/// Positions on the side of the image opposite to the seed, at random.
std::vector<Position> tipsOf(const image::Grid& grid, int count) {
  std::vector<Position> tips;
  const auto end = [](std::int64_t n) { return double(n - 1); };
  for (int t = 0; t < count; ++t)
    tips.push_back({end(grid.nx), noise(2 * std::uint64_t(t)) * end(grid.ny),
                    noise(2 * std::uint64_t(t) + 1) * end(grid.nz)});
  return tips;
}

std::vector<image::WeightedTip> weighted(const std::vector<Position>& tips) {
  std::vector<image::WeightedTip> result;
  for (const Position& tip : tips) result.push_back({tip, 1});
  return result;
}

std::vector<Position> allPoints(const image::Grid& grid) {
  std::vector<Position> tips;
  for (std::int64_t p = 0; p < grid.points(); ++p) {
    const GridIndex at = grid.indices(p);
    tips.push_back({double(at[0]) * grid.hx, double(at[1]) * grid.hy, double(at[2]) * grid.hz});
  }
  return tips;
}

/// Returns a row of the table. On CUDA the times are those of the wall clock, and there is no Jacobian.
std::vector<Table::Value> rowOf(const SensitivityCase& c, const std::string& name,
                                image::SourceFactoring factoring, int order, Backend backend, int threads,
                                int rows) {
  const bool onDevice = backend == Backend::Cuda;
  const auto secondsOf = [&](const auto& work) { return leastSeconds(onDevice, work); };
  image::Options options;
  options.backend = backend;
  options.factoring = factoring;
  options.order = order;
  options.keepFirstOrder = true;
  options.threads = threads;
  image::Result solved;
  const double solve = secondsOf([&] { solved = image::solveImageTravelTime(c.problem, options, {}); });
  image::SensitivityOptions same;
  same.backend = backend;
  same.factoring = factoring;
  same.order = order;
  same.threads = threads;
  same.firstOrder = solved.firstOrder;
  const auto sum = [&](const std::vector<Position>& tips) {
    const std::vector<image::WeightedTip> at = weighted(tips);
    return secondsOf([&] { differentiate(c.problem, solved.travelTime, at, same); }) / solve;
  };
  const std::vector<Position> tips = tipsOf(c.problem.grid, rows);
  Table::Value ofMatrix = "-", ofEntry = "-";
  if (!onDevice) {
    double entries = 0;
    const double matrix = secondsOf([&] {
      entries = double(differentiateEach(c.problem, solved.travelTime, tips, same).matrix.weight.size());
    });
    ofMatrix = matrix / solve, ofEntry = matrix / entries * 1e9;
  }
  return {name,
          factoring == image::SourceFactoring::Off        ? "Off"
          : factoring == image::SourceFactoring::Additive ? "Additive"
                                                          : "Multiplicative",
          double(order),
          onDevice ? Table::Value("CUDA") : Table::Value(double(threads)),
          solve,
          sum({tips[0]}),
          sum(tipsOf(c.problem.grid, 100)),
          sum(allPoints(c.problem.grid)),
          ofMatrix,
          ofEntry};
}

} // namespace

int main(int argc, char** argv) {
  std::string file;
  int size = 128, rows = 100;
  bool cuda = false;
  std::vector<std::string> cases{"constant", "smooth", "noise", "tensors"};
  std::vector<int> threads{1, 2}, orders{1};
  return Arguments("Measures the derivatives of image travel times, as multiples of the solve.")
      .number("--size N", "points per edge of the image", size, 8)
      .number("--rows N", "tips of the Jacobian", rows, 1)
      .number("--threads LIST", "threads", threads, 1)
      .number("--orders LIST", "orders of the scheme, 1 and 2", orders, 1)
      .flag("--cuda", "sums of derivatives on the CUDA device, too", cuda)
      .text("--cases LIST", "media", cases, {"constant", "smooth", "noise", "tensors"})
      .text("--json FILE", "writes the rows there too", file)
      .run(argc, argv, [&] {
        Table table(file, machine(),
                    {{"case", "medium", -10},
                     {"factoring", "factoring", -14},
                     {"order", "order", 5},
                     {"threads", "threads", 7},
                     {"solve", "solve s", 8, 3},
                     {"oneTip", "1 tip", 7, 2},
                     {"someTips", "100 tips", 8, 2},
                     {"allTips", "all tips", 8, 2},
                     {"rows", "rows", 7, 1},
                     {"entry", "ns/entry", 8, 1}});
        for (const std::string& name : cases)
          for (const auto factoring : {image::SourceFactoring::Off, image::SourceFactoring::Additive,
                                       image::SourceFactoring::Multiplicative}) {
            const bool onHostOnly = factoring == image::SourceFactoring::Multiplicative;
            for (const int order : orders)
              for (const int count : threads)
                table.row(rowOf({name, size}, name, factoring, order, Backend::Host, count, rows));
            for (const int order : orders)
              if (cuda && !onHostOnly && (name != "tensors" || order == 1))
                table.row(rowOf({name, size}, name, factoring, order, Backend::Cuda, 1, rows));
          }
        return 0;
      });
}
