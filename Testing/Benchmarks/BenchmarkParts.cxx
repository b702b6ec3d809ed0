// Measures travel times on an image in parts, all in this process and one thread each: processor seconds,
// exchanges and bytes. The critical path is the sum over the exchanges of the slowest part before each: the
// time that as many processors would take, without the exchanges themselves.
#include "Arguments.h"
#include "ImageProblems.h"
#include "ImageTravelTime/ImageTravelTimeParts.h"
#include "Table.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <ctime>

using namespace isochrone;
using namespace isochrone::benchmark;

namespace {

double processorSeconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

/// Returns the parts on each axis: as equal as the factors of the number allow.
std::array<int, 3> divided(int parts) {
  std::array<int, 3> axes{1, 1, 1};
  for (int factor = 2; parts > 1;) {
    if (parts % factor) {
      ++factor;
      continue;
    }
    *std::min_element(axes.rbegin(), axes.rend()) *= factor;
    parts /= factor;
  }
  return axes;
}

struct Measured {
  double total = 0, critical = 0; ///< processor seconds
  double updates = 0, bytes = 0;
  int exchanges = 0;
  std::size_t workBytes = 0; ///< of the largest part
};

Measured solveInParts(const image::Problem& whole, const std::array<int, 3>& parts) {
  const image::Grid& g = whole.grid;
  const std::vector<grid::Box> boxes = grid::boxesOf(g.sizes(), parts);
  constexpr std::int64_t margin = 2;
  grid::PartsInProcess process(boxes, g.sizes(), margin);
  std::vector<std::vector<double>> steps(boxes.size()); // seconds between the exchanges, per part
  std::vector<image::Result> results(boxes.size());
  process.run([&](int p) {
    image::ProblemPart local =
        image::problemPart(whole, process.part(p), grid::grown(boxes[std::size_t(p)], margin, g.sizes()));
    local.problem.speed = local.speed;
    std::vector<double>& own = steps[std::size_t(p)];
    double before = processorSeconds();
    const auto step = [&] {
      const double now = processorSeconds();
      own.push_back(now - before);
      before = now;
    };
    local.problem.part.exchange = [&, others = process.part(p).exchange](
                                      std::span<double> minima, const std::vector<grid::Message>& messages) {
      step();
      auto heard = others(minima, messages);
      before = processorSeconds();
      return heard;
    };
    image::Options options;
    options.threads = 1;
    results[std::size_t(p)] = image::solveImageTravelTime(local.problem, options, {});
    step();
  });
  Measured m;
  for (std::size_t n = 0; n < steps[0].size(); ++n) {
    double slowest = 0;
    for (const auto& own : steps) slowest = std::max(slowest, own.at(n)), m.total += own[n];
    m.critical += slowest;
  }
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
            table.row({name, sizeText(c.problem.grid), double(parts), serial, m.total / serial,
                       serial / m.critical, double(m.exchanges), m.updates, m.bytes / besideFaces,
                       double(m.workBytes) / 1e6});
          }
        }
        return 0;
      });
}
