#include "ImageTravelTime/TiltedValidation.h"

#include "Error.h"

#include <algorithm>
#include <cmath>

namespace isochrone::image {

void requireThomsenOptions(const Problem& p, const Options& options) {
  const std::int64_t points = p.grid.points();
  const auto require = [&](std::span<const float> values, std::int64_t components, const char* what) {
    const auto size = std::int64_t(values.size());
    if (size == 0 || size == components || size == points * components) return;
    throw Error(std::string(what) + " must have " + std::to_string(components) +
                (components > 1 ? " values" : " value") + " for each of " + std::to_string(points) +
                " points, or " + std::to_string(components) + " for all, got " + std::to_string(size));
  };
  require(p.thomsen.epsilon, 1, "epsilon");
  require(p.thomsen.delta, 1, "delta");
  require(p.thomsen.shear, 1, "Vs / Vp");
  require(p.thomsen.axis, driftComponents(p), "the symmetry axis");
  const char* what = hasDrift(p)          ? "a drift"
                     : options.order == 2 ? "the second order"
                     : options.factoring == SourceFactoring::Multiplicative
                         ? "multiplicative source factoring"
                         : nullptr;
  if (what)
    throw Error(std::string(what) + " is not possible in a tilted medium: choose order 1, source factoring "
                                    "Additive or Off, and no drift");
}

bool isThomsenMedium(const Problem& p, std::int64_t point) {
  const auto [epsilon, delta, ratio] = thomsenParameters(p, point);
  const double length = thomsenAxisLength(p, point);
  return faultOf(epsilon, delta, ratio) == ThomsenFault::None && length > 0 && std::isfinite(length);
}

double tangentRatio(const Problem& p, std::int64_t point) {
  if (!isTilted(p)) return 1;
  const ThomsenCurve<double> curve = thomsenAt(p, point).curve;
  const ThomsenTangent<double> first = curve.tangent(0), last = curve.tangent(1);
  const double ratio = first.along * last.across / (first.across * last.along);
  return std::max(ratio, 1 / ratio);
}

void rejectThomsen(const Problem& p, std::int64_t count, std::int64_t first, const std::string& name) {
  const auto [epsilon, delta, ratio] = thomsenParameters(p, first);
  const std::string where =
      " at " + name + (count > 1 ? ", the first of " + std::to_string(count) + " such points" : "");
  const std::string remedy = "; correct such points, or make them barriers (NaN)";
  const std::string limit = "the square of Vs / Vp, " + text(ratio * ratio) + ",";
  switch (faultOf(epsilon, delta, ratio)) {
  case ThomsenFault::Epsilon:
    throw Error("epsilon must be finite and above -0.5, got " + text(epsilon) + where + remedy);
  case ThomsenFault::Delta:
    throw Error("1 + 2 delta must be finite and above " + limit + " got delta = " + text(delta) + where +
                remedy);
  case ThomsenFault::Shear:
    throw Error("Vs / Vp must not be negative, and its square below 1 and 1 + 2 epsilon, got " + text(ratio) +
                " with epsilon = " + text(epsilon) + where + remedy);
  case ThomsenFault::Concave:
    throw Error(
        "delta is too large for epsilon: the slowness curve is not convex unless 1 + 2 delta - f is at "
        "most 4 (1 + 2 epsilon - f), with f the square of Vs / Vp; got epsilon = " +
        text(epsilon) + ", delta = " + text(delta) + ", Vs / Vp = " + text(ratio) + where + remedy);
  case ThomsenFault::None:
    break;
  }
  throw Error("the symmetry axis must be finite and not zero, got a length of 0 or infinity" + where +
              remedy);
}

} // namespace isochrone::image
