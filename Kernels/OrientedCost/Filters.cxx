#include "OrientedCost/Filters.h"

#include <algorithm>
#include <cmath>

namespace isochrone::oriented {

namespace {

constexpr double lineDeviations = 3;

/// An image smoothed by a Gaussian of standard deviation w has next to nothing of waves shorter than 1.25 w:
/// samples so far apart lose 1e-4 of the second derivative.
constexpr double sampleDistance = 1.25;

/// Weights of the points -1, 0, 1, 2 in the cubic through them at `at`, from 0 to 1. A mean of two points
/// would smooth the image across the heading, along some headings more than along others.
void cubicWeights(double at, double (&weight)[4]) {
  weight[0] = -at * (at - 1) * (at - 2) / 6;
  weight[1] = (at + 1) * (at - 1) * (at - 2) / 2;
  weight[2] = -(at + 1) * at * (at - 2) / 2;
  weight[3] = (at + 1) * at * (at - 1) / 6;
}

/// A number of steps that is whole to rounding is whole: else the unit of length would decide which points
/// count.
constexpr double rounding = 1e-9;

int wholeSteps(double steps) { return int(steps * (1 + rounding)); }

double snapped(double steps) {
  return std::abs(steps - std::round(steps)) < rounding ? std::round(steps) : steps;
}

} // namespace

int gaussianReach(double deviation, double h) {
  return int(std::ceil(gaussianDeviations * deviation / h * (1 - rounding)));
}

Gaussian gaussian(double deviation, double h) {
  Gaussian g;
  g.reach = gaussianReach(deviation, h);
  const auto at = [&](int i) { return i * h / deviation; }; // in standard deviations
  double sum = 0, secondMoment = 0, fourthMoment = 0;
  const auto density = [&](int i) { return std::exp(-at(i) * at(i) / 2); };
  for (int i = -g.reach; i <= g.reach; ++i) {
    const double x2 = at(i) * at(i), w = density(i);
    sum += w, secondMoment += w * x2, fourthMoment += w * x2 * x2;
  }
  secondMoment /= sum, fourthMoment /= sum;
  for (int i = -g.reach; i <= g.reach; ++i) {
    const double w = density(i) / sum, x = at(i);
    g.derivative[0].push_back(float(w));
    g.derivative[1].push_back(float(w * x / (secondMoment * deviation)));
    const double curvature = 2 * (x * x - secondMoment) / (fourthMoment - secondMoment * secondMoment);
    g.derivative[2].push_back(float(w * curvature / (deviation * deviation)));
  }
  return g;
}

std::vector<LineTap> lineTaps(const grid::Direction& heading, double hx, double hy, double width,
                              double length) {
  // From row to row or from column to column, whichever the line crosses more often.
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

} // namespace isochrone::oriented
