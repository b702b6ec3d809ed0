// Selects the instruction set at run time.
#include "DistanceTransform/Host/Passes.h"

#include "Execution/IsaDispatch.h"

namespace isochrone::distance {

#define ISOCHRONE_DECLARE(isa)                                                                               \
  namespace isa {                                                                                            \
  void stepsToFirst(const std::uint8_t*, std::int64_t, std::int64_t, std::int64_t, bool, std::uint8_t*);     \
  template <class T>                                                                                         \
  std::int64_t bandScratch(std::int64_t, std::int64_t, bool);                                                \
  template <class T>                                                                                         \
  std::int64_t tileScratch(std::int64_t, std::int64_t, bool);                                                \
  template <class T>                                                                                         \
  std::int64_t rowScratch(std::int64_t);                                                                     \
  template <class T>                                                                                         \
  void solveBand(const Band&, const Axis<T>&, const Axis<T>&, const Carrier<T>&, const Output&,              \
                 std::int64_t, Scratch);                                                                     \
  template <class T>                                                                                         \
  void labelRow(const std::uint8_t*, const Kinds&, const Axis<T>&, const Carrier<T>&, bool, const Output&,   \
                std::int64_t, std::int64_t, Scratch);                                                        \
  template <class T>                                                                                         \
  void solveTile(const Tile&, const Axis<T>&, const Carrier<T>&, bool, const Output&, Scratch);              \
  template <class T>                                                                                         \
  std::int64_t pieceScratch(std::int64_t, std::int64_t, bool, int);                                          \
  template <class T>                                                                                         \
  void findHulls(const Tile&, const Axis<T>&, const Carrier<T>&, std::int64_t, std::int64_t,                 \
                 const Beyond<T>*, int, const HullSink<T>&, Scratch);                                        \
  template <class T>                                                                                         \
  void solvePieces(const Tile&, const Axis<T>&, const Carrier<T>&, bool, const Output&, const Beyond<T>*,    \
                   int, Scratch);                                                                            \
  template <class T>                                                                                         \
  void solvePeriodic(const Tile&, const Axis<T>&, const Carrier<T>&, bool, const Output&, Scratch);          \
  }
ISOCHRONE_FOR_EACH_ISA(ISOCHRONE_DECLARE)

template <class T>
PassKernels<T> choosePassKernels() {
#define ISOCHRONE_TABLE(isa)                                                                                 \
  {isa::bandScratch<T>, isa::tileScratch<T>, isa::rowScratch<T>,   isa::stepsToFirst,                        \
   isa::solveBand<T>,   isa::labelRow<T>,    isa::solveTile<T>,    isa::pieceScratch<T>,                     \
   isa::findHulls<T>,   isa::solvePieces<T>, isa::solvePeriodic<T>},
  ISOCHRONE_CHOOSE_ISA(PassKernels<T>, ISOCHRONE_TABLE)
}
template PassKernels<std::int32_t> choosePassKernels();
template PassKernels<double> choosePassKernels();

} // namespace isochrone::distance
