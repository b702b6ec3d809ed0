// The update with source factoring, compiled once per instruction set; see TensorUpdate.h. The six pairs of
// neighbours of a point lie in the lanes of one vector.
#include "ImageTravelTime/Tensors/TensorUpdate.h"

#include "ImageTravelTime/Tensors/SixLanes.h"

namespace isochrone::image::ISOCHRONE_ISA {

namespace {

SeedLine<Lanes> lineFrom(const TensorSeed& seed, const TensorOffsets& offsets) {
  const auto component = [&](int c) { return *reinterpret_cast<const Six*>(offsets.component[c]); };
  return {component(0), component(1), component(2), seed};
}

class Point {
public:
  /// Reads while other threads may mark values and change flags.
  Point(const TensorView& view, std::int64_t p)
      : stencil(__atomic_load_n(&view.point[p].stencil, __ATOMIC_RELAXED)),
        offsets(view.offsets[stencil & TensorPoint::number]), u(view.value + p), own(at(0)) {
    const TensorPoint& point = view.point[p];
    if (stencil & TensorPoint::edge) sees = view.edge[point.link].sees;
    for (int r = 0; r < terms; ++r) weight[r] = point.weight[r];
    if (view.drift) setShift(view.drift[p]);
  }

  float updated(const TensorSeed& seed) const {
    const Six up = side<1>(), down = side<-1>();
    const SeedLine<Lanes> line = lineFrom(seed, offsets);
    const float v = line.applies
                        ? solveNearSeed(corrected<1>(line, up - shift), corrected<-1>(line, down + shift))
                        : solvePlain(Lanes::min(up - shift, down + shift));
    return drifts ? maximum(v, minimum(own, minimum(Lanes::min(up, down)))) : v;
  }

private:
  std::uint32_t stencil;
  const TensorOffsets& offsets;
  const float* u;
  float own; ///< the present value
  TensorSees sees = seesAll;
  Six weight{};
  Six shift{}; ///< by the drift, from the point along each offset
  bool drifts = false;

  void setShift(const TensorDrift& drift) {
    drifts = true;
    for (int a = 0; a < 3; ++a) shift += Lanes::load(offsets.component[a]) * drift.oneForm[a];
  }

  float solvePlain(Six value) const {
    if (!isAbove(value, weight, own)) return own;
    return minimum(solve(value, weight, minimum(value)), own);
  }

  float solveNearSeed(const Side& up, const Side& down) const {
    if (!isAbove(Lanes::min(up.value, down.value), weight, own)) return own;
    return minimum(solveSides(up, down, weight), own);
  }

  float at(std::int64_t distance) const {
    float value;
    __atomic_load(u + distance, &value, __ATOMIC_RELAXED);
    return __builtin_fabsf(value);
  }

  template <int sign>
  Six side() const {
    const auto value = [&](int r) { return at(sign * offsets.step[r]); };
    if ((sees & seesAll) == seesAll) {
      return Six{value(0), value(1), value(2), value(3), value(4), value(5), never, never};
    }
    Six v = Lanes::broadcast(never);
    for (int r = 0; r < terms; ++r)
      if (sees >> (sign > 0 ? r : r + terms) & 1) v[r] = value(r);
    return v;
  }
};

} // namespace

float updateTensorPointNearSeed(const TensorView& view, std::int64_t p, const TensorSeed& seed) {
  return Point(view, p).updated(seed);
}

} // namespace isochrone::image::ISOCHRONE_ISA
