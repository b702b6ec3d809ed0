// Measures distances to level sets beside the distances between points of the same image: processor time, its
// ratio, and errors against exact distances. Solves by the public interfaces only; --help lists the options.
#include "Arguments.h"
#include "DistanceTransform/DistanceTransform.h"
#include "Table.h"

#include <cmath>
#include <ctime>
#include <string>
#include <vector>

using namespace isochrone;
using namespace isochrone::benchmark;

namespace {

/// An image of exact signed distances, negative inside.
struct Image {
  std::string name;
  ImageGrid grid;
  std::vector<float> values;
  double radius; ///< in spacings

  Image(std::string n, const ImageGrid& g, double r) : name(std::move(n)), grid(g), radius(r) {
    const bool torus = name == "torus";
    const Position centre{grid.nx / 2. + 0.1, grid.ny / 2. - 0.2, grid.nz > 1 ? grid.nz / 2. + 0.3 : 0};
    for (std::int64_t i = 0; i < grid.points(); ++i) {
      const GridIndex at = grid.indices(i);
      const double x = double(at[0]) - centre[0], y = double(at[1]) - centre[1],
                   z = double(at[2]) - centre[2];
      values.push_back(float(torus ? std::hypot(std::hypot(x, y) - 1.4 * radius, z) - radius
                                   : std::hypot(x, y, z) - radius));
    }
  }
};

/// The median of the processor times of a few runs.
double processorSeconds(const auto& work) {
  std::vector<double> times;
  for (double spent = 0; times.size() < measuredRuns() && spent < 5; spent += times.back()) {
    const std::clock_t start = std::clock();
    work();
    times.push_back(double(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return median(times);
}

class Benchmark {
public:
  explicit Benchmark(const std::string& file)
      : table(file, machine(),
              {{"case", "case", -7},
               {"grid", "grid", -12},
               {"radius", "radius", 6, 0},
               {"method", "method", -14},
               {"seconds", "seconds", 8, 4},
               {"ratio", "ratio", 7, 1},
               {"ns_per_point", "ns/point", 8, 1},
               {"pieces", "pieces", 8, 0},
               {"median_error", "median", 8, 4},
               {"largest_error", "largest", 8, 4}}) {}

  /// Solves on one thread; distances between points first, whose time the ratios refer to.
  void run(const Image& image) {
    surface::LevelSet levelSet;
    levelSet.grid = image.grid;
    levelSet.floats = image.values;
    levelSet.insideBelow = true;
    std::int64_t count = 0;
    const Values<std::uint8_t> inside = surface::insideOf(levelSet, 1, count);
    distance::Problem problem;
    problem.grid = image.grid;
    problem.sites = inside;
    distance::Options options;
    options.backend = Backend::Host;
    options.threads = 1;
    options.region = distance::Region::Signed;
    distance::Result result;
    const double plain = processorSeconds([&] { result = solveDistanceTransform(problem, options, {}); });
    row(image, "points", plain, plain, 0, result.distance);
    for (const auto interpolation : {surface::Interpolation::Linear, surface::Interpolation::Cubic})
      for (const double band : {0., 3.}) {
        levelSet.interpolation = interpolation;
        options.maximumDistance = band;
        surface::Surface surface;
        const double time = processorSeconds([&] {
          surface = surface::extractLevelSet(levelSet, 1);
          problem.surface = &surface;
          result = solveDistanceTransform(problem, options, {});
        });
        const bool linear = interpolation == surface::Interpolation::Linear;
        row(image, std::string(linear ? "linear" : "cubic") + (band > 0 ? " within 3" : ""), time, plain,
            surface.pieces.size(), result.distance);
      }
  }

private:
  Table table;

  void row(const Image& image, const std::string& method, double time, double plain, std::size_t pieces,
           std::span<const float> distance) {
    std::vector<double> errors;
    for (std::size_t i = 0; i < distance.size(); ++i)
      if (std::isfinite(distance[i]))
        errors.push_back(std::abs(double(distance[i]) - double(image.values[i])));
    table.row({image.name, sizeText(image.grid), image.radius, method, time, time / plain,
               1e9 * time / double(image.grid.points()), double(pieces), median(errors),
               *std::max_element(errors.begin(), errors.end())});
  }
};

} // namespace

int main(int argc, char** argv) {
  std::string file;
  bool quick = false;
  return Arguments("Measures distances to level sets of spheres, tori and circles on one thread.")
      .flag("--quick", "small images", quick)
      .text("--json FILE", "writes the rows there too", file)
      .run(argc, argv, [&] {
        Benchmark benchmark(file);
        if (quick) {
          benchmark.run({"sphere", {24, 24, 24}, 7});
          benchmark.run({"circle", {64, 64, 1}, 20});
          return 0;
        }
        benchmark.run({"sphere", {64, 64, 64}, 20});
        benchmark.run({"torus", {108, 108, 56}, 20});
        benchmark.run({"sphere", {128, 128, 128}, 40});
        benchmark.run({"sphere", {256, 256, 256}, 80});
        benchmark.run({"torus", {256, 256, 128}, 40});
        benchmark.run({"circle", {1024, 1024, 1}, 300});
        benchmark.run({"circle", {4096, 4096, 1}, 1200});
        return 0;
      });
}
