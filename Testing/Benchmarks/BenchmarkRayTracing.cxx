// Measures ray tracing on the paper's and other models: seconds per source, beside Dijkstra's algorithm with
// three queues on the same graph in the same arithmetic. Every result must have the bits of the first one.
// --help lists the options.
#include "Arguments.h"
#include "DijkstraQueues.h"
#include "RayProblems.h"
#include "Table.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace isochrone;
using namespace isochrone::benchmark;

namespace {

using rays::Grid;
using rays::StarKind;
using rays::WeightRule;

// In the order of StarKind.
const std::vector<std::string> kinds{"coprime", "full", "balanced24", "balanced48"};

struct Options {
  std::string model = "gradient", rule = "fast", kind = "coprime";
  std::vector<int> threads{1, 2};
  std::vector<std::string> methods;
  int size = 256, depth = 1, radius = 3, sources = 1;
  bool predecessors = false, cuda = false;
  std::string folder;

  rays::Options solverOptions() const {
    rays::Options o;
    o.rule = rule == "fast" ? WeightRule::Fast : WeightRule::Accurate;
    o.neighbours = StarKind(std::ranges::find(kinds, kind) - kinds.begin());
    o.radius = {radius, radius, radius};
    o.predecessors = predecessors, o.separateSources = sources > 1;
    return o;
  }
};

class Benchmark {
public:
  explicit Benchmark(const std::string& file)
      : table(file, machine(),
              {{"case", "model", -9},
               {"grid", "grid", -12},
               {"rule", "rule", -8},
               {"template", "template", -12},
               {"radius", "radius", 6},
               {"sources", "sources", 7},
               {"predecessors", "pred.", 5},
               {"method", "method", -9},
               {"on", "on", -7},
               {"seconds", "s/source", 9, 5},
               {"weights", "weights s", 9, 4},
               {"relaxations", "relax/pt", 8, 2},
               {"bytes_per_point", "bytes/pt", 8, 1},
               {"error_mean", "mean err %", 10, 4},
               {"error_most", "most err %", 10, 4}}) {}

  void run(const Options& a) {
    const Grid grid{a.size, a.size, a.depth, 0.01, 0.01, 0.01};
    const RayCase c = makeRayCase(a.model, grid, a.sources);
    rays::Options options = a.solverOptions();
    const auto about = [&](const char* method, const std::string& on) {
      return std::vector<Table::Value>{
          a.model,           sizeText(grid),         a.rule, a.kind, double(a.radius),
          double(a.sources), double(a.predecessors), method, on};
    };
    std::vector<Values<float>> first;
    const auto ours = [&](const char* method, const std::string& on) {
      rays::Result result;
      const double t = medianSeconds([&] {
        result = {};
        result = rays::solveRayTracing(c.problem, options, {});
      });
      const RayErrors errors =
          a.model == "gradient" ? errorsInGradient(c, result.fields[0].travelTime) : RayErrors{};
      std::vector<Table::Value> row = about(method, on);
      for (const double value :
           {t / a.sources, 0., result.relaxationsPerPoint, double(result.workBytes) / double(grid.points()),
            100 * errors.mean, 100 * errors.maximum})
        row.emplace_back(value);
      table.row(row);
      if (first.empty())
        for (auto& field : result.fields) first.push_back(std::move(field.travelTime));
      for (std::size_t s = 0; s < result.fields.size(); ++s)
        if (!result.fields[s].travelTime.empty() && result.fields[s].travelTime != first[s])
          throw Error("the result depends on " + on + ", " + method);
    };
    options.backend = Backend::Host;
    for (const int count : a.threads)
      options.threads = count, ours("isochrone", "host " + std::to_string(count));
    if (std::ranges::find(a.methods, "plain") != a.methods.end()) {
      options.method = rays::Method::PlainRelaxation;
      ours("plain", "host " + std::to_string(options.threads));
      options.method = rays::Method::OrderedTiles;
    }
    if (a.cuda)
      for (const auto method : {rays::Method::OrderedTiles, rays::Method::PlainRelaxation}) {
        options.backend = Backend::Cuda, options.method = method;
        ours(method == rays::Method::OrderedTiles ? "isochrone" : "plain", "cuda");
      }
    peers(a, c, first, about);
    if (!a.folder.empty()) write(a.folder, c, first[0]);
  }

private:
  Table table;

