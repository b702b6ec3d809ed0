// Measures ray tracing on an image in parts, all in this process and one thread each: processor seconds,
// exchanges and bytes, from one source and from many that are solved separately.
#include "Arguments.h"
#include "PartCosts.h"
#include "RayProblems.h"
#include "RayTracing/RayTracingParts.h"
#include "Table.h"

#include <array>
#include <cmath>
#include <string>
#include <vector>

using namespace isochrone;
using namespace isochrone::benchmark;

namespace {

struct Measured {
  PartCosts costs;
  double relaxations = 0, criticalRelaxations = 0; // per edge of the whole image and run
  double bytes = 0;
  int exchanges = 0;
};

Measured solveInParts(const rays::Problem& whole, const rays::Options& options,
                      const std::array<int, 3>& parts) {
  const rays::Grid& g = whole.grid;
  const std::vector<grid::Box> boxes = grid::boxesOf(g.sizes(), parts);
  const rays::ForwardStar star = makeForwardStar(g, options.neighbours, options.radius);
  const std::int64_t margin = reachOf(star);
  std::vector<rays::Result> results(boxes.size());
  Measured m;
  m.costs = costsOfParts(boxes, g.sizes(), margin, [&](int p, const grid::GridPart& part) {
    const rays::ProblemPart local(whole, options, part,
                                  grid::grown(boxes[std::size_t(p)], margin, g.sizes()));
    results[std::size_t(p)] = solveRayTracing(local.problem, options, {});
  });
  for (std::size_t p = 0; p < boxes.size(); ++p) {
    m.relaxations += results[p].relaxationsPerPoint * double(boxes[p].points()) / double(g.points());
    m.bytes += double(results[p].bytesTold);
  }
  m.exchanges = results[0].exchanges;
  m.criticalRelaxations = results[0].criticalRelaxations / (double(g.points()) * double(star.offsets.size()) *
                                                            double(results[0].fields.size()));
  return m;
}

} // namespace

int main(int argc, char** argv) {
  std::string file;
  std::vector<std::string> names{"gradient", "blocks", "noise", "maze"}, layouts{"top", "spread"};
  std::vector<int> numbers{4, 8, 64}, sources{1, 16};
  int size = 1024, depth = 1, radius = 6;
  return Arguments("Measures ray tracing on images in parts, in one process.")
      .text("--cases NAME,...", "the models of BenchmarkRayTracing", names)
      .number("--size N", "points per edge", size, 8)
      .number("--depth N", "points along the third axis", depth, 1)
      .number("--radius R", "of the coprime neighbours", radius, 1)
      .number("--parts N,...", "numbers of parts", numbers, 2)
      .number("--sources N,...", "numbers of sources, solved separately", sources, 1)
      .text("--layouts NAME,...", "top: sources along the top; spread: all over the image", layouts)
      .text("--json FILE", "writes the rows there too", file)
      .run(argc, argv, [&] {
        Table table(file, machine(),
                    {{"case", "case", -10},
                     {"grid", "grid", -14},
                     {"layout", "layout", -6},
                     {"sources", "sources", 8},
                     {"parts", "parts", 6},
                     {"serial", "serial s", 9, 3},
                     {"total", "sum / serial", 12, 2},
                     {"speedup", "serial / critical", 17, 2},
                     {"exchanges", "exchanges", 9},
                     {"relaxations", "relaxations/edge", 16, 2},
                     {"counted", "counted speedup", 15, 2},
                     {"told", "bytes/margin pt", 15, 2}});
        const rays::Grid grid{size, size, depth};
        const auto measure = [&](const std::string& name, const std::string& layout, int count) {
          RayCase c = makeRayCase(name, grid, count);
          if (layout == "spread")
            spreadSources(c);
          else if (layout != "top")
            throw Error("unknown layout '" + layout + "'");
          rays::Options options;
          options.threads = 1;
          options.backend = Backend::Host;
          options.radius = {radius, radius, radius};
          options.separateSources = count > 1;
          const double begin = processorSeconds();
          const double relaxations = solveRayTracing(c.problem, options, {}).relaxationsPerPoint;
          const double serial = processorSeconds() - begin;
          for (const int parts : numbers) {
            const std::array<int, 3> axes = divided(parts, depth > 1 ? 3 : 2);
            const Measured m = solveInParts(c.problem, options, axes);
            double interfaces = 0; // points of the planes between the parts
            for (int a = 0; a < 3; ++a)
              interfaces += double(axes[a] - 1) * double(grid.points()) / double(grid.sizes()[a]);
            table.row({name, sizeText(grid), layout, double(count), double(parts), serial,
                       m.costs.total / serial, serial / m.costs.critical, double(m.exchanges), m.relaxations,
                       relaxations / m.criticalRelaxations, m.bytes / (2 * radius * interfaces * count)});
          }
        };
        for (const std::string& name : names)
          for (const std::string& layout : layouts)
            for (const int count : sources) measure(name, layout, count);
        return 0;
      });
}
