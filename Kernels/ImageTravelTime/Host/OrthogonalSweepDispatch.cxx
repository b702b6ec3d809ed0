// Run-time choice of the instruction set.
#include "ImageTravelTime/Host/OrthogonalSweep.h"

#include "Execution/IsaDispatch.h"

namespace isochrone::image {

#define ISOCHRONE_DECLARE(isa)                                                                               \
  namespace isa {                                                                                            \
  void sweepOrthogonalTiles(const TileField&, TileBatch&, const OrthogonalBatch&, float*);                   \
  }
ISOCHRONE_FOR_EACH_ISA(ISOCHRONE_DECLARE)

SweepOrthogonalTiles chooseOrthogonalSweep() {
#define ISOCHRONE_TABLE(isa) isa::sweepOrthogonalTiles,
  ISOCHRONE_CHOOSE_ISA(SweepOrthogonalTiles, ISOCHRONE_TABLE)
}

} // namespace isochrone::image
