// The choice of the instruction set, made when the program runs.
#include "DistanceTransform/Host/HostPasses.h"

#include "Execution/HostIsa.h"

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
                std::int64_t, Scratch);                                                                      \
  template <class T>                                                                                         \
  void solveTile(const Tile&, const Axis<T>&, const Carrier<T>&, bool, const Output&, Scratch);              \
  }
ISOCHRONE_FOR_EACH_ISA(ISOCHRONE_DECLARE)

template <class T>
HostPasses<T> chooseHostPasses() {
  switch (execution::chooseHostIsa()) {
#define ISOCHRONE_CHOOSE(isa)                                                                                \
  case execution::HostIsa::isa:                                                                              \
    return {isa::bandScratch<T>, isa::tileScratch<T>, isa::rowScratch<T>, isa::stepsToFirst,                 \
            isa::solveBand<T>,   isa::labelRow<T>,    isa::solveTile<T>};
    ISOCHRONE_FOR_EACH_ISA(ISOCHRONE_CHOOSE)
  }
  __builtin_unreachable();
}
template HostPasses<std::int32_t> chooseHostPasses();
template HostPasses<double> chooseHostPasses();

} // namespace isochrone::distance
