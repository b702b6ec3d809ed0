// The operations of Execution/Simd.h, compiled once per instruction set, and once more with the compiler's
// vectors as on processors other than x86-64.
#include "SimdTable.h"

#include "Execution/SimdPair.h"

namespace isochrone::test::ISOCHRONE_ISA {

SimdTables simdTables() {
  using namespace execution::ISOCHRONE_ISA;
  return {SimdCalls<Vector<float>, float>::table(),
          SimdCalls<Pair, float>::table(),
          SimdCalls<CompilerVector<float, 32>, float>::table(),
          SimdCalls<Vector<double>, double>::table(),
          SimdCalls<Vector<std::int32_t>, std::int32_t>::table(),
          SimdCalls<Vector<std::uint16_t>, std::uint16_t>::table(),
          SimdCalls<Vector<std::uint8_t>, std::uint8_t>::table()};
}

} // namespace isochrone::test::ISOCHRONE_ISA
