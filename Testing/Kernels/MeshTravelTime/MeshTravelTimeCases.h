// MeshTravelTimeCases.h - meshes for the tests of mesh travel times: many shapes and special cases.
#pragma once

#include "MeshTravelTimeMeshes.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace isochrone::mesh {

struct MeshCaseMaker {
  std::string name;
  std::function<MeshCase()> make;
};

/// Returns a mesh that combines all difficulties; the sanitizers run it.
inline MeshCase everything() {
  MeshCase c = withHiddenCells(withFibres(cubes(9, 8, 7, 0.1, 0.25), 3, 1), 0.08);
  c.problem.velocities = {0.6, 0.3, 0.2};
  for (std::int64_t t = 0; t < c.cellCount(); ++t) {
    c.speed.push_back(t % 17 ? 1 + 0.5 * noise(std::uint64_t(t)) : 0);
    for (const double x : {0.3, 0.4, 1 + noise(3 * std::uint64_t(t))}) c.sheet.push_back(x);
  }
  c = beside(std::move(c), cubes(1, 1, 2, 0.2, 0), 2);
  for (std::int64_t t = c.cellCount() - 12; t < c.cellCount(); ++t) {
    for (const double x : {1., 0., 0.}) c.fibre.push_back(x);
    for (const double x : {0., 1., 0.}) c.sheet.push_back(x);
    c.speed.push_back(1), c.hidden.push_back(0);
  }
  c.problem.seeds = {{3}, {-1, 1000, {}, -0.7}, {400, -1, {}, 0.1}, {720, -1, {}, 5}};
  c.link();
  c.problem.seeds[1].at = c.middle(1000);
  c.hidden[1000] = 0, c.speed[1000] = 1;
  c.problem.timeOrigin = -0.7;
  std::vector<std::int64_t> number;
  return renumbered(permuted(std::move(c)), number);
}

