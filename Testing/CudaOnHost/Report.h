// Report.h - findings, and settings from the environment.
#pragma once

#include <string>

namespace on_host {

/// Returns the number in CUDA_ON_HOST_<name>, or `otherwise` if it is not set.
long setting(const char* name, long otherwise);

/// Prints a finding when it first occurs at a place, and counts repetitions. At exit all findings are listed,
/// and with CUDA_ON_HOST_STRICT=1 the exit status becomes 9.
/// @param place  kernel and line, or call
void report(const std::string& kind, const std::string& place, const std::string& detail);

/// Returns a kernel's name as in its source, without namespaces and parameters.
std::string demangled(const std::string& name);

} // namespace on_host
