// TensorDependence.h - the partial derivatives of the update of a point with a tensor, in double, on host and
// device.
//
// The discrete time of a point is its start value, or the minimum v with sum over the terms of weight *
// max(0, v - value)^2 = 1, where value is the time of a neighbour, near a seed with the remainder of Taylor's
// series (Scheme/TensorFactoring.h), or the time of the straight step from a neighbour on an axis. So dv /
// d(time of a neighbour) is its share weight * (v - value) / sum of these, and dv / dweight is -(v - value)^2
// / (2 * this sum). Weights are linear in the tensor.
#pragma once

#include "Execution/Scalar.h"
#include "ImageTravelTime/Scheme/TensorEquation.h"
#include "ImageTravelTime/Scheme/TensorFactoring.h"
#include "ImageTravelTime/Seeds/ClearSteps.h"
#include "ImageTravelTime/Sensitivity/TensorWeights.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

namespace isochrone::image {

/// What gives a point its time.
enum class TensorTimeFrom : std::uint8_t {
  Nothing,  ///< no neighbour is earlier, since single precision does not resolve the step
  Terms,    ///< the neighbours of its stencil, by the equation
  Bound,    ///< one later neighbour: the equation would be exceeded as soon as this neighbour counts
  Face,     ///< the straight step from a neighbour on an axis
  Start,    ///< a start value: the time along the straight line from the seed by the tensor of the point
  NearStart ///< the same by the mean of the metrics of the point and of the seed
};

struct TensorDependence {
  /// The points of a term that are used: the earlier one of the two on both sides of the point.
  struct Term {
    double share;
    std::int32_t point[2]; ///< -1: none; of two equally early ones, each has half of the share
  };
  Term term[maxTerms];        ///< share 0: nothing is used
  double value;               ///< the time, world units, since the earliest start
  grid::Symmetric3 perMetric; ///< derivative with respect to the metric of the point, world units
  TensorTimeFrom from;

  /// Calls f(point, share) for each point that is used. The shares add up to 1.
  template <class F>
  TEAM_FN void forUsed(F&& f) const {
    for (const Term& t : term) {
      if (!(t.share > 0)) continue;
      const bool both = t.point[0] >= 0 && t.point[1] >= 0;
      for (const std::int32_t used : t.point)
        if (used >= 0) f(used, both ? t.share / 2 : t.share);
    }
  }

  /// Makes the point take its time from one other point, with an offset in time.
  TEAM_FN void useOnly(std::int32_t point, double time, TensorTimeFrom how) {
    *this = {};
    term[0] = {1, {point, -1}};
    value = time, from = how;
  }
};

/// A solved image with tensors, in the memory of a host or a device.
struct SolvedTensors {
  BarrierDistances barriers;
  grid::Vector3 spacing;
  const float* tensor;               ///< per point, as in Problem::speed
  bool isInverse;                    ///< of the metric
  const float* u;                    ///< travel times
  double earliest;                   ///< start value
  const TensorSeedOf<double>* seeds; ///< per ball, relative to the first point; null: no balls
  const std::int32_t* ballOfBrick;   ///< as TensorSeeds::bricks
  std::int64_t edge;                 ///< of a brick, in points

  TEAM_FN const GridIndex& sizes() const { return barriers.sizes; }
  TEAM_FN bool isPlane() const { return sizes()[2] == 1; }
  TEAM_FN GridIndex indices(std::int64_t point) const {
    const std::int64_t row = point / sizes()[0];
    return {point - row * sizes()[0], row % sizes()[1], row / sizes()[1]};
  }
  TEAM_FN bool isReached(std::int64_t point) const {
    return std::abs(u[point]) <= std::numeric_limits<float>::max() && !barriers.isBarrier(point);
  }
  TEAM_FN double timeOf(std::int64_t point) const { return double(u[point]) - earliest; }
  TEAM_FN grid::Symmetric3 metricAt(std::int64_t point) const {
    const int components = isPlane() ? 3 : 6;
    return metricOf(tensorOf(tensor + point * components, components), isInverse, sizes());
  }

