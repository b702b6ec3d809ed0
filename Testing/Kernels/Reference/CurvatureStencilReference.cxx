// CurvatureStencilReference.cxx - the differences of the four models, written from the formulas of each, and
// the wall test.
#include "Reference/CurvatureReference.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace isochrone::reference {

namespace {

using Vector = std::array<double, 3>;
using Step = std::array<int, 3>;

double dot(const Vector& v, const Step& e) { return v[0] * e[0] + v[1] * e[1] + v[2] * e[2]; }

/// <a, D b> for D = (1 - eps^2) v v^T + eps^2 |v|^2 diag(1, 1, share).
struct Relaxed {
  Vector v;
  double eps2, norm2, share;

  double operator()(const Step& a, const Step& b) const {
    const double product = double(a[0]) * b[0] + double(a[1]) * b[1] + share * double(a[2]) * b[2];
    return (1 - eps2) * dot(v, a) * dot(v, b) + eps2 * norm2 * product;
  }
};

/// Runs Selling's algorithm, starting with the worst pair; returns the obtuse superbase.
std::array<Step, 4> obtuseSuperbase(const Relaxed& d) {
  std::array<Step, 4> b{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, -1, -1}}};
  for (int step = 0; step < 1000; ++step) {
    int worstI = 0, worstJ = 1;
    for (int i = 0; i < 4; ++i)
      for (int j = i + 1; j < 4; ++j)
        if (d(b[i], b[j]) > d(b[worstI], b[worstJ])) worstI = i, worstJ = j;
    if (d(b[worstI], b[worstJ]) <= 1e-13 * d.norm2) break;
    const Step flipped = b[worstI];
    for (int i = 0; i < 4; ++i)
      for (int c = 0; c < 3; ++c) {
        if (i == worstI)
          b[i][c] = -flipped[c];
        else if (i != worstJ)
          b[i][c] += flipped[c];
      }
  }
  return b;
}

/// Appends multiplier * (differences along v), forward or symmetric.
/// @param share  relative weight of turns in the relaxation: headings are divided by its root
void addAlong(std::vector<Difference>& out, const Vector& v, double relaxation, double multiplier,
              bool symmetric, int scheme, double share) {
  const double norm2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2] / share;
  const Relaxed d{v, relaxation * relaxation, norm2, share};
  const std::array<Step, 4> b = obtuseSuperbase(d);
  for (int i = 0; i < 4; ++i)
    for (int j = i + 1; j < 4; ++j) {
      // The offset of pair (i, j) is orthogonal to the other two vectors.
      const int k = i != 0 && j != 0 ? 0 : (i != 1 && j != 1 ? 1 : 2), l = 6 - i - j - k;
      const Step &p = b[k], &q = b[l];
      Step e{p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
      const double weight = -d(b[i], b[j]), along = dot({v[0], v[1], v[2] / share}, e);
      const double length2 = double(e[0]) * e[0] + double(e[1]) * e[1] + double(e[2]) * e[2] / share;
      if (weight < 2.2e-13 * norm2) continue;
      // Prunes offsets at an angle of atan(1 / sqrt 2) or more to v.
      if (along * along / (norm2 * length2) < 2. / 3 + 1e-6) continue;
      if (along > 0) e = {-e[0], -e[1], -e[2]};
      out.push_back({e, multiplier * weight, symmetric, scheme});
    }
}

} // namespace

