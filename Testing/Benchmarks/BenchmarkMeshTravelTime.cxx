// Measures mesh travel times on jittered cubes and a wall with fibres that turn: seconds to set up and to
// solve, updates per vertex and bytes per tetrahedron, for any method and number of threads and subdomains.
// Every result must have the bits of the first one. --help lists the options.
#include "Arguments.h"
#include "MeshLayouts.h"
#include "MeshProblems.h"
#include "Table.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

using namespace isochrone;
using namespace isochrone::benchmark;

namespace {

using mesh::Method;

struct Options {
  std::string mesh = "cube";
  std::vector<int> threads{1, 2}, subdomains{0};
  std::vector<std::string> methods{"isochrone"};
  int size = 80;
  double ratio = 1;
  bool shuffled = false, cuda = false;
  std::string folder;

  bool has(const char* method) const { return std::ranges::find(methods, method) != methods.end(); }
};

/// Returns bytes as reported by Linux, 0 elsewhere. "VmRSS": current, "VmHWM": peak.
double memory(const std::string& which) {
  std::ifstream in("/proc/self/status");
  for (std::string word; in >> word;)
    if (word == which + ":") {
      double kilobytes = 0;
      in >> kilobytes;
      return 1024 * kilobytes;
    }
  return 0;
}
void forgetPeak() { std::ofstream("/proc/self/clear_refs") << 5; }

class Benchmark {
public:
  explicit Benchmark(const std::string& file)
      : table(file, machine(),
              {{"mesh", "mesh", -5},
               {"tetrahedra", "tetrahedra", 10},
               {"ratio", "ratio", 5},
               {"shuffled", "shuf.", 5},
               {"method", "method", -9},
               {"subdomains", "subd.", 5},
               {"on", "on", -7},
               {"setup", "setup s", 8, 3},
               {"seconds", "solve s", 9, 4},
               {"updates", "updates", 8, 2},
               {"rounds", "rounds", 7},
               {"bytes", "bytes/tet", 9, 1},
               {"peak", "peak/tet", 8, 1}}) {}

  void run(const Options& a) {
    const MeshProblem m = makeMeshProblem(a.mesh, a.size, a.ratio, a.shuffled);
    first = {};
    mesh::Options options;
    options.backend = Backend::Host;
    const auto host = [](int threads) { return "host " + std::to_string(threads); };
    if (a.has("isochrone"))
      for (const int threads : a.threads)
        options.threads = threads, ours(a, m, options, "isochrone", host(threads));
    if (a.has("compact")) {
      options.memory = mesh::Memory::Compact;
      for (const int threads : a.threads)
        options.threads = threads, ours(a, m, options, "compact", host(threads));
      options.memory = mesh::Memory::Automatic;
    }
    options.threads = a.threads.back();
    const auto decomposed = [&](const std::string& on) {
      for (const auto& [name, method] :
           {std::pair{"many", Method::DecomposedManyBlocks}, {"one", Method::DecomposedOneBlock}})
        if (a.has(name))
          for (const int subdomains : a.subdomains) {
            options.method = method, options.subdomains = subdomains;
            ours(a, m, options, name, on);
          }
      options.subdomains = 0;
    };
    if (a.has("plain"))
      for (const int threads : a.threads)
        options.method = Method::PlainFim, options.threads = threads,
        ours(a, m, options, "plain", host(threads));
    if (!a.cuda) decomposed(host(options.threads));
    if (a.cuda) {
      options.backend = Backend::Cuda;
      for (const auto& [name, method] :
           {std::pair{"isochrone", Method::Automatic}, {"plain", Method::PlainFim}})
        if (a.has(name)) options.method = method, ours(a, m, options, name, "cuda");
      decomposed("cuda");
    }
    if (a.has("six")) layout<SixLengths>(a, m, "six");
    if (a.has("eighteen")) layout<EighteenProducts>(a, m, "eighteen");
    if (!a.folder.empty()) write(a, m);
  }

private:
  Table table;
  Values<float> first; ///< the first result of the problem

  static std::vector<Table::Value> about(const Options& a, const MeshProblem& m, const char* method,
                                         const std::string& on, int subdomains) {
    return {a.mesh, double(m.problem.cellCount()), a.ratio, double(a.shuffled), method, double(subdomains),
            on};
  }
  void row(std::vector<Table::Value> values, std::initializer_list<double> more) {
    values.insert(values.end(), more.begin(), more.end());
    table.row(values);
  }