  /// Returns a ball's seed relative to a point.
  TEAM_FN TensorSeedOf<double> seedFrom(const GridIndex& at, int ball) const {
    TensorSeedOf<double> seed = seeds[ball];
    for (int a = 0; a < 3; ++a) seed.away[a] += double(at[std::size_t(a)]);
    return seed;
  }
  /// Returns the ball whose seed's straight line corrects the equation of a point; -1: none.
  TEAM_FN int ballOf(const GridIndex& at) const {
    if (!seeds) return -1;
    const std::int64_t nx = (sizes()[0] + edge - 1) / edge, ny = (sizes()[1] + edge - 1) / edge;
    const int ball = ballOfBrick[at[0] / edge + nx * (at[1] / edge + ny * (at[2] / edge))];
    if (ball < 0) return -1;
    return SeedLine<execution::ScalarOf<double>>(1, 0, 0, seedFrom(at, ball)).applies ? ball : -1;
  }
};

/// The terms of a point, and their sides by what the rounded times say: those that count before the time of
/// the point, and the others.
class TensorSides {
  using Doubles = execution::ScalarOf<double>;
  using Line = SeedLine<Doubles>;
  static constexpr double infinity = std::numeric_limits<double>::infinity();

public:
  /// A side that does not count.
  struct Later {
    int term;
    std::int32_t point;
    double value, bound; ///< since the earliest start
  };
  /// A solution of the equation.
  struct Root {
    double value = infinity;
    double slope = 0; ///< half the derivative of the left-hand side

    /// Returns false if there is none, or double precision does not resolve the step to it.
    TEAM_FN bool isResolved() const { return value < infinity && slope > 0; }
  };

  /// @param ofPoint  reached
  /// @param isClear  as in BarrierDistances
  template <class IsClear>
  TEAM_FN TensorSides(const SolvedTensors& solved, std::int64_t ofPoint, const IsClear& isClear)
      : image(solved), point(ofPoint), at(solved.indices(ofPoint)),
        gridTensor(gridTensorOf(solved.metricAt(ofPoint), solved.sizes(), solved.spacing)),
        terms(gridTensor, solved.isPlane()) {
    const int ball = image.ballOf(at);
    const TensorSeedOf<double> seed = ball < 0 ? TensorSeedOf<double>{} : image.seedFrom(at, ball);
    for (int r = 0; r < terms.count; ++r) {
      const grid::Vector3 e = terms.vectorOf(r);
      lowest[r] = infinity;
      if (r < maxTerms) earlier[r][0] = earlier[r][1] = -1;
      if (image.isPlane() && e[2] != 0) continue;
      const Line line(e[0], e[1], e[2], seed);
      for (int side = 0; side < 2; ++side) addSide(r, side, ball < 0 ? nullptr : &line, isClear);
    }
  }

  /// Returns whether no point of the stencil lies outside the image or behind a barrier.
  TEAM_FN bool seesAll() const { return sees; }
  TEAM_FN std::span<const Later> laterSides() const { return {later, std::size_t(laters)}; }
  /// Returns whether the point may have its time from the bound of a later side, which has the same time.
  TEAM_FN bool mayBeBound() const {
    bool may = false;
    for (int n = 0; n < laters; ++n) may = may || image.u[later[n].point] == image.u[point];
    return may;
  }

  TEAM_FN Root solve() const { return solve(lowest); }

  /// Returns the solution if the later sides up to a bound count, too.
  TEAM_FN double valueWith(double bound) const {
    double values[maxTerms];
    for (int r = 0; r < maxTerms; ++r) values[r] = lowest[r];
    for (int n = 0; n < laters; ++n)
      if (later[n].bound <= bound)
        values[later[n].term] = Doubles::min(values[later[n].term], later[n].value);
    return solve(values).value;
  }

