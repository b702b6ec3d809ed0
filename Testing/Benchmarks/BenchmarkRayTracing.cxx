// Ray tracing on models of the paper and others: seconds per source, beside Dijkstra's algorithm with three
// queues on the same graph in the same arithmetic. Every answer must have the bits of the first one.
//   BenchmarkRayTracing [--model NAME] [--size N] [--depth N] [--radius N] [--rule fast|accurate]
//   [--template coprime|full|balanced24|balanced48] [--sources N] [--predecessors] [--threads N,...]
//   [--methods plain,queue,heap,buckets] [--cuda] [--json FILE] [--write FOLDER] [--quick]
// plain: the paper's method, on the host; queue: std::priority_queue. --cuda: on the CUDA device besides,
// copies included. --write: leaves the slowness and our times there for other programs. --quick: small, all
// of it.
#include "DijkstraQueues.h"
#include "RayProblems.h"
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

using rays::Grid;
using rays::TemplateKind;
using rays::WeightRule;

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> words;
  std::istringstream in(list);
  for (std::string word; std::getline(in, word, ',');) words.push_back(word);
  return words;
}

struct Arguments {
  std::string model = "gradient", rule = "fast", kind = "coprime";
  std::vector<int> threads{1, 2};
  std::vector<std::string> methods;
  int size = 256, depth = 1, radius = 3, sources = 1;
  bool predecessors = false, cuda = false, quick = false, good = true;
  const char *file = nullptr, *folder = nullptr;

  Arguments(int argc, char** argv) {
    for (int i = 1; i < argc && good; ++i) {
      const std::string word = argv[i];
      if (word == "--predecessors" || word == "--cuda" || word == "--quick") {
        (word == "--cuda" ? cuda : word == "--quick" ? quick : predecessors) = true;
        continue;
      }
      good = ++i < argc && read(word, argv[i]);
    }
    good = good && size > 1 && depth > 0 && sources > 0 && (rule == "fast" || rule == "accurate") &&
           std::ranges::find(kinds(), kind) != kinds().end();
  }

  rays::Options options() const {
    rays::Options o;
    o.rule = rule == "fast" ? WeightRule::Fast : WeightRule::Accurate;
    o.neighbours = TemplateKind(std::ranges::find(kinds(), kind) - kinds().begin());
    o.radius = {radius, radius, radius};
    o.predecessors = predecessors, o.separateSources = sources > 1;
    return o;
  }

private:
  static const std::vector<std::string>& kinds() {
    static const std::vector<std::string> all{"coprime", "full", "balanced24", "balanced48"};
    return all;
  }
  bool read(const std::string& word, const char* value) {
    for (const auto& [name, text] : {std::pair{"--model", &model}, {"--rule", &rule}, {"--template", &kind}})
      if (word == name) return *text = value, true;
    for (const auto& [name, number] :
         {std::pair{"--size", &size}, {"--depth", &depth}, {"--radius", &radius}, {"--sources", &sources}})
      if (word == name) return *number = std::atoi(value), true;
    if (word == "--json") return file = value, true;
    if (word == "--write") return folder = value, true;
    if (word == "--methods") return methods = split(value), true;
    if (word != "--threads") return false;
    threads.clear();
    for (const std::string& count : split(value)) threads.push_back(std::atoi(count.c_str()));
    return !threads.empty() && std::ranges::all_of(threads, [](int n) { return n > 0; });
  }
};

class Benchmark {
public:
  explicit Benchmark(const char* file)
      : table(file,
              {{"machine", processor()},
               {"cores", double(std::thread::hardware_concurrency())},
               {"compiler", __VERSION__}},
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

  void run(const Arguments& a) {
    const Grid grid{a.size, a.size, a.depth, 0.01, 0.01, 0.01};
    const RayCase c = makeRayCase(a.model, grid, a.sources);
    rays::Options options = a.options();
    const auto about = [&](const char* method, const std::string& on) {
      const std::string size =
          std::to_string(a.size) + "x" + std::to_string(a.size) + "x" + std::to_string(a.depth);
      return std::vector<Table::Value>{
          a.model, size, a.rule, a.kind, double(a.radius), double(a.sources), double(a.predecessors),
          method,  on};
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
            100 * errors.mean, 100 * errors.most})
        row.emplace_back(value);
      table.row(row);
      if (first.empty())
        for (auto& field : result.fields) first.push_back(std::move(field.travelTime));
      for (std::size_t s = 0; s < result.fields.size(); ++s)
        if (!result.fields[s].travelTime.empty() && result.fields[s].travelTime != first[s])
          throw Error("the answer depends on " + on + ", " + method);
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
    if (a.folder) write(a.folder, c, first[0]);
  }

private:
  Table table;

  /// From the first source alone.
  template <class About>
  void peers(const Arguments& a, const RayCase& c, const std::vector<Values<float>>& first,
             const About& about) {
    const Grid& g = c.problem.grid;
    for (const std::string& method : a.methods) {
      if (method == "plain") continue;
      const auto solve = method == "queue"     ? solveByPriorityQueue
                         : method == "heap"    ? solveByHeap
                         : method == "buckets" ? solveByBuckets
                                               : nullptr;
      if (!solve) throw Error("no method is called '" + method + "'");
      std::vector<RayGraph> graph;
      const double weights = seconds([&] { graph.emplace_back(c.problem, a.options()); });
      const std::int64_t source = graph[0].bordered(g.index(0, 0, 0));
      RayTimes times;
      const double t = medianSeconds([&] { times = solve(graph[0], source); });
      for (std::int64_t p = 0; p < g.points(); ++p)
        if (times[graph[0].bordered(p)] != first[0][p]) throw Error(method + " has other times than ours");
      std::vector<Table::Value> row = about(method.c_str(), "host 1");
      for (const double value : {t, weights, 1., 0., 0., 0.}) row.emplace_back(value);
      table.row(row);
    }
  }

  static void write(const std::string& folder, const RayCase& c, std::span<const float> times) {
    const auto save = [&](const char* name, const void* data, std::size_t bytes) {
      std::ofstream(folder + name, std::ios::binary)
          .write(static_cast<const char*>(data), std::streamsize(bytes));
    };
    save("/slowness.f32", c.slowness.data(), 4 * c.slowness.size());
    save("/time.f32", times.data(), times.size_bytes());
    const Grid& g = c.problem.grid;
    std::ofstream(folder + "/problem.json")
        << "{\"shape\": [" << g.nz << ", " << g.ny << ", " << g.nx << "], \"spacing\": " << g.hx << "}\n";
  }
};

void runQuick(Benchmark& benchmark, Arguments a) {
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

int main(int argc, char** argv) try {
  const Arguments arguments(argc, argv);
  if (!arguments.good)
    return std::fprintf(
               stderr,
               "usage: %s [--model NAME] [--size N] [--depth N] [--radius N] [--rule fast|accurate] "
               "[--template KIND] [--sources N] [--predecessors] [--threads N,...] "
               "[--methods plain,queue,heap,buckets] [--cuda] [--json FILE] [--write FOLDER] [--quick]\n",
               argv[0]),
           2;
  Benchmark benchmark(arguments.file);
  if (arguments.quick)
    runQuick(benchmark, arguments);
  else
    benchmark.run(arguments);
  return 0;
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
