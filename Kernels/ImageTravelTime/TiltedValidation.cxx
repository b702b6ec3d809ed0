#include "ImageTravelTime/TiltedValidation.h"

#include "Error.h"

#include <algorithm>
#include <string>

namespace isochrone::image {

void requireThomsenOptions(const Problem& p, const Options& options) {
  p.thomsen.requireLengths(p.grid, p.grid.points());
  const char* what = hasDrift(p)          ? "a drift"
                     : options.order == 2 ? "the second order"
                     : options.factoring == SourceFactoring::Multiplicative
                         ? "multiplicative source factoring"
                         : nullptr;
  if (what)
    throw Error(std::string(what) + " is not possible in a tilted medium: choose order 1, source factoring "
                                    "Additive or Off, and no drift");
}

double tangentRatio(const Problem& p, std::int64_t point) {
  if (!isTilted(p)) return 1;
  const ThomsenCurve<double> curve = thomsenAt(p, point).curve;
  const ThomsenTangent<double> first = curve.tangent(0), last = curve.tangent(1);
  const double ratio = first.along * last.across / (first.across * last.along);
  return std::max(ratio, 1 / ratio);
}

} // namespace isochrone::image