  /// Returns the derivatives of a resolved solution. Also terms of weight 0 have one: they are used as soon
  /// as the tensor turns.
  TEAM_FN TensorDependence differentiate(const Root& root) const {
    TensorDependence d{};
    d.from = TensorTimeFrom::Terms;
    d.value = root.value;
    grid::Symmetric3 sum{};
    for (int r = 0; r < terms.count; ++r) {
      const double fall = root.value - lowest[r];
      if (!(fall > 0)) continue;
      grid::add(sum, -fall * fall / (2 * root.slope), terms.perTensor[r]);
      if (r < maxTerms) d.term[r] = {terms.weight[r] * fall / root.slope, {earlier[r][0], earlier[r][1]}};
    }
    d.perMetric = perMetricOf(gridTensor, sum, image.sizes(), image.spacing);
    return d;
  }

private:
  const SolvedTensors& image;
  std::int64_t point;
  GridIndex at;
  grid::Symmetric3 gridTensor;
  TensorWeights terms;
  double lowest[TensorWeights::maximum]; ///< value of the earlier side that counts; +infinity: none
  std::int32_t earlier[maxTerms][2];     ///< its point on each side; -1: not there
  Later later[2 * maxTerms];
  int laters = 0;
  bool sees = true;

  template <class IsClear>
  TEAM_FN void addSide(int term, int side, const Line* line, const IsClear& isClear) {
    const bool counts = terms.hasWeight(term);
    const auto to =
        std::int32_t(image.barriers.seen(point, at, terms.offset[term], side == 0 ? 1 : -1, isClear));
    if (to < 0) sees = sees && !counts;
    if (to < 0 || !image.isReached(to)) return;
    const double time = image.timeOf(to);
    TensorSide<Doubles> from{time, time};
    if (line) from = side == 0 ? corrected<1>(*line, time) : corrected<-1>(*line, time);
    const bool liesBeyond = from.bound != time; // counts from its value on
    if (!liesBeyond && !(time < image.timeOf(point))) {
      if (line && counts) later[laters++] = {term, to, from.value, from.bound};
      return;
    }
    if (from.value > lowest[term]) return;
    if (term < maxTerms) {
      if (from.value < lowest[term]) earlier[term][0] = earlier[term][1] = -1;
      earlier[term][side] = to;
    }
    lowest[term] = from.value;
  }

  TEAM_FN Root solve(const double* values) const {
    Root root;
    double earliestValue = infinity;
    for (int r = 0; r < maxTerms; ++r)
      if (terms.weight[r] > 0) earliestValue = Doubles::min(earliestValue, values[r]);
    if (earliestValue == infinity) return root;
    double value[maxTerms], used[maxTerms];
    for (int r = 0; r < maxTerms; ++r) {
      const bool counts = values[r] < infinity && terms.weight[r] > 0;
      value[r] = counts ? values[r] : earliestValue, used[r] = counts ? terms.weight[r] : 0;
    }
    root.value = solveTerms<Doubles, false, maxTerms>(value, used, value).value;
    for (int r = 0; r < maxTerms; ++r) root.slope += used[r] * Doubles::max(0, root.value - value[r]);
    return root;
  }
};

/// Replaces the dependence of a point that does not see all points of its stencil by the straight step from a
/// neighbour on an axis, if this is faster.
TEAM_FN void applyFaces(const SolvedTensors& image, std::int64_t point, TensorDependence& d) {
  const GridIndex at = image.indices(point);
  const grid::Symmetric3 metric = image.metricAt(point);
  for (std::size_t a = 0; a < 3; ++a)
    for (const int sign : {-1, 1}) {
      GridIndex to = at;
      to[a] += sign;
      if (to[a] < 0 || to[a] >= image.sizes()[a]) continue;
      const std::int64_t neighbour = image.barriers.index(to);
      if (!image.isReached(neighbour) || !(image.u[neighbour] < image.u[point])) continue;
      const double slowness = std::sqrt(metric[a]), h = image.spacing[a],
                   value = image.timeOf(neighbour) + h * slowness;
      if (d.from != TensorTimeFrom::Nothing && !(value < d.value)) continue;
      d.useOnly(std::int32_t(neighbour), value, TensorTimeFrom::Face);
      d.perMetric[a] = h / (2 * slowness);
    }
}

} // namespace isochrone::image
