#include "CurvaturePaths/Seeds/RefinedGrid.h"

#include "CurvaturePaths/Scheme/FieldSample.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isochrone::curvature {

namespace {

/// Travel times around a state that differ by more than this factor are not interpolated. The factor is not a
/// ratio of small whole numbers: next to the seed, travel times have such ratios, and rounding would decide.
constexpr double maxRatio = 1.55;

/// Points nearer than this to a point of a fine grid, in its steps, lie on it.
constexpr double rounding = 1e-6;

double snap(double x) { return std::abs(x - std::round(x)) < rounding ? std::round(x) : x; }

} // namespace

SeedFrame::SeedFrame(const Problem& p, const Walls& w, const State& at) : problem(p), walls(w), seed(at) {
  if (seed.anyHeading) return;
  const double turns = seed.heading / p.grid.headingStep() / p.grid.headings;
  const double steps = snap((turns - std::floor(turns)) * p.grid.headings);
  turned = (steps - std::round(steps)) * p.grid.headingStep();
  cosine = std::cos(turned), sine = std::sin(turned);
  nearest = int(std::lround(steps)) % p.grid.headings;
}

/// Returns the position of point (i, j) of a fine grid, in steps of the problem's grid.
std::array<double, 2> SeedFrame::place(const StateGrid& fine, int i, int j) const {
  const double x = (i - halfWidth) * fine.hx, y = (j - halfWidth) * fine.hy;
  return {(seed.x + cosine * x - sine * y) / problem.grid.hx,
          (seed.y + sine * x + cosine * y) / problem.grid.hy};
}

/// Returns the sample point of a fine state in the problem's fields, in grid and heading steps, inside the
/// grid.
std::array<double, 3> SeedFrame::sampleAt(const StateGrid& fine, int i, int j, int k) const {
  const auto [x, y] = place(fine, i, j);
  return {std::clamp(x, 0., double(problem.grid.nx - 1)), std::clamp(y, 0., double(problem.grid.ny - 1)),
          (k * fine.headingStep() + turned) / problem.grid.headingStep()};
}

void SeedFrame::sample(Fine& grid, const Field& from, Field& to, std::vector<float>& values) const {
  to.constant = from.constant;
  if (from.values.empty()) return;
  const StateGrid& fine = grid.problem.grid;
  const bool perState = from.isPerState(problem.grid);
  for (int k = 0; k < (perState ? fine.headings : 1); ++k)
    for (int j = 0; j < width; ++j)
      for (int i = 0; i < width; ++i) {
        const auto [x, y, h] = sampleAt(fine, i, j, k);
        values.push_back(float(sampleField(problem, walls, from, x, y, h)));
      }
  to.values = values;
}

void SeedFrame::spread(const StateGrid& fine, std::span<const double> derivatives, double factor,
                       std::span<double> perState) const {
  for (int k = 0; k < fine.headings; ++k)
    for (int j = 0; j < width; ++j)
      for (int i = 0; i < width; ++i)
        if (const double derivative = derivatives[fine.index(i, j, k)]; derivative != 0) {
          const auto [x, y, h] = sampleAt(fine, i, j, k);
          spreadSample(problem, walls, x, y, h, factor * derivative, perState);
        }
}

SeedFrame::Fine SeedFrame::fine(int finer) const {
  Fine grid;
  Problem& p = grid.problem;
  p.model = problem.model;
  p.relaxation = problem.relaxation;
  p.balancedRadius = problem.balancedRadius;
  p.grid = {width, width, problem.grid.headings * finer, problem.grid.hx / finer, problem.grid.hy / finer};
  sample(grid, problem.cost, p.cost, grid.fields[0]);
  sample(grid, problem.turningRadius, p.turningRadius, grid.fields[1]);
  sample(grid, problem.curvatureShift, p.curvatureShift, grid.fields[2]);
  bool any = false;
  for (int j = 0; j < width; ++j)
    for (int i = 0; i < width; ++i) {
      const auto [x, y] = place(p.grid, i, j);
      grid.walls.push_back((i != halfWidth || j != halfWidth) && isBlocked(problem, walls, x, y));
      any |= grid.walls.back() != 0;
    }
  if (any) p.walls = grid.walls;
  return grid;
}

SeedFrame::Mixture SeedFrame::at(const StateGrid& fine, std::span<const float> times, std::int64_t i,
                                 std::int64_t j, int k) const {
  if (walls.isWall(i, j)) return {};
  const double dx = i * problem.grid.hx - seed.x, dy = j * problem.grid.hy - seed.y;
  const double x = snap((cosine * dx + sine * dy) / fine.hx + halfWidth),
               y = snap((cosine * dy - sine * dx) / fine.hy + halfWidth),
               h = snap((k * problem.grid.headingStep() - turned) / fine.headingStep());
  if (x < 0 || y < 0 || x > width - 1 || y > width - 1) return {};
  const int i0 = std::min(int(x), width - 2), j0 = std::min(int(y), width - 2), h0 = int(std::floor(h));
  Mixture mixture;
  float largest = 0, minimum = std::numeric_limits<float>::infinity();
  std::int64_t latest = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const int a = corner & 1, b = corner >> 1 & 1, c = corner >> 2;
    const double share = (a ? x - i0 : 1 - x + i0) * (b ? y - j0 : 1 - y + j0) * (c ? h - h0 : 1 - h + h0);
    if (!(share > 0)) continue;
    const std::int64_t state =
        fine.index(i0 + a, j0 + b, ((h0 + c) % fine.headings + fine.headings) % fine.headings);
    mixture.parts[mixture.count++] = {state, share};
    if (times[state] >= largest) largest = times[state], latest = state;
    minimum = std::min(minimum, times[state]);
  }
  if (!std::isfinite(largest)) return {};
  if (largest > maxRatio * minimum) mixture = {{{{latest, 1}}}, 1};
  return mixture;
}

} // namespace isochrone::curvature
