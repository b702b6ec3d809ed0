// AllocationCases.h - small problems of every solver, for solves with a failing allocation.
#pragma once

#include "CurvaturePaths/CurvaturePaths.h"
#include "DistanceTransform/DistanceTransform.h"
#include "ImageTravelTime/ImageTravelTime.h"
#include "MeshTravelTime/MeshTravelTime.h"
#include "MeshTravelTime/MeshTravelTimeMeshes.h"
#include "RayTracing/RayTracing.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace isochrone {

/// The bytes of results, for comparison.
struct Bytes {
  std::string all;
  template <class Array>
  void add(const Array& values) {
    all.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0]));
  }
  void add(const std::vector<Path>& paths) {
    for (const Path& path : paths) add(path.x), add(path.y), add(path.travelTime);
  }
};

/// Solves and adds all results.
using Solve = std::function<void(Bytes&)>;

/// A square with a wavy cost, tensors, and walls of one point each.
struct Square {
  std::int64_t n;
  std::vector<float> cost = std::vector<float>(n * n), tensors = std::vector<float>(3 * n * n);
  std::vector<std::uint8_t> walls = std::vector<std::uint8_t>(n * n);
  explicit Square(std::int64_t points) : n(points) {
    for (std::int64_t p = 0; p < n * n; ++p) {
      cost[p] = 1 + 0.3f * float(std::sin(0.01 * double(p)));
      walls[p] = p % 35 == 31;
      tensors[3 * p] = 2, tensors[3 * p + 1] = 1, tensors[3 * p + 2] = cost[p] / 2;
    }
  }
};
inline const Square square(66);
inline constexpr Position tip{60, 60, 0};

/// The square as an image, without seeds.
inline image::Problem imageOf(bool tensors) {
  image::Problem p;
  p.grid = {square.n, square.n, 1, 1, 1, 1};
  p.speed = tensors ? square.tensors : square.cost;
  if (tensors) p.speedType = image::SpeedType::SquaredVelocityTensor;
  p.barriers = square.walls;
  return p;
}

inline Solve imageSolve(Backend backend, int order, image::SourceFactoring factoring, bool tensors,
                        int threads = 2) {
  return [=](Bytes& bytes) {
    image::Problem p = imageOf(tensors);
    p.seeds = {{{6.3, 5.2, 0}, 0, false}, {{50, 6, 0}, 1, false}};
    image::Options o;
    o.backend = backend;
    o.threads = threads;
    o.order = order;
    o.factoring = factoring;
    o.seedIds = true;
    const image::Result r = image::solveImageTravelTime(p, o, {});
    bytes.add(r.travelTime);
    bytes.add(r.seed);
    bytes.add(image::extractPaths(p, r.travelTime, std::vector<Position>{tip, {9, 60, 0}}, threads));
    bytes.add(image::gradient(p, r.travelTime, threads));
    bytes.add(std::vector{image::residual(p, r.travelTime, threads)});
  };
}

/// Derivatives of image travel times, and two rows of the Jacobian.
inline Solve imageDerivatives(Backend backend, int order, bool tensors, int threads = 2) {
  return [=](Bytes& bytes) {
    image::Problem p = imageOf(tensors);
    p.seeds = {{{6.3, 5.2, 0}, 0, false}, {{50, 6, 0}, 1, false}};
    image::Options o;
    o.backend = backend, o.threads = threads, o.order = order, o.factoring = image::SourceFactoring::Additive;
    const Values<float> u = image::solveImageTravelTime(p, o, {}).travelTime;
    image::SensitivityOptions s;
    s.backend = backend, s.threads = threads, s.order = order, s.factoring = o.factoring;
    const std::vector<image::WeightedTip> tips{{tip, 1}, {{9, 60, 0}, -0.5}};
    bytes.add(image::differentiate(p, u, tips, s).speed);
    bytes.add(image::differentiateEach(p, u, std::vector{tips[0].at, tips[1].at}, s).matrix.weight);
  };
}

