// The choice of the instruction set, made when the program runs.
#include "CurvaturePaths/SectorSweep.h"

#include <cstdlib>
#include <cstring>

namespace isochrone::curvature {

#if defined(__x86_64__)
namespace sse2 {
void takeChanges(const SectorView&, int);
void sweepSector(const SectorView*, int, SweepState&);
} // namespace sse2
namespace avx2 {
void takeChanges(const SectorView&, int);
void sweepSector(const SectorView*, int, SweepState&);
} // namespace avx2
namespace avx512 {
void takeChanges(const SectorView&, int);
void sweepSector(const SectorView*, int, SweepState&);
} // namespace avx512

HostSweep chooseHostSweep() {
  const char* wanted = std::getenv("ISOCHRONE_HOST_ISA");
  const auto allowed = [&](const char* isa) { return !wanted || std::strcmp(wanted, isa) == 0; };
  const bool has512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
  if (allowed("avx512") && has512) return {avx512::takeChanges, avx512::sweepSector, "avx512"};
  if ((allowed("avx2") || allowed("avx512")) && __builtin_cpu_supports("avx2"))
    return {avx2::takeChanges, avx2::sweepSector, "avx2"};
  return {sse2::takeChanges, sse2::sweepSector, "sse2"};
}
#else
namespace baseline {
void takeChanges(const SectorView&, int);
void sweepSector(const SectorView*, int, SweepState&);
} // namespace baseline

HostSweep chooseHostSweep() { return {baseline::takeChanges, baseline::sweepSector, "baseline"}; }
#endif

} // namespace isochrone::curvature
