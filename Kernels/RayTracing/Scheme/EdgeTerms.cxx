#include "RayTracing/Scheme/EdgeTerms.h"

#include "RayTracing/Scheme/Axes.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <tuple>

namespace isochrone::rays {

namespace {

double lengthOf(const Grid& g, const Position& from, const Position& to) {
  return std::hypot((to[0] - from[0]) * g.hx, (to[1] - from[1]) * g.hy, (to[2] - from[2]) * g.hz);
}

Position between(const Position& a, const Position& b, double t) {
  return {a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])};
}

/// Orders offsets by z, y, x: the order of summation.
struct InOrder {
  bool operator()(const Offset& a, const Offset& b) const {
    return std::tuple(a[2], a[1], a[0]) < std::tuple(b[2], b[1], b[0]);
  }
};
using PointLengths = std::map<Offset, double, InOrder>;

/// Adds the integral of the interpolated slowness along a segment, as lengths per point. Along the segment
/// the interpolation is a polynomial of degree at most three, for which two Gauss points are exact.
void addPoints(const Grid& grid, const Position& from, const Position& to, PointLengths& lengths) {
  const double length = lengthOf(grid, from, to), gauss = 0.5 / std::sqrt(3.0);
  const Position middle = between(from, to, 0.5);
  for (const double t : {0.5 - gauss, 0.5 + gauss}) {
    const Position p = between(from, to, t);
    for (int corner = 0; corner < 8; ++corner) {
      double share = 1;
      Offset sample{};
      for (int a = 0; a < 3; ++a) {
        const double base = std::floor(middle[a]), rest = p[a] - base;
        const int upper = corner >> a & 1;
        share *= upper ? rest : 1 - rest;
        sample[a] = int(base) + upper;
      }
      if (std::abs(share) > 1e-14) lengths[sample] += 0.5 * length * share; // 0 * infinity would be NaN
    }
  }
}

/// Returns the term of the cells that hold the segment: two on either side of each grid plane that contains
/// it.
Term cellTerm(const Grid& grid, const Position& from, const Position& to) {
  Term term{lengthOf(grid, from, to), 0, {}};
  std::array<int, 3> first{}, last{};
  for (int a = 0; a < 3; ++a) {
    const double middle = 0.5 * (from[a] + to[a]);
    first[a] = last[a] = int(std::floor(middle));
    const bool inPlane = from[a] == to[a] && middle == std::floor(middle);
    if (grid.sizes()[a] == 1)
      first[a] = last[a] = 0;
    else if (inPlane)
      --first[a];
  }
  for (int z = first[2]; z <= last[2]; ++z)
    for (int y = first[1]; y <= last[1]; ++y)
      for (int x = first[0]; x <= last[0]; ++x)
        if (term.count < 4) term.samples[term.count++] = {x, y, z};
  for (int i = term.count; i < 4; ++i) term.samples[i] = term.samples[term.count - 1];
  return term;
}

std::vector<Term> termsOf(const PointLengths& lengths) {
  std::vector<Term> terms;
  for (const auto& [sample, length] : lengths) terms.push_back({length, 1, {sample, sample, sample, sample}});
  return terms;
}

/// Returns the parameters in [0, 1], ends included, at which the segment from 0 to the offset crosses planes
/// of grid points.
std::vector<double> crossings(const Offset& o) {
  std::vector<double> at{0, 1};
  for (const int steps : o)
    for (int i = 1; i < std::abs(steps); ++i) at.push_back(double(i) / std::abs(steps));
  std::sort(at.begin(), at.end());
  const auto same = [](double a, double b) { return b - a < 1e-9; }; // the same corner, up to rounding
  at.erase(std::unique(at.begin(), at.end(), same), at.end());
  return at;
}

bool isForward(const Offset& o) { return std::tuple(o[2], o[1], o[0]) > std::tuple(0, 0, 0); }

std::vector<Term> termsAlong(const Grid& grid, WeightRule rule, const Offset& o) {
  const Position start{}, end{double(o[0]), double(o[1]), double(o[2])};
  const std::vector<double> at = crossings(o);
  PointLengths lengths;
  std::vector<Term> cells;
  for (std::size_t i = 0; i + 1 < at.size(); ++i) {
    const Position from = between(start, end, at[i]), to = between(start, end, at[i + 1]);
    if (rule == WeightRule::Cells)
      cells.push_back(cellTerm(grid, from, to));
    else
      addPoints(grid, from, to, lengths);
  }
  return rule == WeightRule::Cells ? cells : termsOf(lengths);
}

} // namespace

std::vector<EdgeTerms> edgeTerms(const Grid& grid, WeightRule rule, const ForwardStar& neighbours) {
  std::vector<EdgeTerms> edges;
  for (const Offset& o : neighbours.offsets) {
    const bool forward = isForward(o);
    const Offset up = forward ? o : Offset{-o[0], -o[1], -o[2]};
    EdgeTerms edge{o, lengthOf(grid, {}, {double(o[0]), double(o[1]), double(o[2])}),
                   termsAlong(grid, rule, up)};
    if (!forward) // the same sum, seen from the other end
      for (Term& term : edge.terms)
        for (Offset& sample : term.samples)
          for (int a = 0; a < 3; ++a) sample[a] += o[a];
    edges.push_back(std::move(edge));
  }
  return edges;
}

std::vector<Term> segmentTerms(const Grid& grid, WeightRule rule, const Position& from, const Position& to) {
  if (rule == WeightRule::Cells) return {cellTerm(grid, from, to)};
  PointLengths lengths;
  addPoints(grid, from, to, lengths);
  return termsOf(lengths);
}

} // namespace isochrone::rays