  /// Measures Dijkstra's algorithm from the first source only.
  template <class About>
  void peers(const Options& a, const RayCase& c, const std::vector<Values<float>>& first,
             const About& about) {
    const Grid& g = c.problem.grid;
    for (const std::string& method : a.methods) {
      if (method == "plain") continue;
      const auto solve = method == "queue"     ? solveByPriorityQueue
                         : method == "heap"    ? solveByHeap
                         : method == "buckets" ? solveByBuckets
                                               : nullptr;
      if (!solve) throw Error("unknown method '" + method + "'");
      std::vector<RayGraph> graph;
      const double weights = seconds([&] { graph.emplace_back(c.problem, a.solverOptions()); });
      const std::int64_t source = graph[0].bordered(g.index(0, 0, 0));
      RayTimes times;
      const double t = medianSeconds([&] { times = solve(graph[0], source); });
      for (std::int64_t p = 0; p < g.points(); ++p)
        if (times[graph[0].bordered(p)] != first[0][p]) throw Error(method + " differs from our times");
      std::vector<Table::Value> row = about(method.c_str(), "host 1");
      for (const double value : {t, weights, 1., 0., 0., 0.}) row.emplace_back(value);
      table.row(row);
    }
  }

  static void write(const std::string& folder, const RayCase& c, std::span<const float> times) {
    saveArray(folder + "/slowness.f32", c.slowness);
    saveArray(folder + "/time.f32", times);
    const Grid& g = c.problem.grid;
    openForWriting(folder + "/problem.json")
        << "{\"shape\": [" << g.nz << ", " << g.ny << ", " << g.nx << "], \"spacing\": " << g.hx << "}\n";
  }
};

void runQuick(Benchmark& benchmark, Options a) {
  a.methods = {"plain", "queue", "heap", "buckets"};
  for (const char* rule : {"fast", "accurate"})
    for (const char* model : {"gradient", "blocks", "noise", "maze"}) {
      a.rule = rule, a.model = model;
      a.size = 100, a.depth = 1, a.radius = 4;
      benchmark.run(a);
    }
  a.model = "noise", a.rule = "fast", a.size = a.depth = 24, a.radius = 2, a.predecessors = true;
  benchmark.run(a);
  a.model = "gradient", a.size = 100, a.depth = 1, a.sources = 4, a.kind = "balanced48";
  benchmark.run(a);
}

} // namespace

int main(int argc, char** argv) {
  Options options;
  std::string file;
  bool quick = false;
  return Arguments(
             "Measures ray tracing on one model, beside plain (the method of the paper, on the host) and\n"
             "Dijkstra's algorithm with a queue (std::priority_queue), a heap or buckets.")
      .text("--model NAME", "the slowness", options.model, {"gradient", "blocks", "noise", "maze"})
      .number("--size N", "points along the first two axes", options.size, 2)
      .number("--depth N", "points along the third axis", options.depth, 1)
      .number("--radius N", "of the template, points", options.radius, 1)
      .text("--rule NAME", "the weights", options.rule, {"fast", "accurate"})
      .text("--template KIND", "the edges of a point", options.kind, kinds)
      .number("--sources N", "sources, each with its own times", options.sources, 1)
      .flag("--predecessors", "records the predecessors", options.predecessors)
      .number("--threads N,...", "one run per number", options.threads, 1)
      .text("--methods NAME,...", "other methods to run", options.methods,
            {"plain", "queue", "heap", "buckets"})
      .flag("--cuda", "on the CUDA device as well, copies included", options.cuda)
      .text("--json FILE", "writes the rows there too", file)
      .text("--write FOLDER", "writes the slowness and our times for other programs", options.folder)
      .flag("--quick", "every method on small models", quick)
      .run(argc, argv, [&] {
        Benchmark benchmark(file);
        if (quick)
          runQuick(benchmark, options);
        else
          benchmark.run(options);
        return 0;
      });
}
