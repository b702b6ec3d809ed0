// Travel times on images: seconds, updates and memory a point, beside serial methods in the same run. Uses
// the public interface only.
//   BenchmarkImageTravelTime [--case NAME] [--size N] [--depth N] [--methods NAME,...] [--cuda] [--json FILE]
//                            [--write FOLDER]
// Without --case: the examples of Jeong and Whitaker (2008) with --size points an edge, or 128 and 256, and
// two in the plane. --methods: heap (the default), group, sweeping, fim, or none. --cuda: on the CUDA device
// besides, set-up and copies included. --write: leaves the problem and our answer there for other programs.
#include "Error.h"
#include "FastSweeping.h"
#include "GroupMarching.h"
#include "HeapFastMarching.h"
#include "ImageProblems.h"
#include "NodeFim.h"
#include "Table.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

using namespace isochrone;
using namespace isochrone::benchmark;

namespace {

struct Method {
  const char* name;
  image::Result (*solve)(const image::Problem&);
  double tolerance = 1e-5; ///< how far it may be off, relative; a fast wrong answer is none
};
constexpr Method allMethods[] = {
    {"heap", heapFastMarching}, {"group", groupMarching, 1e-2}, {"sweeping", fastSweeping}, {"fim", nodeFim}};

std::vector<Method> methodsCalled(const std::string& names) {
  std::vector<Method> called;
  std::istringstream words(names == "none" ? "" : names);
  for (std::string name; std::getline(words, name, ',');) {
    const auto* method = std::ranges::find_if(allMethods, [&](const Method& m) { return name == m.name; });
    if (method == std::end(allMethods)) throw Error("no method is called '" + name + "'");
    called.push_back(*method);
  }
  return called;
}

/// Relative to `ours`; infinite where only one of the two arrives.
double largestDifference(std::span<const float> theirs, std::span<const float> ours) {
  double largest = 0;
  for (std::size_t p = 0; p < ours.size(); ++p)
    if (theirs[p] != ours[p]) largest = std::max(largest, std::abs(double(theirs[p]) - ours[p]) / ours[p]);
  return largest;
}

void write(const std::string& folder, const ImageCase& c, std::span<const float> time) {
  const auto save = [&](const char* name, std::span<const float> values) {
    std::ofstream(folder + name, std::ios::binary)
        .write(reinterpret_cast<const char*>(values.data()), std::streamsize(values.size_bytes()));
  };
  save("/speed.f32", c.speed);
  save("/time.f32", time);
  const image::Grid& g = c.problem.grid;
  std::ofstream json(folder + "/problem.json");
  json << "{\"shape\": [" << g.nz << ", " << g.ny << ", " << g.nx << "], \"seeds\": [";
  for (const image::Seed& seed : c.problem.seeds)
    json << (&seed == &c.problem.seeds[0] ? "" : ", ") << "[" << seed.at[0] << ", " << seed.at[1] << ", "
         << seed.at[2] << "]";
  json << "]}\n";
}

class Benchmark {
public:
  Benchmark(const std::vector<Method>& methodsToRun, bool withCuda, const char* file)
      : methods(methodsToRun), cuda(withCuda), table(file,
                                                     {{"machine", processor()},
                                                      {"cores", double(std::thread::hardware_concurrency())},
                                                      {"compiler", __VERSION__}},
                                                     {{"case", "case", -6},
                                                      {"grid", "grid", -14},
                                                      {"method", "method", -9},
                                                      {"on", "on", -7},
                                                      {"seconds", "seconds", 9, 4},
                                                      {"ratio", "x host 2", 9, 2},
                                                      {"rounds", "rounds", 7},
                                                      {"updates_per_point", "updates/pt", 11, 2},
                                                      {"bytes_per_point", "bytes/pt", 9, 1},
                                                      {"difference", "difference x 1e6", 17, 2}}) {}

  /// @returns our answer
  Values<float> run(const ImageCase& c) {
    const Timed host1 = solve(c, Backend::Host, 1), host2 = solve(c, Backend::Host, 2);
    const auto& ours = host2.result.travelTime;
    const auto row = [&](const char* method, const char* on, const Timed& t, double tolerance) {
      const double difference = largestDifference(t.result.travelTime, ours);
      if (!(difference < tolerance))
        throw Error(std::string(method) + " differs by " + std::to_string(difference));
      const image::Grid& g = c.problem.grid;
      const std::string size = std::to_string(g.nx) + "x" + std::to_string(g.ny) + "x" + std::to_string(g.nz);
      table.row({c.name, size, method, on, t.seconds, t.seconds / host2.seconds, double(t.result.rounds),
                 t.result.updatesPerPoint, double(t.result.workBytes) / double(g.points()),
                 1e6 * difference});
    };
    row("isochrone", "host 1", host1, 1e-5);
    row("isochrone", "host 2", host2, 1e-5);
    if (cuda) row("isochrone", "cuda", solve(c, Backend::Cuda, 0), 1e-5);
    for (const Method& method : methods) {
      Timed t;
      t.seconds = medianSeconds([&] { t.result = method.solve(c.problem); });
      row(method.name, "host 1", t, method.tolerance);
    }
    return ours;
  }

private:
  const std::vector<Method> methods;
  bool cuda;
  Table table;

  struct Timed {
    double seconds;
    image::Result result;
  };
  static Timed solve(const ImageCase& c, Backend backend, int threads) {
    image::Options options;
    options.backend = backend, options.threads = threads;
    Timed timed;
    timed.seconds =
        medianSeconds([&] { timed.result = image::solveImageTravelTime(c.problem, options, {}); });
    return timed;
  }
};

struct Arguments {
  std::string name, methods = "heap";
  int size = 0, depth = 0;
  bool cuda = false, good = true;
  const char *file = nullptr, *folder = nullptr;

  Arguments(int argc, char** argv) {
    for (int i = 1; i < argc && good; ++i) {
      const std::string word = argv[i];
      if (word == "--cuda") {
        cuda = true;
        continue;
      }
      const char* value = ++i < argc ? argv[i] : "";
      if (word == "--case")
        name = value;
      else if (word == "--size")
        size = std::atoi(value);
      else if (word == "--depth")
        depth = std::atoi(value);
      else if (word == "--methods")
        methods = value;
      else if (word == "--json")
        file = value;
      else if (word == "--write")
        folder = value;
      else
        good = false;
    }
    good = good && (name.empty() ? !depth && !folder : size > 0);
  }
};

} // namespace

int main(int argc, char** argv) try {
  const Arguments arguments(argc, argv);
  if (!arguments.good)
    return std::fprintf(stderr,
                        "usage: %s [--case NAME] [--size N] [--depth N] [--methods NAME,...] [--cuda] "
                        "[--json FILE] [--write FOLDER]\n",
                        argv[0]),
           2;
  Benchmark benchmark(methodsCalled(arguments.methods), arguments.cuda, arguments.file);
  const int size = arguments.size;
  if (!arguments.name.empty()) {
    const ImageCase c = makeImageCase(arguments.name, size, arguments.depth ? arguments.depth : size);
    const Values<float> time = benchmark.run(c);
    if (arguments.folder) write(arguments.folder, c, time);
    return 0;
  }
  for (const int edge : size ? std::vector<int>{size} : std::vector<int>{128, 256})
    for (const char* name : {"1", "2", "3", "4-4", "4-16", "5-4", "5-16", "noise"})
      benchmark.run(makeImageCase(name, edge, edge));
  for (const char* name : {"1", "noise"}) benchmark.run(makeImageCase(name, size ? 16 * size : 4096, 1));
  return 0;
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
