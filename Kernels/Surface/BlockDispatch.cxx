// Selects the instruction set at run time.
#include "Execution/IsaDispatch.h"
#include "Surface/Blocks.h"

namespace isochrone::surface {

#define ISOCHRONE_DECLARE(isa)                                                                               \
  namespace isa {                                                                                            \
  void boundBoxes(const PieceBox*, const std::int32_t*, std::int64_t, const Corners&, double*);              \
  void boundPieces(const PieceTerms*, const std::int32_t*, std::int64_t, const Corners&, double*);           \
  void boundPart(const double*, std::int64_t, const Within&, double*);                                       \
  void findLowest(const double*, std::int64_t, std::int64_t[8]);                                             \
  std::int64_t keepNear(std::int32_t*, double*, std::int64_t, const Witnesses&);                             \
  void lower(const PieceTerms*, const double*, const std::int32_t*, std::int64_t, const Points&, double,     \
             Nearest&);                                                                                      \
  }
ISOCHRONE_FOR_EACH_ISA(ISOCHRONE_DECLARE)

BlockKernels chooseBlockKernels() {
#define ISOCHRONE_TABLE(isa)                                                                                 \
  {isa::boundBoxes, isa::boundPieces, isa::boundPart, isa::findLowest, isa::keepNear, isa::lower},
  ISOCHRONE_CHOOSE_ISA(BlockKernels, ISOCHRONE_TABLE)
}

} // namespace isochrone::surface
