#include "ImageTravelTime/Scheme/Barriers.h"

#include "ImageTravelTime/Scheme/Tensors.h"
#include "ImageTravelTime/Validation.h"

#include <cmath>

namespace isochrone::image {

bool isBarrier(const Problem& p, std::int64_t point) {
  if (!p.barriers.empty() && p.barriers[point]) return true;
  if (p.speed.empty()) return false;
  if (hasTensors(p)) return isTensorBarrier(p, point);
  const float v = p.speed[point];
  return !(v > 0) || (p.speedType == SpeedType::Slowness && std::isinf(v));
}

} // namespace isochrone::image
