#include "Execution/IsaDispatch.h"

#include <cstdlib>
#include <string_view>

namespace isochrone::execution {

#if defined(__x86_64__)
HostIsa chooseHostIsa() {
  const char* set = std::getenv("ISOCHRONE_HOST_ISA");
  const std::string_view wanted = set ? set : "avx512";
  const bool has512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
  if (wanted == "avx512" && has512) return HostIsa::avx512;
  if (wanted == "portable") return HostIsa::portable;
  if (wanted != "sse2" && __builtin_cpu_supports("avx2")) return HostIsa::avx2;
  return HostIsa::sse2;
}
#else
HostIsa chooseHostIsa() { return HostIsa::portable; }
#endif

} // namespace isochrone::execution
