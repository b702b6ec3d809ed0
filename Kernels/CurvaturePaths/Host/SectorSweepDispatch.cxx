// The choice of the instruction set, made when the program runs.
#include "CurvaturePaths/Host/SectorSweep.h"

#include "Execution/HostIsa.h"

namespace isochrone::curvature {

#define ISOCHRONE_DECLARE(isa)                                                                               \
  namespace isa {                                                                                            \
  float takeChanges(const SectorView&, int, float);                                                          \
  void sweepSector(const SectorView*, int, SweepState&);                                                     \
  }
ISOCHRONE_FOR_EACH_ISA(ISOCHRONE_DECLARE)

HostSweep chooseHostSweep() {
  switch (execution::chooseHostIsa()) {
#define ISOCHRONE_CHOOSE(isa)                                                                                \
  case execution::HostIsa::isa:                                                                              \
    return {isa::takeChanges, isa::sweepSector, #isa};
    ISOCHRONE_FOR_EACH_ISA(ISOCHRONE_CHOOSE)
  }
  __builtin_unreachable();
}

} // namespace isochrone::curvature