inline const std::vector<MeshCaseMaker>& meshCaseMakers() {
  static const std::vector<MeshCaseMaker> makers = [] {
    std::vector<MeshCaseMaker> all{
        {"Everything", everything},
        // The paper's application: fibres that turn, weakly and strongly anisotropic.
        {"Regular", [] { return cubes(9, 9, 9, 1 / 9., 0); }},
        {"Isotropic", [] { return cubes(9, 9, 9, 1 / 9., 0.2); }},
        {"ThreeToOne", [] { return withFibres(cubes(9, 9, 9, 1 / 9., 0.2), 3, 1); }},
        {"TenToOne", [] { return withFibres(cubes(9, 9, 9, 1 / 9., 0.2), 10, 1); }},
        {"TenToOneRough", [] { return withFibres(cubes(8, 6, 9, 0.1, 0.35), 10, 1); }},
        {"FromTheMiddle",
         [] {
           return withSeeds(withFibres(cubes(10, 10, 10, 0.1, 0.2), 3, 1), {{665, -1, {}, 12.5}});
         }},
        // Speeds.
        {"Tensors", [] { return withTensors(cubes(9, 9, 9, 1, 0.2), 0.5, 3); }},
        {"TensorsOfVertices", [] { return withTensors(cubes(8, 9, 7, 1, 0.2), 0.3, 3, true); }},
        {"SpeedsAtRandom",
         [] {
           return withSpeed(cubes(9, 9, 9, 1, 0.2), false,
                            [](auto t, auto&) { return 0.1 + noise(std::uint64_t(t)); });
         }},
        {"SpeedsOfVertices",
         [] {
           return withSpeed(cubes(9, 9, 9, 1, 0.2), true,
                            [](auto v, auto&) { return 0.1 + noise(std::uint64_t(v)); });
         }},
        {"Layers", // a fast layer far from the seed, so waves return
         [] {
           return withSpeed(cubes(14, 6, 10, 0.1, 0.2), false,
                            [](auto, auto& x) { return x[2] > 0.7 && x[2] < 0.8 ? 50. : 0.5; });
         }},
        {"Conductivities",
         [] {
           MeshCase c = withFibres(cubes(8, 8, 8, 0.125, 0.2), 0, 0);
           c.problem.speedType = SpeedType::Conductivities, c.problem.velocityScale = 0.4;
           c.problem.velocities = {0.34, 0.06, 0.05};
           return c;
         }},
        // Barriers.
        {"Holes", [] { return withHiddenCells(cubes(10, 9, 8, 0.1, 0.2), 0.4); }},
        {"Maze", // slow walls, and closed ones with gaps at alternate ends
         [] {
           return withSpeed(cubes(12, 5, 12, 1 / 12., 0), false, [](auto, auto& x) {
             const int row = int(12 * x[2]);
             const bool wall = row % 2 == 1, gap = row % 4 == 1 ? x[0] < 0.1 : x[0] > 0.9;
             return wall && !gap ? 0. : row % 3 == 1 ? 0.01 : 1.;
           });
         }},
        {"TwoParts",
         [] { return withSeeds(beside(cubes(4, 4, 4, 1, 0.2), cubes(3, 3, 3, 1, 0.2), 9), {{7}}); }},
        {"SeedInEachPart", [] { return beside(cubes(4, 4, 4, 1, 0.2), cubes(3, 3, 3, 7, 0.2), 99); }},
        {"VerticesWithoutCells",
         [] {
           MeshCase c = cubes(5, 4, 3, 1, 0.2);
           for (int i = 0; i < 30; ++i) c.points.push_back(0.1 * i);
           c.link();
           return c;
         }},
        // Degenerate shapes.
        {"Slivers", [] { return flattened(cubes(8, 8, 9, 0.1, 0.2), 0.35, 0.6, 0.02); }},
        {"Flat", [] { return flattened(cubes(8, 8, 9, 0.1, 0), 0.35, 0.6, 0); }},
        {"SamePointTwice",
         [] {
           MeshCase c = cubes(6, 6, 6, 1, 0.2);
           for (const std::int64_t v : {100, 150, 200, 250})
             for (int a = 0; a < 3; ++a) c.at(v + 1, a) = c.at(v, a);
           return c;
         }},
        {"CollapsedCells",
         [] {
           MeshCase c = cubes(6, 6, 6, 1, 0.2);
           for (std::int64_t t = 0; t < c.cellCount(); t += 3)
             c.cells[std::size_t(4 * t + t % 4)] = c.cells[std::size_t(4 * t + (t + 1) % 4)];
           c.problem.seeds = {{171}};
           return c;
         }},
        // Small meshes.
        {"OneCube", [] { return cubes(1, 1, 1, 1, 0); }},
        {"OneTetrahedron", [] { return withSeeds(wheel(1), {{1}}); }},
        {"OneTriangle",
         [] {
           MeshCase c = squares(1, 1, 1, 0.3, 0.2);
           c.cells.resize(4);
           c.link();
           return c;
         }},
        // Triangles.
        {"Triangles", [] { return squares(40, 30, 0.03, 0.2, 0); }},
        {"TrianglesInSpace", [] { return withTensors(squares(30, 30, 0.03, 0.3, 0.2), 0.3, 2); }},
        {"TrianglesOnTetrahedra", // that share only one vertex
         [] {
           MeshCase c = beside(cubes(4, 4, 4, 0.1, 0.2), squares(10, 10, 0.1, 0.2, 0.1), 0.4);
           for (std::int64_t& v : c.cells)
             if (v == 125) v = 124;
           return withSeeds(std::move(c), {{0}});
         }},
        // Seeds and start times.
        {"SeedsInCells",
         [] {
           MeshCase c = withTensors(cubes(7, 7, 7, 0.1, 0.2), 0.5, 2);
           c.problem.seeds = {{-1, 1000, c.middle(1000), 0.25}, {-1, 77, c.at(c.cells[4 * 77]), 0}, {300}};
           return c;
         }},
        {"ManySeeds",
         [] {
           MeshCase c = withFibres(cubes(8, 8, 8, 0.1, 0.2), 3, 1);
           std::vector<Seed> seeds;
           for (std::int64_t v = 0; v < c.vertexCount(); v += 3)
             seeds.push_back({v, -1, {}, 3 * noise(std::uint64_t(v)) - 2});
           return withSeeds(std::move(c), std::move(seeds));
         }},
        {"LateSeed",
         [] {
           return withSeeds(cubes(6, 6, 6, 1, 0.2), {{0}, {342, -1, {}, 100}});
         }},
        // Units.
        {"Micrometres", [] { return scaled(withFibres(cubes(7, 7, 7, 0.1, 0.2), 3, 1), 1e-6); }},
        {"Kilometres", [] { return scaled(withFibres(cubes(7, 7, 7, 0.1, 0.2), 3, 1), 1e7); }},
    };
    for (const int n :
         {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 100, 127, 128, 129, 200, 257, 1000})
      all.push_back({"Wheel" + std::to_string(n), [=] { return wheel(n); }});
    return all;
  }();
  return makers;
}

inline std::vector<std::string> meshCaseNames() {
  std::vector<std::string> names;
  for (const MeshCaseMaker& maker : meshCaseMakers()) names.push_back(maker.name);
  return names;
}

inline const MeshCaseMaker& meshMakerOf(const std::string& name) {
  const auto maker = std::ranges::find(meshCaseMakers(), name, &MeshCaseMaker::name);
  if (maker == meshCaseMakers().end()) throw std::out_of_range("no case is called " + name);
  return *maker;
}

} // namespace isochrone::mesh