/// An image with periodic axes.
inline Solve periodicSolve(Backend backend, bool tensors, int threads = 2) {
  return [=](Bytes& bytes) {
    image::Problem p = imageOf(tensors);
    p.periodic = {true, true, false};
    p.seeds = {{{3.3, 64.2, 0}, 0, false}};
    image::Options o;
    o.backend = backend, o.threads = threads, o.factoring = image::SourceFactoring::Additive;
    bytes.add(image::solveImageTravelTime(p, o, {}).travelTime);
  };
}

/// The surface of a sphere whose circle of longitudes is open.
inline Solve sphereSolve(Backend backend, int threads = 2) {
  return [=](Bytes& bytes) {
    std::array<std::vector<double>, 3> axes{{{}, {}, {1}}};
    for (int n = 0; n < 19; ++n) axes[0].push_back(10 * n);
    for (int n = 0; n < 24; ++n) axes[1].push_back(15 * n);
    using enum grid::AxisRole;
    const grid::OrthogonalGrid sphere(axes, {Colatitude, Longitude, Radius});
    image::Problem p;
    p.grid = sphere.points(), p.orthogonal = &sphere;
    p.seeds = {{{6.3, 5.2, 0}, 0, false}, {{12, 23.6, 0}, 0.3, false}};
    image::Options o;
    o.backend = backend, o.threads = threads, o.factoring = image::SourceFactoring::Additive;
    bytes.add(image::solveImageTravelTime(p, o, {}).travelTime);
  };
}

/// @param n  points of an axis, at least 12
inline Solve curvatureSolve(Backend backend, curvature::Accuracy accuracy, std::int64_t n = 24,
                            int threads = 2) {
  const auto small = std::make_shared<Square>(n);
  return [=](Bytes& bytes) {
    const Square& square = *small;
    curvature::Problem p;
    p.grid = {square.n, square.n, 8, 1, 1};
    p.cost.values = square.cost;
    p.turningRadius.constant = 3;
    p.model = curvature::Model::Elastica;
    p.accuracy = accuracy;
    p.walls = square.walls;
    p.seeds = {{{6, 6, 0.3, false}, 0}};
    curvature::Options o;
    o.backend = backend;
    o.threads = threads;
    const curvature::Result r = curvature::solveCurvaturePaths(p, o, {});
    bytes.add(r.travelTime);
    bytes.add(curvature::reduceToPlane(p, r, threads).seed);
    const double far = double(n - 4);
    const curvature::State tips[2] = {{far, far, 0, true}, {9, far + 1, 0, true}};
    bytes.add(curvature::extractPaths(p, r, tips, threads));
    const curvature::WeightedTip weighted{tips[0], 1};
    curvature::SensitivityOptions s;
    s.backend = backend;
    s.threads = threads;
    bytes.add(curvature::differentiate(p, r, std::span(&weighted, 1), s, {}).cost);
    bytes.add(std::vector{curvature::residual(p, r, threads)});
  };
}

inline Solve meshSolve(Backend backend, mesh::Method method, int threads = 2) {
  const auto c = std::make_shared<mesh::MeshCase>(
      mesh::withSeeds(mesh::cubes(6, 6, 6, 1, 0.2), {{0, -1, {}, 0}, {300, -1, {}, 0.5}}));
  return [=](Bytes& bytes) {
    mesh::Problem p = c->problem;
    p.ballRadius = 2;
    mesh::Options o;
    o.backend = backend;
    o.threads = threads;
    o.method = method;
    o.seedIds = true;
    const mesh::Result r = mesh::solveMeshTravelTime(p, o, {});
    bytes.add(r.travelTime);
    bytes.add(r.seed);
    std::vector<mesh::Tip> tips(2);
    tips[0].vertex = 342, tips[1].vertex = 48;
    bytes.add(mesh::extractPaths(p, r.travelTime, tips, threads));
    bytes.add(mesh::conduction(p, r.travelTime, threads).direction);
    bytes.add(std::vector{mesh::residual(p, r.travelTime, threads)});
    for (const mesh::Location& at :
         mesh::locate(p, std::vector<Position>{{3, 3, 3}, {1, 2, 9}}, 1e-6, threads))
      bytes.add(at.cells), bytes.add(at.vertices);
  };
}

