// Run-time choice of the instruction set.
#include "ImageTravelTime/Host/TileSweep.h"

#include "Execution/IsaDispatch.h"

namespace isochrone::image {

#define ISOCHRONE_DECLARE(isa)                                                                               \
  namespace isa {                                                                                            \
  void sweepPlaneTiles(const TileField&, TileBatch&, float*);                                                \
  void sweepSpaceTiles(const TileField&, TileBatch&, float*);                                                \
  }
ISOCHRONE_FOR_EACH_ISA(ISOCHRONE_DECLARE)

TileSweepKernels chooseTileSweepKernels() {
#define ISOCHRONE_TABLE(isa) {isa::sweepPlaneTiles, isa::sweepSpaceTiles, #isa},
  ISOCHRONE_CHOOSE_ISA(TileSweepKernels, ISOCHRONE_TABLE)
}

} // namespace isochrone::image
