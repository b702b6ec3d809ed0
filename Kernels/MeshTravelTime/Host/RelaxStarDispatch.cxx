// Selects the instruction set at run time.
#include "MeshTravelTime/Host/RelaxStarDispatch.h"

#include "Execution/IsaDispatch.h"

namespace isochrone::mesh {

#define ISOCHRONE_DECLARE(isa)                                                                               \
  namespace isa {                                                                                            \
  void spreadTimes(Star&);                                                                                   \
  double relaxStar(Star&, double);                                                                           \
  std::uint32_t wakeStar(const Star&, float);                                                                \
  }
ISOCHRONE_FOR_EACH_ISA(ISOCHRONE_DECLARE)

StarKernels chooseStarKernels() {
#define ISOCHRONE_TABLE(isa) {isa::spreadTimes, isa::relaxStar, isa::wakeStar},
  ISOCHRONE_CHOOSE_ISA(StarKernels, ISOCHRONE_TABLE)
}

} // namespace isochrone::mesh
