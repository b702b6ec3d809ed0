// The choice of the instruction set, made when the program runs.
#include "MeshTravelTime/Host/RelaxStarDispatch.h"

#include "Execution/HostIsa.h"

namespace isochrone::mesh {

#define ISOCHRONE_DECLARE(isa)                                                                               \
  namespace isa {                                                                                            \
  void spreadTimes(Star&);                                                                                   \
  double relaxStar(Star&, double);                                                                           \
  std::uint32_t wakeStar(const Star&, float);                                                                \
  }
ISOCHRONE_FOR_EACH_ISA(ISOCHRONE_DECLARE)

StarKernels chooseStarKernels() {
  switch (execution::chooseHostIsa()) {
#define ISOCHRONE_CHOOSE(isa)                                                                                \
  case execution::HostIsa::isa:                                                                              \
    return {isa::spreadTimes, isa::relaxStar, isa::wakeStar};
    ISOCHRONE_FOR_EACH_ISA(ISOCHRONE_CHOOSE)
  }
  __builtin_unreachable();
}

} // namespace isochrone::mesh
