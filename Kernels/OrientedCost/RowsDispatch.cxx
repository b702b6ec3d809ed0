// Run-time choice of the instruction set.
#include "OrientedCost/Rows.h"

#include "Execution/IsaDispatch.h"

namespace isochrone::oriented {

#define ISOCHRONE_DECLARE(isa)                                                                               \
  namespace isa {                                                                                            \
  void weigh(const float*, const Taps&, float*, std::int64_t);                                               \
  void raise(const float*, const Taps&, float*, std::int64_t);                                               \
  void steer(const float* const[3], const float[3], float*, std::int64_t);                                   \
  }
ISOCHRONE_FOR_EACH_ISA(ISOCHRONE_DECLARE)

RowKernels chooseRowKernels() {
#define ISOCHRONE_TABLE(isa) {isa::weigh, isa::raise, isa::steer, #isa},
  ISOCHRONE_CHOOSE_ISA(RowKernels, ISOCHRONE_TABLE)
}

} // namespace isochrone::oriented
