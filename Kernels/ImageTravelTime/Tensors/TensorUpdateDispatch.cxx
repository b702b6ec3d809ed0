// Run-time choice of the instruction set.
#include "ImageTravelTime/Tensors/TensorUpdate.h"

#include "Execution/IsaDispatch.h"

namespace isochrone::image {

#define ISOCHRONE_DECLARE(isa)                                                                               \
  namespace isa {                                                                                            \
  void updateTensorsInPlane(const TensorView&, const std::uint32_t*, std::int64_t, float*);                  \
  void updateTensorsInSpace(const TensorView&, const std::uint32_t*, std::int64_t, float*);                  \
  void updateTensorsInPlaneDrift(const TensorView&, const std::uint32_t*, std::int64_t, float*);             \
  void updateTensorsInSpaceDrift(const TensorView&, const std::uint32_t*, std::int64_t, float*);             \
  float updateTensorPointNearSeed(const TensorView&, std::int64_t, const TensorSeed&);                       \
  void updateThomsenPoints(const ThomsenView&, const std::uint32_t*, std::int64_t, float*);                  \
  float updateThomsenPointNearSeed(const ThomsenView&, std::int64_t, const ThomsenSeed&);                    \
  }
ISOCHRONE_FOR_EACH_ISA(ISOCHRONE_DECLARE)

TensorKernels chooseTensorKernels() {
#define ISOCHRONE_TABLE(isa)                                                                                 \
  {isa::updateTensorsInPlane,      isa::updateTensorsInSpace,      isa::updateTensorsInPlaneDrift,           \
   isa::updateTensorsInSpaceDrift, isa::updateTensorPointNearSeed, isa::updateThomsenPoints,                 \
   isa::updateThomsenPointNearSeed},
  ISOCHRONE_CHOOSE_ISA(TensorKernels, ISOCHRONE_TABLE)
}

} // namespace isochrone::image
