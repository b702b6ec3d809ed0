// Selects the instruction set at run time.
#include "RayTracing/Host/RelaxTileDispatch.h"

#include "Execution/IsaDispatch.h"

namespace isochrone::rays {

#define ISOCHRONE_DECLARE(isa)                                                                               \
  namespace isa {                                                                                            \
  template <class Real>                                                                                      \
  void relaxTile(TileWork<Real>&);                                                                           \
  template <class Real>                                                                                      \
  void findEarlier(const TileWork<Real>&, std::uint16_t*);                                                   \
  }
ISOCHRONE_FOR_EACH_ISA(ISOCHRONE_DECLARE)

template <class Real>
TileKernels<Real> chooseTileKernels() {
#define ISOCHRONE_TABLE(isa) {isa::relaxTile<Real>, isa::findEarlier<Real>},
  ISOCHRONE_CHOOSE_ISA(TileKernels<Real>, ISOCHRONE_TABLE)
}
template TileKernels<float> chooseTileKernels();
template TileKernels<double> chooseTileKernels();

} // namespace isochrone::rays
