// The update of a tilted transversely isotropic medium, compiled once per instruction set; see
// ThomsenUpdate.h. The six pairs of neighbours of a point lie in the lanes of one vector.
#include "ImageTravelTime/Tensors/ThomsenUpdate.h"

#include "ImageTravelTime/Scheme/ThomsenCurve.h"
#include "ImageTravelTime/Tensors/SixLanes.h"
#include "ImageTravelTime/Tensors/TensorUpdate.h"

namespace isochrone::image::ISOCHRONE_ISA {

namespace {

inline Six six(const float (&v)[6]) { return Six{v[0], v[1], v[2], v[3], v[4], v[5], 0, 0}; }

/// The values of a point's neighbours in a piece, and the update from them.
template <bool factored>
class Piece {
public:
  Piece(const ThomsenPoint& of, const ThomsenTerms& from, const Side& upper, const Side& lower)
      : point(of), piece(from), across(six(from.across)), along(six(from.along)), up(upper), down(lower),
        earliest(minimum(Lanes::min(up.value, down.value))) {}

  /// Returns the extremum of the updates with the tangents of the piece; `own` if it is not below it. Each
  /// tangent's update leads to a tangent with a better one, until none is better.
  float updated(float own) const {
    if (!(own > earliest)) return own;
    const Six weight = weightOf(extremalAt(own));
    if (!isAbove(valueUpTo(own), weight, own)) return own;
    float best = minimum(solved(weight), own);
    for (;;) {
      const float next = minimum(solved(weightOf(extremalAt(best))), own);
      if (!(point.isMaximum ? next < best : next > best)) return best;
      best = next;
    }
  }

private:
  const ThomsenPoint& point;
  const ThomsenTerms& piece;
  Six across, along;
  Side up, down;
  float earliest;

  Six weightOf(float direction) const {
    const ThomsenTangent<float> t = point.curve.tangent(direction);
    return Lanes::max(across * t.across + along * t.along, Six{});
  }

  /// Returns the value of each pair's earlier side, of those that a solution v may use.
  Six valueUpTo(float v) const {
    if constexpr (!factored) return Lanes::min(up.value, down.value);
    return ISOCHRONE_ISA::valueUpTo(up, down, v);
  }

  float extremalAt(float v) const {
    if (!(v > earliest)) return piece.last; // rounding: a step takes less than the spacing of numbers
    // Relative to v, so that squares of late values do not overflow.
    const Six d = Lanes::max(v - valueUpTo(v), Six{}) / (v - earliest), square = d * d;
    return extremalDirection(sum(across * square), sum(along * square), piece.first, piece.last);
  }

  float solved(Six weight) const {
    if constexpr (factored) return solveSides(up, down, weight);
    const Six value = Lanes::min(up.value, down.value);
    return solve(value, weight, minimum(value));
  }
};

class Point {
public:
  Point(const ThomsenView& from, std::int64_t index)
      : view(from), point(view.point[index]), u(view.value + index), own(at(0)) {}

  float updated(const ThomsenSeed* seed) const {
    float best = point.isMaximum ? own : -never;
    for (std::uint32_t k = 0; k < point.count; ++k) {
      const ThomsenTerms& piece = view.piece[point.first + k];
      const TensorOffsets& offsets = view.offsets[piece.stencil];
      const Six up = side<1>(piece, offsets), down = side<-1>(piece, offsets);
      const float v = seed ? factored(piece, offsets, *seed, up, down)
                           : Piece<false>(point, piece, {up, up}, {down, down}).updated(own);
      best = point.isMaximum ? minimum(best, v) : maximum(best, v);
    }
    return best;
  }

private:
  const ThomsenView& view;
  const ThomsenPoint& point;
  const float* u;
  float own; ///< the present value

  float at(std::int64_t distance) const {
    float value;
    __atomic_load(u + distance, &value, __ATOMIC_RELAXED); // other threads may mark values
    return __builtin_fabsf(value);
  }

  template <int sign>
  Six side(const ThomsenTerms& piece, const TensorOffsets& offsets) const {
    Six v = Lanes::broadcast(never);
    for (int r = 0; r < terms; ++r)
      if (piece.sees >> (sign > 0 ? r : r + terms) & 1) v[r] = at(sign * offsets.step[r]);
    return v;
  }

  float factored(const ThomsenTerms& piece, const TensorOffsets& offsets, const ThomsenSeed& seed, Six up,
                 Six down) const {
    const auto component = [&](int c) { return Lanes::load(offsets.component[c]); };
    const SeedLine<Lanes> line(component(0), component(1), component(2), seed.place);
    if (!line.applies) return Piece<false>(point, piece, {up, up}, {down, down}).updated(own);
    const Side upper = corrected<1>(piece, offsets, seed, line, up),
               lower = corrected<-1>(piece, offsets, seed, line, down);
    return Piece<true>(point, piece, upper, lower).updated(own);
  }

  /// Corrects the neighbours x + e (sign 1) or x - e (sign -1), for differences of u - T: subtracts the
  /// remainder T(x + e) - T(x) - <grad T(x), e>. The plane through the seed and the line along e are those of
  /// the elliptic metric; see corrected in TensorFactoring.h.
  template <int sign>
  Side corrected(const ThomsenTerms& piece, const TensorOffsets& offsets, const ThomsenSeed& seed,
                 const SeedLine<Lanes>& line, Six value) const {
    const ThomsenArrival& here = *seed.arrival;
    Six remainder{}, later{};
    for (int r = 0; r < terms; ++r) {
      if (!(piece.sees >> (sign > 0 ? r : r + terms) & 1)) continue;
      std::int64_t step = 0;
      float slope = 0;
      for (int a = 0; a < 3; ++a) {
        const float e = float(sign) * offsets.component[a][r];
        step += std::int64_t(e) * seed.step[a];
        slope += here.slowness[a] * e;
      }
      later[r] = float(seed.arrival[step].time - here.time);
      remainder[r] = later[r] - slope;
    }
    Side side;
    side.value = value - remainder;
    const Six towards = -float(sign) * line.slope, zero{};
    const Six fromAxis = line.time * line.time * line.offset - towards * towards;
    const Six length = sign > 0 ? line.lengthUp : line.lengthDown;
    const auto inBall =
        Lanes::both(Lanes::greater(towards, zero), Lanes::greater(Lanes::broadcast(line.radius), length));
    const auto isLater = Lanes::greater(later, Lanes::broadcast(-0.001f * float(here.time)));
    const auto beyond = Lanes::both(Lanes::both(inBall, isLater),
                                    Lanes::greater(fromAxis, 0.999f * line.offset * line.offset));
    side.bound = Lanes::select(beyond, side.value, value);
    return side;
  }
};

} // namespace

void updateThomsenPoints(const ThomsenView& view, const std::uint32_t* points, std::int64_t count,
                         float* updated) {
  for (std::int64_t n = 0; n < count; ++n) updated[n] = Point(view, points[n]).updated(nullptr);
}

float updateThomsenPointNearSeed(const ThomsenView& view, std::int64_t p, const ThomsenSeed& seed) {
  return Point(view, p).updated(&seed);
}

} // namespace isochrone::image::ISOCHRONE_ISA
