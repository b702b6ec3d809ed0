// Runs one solve on the CUDA device, for counted_cuda.py, which counts its work on the emulated device.
// Prints the problem and the solver's own counts as JSON. `CountCuda SOLVER --help` lists the words after the
// solver's name.
#include "Arguments.h"
#include "CurvatureProblems.h"
#include "DistanceProblems.h"
#include "ImageProblems.h"
#include "MeshProblems.h"
#include "RayProblems.h"
#include "Table.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <string>

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

/// The problem to solve.
struct Words {
  std::string solver, name, steps = "equal";
  int nx = 0, ny = 0, depth = 0, radius = 0, choice = 0;
  double turningRadius = 0, ratio = 0;

  /// @param given  the solver, which determines the words after it
  Arguments arguments(const std::string& given) {
    Arguments a("Solves one problem on the CUDA device. SOLVER --help lists the words that follow.");
    a.text("SOLVER", "the solver", solver, {"curvature", "image", "distance", "rays", "mesh"});
    if (given == "curvature")
      a.number("MODEL", "0 to 3: RS, RSF, Elastica, Dubins", choice, 0, 3)
          .number("NX", "points", nx, 1)
          .number("NY", "points", ny, 1)
          .number("HEADINGS", "per point", depth, 1)
          .number("RADIUS", "the turning radius, points", turningRadius, 0)
          .text("KIND", "the medium", name, {"constant", "smooth", "rough", "radius", "floor"});
    if (given == "image" || given == "distance" || given == "rays")
      a.text("NAME", "the medium or the sites", name)
          .number("SIZE", "points along the first two axes", nx, 1)
          .number("DEPTH", "points along the third axis", depth, 1);
    if (given == "distance")
      a.text("[STEPS]", "equal by default", steps, {"equal", "unequal", "uneven", "periodic"});
    if (given == "rays")
      a.number("RADIUS", "of the template, points", radius, 1)
          .number("RULE", "0 to 2: Accurate, Fast, Cells", choice, 0, 2);
    if (given == "mesh")
      a.text("SHAPE", "the mesh", name, {"cube", "wall"})
          .number("N", "cubes per edge", nx, 1)
          .number("RATIO", "speed along fibres over speed across", ratio, 1)
          .number("METHOD", "0 to 4, as in MeshTravelTime.h", choice, 0, 4);
    return a;
  }
};

Work solve(const Words& w) {
  if (w.solver == "curvature") {
    const Case c = makeCase(Model(w.choice), w.nx, w.ny, w.depth, w.turningRadius, w.name);
    curvature::Options options;
    options.backend = Backend::Cuda;
    const auto r = curvature::solveCurvaturePaths(c.problem, options, {});
    return {double(r.travelTime.size()), countFinite(r.travelTime), r.updatesPerPoint, double(r.rounds)};
  }
  if (w.solver == "image") {
    const ImageCase c = makeImageCase(w.name, w.nx, w.depth);
    image::Options options;
    options.backend = Backend::Cuda;
    const auto r = image::solveImageTravelTime(c.problem, options, {});
    return {double(r.travelTime.size()), countFinite(r.travelTime), r.updatesPerPoint, double(r.rounds)};
  }
  if (w.solver == "distance") {
    DistanceCase c = makeDistanceCase(w.name, {w.nx, w.nx, w.depth, 1, 1, 1}, nullptr);
    c.setSteps(w.steps);
    distance::Options options;
    options.backend = Backend::Cuda;
    const auto r = distance::solveDistanceTransform(c.problem, options, {});
    return {double(r.distance.size()), countFinite(r.distance), 1, 1};
  }
  if (w.solver == "rays") {
    const auto modelOn = [&](std::int64_t x, std::int64_t z) {
      return makeRayCase(w.name, {x, x, z, 1, 1, 1}, 1);
    };
    RayCase c = modelOn(w.nx, w.depth);
    const RayCase cells = modelOn(w.nx - 1, std::max(1, w.depth - 1));
    rays::Options options;
    options.backend = Backend::Cuda;
    options.radius = {w.radius, w.radius, w.radius};
    options.rule = rays::WeightRule(w.choice);
    if (options.rule == rays::WeightRule::Cells) c.problem.slowness = cells.problem.slowness;
    const auto r = rays::solveRayTracing(c.problem, options, {});
    return {double(r.fields[0].travelTime.size()), countFinite(r.fields[0].travelTime), r.relaxationsPerPoint,
            0};
  }
  const MeshProblem m = makeMeshProblem(w.name, w.nx, w.ratio, false);
  mesh::Options options;
  options.backend = Backend::Cuda;
  options.method = mesh::Method(w.choice);
  const auto r = mesh::solveMeshTravelTime(m.problem, options, {});
  return {double(r.travelTime.size()), countFinite(r.travelTime), r.updatesPerVertex, double(r.rounds)};
}

} // namespace

int main(int argc, char** argv) {
  Words words;
  return words.arguments(argc > 1 ? argv[1] : "").run(argc, argv, [&] {
    const Work work = solve(words);
    std::printf("{\"points\": %.0f, \"reached\": %.0f, \"updates_per_point\": %s, \"rounds\": %.0f}\n",
                work.points, work.reached, jsonNumber(work.updatesPerPoint, 4).c_str(), work.rounds);
    return 0;
  });
}
