// Chooses the instruction set at run time.
#include "CurvaturePaths/Host/SectorSweep.h"

#include "Execution/IsaDispatch.h"

namespace isochrone::curvature {

#define ISOCHRONE_DECLARE(isa)                                                                               \
  namespace isa {                                                                                            \
  float takeChanges(const SectorView&, int, int, int, float);                                                \
  void sweepRow(const SectorView*, int, int, int, int, SweepState&);                                         \
  }
ISOCHRONE_FOR_EACH_ISA(ISOCHRONE_DECLARE)

SectorKernels chooseSectorKernels() {
#define ISOCHRONE_TABLE(isa) {isa::takeChanges, isa::sweepRow, #isa},
  ISOCHRONE_CHOOSE_ISA(SectorKernels, ISOCHRONE_TABLE)
}

} // namespace isochrone::curvature
