// HostIsa.h - the instruction sets that hot sources are compiled for (CMake/HostIsa.cmake), and the choice
// among them when the program runs.
#pragma once

namespace isochrone::execution {

#if defined(__x86_64__)
#define ISOCHRONE_FOR_EACH_ISA(f) f(sse2) f(avx2) f(avx512)
enum class HostIsa { sse2, avx2, avx512 };
#else
#define ISOCHRONE_FOR_EACH_ISA(f) f(baseline)
enum class HostIsa { baseline };
#endif

/// The best set of this processor. ISOCHRONE_HOST_ISA in the environment asks for a lesser one.
HostIsa chooseHostIsa();

} // namespace isochrone::execution
