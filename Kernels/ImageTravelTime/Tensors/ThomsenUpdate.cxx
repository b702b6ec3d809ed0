// The update of a tilted transversely isotropic medium, compiled once per instruction set; see
// ThomsenUpdate.h. The six pairs of neighbours of a point lie in the lanes of one vector.
#include "ImageTravelTime/Tensors/ThomsenUpdate.h"

#include "ImageTravelTime/Scheme/ThomsenEquation.h"
#include "ImageTravelTime/Tensors/SixLanes.h"
#include "ImageTravelTime/Tensors/TensorUpdate.h"

namespace isochrone::image::ISOCHRONE_ISA {

namespace {

inline Six six(const float (&v)[6]) { return Six{v[0], v[1], v[2], v[3], v[4], v[5], 0, 0}; }

/// The neighbours of a point in a piece, for updatedInPiece.
template <bool factored>
class Sides {
public:
  static constexpr bool bounded = factored;

  Sides(const ThomsenTerms& piece, const Side& upper, const Side& lower)
      : across(six(piece.across)), along(six(piece.along)), up(upper), down(lower),
        first(minimum(Lanes::min(up.value, down.value))) {}

  float earliest() const { return first; }

  ThomsenSums sums(float v, float limit) const {
    const Six d = Lanes::max(v - valueUpTo(limit), Six{}) / (v - first), square = d * d;
    return {sum(across * square), sum(along * square)};
  }
  Six weight(const ThomsenTangent<float>& t) const {
    return Lanes::max(across * t.across + along * t.along, Six{});
  }
  bool isAbove(float v, Six weight) const { return ISOCHRONE_ISA::isAbove(valueUpTo(v), weight, v); }

  float solved(Six weight) const {
    if constexpr (factored) return solveSides(up, down, weight);
    const Six value = Lanes::min(up.value, down.value);
    return solve(value, weight, minimum(value));
  }

private:
  Six across, along;
  Side up, down;
  float first;

  /// Returns the value of each pair's earlier side, of those that a solution v may use.
  Six valueUpTo(float v) const {
    if constexpr (!factored) return Lanes::min(up.value, down.value);
    return ISOCHRONE_ISA::valueUpTo(up, down, v);
  }
};

class Point {
public:
  Point(const ThomsenView& from, std::int64_t index)
      : view(from), point(view.point[index]), u(view.value + index), own(at(0)) {}

  float updated(const ThomsenSeed* seed) const {
    return extremumOfPieces(point, own, [&](std::uint32_t k) {
      const ThomsenTerms& piece = view.piece[k];
      const TensorOffsets& offsets = view.offsets[piece.stencil];
      const Six up = side<1>(piece, offsets), down = side<-1>(piece, offsets);
      return seed ? factored(piece, offsets, *seed, up, down) : plain(piece, up, down);
    });
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

  float plain(const ThomsenTerms& piece, Six up, Six down) const {
    return updatedInPiece(point, piece, Sides<false>(piece, {up, up}, {down, down}), own);
  }

  float factored(const ThomsenTerms& piece, const TensorOffsets& offsets, const ThomsenSeed& seed, Six up,
                 Six down) const {
    const auto component = [&](int c) { return Lanes::load(offsets.component[c]); };
    const SeedLine<Lanes> line(component(0), component(1), component(2), seed.place);
    if (!line.applies) return plain(piece, up, down);
    const Side upper = correctedSide<1>(piece, offsets, seed, line, up),
               lower = correctedSide<-1>(piece, offsets, seed, line, down);
    return updatedInPiece(point, piece, Sides<true>(piece, upper, lower), own);
  }

  template <int sign>
  Side correctedSide(const ThomsenTerms& piece, const TensorOffsets& offsets, const ThomsenSeed& seed,
                     const SeedLine<Lanes>& line, Six value) const {
    Six later{}, remainder{};
    for (int r = 0; r < terms; ++r) {
      if (!(piece.sees >> (sign > 0 ? r : r + terms) & 1)) continue;
      const auto along = [&](int a) { return float(sign) * offsets.component[a][r]; };
      const ThomsenChange change = changeAlong(seed, along(0), along(1), along(2));
      later[r] = change.later, remainder[r] = change.remainder;
    }
    return corrected<sign>(line, value, later, remainder, float(seed.arrival->time));
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
