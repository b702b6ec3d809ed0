// Run-time choice of the instruction set.
#include "ImageTravelTime/Host/TileSweep.h"

#include "Execution/IsaDispatch.h"

namespace isochrone::image {

#define ISOCHRONE_DECLARE(isa)                                                                               \
  namespace isa {                                                                                            \
  void sweepTiles(const TileField&, TileBatch&, float*);                                                     \
  }
ISOCHRONE_FOR_EACH_ISA(ISOCHRONE_DECLARE)

SweepTiles chooseTileSweep() {
#define ISOCHRONE_TABLE(isa) isa::sweepTiles,
  ISOCHRONE_CHOOSE_ISA(SweepTiles, ISOCHRONE_TABLE)
}

} // namespace isochrone::image
