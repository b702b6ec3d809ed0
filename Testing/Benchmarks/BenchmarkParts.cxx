// Measures travel times on an image in parts, all in this process and one thread each: processor seconds,
// exchanges and bytes.
#include "Arguments.h"
#include "ImageProblems.h"
#include "ImageTravelTime/ImageTravelTimeParts.h"
#include "PartCosts.h"
#include "Table.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

using namespace isochrone;
using namespace isochrone::benchmark;

namespace {

struct Measured {
  PartCosts costs;
  double updates = 0, bytes = 0;
  int exchanges = 0;
  std::size_t workBytes = 0; ///< of the largest part
};

Measured solveInParts(const image::Problem& whole, const std::array<int, 3>& parts) {
  const image::Grid& g = whole.grid;
  const std::vector<grid::Box> boxes = grid::boxesOf(g.sizes(), parts);
  constexpr std::int64_t margin = 2;
  std::vector<image::Result> results(boxes.size());
  Measured m;
  m.costs = costsOfParts(boxes, g.sizes(), margin, [&](int p, const grid::GridPart& part) {
    image::ProblemPart local =
        image::problemPart(whole, part, grid::grown(boxes[std::size_t(p)], margin, g.sizes()));
    local.problem.speed = local.speed;
    image::Options options;
    options.threads = 1;
    results[std::size_t(p)] = image::solveImageTravelTime(local.problem, options, {});
  });
  for (std::size_t p = 0; p < boxes.size(); ++p) {
    m.updates += results[p].updatesPerPoint * double(boxes[p].points()) / double(g.points());
    m.bytes += double(results[p].bytesTold);
    m.workBytes = std::max(m.workBytes, results[p].workBytes);
  }
  m.exchanges = results[0].exchanges;
  return m;
}

} // namespace

int main(int argc, char** argv) {
  std::string file;
  std::vector<std::string> names{"1", "2", "3", "4-16", "noise"};
  std::vector<int> numbers{4, 8, 64, 512};
  int size = 256;
  return Arguments("Measures travel times on images in parts, in one process.")
      .text("--cases NAME,...", "the examples of BenchmarkImageTravelTime", names)
      .number("--size N", "points per edge", size, 8)
      .number("--parts N,...", "numbers of parts", numbers, 2)
      .text("--json FILE", "writes the rows there too", file)
      .run(argc, argv, [&] {
        Table table(file, machine(),
                    {{"case", "case", -6},
                     {"grid", "grid", -14},
                     {"parts", "parts", 6},
                     {"serial", "serial s", 9, 3},
                     {"total", "sum / serial", 12, 2},
                     {"speedup", "serial / critical", 17, 2},
                     {"exchanges", "exchanges", 9},
                     {"updates", "updates/pt", 11, 2},
                     {"told", "bytes/interface pt", 18, 2},
                     {"work", "work MB of a part", 17, 1}});
        for (const std::string& name : names) {
          const ImageCase c = makeImageCase(name, size, size);
          image::Options options;
          options.threads = 1;
          const double begin = processorSeconds();
          image::solveImageTravelTime(c.problem, options, {});
          const double serial = processorSeconds() - begin;
          for (const int parts : numbers) {
            const std::array<int, 3> axes = divided(parts);
            const Measured m = solveInParts(c.problem, axes);
            const double besideFaces = 2. * size * size * (axes[0] + axes[1] + axes[2] - 3);
            table.row({name, sizeText(c.problem.grid), double(parts), serial, m.costs.total / serial,
                       serial / m.costs.critical, double(m.exchanges), m.updates, m.bytes / besideFaces,
                       double(m.workBytes) / 1e6});
          }
        }
        return 0;
      });
}
