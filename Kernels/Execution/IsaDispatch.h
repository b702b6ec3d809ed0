// IsaDispatch.h - the run-time choice among the instruction sets that hot sources are compiled for
// (CMake/HostIsa.cmake).
//
// <Kernel>Dispatch.cxx declares the functions of such a source for every set and returns a table of them:
//
//   #define ISOCHRONE_DECLARE(isa) namespace isa { float relax(const View&); }
//   ISOCHRONE_FOR_EACH_ISA(ISOCHRONE_DECLARE)
//
//   RelaxKernels chooseRelaxKernels() {
//   #define ISOCHRONE_TABLE(isa) {isa::relax},
//     ISOCHRONE_CHOOSE_ISA(RelaxKernels, ISOCHRONE_TABLE)
//   }
#pragma once

namespace isochrone::execution {

#if defined(__x86_64__)
#define ISOCHRONE_FOR_EACH_ISA(f) f(portable) f(sse2) f(avx2) f(avx512)
enum class HostIsa { portable, sse2, avx2, avx512 };
#else
#define ISOCHRONE_FOR_EACH_ISA(f) f(portable)
enum class HostIsa { portable };
#endif

/// Returns the best instruction set of this processor, or a lower one that ISOCHRONE_HOST_ISA (portable,
/// sse2, avx2 or avx512) names in the environment. All sets give the same bits.
HostIsa chooseHostIsa();

/// Returns the table of the chosen set from the enclosing function. `entry(isa)` is the table of one set,
/// with a comma.
#define ISOCHRONE_CHOOSE_ISA(Table, entry)                                                                   \
  const Table tables[] = {ISOCHRONE_FOR_EACH_ISA(entry)};                                                    \
  return tables[int(isochrone::execution::chooseHostIsa())];

} // namespace isochrone::execution