/// Derivatives of mesh travel times, and two rows of the Jacobian.
inline Solve meshDerivatives(Backend backend, int threads = 2) {
  const auto c = std::make_shared<mesh::MeshCase>(
      mesh::withSeeds(mesh::cubes(6, 6, 6, 1, 0.2), {{0, -1, {}, 0}, {300, -1, {}, 0.5}}));
  return [=](Bytes& bytes) {
    mesh::Options o;
    o.backend = backend, o.threads = threads;
    const Values<float> u = mesh::solveMeshTravelTime(c->problem, o, {}).travelTime;
    std::vector<mesh::Tip> tips(2);
    tips[0].vertex = 342, tips[1].vertex = 48;
    const std::vector<mesh::WeightedTip> weighted{{tips[0], 1}, {tips[1], -0.5}};
    const mesh::SensitivityOptions s{backend, threads};
    bytes.add(mesh::differentiate(c->problem, u, weighted, s).medium);
    bytes.add(mesh::differentiateEach(c->problem, u, tips, s).matrix.weight);
  };
}

/// Exact distances, or the first order with unfolded triangles.
inline Solve surfaceSolve(mesh::Accuracy accuracy, int threads = 2) {
  const auto c = std::make_shared<mesh::MeshCase>(
      mesh::withSeeds(mesh::squares(8, 8, 1, 0.3, 0.5), {{0, -1, {}, 0}, {40, -1, {}, 0.5}}));
  return [=](Bytes& bytes) {
    mesh::Problem p = c->problem;
    p.accuracy = accuracy;
    mesh::Options o;
    o.backend = Backend::Host;
    o.threads = threads;
    o.seedIds = true;
    const mesh::Result r = mesh::solveMeshTravelTime(p, o, {});
    bytes.add(r.travelTime);
    bytes.add(r.seed);
    std::vector<mesh::Tip> tips(2);
    tips[0].vertex = 80, tips[1].vertex = 8;
    bytes.add(mesh::extractPaths(p, r.travelTime, tips, threads));
  };
}

inline Solve raySolve(Backend backend, bool separate, int threads = 2, bool periodic = false,
                      bool tilted = false) {
  return [=](Bytes& bytes) {
    rays::Problem p;
    p.grid = {square.n, square.n, 1, 1, 1, 1};
    p.slowness = square.cost;
    p.sources = {{{5.3, 5.2, 0}, 0}, {{50, 5, 0}, 1}};
    p.periodic = {periodic, periodic, false};
    const std::vector<float> epsilon{0.2f}, delta{0.1f}, axis{0.6f, 0.8f};
    p.tilted = tilted;
    if (tilted) p.thomsen = {epsilon, delta, axis, {}};
    rays::Options o;
    o.backend = backend;
    o.threads = threads;
    o.predecessors = true;
    o.sourceIds = o.separateSources = false;
    (separate ? o.separateSources : o.sourceIds) = true;
    const rays::Result r = rays::solveRayTracing(p, o, {});
    for (std::size_t f = 0; f < r.fields.size(); ++f) {
      bytes.add(r.fields[f].travelTime);
      bytes.add(r.fields[f].predecessor);
      const std::vector<std::int32_t> sources = separate ? std::vector{std::int32_t(f)} : std::vector{0, 1};
      const auto traced =
          rays::traceRays(p, o, r.fields[f], sources, std::vector<Position>{tip, {9, 60.5, 0}});
      bytes.add(rays::rayMatrix(p, o, traced).weight);
    }
  };
}

inline Solve distanceSolve(Backend backend, int threads = 2) {
  return [=](Bytes& bytes) {
    distance::Problem p;
    p.grid = {square.n, square.n, 1, 1, 1, 1};
    p.sites = square.walls;
    distance::Options o;
    o.backend = backend;
    o.threads = threads;
    o.region = distance::Region::Signed;
    o.nearestSite = o.squaredDistance = true;
    const distance::Result r = distance::solveDistanceTransform(p, o, {});
    bytes.add(r.distance);
    bytes.add(r.nearestSite);
    const std::vector<Position> tips(2, tip);
    for (const distance::Segment& s : distance::nearestSites(p, o, r, tips)) bytes.add(std::vector{s.site});
  };
}

} // namespace isochrone
