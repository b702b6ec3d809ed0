// Distance transforms: milliseconds, milliseconds a pass, and the least that the memory of this machine
// allows for the same traffic. Uses the public interface only.
//   BenchmarkDistanceTransform [--case NAME] [--size N] [--depth N] [--threads N,...] [--sites FILE]
//   [--quick]
//                              [--cuda] [--json FILE] [--write FOLDER]
// Without --case: random sites, in the plane with --size points an edge, or 1024 and 4096, and in a volume;
// --quick: small. --cuda: on the CUDA device besides, copies included; its passes are kernels alone.
// --sites: a byte a point, of a photograph. --write: leaves the sites and our answer there for other
// programs.
#include "DistanceProblems.h"
#include "Error.h"
#include "Table.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

using namespace isochrone;
using namespace isochrone::benchmark;

namespace {

using distance::Grid;

/// Gigabytes a second, read and written, at which `threads` copy from one half of `bytes` to the other.
double copyRate(std::size_t bytes, int threads) {
  const std::size_t half = bytes / 2;
  const Values<char> from(half, 1);
  Values<char> to(half, 2);
  const int times = int((std::size_t(1) << 28) / bytes) + 1; // starting the threads is no part of copying
  const auto copy = [&] {
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int part = 0; part < threads; ++part) {
      const std::size_t begin = half / threads * part,
                        end = part + 1 < threads ? begin + half / threads : half;
      for (int time = 0; time < times; ++time)
        std::memcpy(to.data() + begin, from.data() + begin, end - begin);
    }
  };
  copy();
  return double(bytes) * times / medianSeconds(copy) / 1e9;
}

/// Bytes a point that have to pass between processor and memory: the sites, what the first pass leaves for
/// the others, the distance.
double traffic(const Grid& g) { return g.nz > 1 ? 13 : 9; }

void write(const std::string& folder, const DistanceCase& c, std::span<const float> distance) {
  const auto save = [&](const char* name, const void* data, std::size_t bytes) {
    std::ofstream(folder + name, std::ios::binary)
        .write(static_cast<const char*>(data), std::streamsize(bytes));
  };
  save("/sites.u8", c.sites.data(), c.sites.size());
  save("/distance.f32", distance.data(), distance.size_bytes());
  const Grid& g = c.problem.grid;
  std::ofstream(folder + "/problem.json")
      << "{\"shape\": [" << g.nz << ", " << g.ny << ", " << g.nx << "]}\n";
}

class Benchmark {
public:
  Benchmark(const std::vector<int>& threadCounts, bool withCuda, const char* file)
      : threads(threadCounts), cuda(withCuda), table(file,
                                                     {{"machine", processor()},
                                                      {"cores", double(std::thread::hardware_concurrency())},
                                                      {"compiler", __VERSION__}},
                                                     {{"case", "case", -13},
                                                      {"grid", "grid", -14},
                                                      {"method", "method", -9},
                                                      {"on", "on", -7},
                                                      {"seconds", "seconds", 9, 5},
                                                      {"copy_rate", "copy GB/s", 9, 1},
                                                      {"floor", "floor ms", 8, 3},
                                                      {"bytes_per_point", "bytes/pt", 8, 2},
                                                      {"passes", "passes, ms", 0}}) {}

  /// @returns our answer
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
    distance::Result result; ///< of the run that took as long
  };
  /// The median of five runs, or of as many as start within three seconds.
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
    const std::string size = std::to_string(g.nx) + "x" + std::to_string(g.ny) + "x" + std::to_string(g.nz);
    table.row({c.name, size, "isochrone", on, timed.seconds, rate,
               rate > 0 ? 1e3 * traffic(g) * points / (rate * 1e9) : 0.,
               double(timed.result.workBytes) / points, passes});
  }

  /// A fast wrong answer is none.
  static void check(Values<float>& first, Values<float>& distance, const char* what) {
    if (first.empty())
      first = std::move(distance);
    else if (first != distance)
      throw Error(std::string("the answer depends on ") + what);
  }
};

struct Arguments {
  std::string name;
  std::vector<int> threads{1, 2};
  int size = 0, depth = 1;
  bool cuda = false, quick = false, good = true;
  const char *file = nullptr, *folder = nullptr, *sites = nullptr;

  Arguments(int argc, char** argv) {
    for (int i = 1; i < argc && good; ++i) {
      const std::string word = argv[i];
      if (word == "--cuda" || word == "--quick") {
        (word == "--cuda" ? cuda : quick) = true;
        continue;
      }
      const char* value = ++i < argc ? argv[i] : "";
      if (word == "--case")
        name = value;
      else if (word == "--size")
        size = std::atoi(value);
      else if (word == "--depth")
        depth = std::atoi(value);
      else if (word == "--threads")
        readThreads(value);
      else if (word == "--sites")
        sites = value;
      else if (word == "--json")
        file = value;
      else if (word == "--write")
        folder = value;
      else
        good = false;
    }
    good = good && depth > 0 && (name.empty() ? !folder && !sites : size > 0);
  }

private:
  void readThreads(const char* list) {
    threads.clear();
    std::istringstream words(list);
    for (std::string word; std::getline(words, word, ',');) threads.push_back(std::atoi(word.c_str()));
    good = !threads.empty() && std::ranges::all_of(threads, [](int n) { return n > 0; });
  }
};

} // namespace

int main(int argc, char** argv) try {
  const Arguments arguments(argc, argv);
  if (!arguments.good)
    return std::fprintf(stderr,
                        "usage: %s [--case NAME] [--size N] [--depth N] [--threads N,...] [--sites FILE] "
                        "[--quick] [--cuda] [--json FILE] [--write FOLDER]\n",
                        argv[0]),
           2;
  Benchmark benchmark(arguments.threads, arguments.cuda, arguments.file);
  if (!arguments.name.empty()) {
    const Grid grid{arguments.size, arguments.size, arguments.depth};
    const DistanceCase c = makeDistanceCase(arguments.name, grid, arguments.sites);
    const Values<float> answer = benchmark.run(c);
    if (arguments.folder) write(arguments.folder, c, answer);
    return 0;
  }
  const int quick = arguments.quick ? 128 : 0, size = arguments.size ? arguments.size : quick;
  for (const int edge : size ? std::vector<int>{size} : std::vector<int>{1024, 4096})
    for (const char* name : {"random 0.01", "random 1", "random 50", "shell"})
      benchmark.run(makeDistanceCase(name, {edge, edge, 1}, nullptr));
  for (const char* name : {"random 1", "shell"}) {
    const int edge = quick ? 32 : 256;
    benchmark.run(makeDistanceCase(name, {edge, edge, edge}, nullptr));
  }
  return 0;
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
