#include "OrientedCost/Filters.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace isochrone::oriented {

namespace {

constexpr double lineDeviations = 3;

/// Maximum distance of the samples along a heading, in widths. An image smoothed by a Gaussian of standard
/// deviation w has almost no waves shorter than 1.25 w: samples at this distance lose 1e-4 of the second
/// derivative.
constexpr double sampleDistance = 1.25;

/// Computes the weights of the points -1, 0, 1, 2 in the cubic through them at `at`, from 0 to 1. A mean of
/// two points would smooth the image across the heading, along some headings more than along others.
void cubicWeights(double at, double (&weight)[4]) {
  weight[0] = -at * (at - 1) * (at - 2) / 6;
  weight[1] = (at + 1) * (at - 1) * (at - 2) / 2;
  weight[2] = -(at + 1) * at * (at - 2) / 2;
  weight[3] = (at + 1) * at * (at - 1) / 6;
}

/// A number of steps that is whole up to rounding is taken as whole; otherwise the unit of length would
/// decide which points are used.
constexpr double rounding = 1e-9;

int wholeSteps(double steps) { return int(steps * (1 + rounding)); }

/// Reduces i modulo 2 n to a position from -n to n: mirrors at both ends of n points repeat the image every 2
/// n points.
int nearest(std::int64_t i, std::int64_t n) {
  return int(i - 2 * n * std::llround(double(i) / double(2 * n)));
}

double snapped(double steps) {
  return std::abs(steps - std::round(steps)) < rounding ? std::round(steps) : steps;
}

} // namespace

int gaussianReach(double deviation, double h, std::int64_t n) {
  return int(std::min(std::ceil(gaussianDeviations * deviation / h * (1 - rounding)), double(n)));
}

Gaussian gaussian(double deviation, double h, std::int64_t n) {
  Gaussian g;
  const int whole = gaussianReach(deviation, h, std::numeric_limits<int>::max());
  g.reach = gaussianReach(deviation, h, n);
  const auto at = [&](int i) { return i * h / deviation; }; // in standard deviations
  double sum = 0, secondMoment = 0, fourthMoment = 0;
  const auto density = [&](int i) { return std::exp(-at(i) * at(i) / 2); };
  for (int i = -whole; i <= whole; ++i) {
    const double x2 = at(i) * at(i), w = density(i);
    sum += w, secondMoment += w * x2, fourthMoment += w * x2 * x2;
  }
  secondMoment /= sum, fourthMoment /= sum;
  std::vector<double> folded[3];
  for (auto& derivative : folded) derivative.assign(std::size_t(2 * g.reach + 1), 0);
  for (int i = -whole; i <= whole; ++i) {
    const double w = density(i) / sum, x = at(i);
    const double curvature = 2 * (x * x - secondMoment) / (fourthMoment - secondMoment * secondMoment);
    const double weight[3] = {w, w * x / (secondMoment * deviation), w * curvature / (deviation * deviation)};
    const int place = i < -g.reach || i > g.reach ? nearest(i, n) : i;
    const bool shared = whole > g.reach && std::abs(place) == g.reach; // both ends show the same point
    for (int order = 0; order < 3; ++order)
      for (const int end : {place, shared ? -place : place})
        folded[order][std::size_t(end + g.reach)] += weight[order] / 2;
  }
  for (int order = 0; order < 3; ++order)
    g.derivative[order].assign(folded[order].begin(), folded[order].end());
  return g;
}

int lineReach(double length, double h, std::int64_t n) {
  constexpr int interpolation = 1; // a sample before the last point reads two points beyond itself
  return int(std::min(std::ceil(lineDeviations * length / h * (1 - rounding)) + interpolation, double(n)));
}

std::vector<LineTap> lineTaps(const grid::Direction& heading, double hx, double hy, double width,
                              double length) {
  // Samples once per row or once per column, whichever the line crosses more often.
  const double di = heading.x / hx, dj = heading.y / hy;
  const bool alongI = std::abs(di) >= std::abs(dj);
  const double slope = alongI ? dj / di : di / dj, worldStep = 1 / std::max(std::abs(di), std::abs(dj));
  const int step = std::max(1, wholeSteps(std::min(sampleDistance * width, length) / worldStep));
  const int samples = wholeSteps(lineDeviations * length / (step * worldStep));
  std::vector<LineTap> taps;
  double sum = 0;
  for (int m = -samples; m <= samples; ++m) {
    const double along = m * step * worldStep;
    const double weight = length > 0 ? std::exp(-along * along / (2 * length * length)) : 1;
    sum += weight;
    const int major = m * step;
    const double minor = snapped(slope * major), below = std::floor(minor);
    double cubic[4];
    cubicWeights(minor - below, cubic);
    for (int c = 0; c < 4; ++c) {
      if (cubic[c] == 0) continue;
      const int other = int(below) + c - 1;
      taps.push_back({alongI ? major : other, alongI ? other : major, float(weight * cubic[c])});
    }
  }
  for (LineTap& tap : taps) tap.weight = float(tap.weight / sum);
  return taps;
}

std::vector<LineTap> folded(std::vector<LineTap> taps, std::int64_t nx, std::int64_t ny) {
  const auto beyond = [&](const LineTap& tap) { return std::abs(tap.i) > nx || std::abs(tap.j) > ny; };
  if (std::ranges::none_of(taps, beyond)) return taps;
  std::map<std::array<int, 2>, double> weights;
  for (const LineTap& tap : taps) weights[{nearest(tap.j, ny), nearest(tap.i, nx)}] += tap.weight;
  taps.clear();
  for (const auto& [place, weight] : weights) taps.push_back({place[1], place[0], float(weight)});
  return taps;
}

} // namespace isochrone::oriented
