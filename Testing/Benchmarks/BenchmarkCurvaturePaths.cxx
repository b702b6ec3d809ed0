// Travel times of the four models: ns a point, rounds, updates and memory a point, and how many times faster
// than our heap fast marching in the same run. Uses the public interface only.
//   BenchmarkCurvaturePaths [--quick] [--cuda] [--json FILE]
// --quick: one size and radius; --cuda: on the CUDA device besides, set-up and copies included.
#include "CurvatureProblems.h"
#include "Error.h"
#include "Reference/CurvatureReference.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

using namespace isochrone;
using namespace isochrone::benchmark;

namespace {

double seconds(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string processor() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  return "unknown processor";
}

struct Size {
  int nx, ny, headings;
};

class Benchmark {
public:
  Benchmark(bool withCuda, std::ostream& output) : cuda(withCuda), json(output) {
    const char* wanted = std::getenv("ISOCHRONE_HOST_ISA");
    const char* isa = wanted ? wanted : "best";
    json << "{\"machine\": \"" << processor() << "\", \"cores\": " << std::thread::hardware_concurrency()
         << ", \"instruction_set\": \"" << isa << "\", \"compiler\": \"" << __VERSION__ << "\", \"runs\": [";
    std::printf("%s, %u cores, compiler %s, instruction set %s\n", processor().c_str(),
                std::thread::hardware_concurrency(), __VERSION__, isa);
    std::printf("ns a point of heap fast marching (one thread, double) at 60x60x48, constant cost, radius 12 "
                "pixels:\n");
    for (const Model model : models) {
      const Case c = makeCase(model, 60, 60, 48, 12, "constant");
      heap[int(model)] =
          1e9 * seconds([&] { reference::march(c.problem); }) / double(c.problem.grid.points());
      std::printf("  %-9s %8.0f\n", shortName(model), heap[int(model)]);
    }
    std::printf("%-9s %-12s %-9s %6s %-6s %9s %7s %9s %11s %10s %12s\n", "model", "grid", "kind", "radius",
                "on", "seconds", "ns/pt", "rounds", "updates/pt", "bytes/pt", "heap/this");
  }
  ~Benchmark() { json << "\n]}\n"; }

  void run(const Size& size, const std::string& kind, double radius) {
    for (const Model model : models) {
      const Case c = makeCase(model, size.nx, size.ny, size.headings, radius, kind);
      for (const int threads : {1, 2}) time(c, radius, Backend::Host, threads);
      if (cuda) time(c, radius, Backend::Cuda, 0);
    }
  }

private:
  bool cuda;
  std::ostream& json;
  double heap[4] = {};
  bool first = true;

  void time(const Case& c, double radius, Backend backend, int threads) {
    curvature::Options options;
    options.backend = backend;
    options.threads = threads;
    curvature::Result result;
    std::vector<double> times; // the median of five: the machine may have other work
    for (int i = 0; i < 5; ++i)
      times.push_back(seconds([&] { result = curvature::solveCurvaturePaths(c.problem, options, {}); }));
    std::nth_element(times.begin(), times.begin() + 2, times.end());
    const double median = times[2];
    const auto& grid = c.problem.grid;
    const double points = double(grid.points()), ns = 1e9 * median / points,
                 bytes = double(result.workBytes) / points;
    const double ratio = heap[int(c.problem.model)] / ns;
    char size[32], on[16];
    std::snprintf(size, sizeof size, "%dx%dx%d", int(grid.nx), int(grid.ny), grid.headings);
    std::snprintf(on, sizeof on, threads ? "host %d" : "cuda", threads);
    std::printf("%-9s %-12s %-9s %6g %-6s %9.4f %7.1f %9d %11.2f %10.1f %12.0f\n", shortName(c.problem.model),
                size, c.name.c_str(), radius, on, median, ns, result.rounds, result.updatesPerPoint, bytes,
                ratio);
    std::fflush(stdout);
    json << (first ? "\n" : ",\n") << "{\"model\": \"" << shortName(c.problem.model) << "\", \"grid\": \""
         << size << "\", \"kind\": \"" << c.name << "\", \"radius\": " << radius << ", \"on\": \"" << on
         << "\", \"seconds\": " << median << ", \"ns_per_point\": " << ns << ", \"rounds\": " << result.rounds
         << ", \"updates_per_point\": " << result.updatesPerPoint << ", \"bytes_per_point\": " << bytes
         << ", \"heap_ratio\": " << ratio << "}";
    first = false;
  }
};

} // namespace

int main(int argc, char** argv) try {
  bool quick = false, cuda = false;
  std::ofstream file;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--quick")
      quick = true;
    else if (word == "--cuda")
      cuda = true;
    else if (word == "--json" && i + 1 < argc)
      file.open(argv[++i]);
    else
      return std::fprintf(stderr, "usage: %s [--quick] [--cuda] [--json FILE]\n", argv[0]), 2;
  }
  std::ostringstream nowhere;
  std::ostream& json = file.is_open() ? static_cast<std::ostream&>(file) : nowhere;
  Benchmark benchmark(cuda, json);
  if (quick) {
    for (const char* kind : {"constant", "rough"}) benchmark.run({100, 100, 64}, kind, 10);
    return 0;
  }
  for (const Size& size : {Size{300, 300, 96}, Size{100, 100, 64}}) {
    for (const double radius : {30., 10., 5.}) benchmark.run(size, "constant", radius);
    for (const char* kind : {"smooth", "rough", "radius"}) benchmark.run(size, kind, 30);
  }
  benchmark.run({128, 128, 32}, "constant", 13); // a seed dragged in the panel: to answer within 0.1 s
  benchmark.run({705, 447, 60}, "constant", 30);
  benchmark.run({705, 447, 60}, "floor", 30);
  return 0;
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
