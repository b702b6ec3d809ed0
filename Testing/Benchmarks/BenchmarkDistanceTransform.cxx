// Measures distance transforms: milliseconds in total and per pass, and the minimum that the memory bandwidth
// of this machine allows. Solves by the public interface only; --help lists the options.
#include "Arguments.h"
#include "DistanceProblems.h"
#include "Execution/RoundPool.h"
#include "Table.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

using namespace isochrone;
using namespace isochrone::benchmark;

namespace {

using distance::Grid;

/// Returns gigabytes per second, read and written, at which `threads` copy from one half of `bytes` to the
/// other.
double copyRate(std::size_t bytes, int threads) {
  const std::size_t half = bytes / 2;
  const Values<char> from(half, 1);
  Values<char> to(half, 2);
  const int times = int((std::size_t(1) << 28) / bytes) + 1; // enough to hide the start of the threads
  execution::RoundPool pool(threads);
  const auto copy = [&] {
    const auto whole = std::int64_t(half);
    pool.forRanges(whole, whole / threads + 1, [&](std::int64_t begin, std::int64_t end, int) {
      for (int time = 0; time < times; ++time)
        std::memcpy(to.data() + begin, from.data() + begin, std::size_t(end - begin));
    });
  };
  copy();
  return double(bytes) * times / medianSeconds(copy) / 1e9;
}

/// Returns the minimum traffic between processor and memory in bytes per point: the sites, the first pass's
/// output for the other passes, the distance.
double traffic(const Grid& g) { return g.nz > 1 ? 13 : 9; }

void write(const std::string& folder, const DistanceCase& c, std::span<const float> distance) {
  saveArray(folder + "/sites.u8", c.sites);
  saveArray(folder + "/distance.f32", distance);
  const Grid& g = c.problem.grid;
  openForWriting(folder + "/problem.json")
      << "{\"shape\": [" << g.nz << ", " << g.ny << ", " << g.nx << "]}\n";
}

class Benchmark {
public:
  Benchmark(const std::vector<int>& threadCounts, bool withCuda, const std::string& file)
      : threads(threadCounts), cuda(withCuda), table(file, machine(),
                                                     {{"case", "case", -13},
                                                      {"grid", "grid", -14},
                                                      {"method", "method", -9},
                                                      {"on", "on", -7},
                                                      {"seconds", "seconds", 9, 5},
                                                      {"copy_rate", "copy GB/s", 9, 1},
                                                      {"floor", "floor ms", 8, 3},
                                                      {"bytes_per_point", "bytes/pt", 8, 2},
                                                      {"passes", "passes, ms", 0}}) {}

  /// @returns our result
  Values<float> run(const DistanceCase& c) {
    Values<float> first;
    for (const int count : threads) {
      const auto bytes = std::size_t(traffic(c.problem.grid) * double(c.problem.grid.points()));
      const double rate = copyRate(bytes, count);
      Timed timed = solve(c, Backend::Host, count);
      row(c, "host " + std::to_string(count), timed, rate);
      check(first, timed.result.distance, "threads");
    }
    if (cuda) {
      Timed timed = solve(c, Backend::Cuda, 0);
      row(c, "cuda", timed, 0);
      check(first, timed.result.distance, "CUDA");
    }
    return first;
  }

private:
  const std::vector<int> threads;
  bool cuda;
  Table table;

  struct Timed {
    double seconds;
    distance::Result result; ///< of the median run
  };
  /// Returns the median of five runs, or of fewer if they exceed three seconds.
  static Timed solve(const DistanceCase& c, Backend backend, int threadCount) {
    distance::Options options;
    options.backend = backend, options.threads = threadCount;
    std::vector<std::pair<double, std::vector<distance::Pass>>> runs;
    Timed timed;
    for (double spent = 0; runs.size() < 5 && spent < 3; spent += runs.back().first) {
      timed.result = {};
      const double t =
          seconds([&] { timed.result = distance::solveDistanceTransform(c.problem, options, {}); });
      runs.emplace_back(t, timed.result.passes);
    }
    const auto middle = runs.begin() + (runs.size() - 1) / 2;
    std::ranges::nth_element(runs, middle, {}, &decltype(runs)::value_type::first);
    timed.seconds = middle->first, timed.result.passes = middle->second;
    return timed;
  }

  void row(const DistanceCase& c, const std::string& on, const Timed& timed, double rate) {
    const Grid& g = c.problem.grid;
    const auto points = double(g.points());
    std::string passes;
    for (const distance::Pass& pass : timed.result.passes) {
      char text[64];
      std::snprintf(text, sizeof text, "%s%s %.4g", passes.empty() ? "" : ", ", pass.name,
                    1e3 * pass.seconds);
      passes += text;
    }
    table.row({c.name, sizeText(g), "isochrone", on, timed.seconds, rate,
               rate > 0 ? 1e3 * traffic(g) * points / (rate * 1e9) : 0.,
               double(timed.result.workBytes) / points, passes});
  }

  /// Stops the benchmark if the results differ.
  static void check(Values<float>& first, Values<float>& distance, const char* what) {
    if (first.empty())
      first = std::move(distance);
    else if (first != distance)
      throw Error(std::string("the result depends on ") + what);
  }
};

} // namespace

int main(int argc, char** argv) {
  std::string name, sites, file, folder, steps = "equal";
  std::vector<int> threads{1, 2};
  int size = 0, depth = 1;
  bool quick = false, cuda = false;
  return Arguments(
             "Measures distance transforms: without --case of random sites and a shell, in the plane and\n"
             "in a volume.")
      .text("--case NAME", "the image: 'random PERCENT', shell, circles, squares, lines, or one with --sites",
            name)
      .number("--size N", "points per edge; without --case 1024 and 4096 in the plane", size, 1)
      .number("--depth N", "points along the third axis of the case", depth, 1)
      .number("--threads N,...", "one run per number", threads, 1)
      .text("--sites FILE", "the sites of a photograph, one byte per point", sites)
      .text("--steps KIND",
            "between the points: equal, by default; unequal, another on each axis; uneven, on a\n"
            "rectilinear grid; or periodic, equal with all axes periodic",
            steps)
      .flag("--quick", "small images", quick)
      .flag("--cuda", "on the CUDA device as well, copies included; its passes are kernels alone", cuda)
      .text("--json FILE", "writes the rows there too", file)
      .text("--write FOLDER", "writes the sites and our distances for other programs", folder)
      .run(argc, argv, [&] {
        if (name.empty() && !(folder.empty() && sites.empty()))
          throw BadArguments("--write and --sites need --case");
        if (!name.empty() && size == 0) throw BadArguments("--case needs --size");
        Benchmark benchmark(threads, cuda, file);
        if (!name.empty()) {
          DistanceCase c =
              makeDistanceCase(name, {size, size, depth}, sites.empty() ? nullptr : sites.c_str());
          c.setSteps(steps);
          const Values<float> answer = benchmark.run(c);
          if (!folder.empty()) write(folder, c, answer);
          return 0;
        }
        const std::vector<int> edges = size > 0 ? std::vector{size}
                                       : quick  ? std::vector{128}
                                                : std::vector{1024, 4096};
        for (const int edge : edges)
          for (const char* random : {"random 0.01", "random 1", "random 50", "shell"})
            benchmark.run(makeDistanceCase(random, {edge, edge, 1}, nullptr));
        for (const char* random : {"random 1", "shell"}) {
          const int edge = quick ? 32 : 256;
          benchmark.run(makeDistanceCase(random, {edge, edge, edge}, nullptr));
        }
        return 0;
      });
}