std::vector<Difference> differences(const curvature::Problem& problem, int k, double xi, double phi) {
  const curvature::StateGrid& grid = problem.grid;
  const double angleStep = 2 * std::numbers::pi / grid.headings, theta = k * angleStep;
  const double mx = std::cos(theta) / grid.hx, my = std::sin(theta) / grid.hy, eps = problem.relaxation;
  const auto turning = [&](double kappa) { return kappa / angleStep; };
  const auto share = [&](double kappa, double factor = 1) {
    const bool balanced = problem.balancedRadius > 0 && factor != 0;
    return balanced ? std::max(0.125, std::abs(kappa / factor * problem.balancedRadius)) : 1;
  };

  std::vector<Difference> out;
  switch (problem.model) {
  case curvature::Model::ReedsShepp:
  case curvature::Model::ReedsSheppForward:
    addAlong(out, {mx, my, turning(phi)}, eps, 1, problem.model == curvature::Model::ReedsShepp, 0,
             share(phi, 0));
    out.push_back({{0, 0, 1}, 1 / std::pow(xi * angleStep, 2), true, 0});
    break;
  case curvature::Model::Dubins:
    addAlong(out, {mx, my, turning(phi + 1 / xi)}, eps, 1, false, 0, share(phi + 1 / xi));
    addAlong(out, {mx, my, turning(phi - 1 / xi)}, eps, 1, false, 1, share(phi - 1 / xi));
    break;
  case curvature::Model::Elastica:
    // 3/4 int_0^pi max(0, a sin t + b cos t)^2 sin t dt; weights of Fejer's first rule with five nodes.
    const double fejer[] = {0.16778122846668317, 0.52555210486664982, 0.61333333333333333,
                            0.52555210486664982, 0.16778122846668317};
    for (int l = 0; l < 5; ++l) {
      const double t = std::numbers::pi * (l + 0.5) / 5, s = std::sin(t), c = std::cos(t);
      addAlong(out, {s * mx, s * my, turning(s * phi + c / xi)}, eps, 0.75 * fejer[l], false, 0,
               share(phi + c / s / xi, l == 2 ? 0 : c / s));
    }
  }
  return out;
}

std::vector<std::array<int, 2>> touchedPixels(int ex, int ey) {
  // The segment is (ex, ey) t / scale with 0 <= t <= scale. It is within half a pixel of (i, j) along an axis
  // while t is between two integers, since the scale contains the other axis' extent and the factor 2 of the
  // half.
  const int ax = std::max(1, std::abs(ex)), ay = std::max(1, std::abs(ey)), scale = 2 * ax * ay;
  const auto clip = [](int extent, int other, int pixel, int& first, int& last) {
    if (extent == 0) {
      if (pixel != 0) last = first - 1;
      return;
    }
    if (extent < 0) pixel = -pixel;
    first = std::max(first, (2 * pixel - 1) * other);
    last = std::min(last, (2 * pixel + 1) * other);
  };
  std::vector<std::array<int, 2>> pixels;
  for (int j = -ay - 1; j <= ay + 1; ++j)
    for (int i = -ax - 1; i <= ax + 1; ++i) {
      int first = 0, last = scale;
      clip(ex, ay, i, first, last);
      clip(ey, ax, j, first, last);
      if (first <= last && (i != 0 || j != 0)) pixels.push_back({i, j});
    }
  return pixels;
}

const std::vector<char>& FreeSteps::of(int ex, int ey) {
  const auto [entry, isNew] = tables.try_emplace({ex, ey});
  std::vector<char>& free = entry->second;
  if (!isNew) return free;

  const std::int64_t nx = problem.grid.nx, ny = problem.grid.ny;
  const auto inside = [&](std::int64_t i, std::int64_t j) { return i >= 0 && j >= 0 && i < nx && j < ny; };
  const auto pixels = problem.walls.empty() ? std::vector<std::array<int, 2>>{} : touchedPixels(ex, ey);
  free.assign(nx * ny, 0);
  for (std::int64_t j = 0; j < ny; ++j)
    for (std::int64_t i = 0; i < nx; ++i)
      free[i + nx * j] =
          inside(i + ex, j + ey) && std::none_of(pixels.begin(), pixels.end(), [&](const auto& p) {
            return inside(i + p[0], j + p[1]) && problem.walls[i + p[0] + nx * (j + p[1])];
          });
  return free;
}

} // namespace isochrone::reference
