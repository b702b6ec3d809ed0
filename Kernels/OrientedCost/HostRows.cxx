// The choice of the instruction set, made when the program runs.
#include "OrientedCost/Rows.h"

#include "Execution/HostIsa.h"

namespace isochrone::oriented {

#define ISOCHRONE_DECLARE(isa)                                                                               \
  namespace isa {                                                                                            \
  void weigh(const float*, const Taps&, float*, std::int64_t);                                               \
  void raise(const float*, const Taps&, float*, std::int64_t);                                               \
  void steer(const float* const[3], const float[3], float*, std::int64_t);                                   \
  }
ISOCHRONE_FOR_EACH_ISA(ISOCHRONE_DECLARE)

HostRows chooseHostRows() {
  switch (execution::chooseHostIsa()) {
#define ISOCHRONE_CHOOSE(isa)                                                                                \
  case execution::HostIsa::isa:                                                                              \
    return {isa::weigh, isa::raise, isa::steer, #isa};
    ISOCHRONE_FOR_EACH_ISA(ISOCHRONE_CHOOSE)
  }
  __builtin_unreachable();
}

} // namespace isochrone::oriented
