// Measures travel times on images: seconds, and updates and memory per point, beside serial methods in the
// same run. Uses the public interface only; --help lists the options.
#include "Arguments.h"
#include "FastSweeping.h"
#include "GroupMarching.h"
#include "HeapFastMarching.h"
#include "HeapTensorMarching.h"
#include "ImageProblems.h"
#include "NodeFim.h"
#include "Table.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

using namespace isochrone;
using namespace isochrone::benchmark;

namespace {

struct Method {
  const char* name;
  image::Result (*solve)(const image::Problem&);
  double tolerance = 1e-5; ///< maximum relative difference
};
constexpr Method allMethods[] = {
    {"heap", heapFastMarching}, {"group", groupMarching, 1e-2}, {"sweeping", fastSweeping}, {"fim", nodeFim}};

/// Returns the difference relative to `ours`; infinite if only one of the two is reached.
double largestDifference(std::span<const float> theirs, std::span<const float> ours) {
  double largest = 0;
  for (std::size_t p = 0; p < ours.size(); ++p)
    if (theirs[p] != ours[p]) largest = std::max(largest, std::abs(double(theirs[p]) - ours[p]) / ours[p]);
  return largest;
}

bool hasTensors(const ImageCase& c) { return c.problem.speedType == image::SpeedType::MetricTensor; }

void write(const std::string& folder, const ImageCase& c, std::span<const float> time) {
  saveArray(folder + "/speed.f32", c.speed);
  saveArray(folder + "/time.f32", time);
  const image::Grid& g = c.problem.grid;
  std::ofstream json = openForWriting(folder + "/problem.json");
  json << "{\"shape\": [" << g.nz << ", " << g.ny << ", " << g.nx << "], \"seeds\": [";
  for (const image::Seed& seed : c.problem.seeds)
    json << (&seed == &c.problem.seeds[0] ? "" : ", ") << "[" << seed.at[0] << ", " << seed.at[1] << ", "
         << seed.at[2] << "]";
  json << "]}\n";
}

class Benchmark {
public:
  Benchmark(const std::vector<std::string>& methodsToRun, bool withCuda, const std::string& file)
      : methods(methodsToRun), cuda(withCuda), table(file, machine(),
                                                     {{"case", "case", -17},
                                                      {"grid", "grid", -14},
                                                      {"method", "method", -9},
                                                      {"on", "on", -7},
                                                      {"seconds", "seconds", 9, 4},
                                                      {"ratio", "x host 2", 9, 2},
                                                      {"rounds", "rounds", 7},
                                                      {"updates_per_point", "updates/pt", 11, 2},
                                                      {"bytes_per_point", "bytes/pt", 9, 1},
                                                      {"difference", "difference x 1e6", 17, 2}}) {}

  /// @returns our result
  Values<float> run(const ImageCase& c) {
    const Timed host1 = solve(c, Backend::Host, 1), host2 = solve(c, Backend::Host, 2);
    const auto& ours = host2.result.travelTime;
    const auto row = [&](const char* method, const char* on, const Timed& t, double tolerance) {
      const double difference = largestDifference(t.result.travelTime, ours);
      if (!(difference < tolerance))
        throw Error(std::string(method) + " differs by " + std::to_string(difference));
      const image::Grid& g = c.problem.grid;
      table.row({c.name, sizeText(g), method, on, t.seconds, t.seconds / host2.seconds,
                 double(t.result.rounds), t.result.updatesPerPoint,
                 double(t.result.workBytes) / double(g.points()), 1e6 * difference});
    };
    row("isochrone", "host 1", host1, 1e-5);
    row("isochrone", "host 2", host2, 1e-5);
    if (cuda) row("isochrone", "cuda", solve(c, Backend::Cuda, 0), 1e-5);
    for (const std::string& name : methods) {
      if (name == "none") continue;
      if (!c.drift.empty()) throw BadArguments("in a drift no other method exists");
      if (!gridKindOf(c.name).empty()) throw BadArguments("on this grid no other method exists");
      if (!c.axis.empty()) throw BadArguments("in a tilted medium no other method exists");
      if (hasTensors(c) && name != "heap") throw BadArguments("with tensors only the method heap exists");
      const Method& method = *std::ranges::find(allMethods, name, &Method::name);
      Timed t;
      const auto solveByMethod = hasTensors(c) ? heapTensorMarching : method.solve;
      t.seconds = medianSeconds([&] { t.result = solveByMethod(c.problem); });
      row(method.name, "host 1", t, method.tolerance);
    }
    return ours;
  }

private:
  const std::vector<std::string> methods; ///< other methods; "none" stands for none
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

} // namespace

int main(int argc, char** argv) {
  std::string name, file, folder;
  std::vector<std::string> methods{"heap"};
  int size = 0, depth = 0;
  bool cuda = false;
  return Arguments(
             "Measures travel times on images: without --case of the examples of Jeong and Whitaker (2008)\n"
             "and of two in the plane.")
      .text("--case NAME",
            "the example: 1, 2, 3, 4-N, 5-N, noise, line, tensor-N, tensor-noise, drift-N or tilted-N;\n"
            "or one of them on another grid: periodic-, rectilinear-, sector- or globe- before it",
            name)
      .number("--size N", "points per edge; without --case 128 and 256", size, 1)
      .number("--depth N", "points along the third axis of the case; else as many as along the others", depth,
              1)
      .text("--methods NAME,...", "other methods to run", methods,
            {"heap", "group", "sweeping", "fim", "none"})
      .flag("--cuda", "on the CUDA device as well, set-up and copies included", cuda)
      .text("--json FILE", "writes the rows there too", file)
      .text("--write FOLDER", "writes the problem and our times for other programs", folder)
      .run(argc, argv, [&] {
        if (name.empty() && (depth > 0 || !folder.empty()))
          throw BadArguments("--depth and --write need --case");
        if (!name.empty() && size == 0) throw BadArguments("--case needs --size");
        Benchmark benchmark(methods, cuda, file);
        if (!name.empty()) {
          const ImageCase c = makeImageCase(name, size, depth > 0 ? depth : size);
          const Values<float> time = benchmark.run(c);
          if (!folder.empty()) write(folder, c, time);
          return 0;
        }
        for (const int edge : size > 0 ? std::vector{size} : std::vector{128, 256})
          for (const char* example : {"1", "2", "3", "4-4", "4-16", "5-4", "5-16", "noise"})
            benchmark.run(makeImageCase(example, edge, edge));
        for (const char* example : {"1", "noise"})
          benchmark.run(makeImageCase(example, size > 0 ? 16 * size : 4096, 1));
        return 0;
      });
}
