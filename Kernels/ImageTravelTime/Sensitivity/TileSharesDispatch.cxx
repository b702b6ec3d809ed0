// Run-time choice of the instruction set.
#include "ImageTravelTime/Sensitivity/TileShares.h"

#include "Execution/IsaDispatch.h"

namespace isochrone::image {

#define ISOCHRONE_DECLARE(isa)                                                                               \
  namespace isa {                                                                                            \
  void findTileShares(TileShares&);                                                                          \
  }
ISOCHRONE_FOR_EACH_ISA(ISOCHRONE_DECLARE)

FindTileShares chooseTileShares() {
#define ISOCHRONE_TABLE(isa) isa::findTileShares,
  ISOCHRONE_CHOOSE_ISA(FindTileShares, ISOCHRONE_TABLE)
}

} // namespace isochrone::image
