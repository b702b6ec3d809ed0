// Claims about invariance: travel times do not depend on numbering, place, rotation and units of a mesh, for
// every type of speed and every method.
#include "MeshTravelTimeChecks.h"

#include <algorithm>

using namespace isochrone;
using namespace isochrone::mesh;

namespace {

using Matrix = std::array<std::array<double, 3>, 3>;
using Vector = std::array<double, 3>;

Vector times(const Matrix& a, const Vector& x) {
  Vector y{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) y[i] += a[i][j] * x[j];
  return y;
}

void turnEach(const Matrix& a, std::vector<double>& vectors) {
  for (std::size_t i = 0; i < vectors.size(); i += 3) {
    const Vector y = times(a, {vectors[i], vectors[i + 1], vectors[i + 2]});
    std::copy(y.begin(), y.end(), vectors.begin() + std::ptrdiff_t(i));
  }
}

/// Applies a m a^T to tensors with components xx yy zz xy yz xz. If a has one number in each row, no sum is
/// rounded.
void turnTensors(const Matrix& a, std::vector<double>& tensors) {
  constexpr int place[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
  for (std::size_t t = 0; t < tensors.size(); t += 6) {
    std::array<double, 6> m{};
    for (int i = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j)
        for (int k = 0; k < 3; ++k)
          for (int l = 0; l < 3; ++l)
            m[std::size_t(place[i][j])] += a[i][k] * tensors[t + std::size_t(place[k][l])] * a[j][l];
    std::copy(m.begin(), m.end(), tensors.begin() + std::ptrdiff_t(t));
  }
}

/// Rotates (or mirrors) everything that has a direction.
MeshCase turned(MeshCase c, const Matrix& a) {
  turnEach(a, c.points), turnEach(a, c.fibre), turnEach(a, c.sheet);
  turnTensors(a, c.tensor);
  for (Seed& s : c.problem.seeds) s.at = times(a, s.at);
  c.link();
  return c;
}

MeshCase moved(MeshCase c, const Vector& by) {
  for (std::size_t i = 0; i < c.points.size(); ++i) c.points[i] += by[i % 3];
  for (Seed& s : c.problem.seeds)
    for (int a = 0; a < 3; ++a) s.at[a] += by[a];
  c.link();
  return c;
}

/// Reorders the cells with their values.
MeshCase shuffled(MeshCase c) {
  Dice dice{31};
  std::vector<std::int64_t> from(std::size_t(c.cellCount()));
  std::iota(from.begin(), from.end(), 0);
  dice.shuffle(from);
  const auto move = [&](auto& values, std::size_t components) {
    const auto old = values;
    for (std::size_t t = 0; t < from.size(); ++t)
      std::copy_n(old.begin() + std::ptrdiff_t(components * std::size_t(from[t])), components,
                  values.begin() + std::ptrdiff_t(components * t));
  };
  const Problem& p = c.problem;
  move(c.cells, 4);
  if (!c.hidden.empty()) move(c.hidden, 1);
  if (!c.speed.empty() && !p.speed.ofVertices) move(c.speed, std::size_t(p.speed.components));
  if (!c.fibre.empty() && !p.fibre.ofVertices) move(c.fibre, 3);
  if (!c.sheet.empty() && !p.sheet.ofVertices) move(c.sheet, 3);
  if (!c.tensor.empty() && !p.tensor.ofVertices) move(c.tensor, 6);
  for (Seed& s : c.problem.seeds)
    if (s.cell >= 0) s.cell = std::find(from.begin(), from.end(), s.cell) - from.begin();
  c.link();
  return c;
}

constexpr Matrix mirror{{{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr Matrix quarterTurn{{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}};
constexpr Matrix otherAxes{{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}};

/// Returns an orthogonal matrix: 2 v v^T / |v|^2 - 1.
Matrix halfTurn(const Vector& v) {
  const double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
  Matrix a;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) a[i][j] = 2 * v[i] * v[j] / square - (i == j);
  return a;
}

class MeshTravelTimeUnchanged : public testing::TestWithParam<std::string> {
protected:
  MeshCase make() const {
    MeshCase c = meshMakerOf(GetParam()).make();
    c.name = GetParam();
    return c;
  }
  const MeshCase c = make();
  const Values<float> expected = solve(c, onHost()).travelTime;
  const double last = latest(expected, c.problem.timeOrigin);

  /// Solves with all methods, on several threads, and expects the times multiplied by `factor`.
  /// @param off  tolerance relative to the latest time; 0: the same bits
  void expectTimes(const MeshCase& other, const std::string& what, double factor, double off) const {
    std::vector<double> all(expected.begin(), expected.end());
    const double origin = c.problem.timeOrigin;
    for (double& t : all)
      if (factor != 1) t = origin + factor * (t - origin);
    for (const Method method :
         {Method::Band, Method::PlainFim, Method::DecomposedManyBlocks, Method::DecomposedOneBlock}) {
      const int threads = 1 + int(method) % 3;
      expectEach(other, what + ", method " + std::to_string(int(method)),
                 solve(other, onHost(threads, method)).travelTime, all, within(off * factor * last));
    }
  }
};

} // namespace

TEST_P(MeshTravelTimeUnchanged, ByTheOrderOfCells) {
  expectTimes(shuffled(make()), "cells in another order", 1, 0);
}

TEST_P(MeshTravelTimeUnchanged, ByMirrors) { expectTimes(turned(make(), mirror), "mirrored", 1, 0); }

TEST_P(MeshTravelTimeUnchanged, UpToRoundingByRotations) {
  expectTimes(turned(make(), quarterTurn), "a quarter turn", 1, 1e-6);
  expectTimes(turned(make(), otherAxes), "other axes", 1, 1e-6);
  expectTimes(turned(make(), halfTurn({0.3, -0.5, 0.8})), "half a turn round an oblique axis", 1, 1e-6);
}

TEST_P(MeshTravelTimeUnchanged, UpToRoundingByTranslations) {
  expectTimes(moved(make(), {-1, 2, 0.5}), "moved", 1, 1e-6);
  expectTimes(moved(make(), {1000, -300, 0.1}), "moved far", 1, 1e-6);
}

TEST_P(MeshTravelTimeUnchanged, UpToScaleByUnits) {
  if (c.problem.timeOrigin != 0 || c.problem.seeds.size() > 1) return; // start times do not scale
  expectTimes(scaled(make(), 0x1p-7), "a power of two", 0x1p-7, 0);
  for (const double factor : {0.1, 3.7, 1e9}) expectTimes(scaled(make(), factor), "scaled", factor, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Meshes, MeshTravelTimeUnchanged,
                         testing::Values("Everything", "Isotropic", "TenToOneRough", "Tensors",
                                         "TensorsOfVertices", "SpeedsAtRandom", "SpeedsOfVertices", "Layers",
                                         "Conductivities", "Holes", "Slivers", "Flat", "SamePointTwice",
                                         "TrianglesInSpace", "SeedsInCells", "ManySeeds"),
                         [](const auto& info) { return info.param; });
