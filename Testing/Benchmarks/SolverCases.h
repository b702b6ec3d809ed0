// SolverCases.h - cases of every solver, for the benchmarks that compare solvers.
#pragma once

#include "CurvatureProblems.h"
#include "DistanceProblems.h"
#include "ImageProblems.h"
#include "MeshProblems.h"
#include "OrientedCost/OrientedCost.h"
#include "RayProblems.h"
#include "Table.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace isochrone::benchmark {

struct SolverCase {
  std::string solver, problem;
  std::function<void(int threads)> solve;
};

/// @param radius  of turns, in pixels
inline SolverCase curvatureCase(Model model, int nx, int ny, int headings, double radius,
                                const std::string& kind) {
  const auto c = std::make_shared<Case>(makeCase(model, nx, ny, headings, radius, kind));
  return {"curvature", std::string(shortName(model)) + " " + sizeText(c->problem.grid) + " " + c->name,
          [c](int threads) {
            curvature::Options options;
            options.threads = threads;
            curvature::solveCurvaturePaths(c->problem, options, {});
          }};
}

/// Fills the problem of an image, which must outlive it, with tubes of `widths` pixels.
inline oriented::Problem orientedProblem(const std::vector<float>& image, int nx, int ny,
                                         const std::vector<double>& widths) {
  oriented::Problem problem;
  problem.nx = nx, problem.ny = ny;
  problem.intensity = image;
  problem.widths = widths;
  problem.length = 6;
  return problem;
}

inline std::vector<float> smoothImage(int nx, int ny) {
  return smoothed(uniformNumbers(std::size_t(nx) * ny), nx, ny, 2);
}

inline SolverCase orientedCase(int size) {
  const auto image = std::make_shared<std::vector<float>>(smoothImage(size, size));
  return {"oriented", std::to_string(size) + "x" + std::to_string(size), [image, size](int threads) {
            oriented::makeOrientedCost(orientedProblem(*image, size, size, {1.5, 2.5}), threads, {});
          }};
}

/// @param kind  ImageProblems.h
inline SolverCase imageCase(const std::string& kind, int size, int depth) {
  const auto c = std::make_shared<ImageCase>(makeImageCase(kind, size, depth));
  return {"image", kind + " " + sizeText(c->problem.grid), [c](int threads) {
            image::Options options;
            options.threads = threads;
            image::solveImageTravelTime(c->problem, options, {});
          }};
}

/// One point in a hundred is a site, at random.
inline SolverCase distanceCase(const distance::Grid& grid) {
  const auto c = std::make_shared<DistanceCase>(makeDistanceCase("random 1", grid, nullptr));
  return {"distance", sizeText(grid), [c](int threads) {
            distance::Options options;
            options.threads = threads;
            distance::solveDistanceTransform(c->problem, options, {});
          }};
}

/// @param model  RayProblems.h
inline SolverCase rayCase(const std::string& model, const rays::Grid& grid, int sources) {
  const auto c = std::make_shared<RayCase>(makeRayCase(model, grid, sources));
  const std::string several = sources > 1 ? ", " + std::to_string(sources) + " sources" : "";
  return {"rays", model + " " + sizeText(grid) + several, [c](int threads) {
            rays::Options options;
            options.threads = threads;
            rays::solveRayTracing(c->problem, options, {});
          }};
}

/// @param ratio  of the speeds along and across the fibres
inline SolverCase meshCase(int cubes, double ratio) {
  const auto m = std::make_shared<MeshProblem>(makeMeshProblem("cube", cubes, ratio, false));
  return {"mesh", std::to_string(m->cells.size() / 4) + " cells, " + std::to_string(int(ratio)) + ":1",
          [m](int threads) {
            mesh::Options options;
            options.threads = threads;
            mesh::solveMeshTravelTime(m->problem, options, {});
          }};
}

} // namespace isochrone::benchmark
