// RaysInParts.h - rays through the parts of a divided image.
#pragma once

#include "Paths/TrailRelay.h"
#include "RayTracing/Scheme/WholeImage.h"

#include <cstdint>
#include <vector>

namespace isochrone::rays {

/// The points of a ray, traced from its receiver to its start.
struct RayTrail {
  std::int32_t ray;
  std::vector<std::int64_t> points; ///< numbers in the whole image, the last one of the ray first
  std::vector<double> times;        ///< at these points, or at all but the last one, which is in another part
  std::int32_t source = unknown;    ///< see Ray::source
  double startTime = 0;
  std::vector<int> way; ///< see TrailRelay

  static constexpr std::int32_t unknown = -2;
};

class RaysInParts : public TrailRelay<RayTrail> {
public:
  explicit RaysInParts(const Problem& problem);

private:
  bool hasEnded(const RayTrail& trail) const override;
  GridIndex next(const RayTrail& trail) const override;
  void put(const RayTrail& trail, Numbers& message) const override;
  RayTrail taken(Numbers::const_iterator& at) const override;

  const Problem& problem;
};

} // namespace isochrone::rays
