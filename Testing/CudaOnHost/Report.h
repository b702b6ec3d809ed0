// Report.h - findings, and settings from the environment.
#pragma once

#include <string>

namespace on_host {

/// The number in CUDA_ON_HOST_<name>, or `otherwise` where that is not set.
long setting(const char* name, long otherwise);

/// Prints a finding the first time that it is made at a place, and counts it. At the end of the program all
/// are listed, and with CUDA_ON_HOST_STRICT=1 the exit status becomes 9.
/// @param place  kernel and line, or call
void report(const std::string& kind, const std::string& place, const std::string& detail);

/// A kernel's name as in its source, without namespaces and parameters.
std::string demangled(const std::string& name);

} // namespace on_host
