// Travel times on images: seconds, updates and memory a point, and how many times faster than heap fast
// marching in the same run. Uses the public interface only.
//   BenchmarkImageTravelTime [--quick] [--cuda] [--json FILE]
// --quick: 128^3 only; --cuda: on the CUDA device besides, set-up and copies included.
#include "Error.h"
#include "HeapFastMarching.h"
#include "ImageProblems.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

using namespace isochrone;
using namespace isochrone::benchmark;

namespace {

double seconds(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Row {
  std::string name, size, on;
  double time, ratio, updates, bytes, heapUpdates;
  int rounds;
};

class Benchmark {
public:
  explicit Benchmark(bool withCuda) : cuda(withCuda) {
    std::printf("%-6s %-14s %-7s %9s %10s %8s %12s %10s %12s\n", "case", "grid", "on", "seconds", "heap/this",
                "rounds", "updates/pt", "bytes/pt", "heap upd/pt");
  }

  void run(const std::string& name, int size, int depth) {
    const ImageCase c = makeImageCase(name, size, depth);
    std::int64_t updates = 0;
    std::vector<float> heap;
    const double peer = seconds([&] {
      HeapFastMarching march(c.problem);
      updates = march.updates, heap = march.take();
    });
    for (const int threads : {1, 2}) time(c, Backend::Host, threads, peer, updates, heap);
    if (cuda) time(c, Backend::Cuda, 0, peer, updates, heap);
  }

  const std::vector<Row>& all() const { return rows; }

private:
  bool cuda;
  std::vector<Row> rows;

  void time(const ImageCase& c, Backend backend, int threads, double peer, std::int64_t heapUpdates,
            const std::vector<float>& heap) {
    image::Options options;
    options.backend = backend, options.threads = threads;
    image::Result result;
    std::vector<double> times; // the median of five: the machine may have other work
    for (int i = 0; i < 5; ++i)
      times.push_back(seconds([&] { result = image::solveImageTravelTime(c.problem, options, {}); }));
    std::nth_element(times.begin(), times.begin() + 2, times.end());
    for (std::size_t p = 0; p < heap.size(); ++p)
      if (std::isfinite(heap[p]) && std::abs(heap[p] - result.travelTime[p]) > 1e-5f * heap[p])
        throw Error("wrong answer at point " + std::to_string(p)); // a fast wrong answer is none
    const image::Grid& g = c.problem.grid;
    const double points = double(g.points());
    rows.push_back({c.name, std::to_string(g.nx) + "x" + std::to_string(g.ny) + "x" + std::to_string(g.nz),
                    threads ? "host " + std::to_string(threads) : "cuda", times[2], peer / times[2],
                    result.updatesPerPoint, double(result.workBytes) / points, double(heapUpdates) / points,
                    result.rounds});
    const Row& r = rows.back();
    std::printf("%-6s %-14s %-7s %9.4f %10.1f %8d %12.2f %10.1f %12.2f\n", r.name.c_str(), r.size.c_str(),
                r.on.c_str(), r.time, r.ratio, r.rounds, r.updates, r.bytes, r.heapUpdates);
    std::fflush(stdout);
  }
};

void writeJson(std::ostream& json, const std::vector<Row>& rows) {
  json << "{\"runs\": [";
  for (const Row& r : rows)
    json << (&r == &rows.front() ? "\n" : ",\n") << "{\"case\": \"" << r.name << "\", \"grid\": \"" << r.size
         << "\", \"on\": \"" << r.on << "\", \"seconds\": " << r.time << ", \"heap_ratio\": " << r.ratio
         << ", \"rounds\": " << r.rounds << ", \"updates_per_point\": " << r.updates
         << ", \"bytes_per_point\": " << r.bytes << ", \"heap_updates_per_point\": " << r.heapUpdates << "}";
  json << "\n]}\n";
}

} // namespace

int main(int argc, char** argv) try {
  bool quick = false, cuda = false;
  std::ofstream json;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--quick")
      quick = true;
    else if (word == "--cuda")
      cuda = true;
    else if (word == "--json" && i + 1 < argc)
      json.open(argv[++i]);
    else
      return std::fprintf(stderr, "usage: %s [--quick] [--cuda] [--json FILE]\n", argv[0]), 2;
  }
  Benchmark benchmark(cuda);
  for (const int size : quick ? std::vector<int>{128} : std::vector<int>{128, 256})
    for (const char* name : {"1", "2", "3", "4a", "4b", "5a", "5b", "noise"}) benchmark.run(name, size, size);
  if (!quick)
    for (const char* name : {"1", "noise"}) benchmark.run(name, 4096, 1);
  if (json.is_open()) writeJson(json, benchmark.all());
  return 0;
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
