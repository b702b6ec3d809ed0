// One solve on the CUDA device, for counted_cuda.py, which counts what the device that the host plays does in
// it. Prints what was solved and how much work it took as JSON.
//   CountCuda curvature MODEL NX NY HEADINGS RADIUS KIND   (MODEL 0 to 3: RS, RSF, Elastica, Dubins)
//   CountCuda image NAME SIZE DEPTH
//   CountCuda distance NAME SIZE DEPTH
//   CountCuda rays MODEL SIZE DEPTH RADIUS RULE            (RULE 0 to 2: Accurate, Fast, Cells)
//   CountCuda mesh SHAPE N RATIO METHOD                    (METHOD as in MeshTravelTime.h)
#include "CurvatureProblems.h"
#include "DistanceProblems.h"
#include "Error.h"
#include "ImageProblems.h"
#include "MeshProblems.h"
#include "RayProblems.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using namespace isochrone;
using namespace isochrone::benchmark;

namespace {

struct Work {
  double points, reached, updatesPerPoint, rounds;
};

double countFinite(const auto& times) {
  double count = 0;
  for (const auto t : times) count += t < std::numeric_limits<float>::max();
  return count;
}

using Words = std::vector<std::string>;
int number(const Words& words, std::size_t n) { return std::atoi(words.at(n).c_str()); }

Work solve(const Words& w) {
  const std::string& solver = w.at(0);
  if (solver == "curvature") {
    const Case c = makeCase(Model(number(w, 1)), number(w, 2), number(w, 3), number(w, 4),
                            std::atof(w.at(5).c_str()), w.at(6));
    curvature::Options options;
    options.backend = Backend::Cuda;
    const auto r = curvature::solveCurvaturePaths(c.problem, options, {});
    return {double(r.travelTime.size()), countFinite(r.travelTime), r.updatesPerPoint, double(r.rounds)};
  }
  if (solver == "image") {
    const ImageCase c = makeImageCase(w.at(1), number(w, 2), number(w, 3));
    image::Options options;
    options.backend = Backend::Cuda;
    const auto r = image::solveImageTravelTime(c.problem, options, {});
    return {double(r.travelTime.size()), countFinite(r.travelTime), r.updatesPerPoint, double(r.rounds)};
  }
  if (solver == "distance") {
    const std::int64_t n = number(w, 2), depth = number(w, 3);
    const DistanceCase c = makeDistanceCase(w.at(1), {n, n, depth, 1, 1, 1}, nullptr);
    distance::Options options;
    options.backend = Backend::Cuda;
    const auto r = distance::solveDistanceTransform(c.problem, options, {});
    return {double(r.distance.size()), countFinite(r.distance), 1, 1};
  }
  if (solver == "rays") {
    const std::int64_t n = number(w, 2), depth = number(w, 3);
    const auto modelOn = [&](std::int64_t x, std::int64_t z) {
      return makeRayCase(w.at(1), {x, x, z, 1, 1, 1}, 1);
    };
    RayCase c = modelOn(n, depth);
    const RayCase cells = modelOn(n - 1, std::max<std::int64_t>(1, depth - 1));
    rays::Options options;
    options.backend = Backend::Cuda;
    options.radius = {number(w, 4), number(w, 4), number(w, 4)};
    options.rule = rays::WeightRule(number(w, 5));
    if (options.rule == rays::WeightRule::Cells) c.problem.slowness = cells.problem.slowness;
    const auto r = rays::solveRayTracing(c.problem, options, {});
    return {double(r.fields[0].travelTime.size()), countFinite(r.fields[0].travelTime), r.relaxationsPerPoint,
            0};
  }
  if (solver != "mesh") throw Error("no solver is called '" + solver + "'");
  const MeshProblem m = makeMeshProblem(w.at(1), number(w, 2), std::atof(w.at(3).c_str()), false);
  mesh::Options options;
  options.backend = Backend::Cuda;
  options.method = mesh::Method(number(w, 4));
  const auto r = mesh::solveMeshTravelTime(m.problem, options, {});
  return {double(r.travelTime.size()), countFinite(r.travelTime), r.updatesPerVertex, double(r.rounds)};
}

} // namespace

int main(int argc, char** argv) try {
  const Work work = solve(Words(argv + 1, argv + argc));
  std::printf("{\"points\": %.0f, \"reached\": %.0f, \"updates_per_point\": %.4f, \"rounds\": %.0f}\n",
              work.points, work.reached, work.updatesPerPoint, work.rounds);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
