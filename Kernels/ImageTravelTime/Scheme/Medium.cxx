#include "ImageTravelTime/Scheme/Medium.h"

#include <algorithm>
#include <cmath>

namespace isochrone::image {

double slownessAt(const Problem& p, std::int64_t point) {
  const double v = p.speed.empty() ? p.constantSpeed : double(p.speed[point]);
  return p.speedType == SpeedType::Slowness ? v : 1 / v;
}

Problem withoutZeroDrift(const Problem& problem) {
  Problem p = problem;
  if (std::ranges::all_of(p.drift, [](float v) { return v == 0; })) p.drift = {};
  return p;
}

namespace {

/// Returns whether a span has one value for all points.
bool isUniform(const Problem& p, std::span<const float> values, int components) {
  return std::int64_t(values.size()) == components && p.grid.points() > 1;
}

/// Returns the first component of a point's value.
const float* valueAt(const Problem& p, std::span<const float> values, int components, std::int64_t point) {
  return values.data() + (isUniform(p, values, components) ? 0 : point * components);
}

double parameterAt(const Problem& p, std::span<const float> values, std::int64_t point) {
  return values.empty() ? 0 : double(*valueAt(p, values, 1, point));
}

/// Returns the symmetry axis, of any length.
grid::Vector3 axisAt(const Problem& p, std::int64_t point) {
  const bool plane = p.grid.nz == 1;
  if (p.thomsen.axis.empty()) return plane ? grid::Vector3{0, 1, 0} : grid::Vector3{0, 0, 1};
  const float* n = valueAt(p, p.thomsen.axis, plane ? 2 : 3, point);
  return {n[0], n[1], plane ? 0. : double(n[2])};
}

} // namespace

std::array<double, 3> thomsenParameters(const Problem& p, std::int64_t point) {
  return {parameterAt(p, p.thomsen.epsilon, point), parameterAt(p, p.thomsen.delta, point),
          parameterAt(p, p.thomsen.shear, point)};
}

double thomsenAxisLength(const Problem& p, std::int64_t point) {
  const grid::Vector3 n = axisAt(p, point);
  return std::hypot(n[0], n[1], n[2]);
}

bool isThomsenBarrier(const Problem& p, std::int64_t point) {
  const auto [epsilon, delta, shear] = thomsenParameters(p, point);
  const grid::Vector3 n = axisAt(p, point);
  return std::isnan(epsilon + delta + shear) || std::isnan(n[0]) || std::isnan(n[1]) || std::isnan(n[2]);
}

ThomsenMedium thomsenAt(const Problem& p, std::int64_t point) {
  const auto [epsilon, delta, shear] = thomsenParameters(p, point);
  const GridIndex sizes = p.grid.sizes();
  const auto extended = std::ranges::count_if(sizes, [](std::int64_t n) { return n > 1; });
  ThomsenMedium medium{1 / slownessAt(p, point), curveOf(epsilon, delta, shear), axisAt(p, point)};
  for (int a = 0; a < 3 && extended == 2; ++a)
    if (sizes[a] == 1) medium.axis[a] = 0;
  const double length = std::hypot(medium.axis[0], medium.axis[1], medium.axis[2]);
  const ThomsenCurve<double> isotropic{1, 0, 1};
  if (length == 0) return {medium.speed * std::sqrt(medium.curve.across), isotropic, {0, 0, 1}};
  for (double& n : medium.axis) n /= length;
  if (extended > 1) return medium;
  grid::Vector3 line{};
  for (int a = 0; a < 3; ++a) line[a] = sizes[a] > 1;
  if (extended == 0) line[0] = 1;
  return {1 / rayAlong(medium, line).time, isotropic, {0, 0, 1}};
}

grid::Symmetric3 ellipticMetric(const ThomsenMedium& medium) {
  return grid::inverse(medium.squaredVelocity({medium.curve.across, 1}));
}

bool sameMedium(const Problem& p, std::int64_t first, std::int64_t second) {
  const auto same = [&](std::span<const float> values, int components) {
    const float* const v = values.data();
    return values.empty() || isUniform(p, values, components) ||
           std::equal(v + first * components, v + (first + 1) * components, v + second * components);
  };
  return same(p.speed, componentsOf(p)) && same(p.drift, driftComponents(p)) && same(p.thomsen.epsilon, 1) &&
         same(p.thomsen.delta, 1) && same(p.thomsen.shear, 1) && same(p.thomsen.axis, driftComponents(p));
}

double timeAlong(const Problem& p, std::int64_t point, const Position& v) {
  if (isTilted(p)) return rayAlong(thomsenAt(p, point), v).time;
  if (hasTensors(p)) return randersAt(p, point).time(v);
  return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) * slownessAt(p, point);
}

} // namespace isochrone::image
