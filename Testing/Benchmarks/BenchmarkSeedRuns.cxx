// Measures tables of travel times: one solve per seed, with the paths to all tips. Compares single runs on
// all threads, one after the other, with runs on one thread each at the same time. Some of the seeds run on
// one thread in turn, too, which shows the work of the solves alone.
#include "Arguments.h"
#include "Backend.h"
#include "CurvatureProblems.h"
#include "ImageProblems.h"
#include "ManyRuns.h"
#include "MeshProblems.h"
#include "Table.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <vector>

using namespace isochrone;
using namespace isochrone::benchmark;

namespace {

/// Positions in the unit cube, at random.
std::vector<Position> randomPlaces(int count, std::uint64_t first) {
  std::vector<Position> places;
  for (int n = 0; n < count; ++n)
    places.push_back({noise(first + 3 * n), noise(first + 3 * n + 1), noise(first + 3 * n + 2)});
  return places;
}

/// A table as its sum, which shows that two tables are equal.
using SolveOne = std::function<double(int seed, int threads)>;

struct TableCase {
  std::string name;
  SolveOne solveAlone; ///< with the set-up of its own
  std::function<SolveOne()> prepare;
};

double sumOf(const std::vector<Path>& paths) {
  double sum = 0;
  for (const Path& path : paths) sum += path.size() > 0 ? path.travelTime.back() + path.length : 0;
  return sum;
}

TableCase imageCaseOf(const std::string& kind, int size, int depth, int seeds, int tips) {
  const auto c = std::make_shared<ImageCase>(makeImageCase(kind, size, depth));
  const auto scaled = [&](std::vector<Position> places) {
    for (Position& p : places)
      for (int a = 0; a < 3; ++a) p[a] *= double(c->problem.grid.sizes()[a] - 1);
    return places;
  };
  const std::vector<Position> from = scaled(randomPlaces(seeds, 1)), to = scaled(randomPlaces(tips, 100000));
  const auto solve = [=](int seed, int threads) {
    image::Problem one = c->problem;
    one.seeds = {{from[std::size_t(seed)], 0}};
    image::Options options;
    options.threads = threads;
    options.factoring = image::SourceFactoring::Additive;
    const image::Result result = image::solveImageTravelTime(one, options, {});
    return sumOf(image::extractPaths(one, result.travelTime, to, threads));
  };
  return {"image " + kind + " " + sizeText(c->problem.grid), solve, [=] { return SolveOne(solve); }};
}

TableCase curvatureCaseOf(int size, int seeds, int tips) {
  const auto c = std::make_shared<Case>(makeCase(Model::Dubins, size, size, 60, size / 16., "smooth"));
  std::vector<curvature::State> from, to;
  const auto stateAt = [&](const Position& p) {
    return curvature::State{p[0] * (size - 1), p[1] * (size - 1), 0, true};
  };
  for (const Position& p : randomPlaces(seeds, 1)) from.push_back(stateAt(p));
  for (const Position& p : randomPlaces(tips, 100000)) to.push_back(stateAt(p));
  const auto solve = [=](int seed, int threads) {
    curvature::Problem one = c->problem;
    one.seeds = {{from[std::size_t(seed)], 0}};
    curvature::Options options;
    options.threads = threads;
    const curvature::Result result = curvature::solveCurvaturePaths(one, options, {});
    return sumOf(curvature::extractPaths(one, result, to, threads));
  };
  return {"Dubins " + sizeText(c->problem.grid), solve, [=] { return SolveOne(solve); }};
}

TableCase meshCaseOf(int cubes, int seeds, int tips) {
  const auto m = std::make_shared<MeshProblem>(makeMeshProblem("cube", cubes, 3, false));
  const auto vertices = double(m->problem.vertexCount() - 1);
  std::vector<std::int64_t> from, to;
  for (const Position& p : randomPlaces(seeds, 1)) from.push_back(std::int64_t(p[0] * vertices));
  for (const Position& p : randomPlaces(tips, 100000)) to.push_back(std::int64_t(p[0] * vertices));
  const auto solveWith = [=](const std::shared_ptr<const mesh::Setup>& setup, int seed, int threads) {
    mesh::Problem one = m->problem;
    one.seeds = {{from[std::size_t(seed)]}};
    std::vector<mesh::Tip> ends;
    for (const std::int64_t v : to) ends.push_back({v, -1, {}});
    mesh::Options options;
    options.threads = threads;
    options.setup = setup;
    const mesh::Result result = mesh::solveMeshTravelTime(one, options, {});
    return sumOf(mesh::extractPaths(one, result.travelTime, ends, threads, {}, setup.get()));
  };
  const auto prepared = [=] {
    return SolveOne([=, setup = mesh::prepare(m->problem, {})](int seed, int threads) {
      return solveWith(setup, seed, threads);
    });
  };
  return {"mesh " + std::to_string(m->cells.size() / 4) + " cells",
          [=](int seed, int threads) { return solveWith(nullptr, seed, threads); }, prepared};
}

/// Processor time of all threads, seconds.
double processorSeconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

struct Cost {
  double wall, processor, sum; ///< seconds; the sum of the table
};

Cost costOf(const std::function<double()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  const double processor = processorSeconds();
  const double sum = work();
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
          processorSeconds() - processor, sum};
}

