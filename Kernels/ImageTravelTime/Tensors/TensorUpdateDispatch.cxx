// The choice of the instruction set, made when the program runs.
#include "ImageTravelTime/Tensors/TensorUpdate.h"

#include "Execution/HostIsa.h"

namespace isochrone::image {

#define ISOCHRONE_DECLARE(isa)                                                                               \
  namespace isa {                                                                                            \
  float updateTensorPoint(const TensorView&, std::int64_t);                                                  \
  float updateTensorPointNearSeed(const TensorView&, std::int64_t, const TensorSeed&);                       \
  }
ISOCHRONE_FOR_EACH_ISA(ISOCHRONE_DECLARE)

HostTensorUpdate chooseHostTensorUpdate() {
  switch (execution::chooseHostIsa()) {
#define ISOCHRONE_CHOOSE(isa)                                                                                \
  case execution::HostIsa::isa:                                                                              \
    return {isa::updateTensorPoint, isa::updateTensorPointNearSeed};
    ISOCHRONE_FOR_EACH_ISA(ISOCHRONE_CHOOSE)
  }
  __builtin_unreachable();
}

} // namespace isochrone::image
