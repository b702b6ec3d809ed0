// The choice of the instruction set, made when the program runs.
#include "ImageTravelTime/Host/TileSweep.h"

#include "Execution/HostIsa.h"

namespace isochrone::image {

#define ISOCHRONE_DECLARE(isa)                                                                               \
  namespace isa {                                                                                            \
  void sweepPlaneTiles(const TileField&, TileBatch&, float*);                                                \
  void sweepSpaceTiles(const TileField&, TileBatch&, float*);                                                \
  }
ISOCHRONE_FOR_EACH_ISA(ISOCHRONE_DECLARE)

HostTileSweep chooseHostTileSweep() {
  switch (execution::chooseHostIsa()) {
#define ISOCHRONE_CHOOSE(isa)                                                                                \
  case execution::HostIsa::isa:                                                                              \
    return {isa::sweepPlaneTiles, isa::sweepSpaceTiles, #isa};
    ISOCHRONE_FOR_EACH_ISA(ISOCHRONE_CHOOSE)
  }
  __builtin_unreachable();
}

} // namespace isochrone::image