/// Adds the terms in the order of the seeds.
double tableAtOnce(const TableCase& c, int seeds, int threads) {
  std::vector<double> terms(static_cast<std::size_t>(seeds));
  const SolveOne solve = c.prepare();
  forEachRun(seeds, threads, {},
             [&](std::int64_t seed, const Monitor&) { terms[std::size_t(seed)] = solve(int(seed), 1); });
  double sum = 0;
  for (const double term : terms) sum += term;
  return sum;
}

double tableInTurn(const TableCase& c, int seeds, int threads) {
  double sum = 0;
  for (int seed = 0; seed < seeds; ++seed) sum += c.solveAlone(seed, threads);
  return sum;
}

} // namespace

int main(int argc, char** argv) {
  std::string file;
  int seeds = 100, tips = 100, few = 10, threads = 2, image = 128, plane = 256, cubes = 41;
  return Arguments("Measures tables of travel times between seeds and tips.")
      .number("--seeds N", "seeds", seeds, 1)
      .number("--tips N", "tips", tips, 1)
      .number("--few N", "seeds that also run on one thread in turn", few, 1)
      .number("--threads N", "threads", threads, 1)
      .number("--image N", "points per edge of the image", image, 8)
      .number("--plane N", "points per edge of the plane of curvature paths", plane, 16)
      .number("--cubes N", "cubes of six tetrahedra per edge of the mesh", cubes, 2)
      .text("--json FILE", "writes the rows there too", file)
      .run(argc, argv, [&] {
        Table table(file, machine(),
                    {{"case", "case", -26},
                     {"seeds", "seeds", 6},
                     {"tips", "tips", 6},
                     {"wall", "wall s in turn", 15, 2},
                     {"wallAtOnce", "at once", 8, 2},
                     {"wallRatio", "ratio", 6, 2},
                     {"processor", "processor s", 12, 2},
                     {"processorAtOnce", "at once", 8, 2},
                     {"processorRatio", "ratio", 6, 2},
                     {"processorSingle", "one thread", 11, 2}}); // of all seeds, from those of few
        for (const TableCase& c : {imageCaseOf("3", image, image, seeds, tips),
                                   curvatureCaseOf(plane, seeds, tips), meshCaseOf(cubes, seeds, tips)}) {
          const Cost inTurn = costOf([&] { return tableInTurn(c, seeds, threads); });
          const Cost atOnce = costOf([&] { return tableAtOnce(c, seeds, threads); });
          const int some = std::min(few, seeds);
          const Cost single = costOf([&] { return tableInTurn(c, some, 1); });
          if (inTurn.sum != atOnce.sum) throw Error("the tables differ");
          table.row({c.name, double(seeds), double(tips), inTurn.wall, atOnce.wall, inTurn.wall / atOnce.wall,
                     inTurn.processor, atOnce.processor, inTurn.processor / atOnce.processor,
                     single.processor * seeds / some});
        }
        return 0;
      });
}
