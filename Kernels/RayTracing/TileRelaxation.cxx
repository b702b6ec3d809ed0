// The choice of the instruction set, made when the program runs.
#include "RayTracing/TileRelaxation.h"

#include "Execution/HostIsa.h"

namespace isochrone::rays {

#define ISOCHRONE_DECLARE(isa)                                                                               \
  namespace isa {                                                                                            \
  template <class Real>                                                                                      \
  void relaxTile(TileWork<Real>&);                                                                           \
  }
ISOCHRONE_FOR_EACH_ISA(ISOCHRONE_DECLARE)

template <class Real>
RelaxTile<Real> chooseRelaxTile() {
  switch (execution::chooseHostIsa()) {
#define ISOCHRONE_CHOOSE(isa)                                                                                \
  case execution::HostIsa::isa:                                                                              \
    return isa::relaxTile<Real>;
    ISOCHRONE_FOR_EACH_ISA(ISOCHRONE_CHOOSE)
  }
  __builtin_unreachable();
}
template RelaxTile<float> chooseRelaxTile();
template RelaxTile<double> chooseRelaxTile();

} // namespace isochrone::rays
