// ImagePeriodicMedia.h - images with periodic axes and tensors, drifts or tilted media.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"
#include "Noise.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

namespace isochrone::image {

enum class Kind { Tensors, Drift, DriftOfTensors, Tilted };

/// A medium that varies, with its memory.
struct Medium {
  Problem problem;
  std::vector<float> speed, drift, epsilon, delta, axis;
  std::vector<std::uint8_t> barriers;

  Medium() = default;
  Medium(const Medium&) = delete;

  void view(Kind kind) {
    problem.speed = speed, problem.barriers = barriers;
    if (kind == Kind::Tensors || kind == Kind::DriftOfTensors) problem.speedType = SpeedType::MetricTensor;
    if (kind == Kind::Drift || kind == Kind::DriftOfTensors) problem.drift = drift;
    if (kind == Kind::Tilted) {
      problem.speedType = SpeedType::TiltedTransverse;
      problem.thomsen.epsilon = epsilon, problem.thomsen.delta = delta, problem.thomsen.axis = axis;
    }
  }
};

/// Adds a point: a tensor with axes of 1 and 1 / 3, turned, or speeds of 1 to 2; a drift of up to 0.7.
inline void addPoint(Medium& m, Kind kind, bool plane, std::uint64_t n) {
  const double turn = std::numbers::pi * noise(n), tip = plane ? 0 : noise(n + 7000000) - 0.5;
  const std::array<double, 3> along{std::cos(turn) * std::cos(tip), std::sin(turn) * std::cos(tip),
                                    std::sin(tip)};
  if (kind == Kind::Tensors || kind == Kind::DriftOfTensors) {
    const int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};
    for (const auto& [a, b] : pairs) {
      if (plane && (a == 2 || b == 2)) continue;
      m.speed.push_back(float((a == b ? 1 : 0) + 8 * along[std::size_t(a)] * along[std::size_t(b)]));
    }
  } else {
    m.speed.push_back(float(1 + noise(n + 1000000)));
  }
  const double drift = (kind == Kind::DriftOfTensors ? 0.3 : 0.7) * noise(n + 2000000);
  for (int a = 0; a < (plane ? 2 : 3); ++a) {
    m.drift.push_back(float(drift * along[std::size_t(a)]));
    m.axis.push_back(float(along[std::size_t(a)]));
  }
  m.epsilon.push_back(float(0.3 * noise(n + 3000000)));
  m.delta.push_back(float(0.2 * noise(n + 4000000) - 0.05));
  m.barriers.push_back(noise(n + 5000000) < 0.05);
}

struct NamedMedium {
  const char* name;
  Kind kind;
  Grid grid;
  std::array<bool, 3> periodic;
  SourceFactoring factoring;
};

inline const std::vector<NamedMedium>& periodicMedia() {
  using enum SourceFactoring;
  static const std::vector<NamedMedium> all{
      {"TensorsXY", Kind::Tensors, {33, 47, 1, 1, 1, 1}, {true, true, false}, Off},
      {"TensorsFactored", Kind::Tensors, {40, 29, 1, 1, 0.7, 1}, {true, false, false}, Additive},
      {"TensorsSmall", Kind::Tensors, {5, 9, 1, 1, 1, 1}, {true, true, true}, Off},
      {"TensorsSpace", Kind::Tensors, {16, 13, 11, 1, 1, 1.2}, {true, true, true}, Additive},
      {"Drift", Kind::Drift, {37, 29, 1, 1, 1, 1}, {true, true, false}, Additive},
      {"DriftSpace", Kind::Drift, {12, 14, 11, 1, 1, 1}, {false, true, true}, Off},
      {"DriftOfTensors", Kind::DriftOfTensors, {31, 27, 1, 1, 1, 1}, {false, true, false}, Off},
      {"Tilted", Kind::Tilted, {29, 31, 1, 1, 1, 1}, {true, true, false}, Additive},
      {"TiltedSpace", Kind::Tilted, {11, 9, 10, 1, 1, 1}, {false, false, true}, Off}};
  return all;
}

/// Makes the image of a case, with two seeds.
inline void makeTorus(Medium& m, const NamedMedium& of) {
  const Grid& grid = of.grid;
  const Kind kind = of.kind;
  const std::array<bool, 3>& periodic = of.periodic;
  const bool plane = grid.nz == 1;
  for (std::int64_t n = 0; n < grid.points(); ++n) addPoint(m, kind, plane, std::uint64_t(n));
  m.problem.grid = grid;
  m.problem.periodic = periodic;
  m.problem.seeds = {{{1, 0, 0}, 0}, {{double(grid.nx - 1) * grid.hx, double(grid.ny / 2) * grid.hy, 0}, 1}};
  for (const Seed& seed : m.problem.seeds)
    for (int step = 0; step < 27; ++step) {
      const GridIndex at{std::llround(seed.at[0] / grid.hx) + step % 3 - 1 + grid.nx,
                         std::llround(seed.at[1] / grid.hy) + step / 3 % 3 - 1 + grid.ny,
                         step / 9 - 1 + grid.nz};
      m.barriers[std::size_t(grid.index(at[0] % grid.nx, at[1] % grid.ny, at[2] % grid.nz))] = 0;
    }
  m.view(kind);
}

} // namespace isochrone::image
