#include "Fuzz.h"
#include "OrientedCost/OrientedCost.h"
#include "Reference/OrientedCostReference.h"

#include <algorithm>
#include <deque>

namespace isochrone::fuzz {

namespace {

using namespace oriented;

/// Compares the strength derived from the cost of a few states with the reference. The reference sums over
/// all neighbouring points, so the discretisations differ by a few percent for narrow Gaussians.
void compareSomeStates(const Problem& p, const Result& r, Report& report) {
  for (std::int64_t n = 0; n < 4; ++n) {
    const std::int64_t i = n * (p.nx - 1) / 3, j = (n * 7 % 4) * (p.ny - 1) / 3;
    const int k = int(n * 5 % p.headings);
    const double cost = r.cost[std::size_t(i + p.nx * (j + p.ny * k))],
                 left = (cost - p.floor) / (p.ceiling - p.floor); // remaining share of the ceiling
    if (!(left > 0.01 && left < 0.99)) continue;
    const double strength = p.halfStrength * r.typicalStrength * std::pow(1 / left - 1, 1 / p.exponent),
                 expected = reference::tubeStrength(p, i, j, k);
    report.expect(std::abs(strength - expected) <= 0.05 * std::max(expected, r.typicalStrength),
                  "strength " + std::to_string(strength) + ", reference " + std::to_string(expected));
  }
}

/// Returns whether the reference applies: nothing outside, Gaussians that are wide relative to the grid
/// spacing and narrow relative to the image, and a cost that determines the strength.
bool isTame(const Problem& p) {
  const double h = std::max(p.hx, p.hy), size = double(std::min(p.nx, p.ny)) * std::min(p.hx, p.hy);
  const bool finite = std::ranges::all_of(p.intensity, [](float x) { return std::isfinite(x); });
  const auto fits = [&](double w) { return w >= 1.2 * h && 3 * w < size; };
  return finite && p.outside.empty() && within(p.intensity, 1e-3, 1e3) && h > 1e-3 && h < 1e3 &&
         std::min(p.hx, p.hy) > h / 2 && p.points() <= 2000 && std::ranges::all_of(p.widths, fits) &&
         p.length >= 0 && 3 * p.length < size && p.exponent > 0.3 && p.exponent < 8 &&
         p.floor < 0.1 * p.ceiling;
}

/// Cuts a box out of an array of the image.
template <class T>
std::vector<T> cut(std::span<const T> values, const Box& box, std::int64_t nx) {
  std::vector<T> out;
  for (std::int64_t j = box.j0; j < box.j1 && !values.empty(); ++j)
    out.insert(out.end(), values.begin() + nx * j + box.i0, values.begin() + nx * j + box.i1);
  return out;
}

/// Compares the bits of four parts, which meet at a random point, with those of the whole.
void compareParts(const Problem& p, const Result& whole, Draw& draw, Report& report) {
  const std::int64_t i = draw.whole(0, p.nx - 1), j = draw.whole(0, p.ny - 1);
  const Margin margin = marginOf(p);
  const Monitor monitor;
  std::vector<Box> boxes;
  for (const Box& box :
       {Box{0, i + 1, 0, j + 1}, {i, p.nx, 0, j + 1}, {0, i + 1, j, p.ny}, {i, p.nx, j, p.ny}})
    boxes.push_back(box);
  std::deque<std::vector<float>> intensities;
  std::deque<std::vector<std::uint8_t>> masks;
  std::deque<PartSolver> solvers;
  IntensityRange range;
  for (const Box& own : boxes) {
    Problem part = p;
    part.part = {own, around(own, margin.x, margin.y, p.nx, p.ny)};
    part.intensity = intensities.emplace_back(cut(p.intensity, part.given(), p.nx));
    part.outside = masks.emplace_back(cut(p.outside, part.given(), p.nx));
    range.add(solvers.emplace_back(part, 1, monitor).range());
  }
  StrengthSums sums;
  for (std::size_t n = 0; n < boxes.size(); ++n) {
    solvers[n].computeStrengths(range);
    sums.add(solvers[n].sums({boxes.data(), n}));
  }
  for (std::size_t n = 0; n < boxes.size(); ++n) {
    const Result part = solvers[n].costs(sums);
    Values<float> expected;
    for (int k = 0; k < p.headings; ++k) {
      const auto plane =
          cut(std::span<const float>(whole.cost).subspan(p.points() * k, p.points()), boxes[n], p.nx);
      expected.insert(expected.end(), plane.begin(), plane.end());
    }
    report.expect(sameBits(part.cost, expected), "different bits in part " + std::to_string(n));
  }
}

} // namespace

void fuzzOriented(Draw& draw, Report& report) {
  Problem p;
  ImageGrid g = anyGrid(draw, 3000);
  p.nx = g.nx, p.ny = g.ny * g.nz;
  p.hx = g.hx, p.hy = g.hy;
  p.headings = draw.chance(0.05) ? draw.number(-1, 4) : draw.number(4, 40);
  const int kind = draw.number(0, 6);
  const std::vector<float> intensity = anyMedium(draw, p.nx * p.ny, kind);
  std::vector<std::uint8_t> outside;
  if (draw.chance(0.4)) {
    const double share = draw.real(0, 0.6);
    outside = anyMask(draw, p.nx * p.ny, share);
  }
  p.intensity = intensity, p.outside = outside;
  p.polarity = Polarity(draw.whole(0, 1));
  const double h = std::max(p.hx, p.hy);
  for (int left = draw.number(1, 3); left > 0; --left)
    p.widths.push_back(draw.chance(0.03) ? draw.wild() : h * draw.real(0.5, 6));
  p.length = draw.chance(0.03) ? draw.wild() : h * draw.real(0, 12);
  p.halfStrength = draw.chance(0.03) ? draw.wild() : draw.power(-3, 2);
  p.exponent = draw.chance(0.03) ? draw.wild() : draw.power(-1, 1.5);
  p.floor = draw.chance(0.03) ? draw.wild() : draw.power(-6, 0);
  p.ceiling = draw.chance(0.03) ? draw.wild() : p.floor * draw.power(0, 6);
  report.describe(std::to_string(p.nx) + " x " + std::to_string(p.ny) + " points, " +
                  std::to_string(p.headings) + " headings");

  int calls = 0;
  const Monitor monitor = anyMonitor(draw, calls);
  Result one, two;
  useInstructionSet("portable");
  const std::string refusal = report.outcome([&] { one = makeOrientedCost(p, 1, monitor); });
  if (monitor.progress) return;
  const char* other = anyInstructionSet(draw);
  useInstructionSet(other);
  const std::string refusal2 = report.outcome([&] { two = makeOrientedCost(p, 2, monitor); });
  report.expect(refusal == refusal2, "refused as '" + refusal + "' and '" + refusal2 + "'");
  if (!refusal.empty()) return;
  report.expect(sameBits(one.cost, two.cost) && sameBits(one.minCost, two.minCost) &&
                    sameBits(one.heading, two.heading),
                std::string("different bits with two threads and ") + other);
  const float low = float(p.floor) * (1 - 1e-5f), high = float(p.ceiling) * (1 + 1e-5f);
  const auto bad = std::ranges::find_if(one.cost, [&](float c) { return !(c >= low && c <= high); });
  if (bad != one.cost.end())
    report.fault("cost " + std::to_string(*bad) + " is not from " + std::to_string(p.floor) + " to " +
                 std::to_string(p.ceiling));
  if (isTame(p)) compareSomeStates(p, one, report);
  compareParts(p, one, draw, report);
}

} // namespace isochrone::fuzz
