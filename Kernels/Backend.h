// Backend.h - where a solver runs.
#pragma once

#include "Error.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace isochrone {

/// Automatic takes CUDA where a usable device exists and the problem fits into its free memory, else the
/// host.
enum class Backend { Automatic, Host, Cuda };

/// A backend and, in one clause, why it was taken.
struct BackendChoice {
  Backend backend = Backend::Host;
  std::string reason;
};

/// In place of the device memory that a problem needs: it has more points than kernels for devices count.
inline constexpr std::size_t tooManyForDevice = SIZE_MAX;

/// Decides where to run a problem.
/// @param requested    what the user asked for
/// @param deviceBytes  device memory that the problem needs, or tooManyForDevice
/// @throws Error if CUDA was asked for and cannot be used, saying why
BackendChoice chooseBackend(Backend requested, std::size_t deviceBytes);

/// The device had less memory than the problem was found to need: others may have taken it meanwhile.
struct OutOfDeviceMemory : Error {
  using Error::Error;
};

/// Calls `solve(options)`; if that runs out of device memory and the backend is Automatic, again for the
/// host.
template <class Options, class Solve>
auto solveWithFallback(Options options, Solve solve) {
  try {
    return solve(options);
  } catch (const OutOfDeviceMemory&) {
    if (options.backend != Backend::Automatic) throw;
    options.backend = Backend::Host;
    auto result = solve(options);
    result.ranOn.reason = "the device ran out of memory";
    return result;
  }
}

/// Number of host threads: `requested` if positive, else the cores this process may use. At most
/// `mostThreads()`, and one in a forked process.
int chooseThreads(int requested);

/// The maximum number of host threads: 64, or four times the cores this process may use if that is more. More
/// never help; a hundred thousand end the process.
int mostThreads();

/// Whether this process was forked from one that had chosen a number of threads before. The threads of its
/// OpenMP runtime did not come along, and libgomp would wait for them for ever.
bool isForked();

/// Throws Error with numbers when `bytes` exceed the memory that this machine has free, before any
/// allocation.
/// @param what  the thing that needs the memory, as in "300 x 300 points x 96 headings"
void requireHostMemory(std::size_t bytes, const std::string& what);

/// Whether so many bytes are free.
bool hasHostMemory(std::size_t bytes);

} // namespace isochrone
