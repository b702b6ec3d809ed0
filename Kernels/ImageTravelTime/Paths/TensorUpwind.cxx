#include "ImageTravelTime/Paths/TensorUpwind.h"

#include "ImageTravelTime/Paths/TiltedUpwind.h"
#include "ImageTravelTime/Scheme/Medium.h"
#include "ImageTravelTime/Seeds/LineOfSight.h"

#include <algorithm>
#include <cmath>

namespace isochrone::image {

namespace {

grid::Offset times(int sign, const grid::Offset& e) { return {sign * e[0], sign * e[1], sign * e[2]}; }

/// Finds the neighbour on an axis with the minimum sum of travel time and time along the step.
void findFace(const Problem& p, std::span<const float> u, std::int64_t point, TensorUpwind& upwind) {
  const Grid& g = p.grid;
  const Position h = g.spacing();
  for (int axis = 0; axis < 3; ++axis)
    for (const int sign : {-1, 1}) {
      grid::Offset step{};
      Position vector{};
      step[axis] = sign, vector[axis] = -sign * h[axis]; // from the neighbour to the point
      const std::int64_t to = neighbourAt(g, point, step);
      if (to < 0 || isBarrier(p, to)) continue;
      if (const double via = u[to] + timeAlong(p, point, vector); via < upwind.viaFace)
        upwind.viaFace = via, upwind.face = {step, to, 0, 0};
    }
}

double sumOfSquares(const TensorUpwind& upwind, std::span<const float> u, std::int64_t point) {
  double sum = 0;
  for (const TensorNeighbour& n : upwind)
    sum += n.weight * std::pow(std::max(0., double(u[point]) - n.valueIn(u)), 2);
  return sum;
}

/// Returns g, world units, from D g in grid steps. In a tilted medium D is the sum of the stencil's terms.
std::array<double, 3> gradientOf(const Problem& p, std::int64_t point, const TensorStencil& stencil,
                                 const grid::Vector3& flow) {
  const Position h = p.grid.spacing();
  const grid::Symmetric3 d = isTilted(p) ? sumOfTerms(p.grid, stencil) : gridTensorAt(p, point);
  grid::Vector3 gradient = grid::times(grid::inverse(d), flow);
  for (int a = 0; a < 3; ++a) gradient[a] /= h[a];
  return gradient;
}

} // namespace

TensorNeighbours tensorNeighbours(const Problem& p, std::span<const float> u, std::int64_t point) {
  TensorNeighbours found;
  if (isTilted(p)) {
    const TiltedUpwind upwind = tiltedUpwind(p, u, point);
    found.stencil = upwind.stencil, found.seesAll = upwind.seesAll;
  } else {
    found.stencil = stencilAt(p, point);
  }
  const GridCoordinates from = gridCoordinates(p.grid.indices(point));
  const grid::Vector3 oneForm = oneFormAt(p, point);
  const Position h = p.grid.spacing();
  for (const TensorTerm& term : found.stencil)
    for (const int sign : {1, -1}) {
      const grid::Offset step = times(sign, term.offset);
      const std::int64_t to = neighbourAt(p.grid, point, step);
      if (to >= 0 && isClear(p, from, gridCoordinates(p.grid.indices(to))))
        found.neighbour[found.count++] = {
            step, to, term.weight, grid::dot(oneForm, {step[0] * h[0], step[1] * h[1], step[2] * h[2]})};
    }
  found.seesAll = found.seesAll && found.count == 2 * found.stencil.count;
  return found;
}

TensorUpwind tensorUpwind(const Problem& p, std::span<const float> u, std::int64_t point) {
  TensorUpwind upwind;
  const TensorNeighbours neighbours = tensorNeighbours(p, u, point);
  upwind.stencil = neighbours.stencil;
  for (const TensorNeighbour& n : neighbours) {
    TensorNeighbour* last = upwind.count > 0 ? &upwind.term[upwind.count - 1] : nullptr;
    const bool otherSide = last && last->step == times(-1, n.step);
    if (!otherSide)
      upwind.term[upwind.count++] = n;
    else if (n.valueIn(u) < last->valueIn(u))
      *last = n;
  }
  if (!neighbours.seesAll) findFace(p, u, point, upwind);
  return upwind;
}

double earliestNeighbour(const Problem& p, std::span<const float> u, std::int64_t point) {
  if (isTilted(p)) return earliestOfPieces(p, u, point);
  double earliest = std::numeric_limits<double>::infinity();
  for (const TensorNeighbour& n : tensorNeighbours(p, u, point))
    earliest = std::min(earliest, double(u[n.point]));
  return earliest;
}

double tensorUpdate(const Problem& p, const TensorUpwind& upwind, std::span<const float> u,
                    std::int64_t point) {
  if (isTilted(p)) return std::min(upwind.viaFace, tiltedUpwind(p, u, point).value);
  std::array<std::pair<double, double>, maxTerms> terms; // value, weight
  int count = 0;
  for (const TensorNeighbour& n : upwind)
    if (std::isfinite(u[n.point])) terms[count++] = {n.valueIn(u), n.weight};
  double best = upwind.viaFace;
  for (int k = 0; k < count; ++k) { // a set of the earliest terms attains the minimum
    const double last = terms[k].first;
    double a = 0, b = 0, c = -1, pressure = 0; // relative to the last value used
    for (int n = 0; n < count; ++n) {
      const auto [m, w] = terms[n];
      if (m > last) continue;
      a += w, b += w * (m - last), c += w * (m - last) * (m - last), pressure += w * (m - last) * (m - last);
    }
    if (pressure < 1) best = std::min(best, last + (b + std::sqrt(std::max(0., b * b - a * c))) / a);
  }
  return best;
}

std::array<double, 3> tensorGradient(const Problem& p, std::span<const float> u, std::int64_t point) {
  if (!std::isfinite(u[point])) return {};
  const TensorUpwind upwind = tensorUpwind(p, u, point);
  // The offsets used give <e, g> with g the gradient minus the one-form, and sum of w e <e, g> = D g.
  grid::Vector3 flow{};
  bool isLater = false; // than a neighbour that it uses
  for (const TensorNeighbour& n : upwind) {
    const double fall = std::max(0., double(u[point]) - n.valueIn(u));
    for (int a = 0; a < 3; ++a) flow[a] -= n.weight * fall * n.step[a];
    isLater = isLater || (fall > 0 && u[n.point] < u[point]);
  }
  if (isLater) {
    const grid::Vector3 g = gradientOf(p, point, upwind.stencil, flow), oneForm = oneFormAt(p, point);
    return {g[0] + oneForm[0], g[1] + oneForm[1], g[2] + oneForm[2]};
  }
  // Only the neighbours on the axes are earlier.
  const Position h = p.grid.spacing();
  std::array<double, 3> gradient{};
  if (upwind.face.point >= 0)
    for (int a = 0; a < 3; ++a)
      gradient[a] = -std::max(0., double(u[point]) - u[upwind.face.point]) * upwind.face.step[a] / h[a];
  return gradient;
}

std::array<double, 3> centralTensorGradient(const Problem& p, std::span<const float> u, std::int64_t point) {
  if (!std::isfinite(u[point])) return {};
  grid::Vector3 flow{};
  bool isLater = false; // than a neighbour, without which a drift has no direction
  const TensorNeighbours neighbours = tensorNeighbours(p, u, point);
  for (const TensorNeighbour& n : neighbours)
    isLater = isLater || (u[n.point] < u[point] && n.valueIn(u) < u[point]);
  for (int n = 0; n < neighbours.count; ++n) {
    const TensorNeighbour& one = neighbours.neighbour[n];
    double slope = std::max(0., double(u[point]) - one.valueIn(u)); // towards it the travel time falls
    if (n + 1 < neighbours.count && neighbours.neighbour[n + 1].step == times(-1, one.step)) {
      const TensorNeighbour& other = neighbours.neighbour[++n];
      const double fall = double(u[point]) - one.valueIn(u), otherFall = double(u[point]) - other.valueIn(u);
      const double size = std::abs(fall), otherSize = std::abs(otherFall);
      if (fall * otherFall < 0 && size < 2 * otherSize && otherSize < 2 * size)
        slope = (fall - otherFall) / 2;
      else
        slope = fall > otherFall ? std::max(0., fall) : -std::max(0., otherFall);
    }
    for (int a = 0; a < 3; ++a) flow[a] -= one.weight * slope * one.step[a];
  }
  if (isLater && flow != grid::Vector3{}) return gradientOf(p, point, neighbours.stencil, flow);
  const std::array<double, 3> gradient = tensorGradient(p, u, point);
  return gradient == grid::Vector3{} ? gradient : grid::difference(gradient, oneFormAt(p, point));
}

grid::Symmetric3 tangentMetric(const Problem& p, std::int64_t point, const grid::Vector3& gradient) {
  const ThomsenMedium medium = thomsenAt(p, point);
  if (gradient == grid::Vector3{}) return ellipticMetric(medium);
  return grid::inverse(medium.squaredVelocity(medium.curve.tangent(medium.directionOf(gradient))));
}

std::int64_t earlierPoint(const Problem& p, std::span<const float> u, std::int64_t point) {
  const TensorUpwind upwind = tensorUpwind(p, u, point);
  // The straight step was taken where the terms do not explain the value.
  if (upwind.face.point >= 0 && u[upwind.face.point] < u[point] && sumOfSquares(upwind, u, point) < 0.999)
    return upwind.face.point;
  std::int64_t best = point;
  double largest = 0;
  for (const TensorNeighbour& n : upwind) {
    const double fall = double(u[point]) - n.valueIn(u);
    const bool isEarlier = u[n.point] < u[point]; // in a drift a later point may count, but one is earlier
    if (isEarlier && fall > 0 && n.weight * fall * fall > largest)
      largest = n.weight * fall * fall, best = n.point;
  }
  return best;
}

} // namespace isochrone::image
