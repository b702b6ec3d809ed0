// The choice of the instruction set, made when the program runs.
#include "RayTracing/Host/RelaxTileDispatch.h"

#include "Execution/HostIsa.h"

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
  switch (execution::chooseHostIsa()) {
#define ISOCHRONE_CHOOSE(isa)                                                                                \
  case execution::HostIsa::isa:                                                                              \
    return {isa::relaxTile<Real>, isa::findEarlier<Real>};
    ISOCHRONE_FOR_EACH_ISA(ISOCHRONE_CHOOSE)
  }
  __builtin_unreachable();
}
template TileKernels<float> chooseTileKernels();
template TileKernels<double> chooseTileKernels();

} // namespace isochrone::rays