  /// Measures the median of five runs, or of fewer if they exceed three seconds. Set-up is everything except
  /// the solve, including the checks of the input and the result in the user's order.
  void ours(const Options& a, const MeshProblem& m, const mesh::Options& options, const char* method,
            const std::string& on) {
    std::vector<std::array<double, 2>> times; // solve, set-up
    mesh::Result result;
    double peak = 0;
    for (double spent = 0; times.size() < 5 && spent < 3; spent += times.back()[0] + times.back()[1]) {
      result = {};
      const double before = memory("VmRSS");
      forgetPeak();
      const double all = seconds([&] { result = mesh::solveMeshTravelTime(m.problem, options, {}); });
      if (times.empty()) peak = memory("VmHWM") - before;
      times.push_back({result.solveSeconds, all - result.solveSeconds});
    }
    if (options.method != Method::Automatic && result.method != options.method)
      throw Error(std::string("'") + method + "' did not run on " + on);
    const auto middle = times.begin() + std::ptrdiff_t(times.size() - 1) / 2;
    std::nth_element(times.begin(), middle, times.end());
    const double cells = double(m.problem.cellCount());
    row(about(a, m, method, on, options.subdomains),
        {(*middle)[1], (*middle)[0], result.updatesPerVertex, double(result.rounds),
         double(result.workBytes) / cells, peak / cells});
    if (first.empty())
      first = std::move(result.travelTime);
    else if (result.travelTime != first)
      throw Error(std::string("the result depends on ") + on + ", " + method);
  }

  template <class Layout>
  void layout(const Options& a, const MeshProblem& m, const char* name) {
    std::vector<Layout> all;
    std::vector<mesh::VertexStars> stars;
    const double setup = seconds([&] {
      execution::RoundPool pool(a.threads.back());
      stars.push_back(mesh::makeVertexStars(m.problem, pool));
      all.reserve(stars[0].tetrahedra.size());
      for (const mesh::Tetrahedron& t : stars[0].tetrahedra) all.emplace_back(t);
    });
    LayoutRun run;
    const double t = medianSeconds(
        [&] { run = solveWithLayout(stars[0], all, stars[0].number[m.problem.seeds[0].vertex]); });
    row(about(a, m, name, "host 1", 0), {setup, t, run.updatesPerVertex, 0, double(sizeof(Layout)), 0});
    double latest = 0, maximum = 0;
    for (std::int64_t v = 0; v < std::int64_t(first.size()); ++v) {
      latest = std::max(latest, double(first[v]));
      maximum = std::max(maximum, std::abs(run.times[stars[0].number[v]] * stars[0].unit - first[v]));
    }
    if (maximum > 2e-6 * latest) throw Error(std::string(name) + " differs from our times");
  }

  void write(const Options& a, const MeshProblem& m) const {
    saveArray(a.folder + "/points.f32", m.points);
    saveArray(a.folder + "/cells.i64", m.cells);
    saveArray(a.folder + "/fibres.f32", m.fibres);
    saveArray(a.folder + "/time.f32", first);
    openForWriting(a.folder + "/problem.json")
        << "{\"ratio\": " << a.ratio << ", \"seed\": " << m.problem.seeds[0].vertex << "}\n";
  }
};

void runQuick(Benchmark& benchmark, Options a) {
  a.size = 8;
  a.methods = {"isochrone", "compact", "plain", "many", "one", "six", "eighteen"};
  a.subdomains = {0, 5};
  for (const double ratio : {1., 3.})
    for (const char* mesh : {"cube", "wall"})
      for (const bool shuffled : {false, true}) {
        a.ratio = ratio, a.mesh = mesh, a.shuffled = shuffled;
        benchmark.run(a);
      }
}

} // namespace

int main(int argc, char** argv) {
  Options options;
  std::string file;
  bool quick = false;
  return Arguments("Measures travel times on one mesh. Methods: compact (with less memory), plain (the fast\n"
                   "iterative method without bands), many and one (the decompositions of the paper into\n"
                   "subdomains, on the last number of threads, with --cuda on the device alone), six and\n"
                   "eighteen (the study of layouts, on one thread).")
      .text("--mesh NAME", "the mesh", options.mesh, {"cube", "wall"})
      .number("--size N", "cubes per edge", options.size, 1)
      .number("--ratio R", "speed along fibres over speed across", options.ratio, 1)
      .flag("--shuffled", "vertices and tetrahedra in random order", options.shuffled)
      .number("--threads N,...", "one run per number", options.threads, 1)
      .text("--methods NAME,...", "methods to run", options.methods,
            {"isochrone", "compact", "plain", "many", "one", "six", "eighteen"})
      .number("--subdomains N,...", "of the decompositions, one run per number; 0: automatic",
              options.subdomains, 0)
      .flag("--cuda", "on the CUDA device as well, copies included", options.cuda)
      .text("--json FILE", "writes the rows there too", file)
      .text("--write FOLDER", "writes the mesh and our times for other programs", options.folder)
      .flag("--quick", "every method on small meshes", quick)
      .run(argc, argv, [&] {
        Benchmark benchmark(file);
        if (quick)
          runQuick(benchmark, options);
        else
          benchmark.run(options);
        return 0;
      });
}
