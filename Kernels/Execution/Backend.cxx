#include "Backend.h"

#include "Error.h"
#include "Execution/Cuda.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <mutex>
#include <optional>
#include <sstream>
#include <thread>
#include <utility>
#include <vector>

#ifdef __linux__
#include <sched.h>
#include <sys/resource.h>
#endif

namespace isochrone {

namespace {

#ifndef ISOCHRONE_WITH_CUDA
execution::CudaState cudaState() { return {"", "this build has no CUDA kernels", 0}; }
#else
execution::CudaState cudaState() { return execution::queryCuda(); }
#endif

std::string gigabytes(std::size_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, bytes < 10'000'000 ? "%.3g GB" : "%.2f GB", double(bytes) / 1e9);
  return text;
}

int sharingCores = 1; ///< processes

/// Returns the number of cores that this process may use.
int usableCores() {
#ifdef __linux__
  if (cpu_set_t cores; sched_getaffinity(0, sizeof cores, &cores) == 0) return CPU_COUNT(&cores);
#endif
  return int(std::thread::hardware_concurrency());
}

constexpr std::size_t noLimit = SIZE_MAX;

#ifdef __linux__
/// Returns the number after `key` in a file of "key number" lines, or the first number of the file if `key`
/// is empty.
std::optional<std::size_t> numberIn(const std::string& file, const std::string& key = {}) {
  std::ifstream in(file);
  std::string line;
  while (std::getline(in, line)) {
    std::istringstream words(line);
    std::string first;
    std::size_t number = 0;
    if (!key.empty() && !(words >> first && first == key)) continue;
    if (words >> number) return number;
    if (key.empty()) break; // "max"
  }
  return std::nullopt;
}

/// Returns the folders of the control groups (version 2) that this process is in, the innermost first.
std::vector<std::string> controlGroups() {
  std::vector<std::string> folders;
  std::ifstream in("/proc/self/cgroup");
  std::string line;
  while (std::getline(in, line)) {
    if (line.rfind("0::/", 0) != 0) continue;
    std::string path = line.substr(3);
    while (path.size() > 1) {
      folders.push_back("/sys/fs/cgroup" + path);
      path.resize(std::max<std::size_t>(1, path.rfind('/')));
    }
  }
  folders.push_back("/sys/fs/cgroup");
  return folders;
}

/// Returns the memory that the control groups leave. Their usage includes cached file pages, which are
/// released on demand.
std::size_t groupMemory() {
  std::size_t minimum = noLimit;
  for (const std::string& folder : controlGroups()) {
    const auto limit = numberIn(folder + "/memory.max"), used = numberIn(folder + "/memory.current");
    if (!limit || !used) continue;
    const std::size_t cache = numberIn(folder + "/memory.stat", "inactive_file").value_or(0);
    const std::size_t taken = *used - std::min(*used, cache);
    minimum = std::min(minimum, *limit - std::min(*limit, taken));
  }
  return minimum;
}

/// Returns the memory that `ulimit -v` and `ulimit -d` leave.
std::size_t limitedMemory() {
  std::size_t minimum = noLimit;
  for (const auto& [limit, used] : {std::pair{RLIMIT_AS, "VmSize:"}, std::pair{RLIMIT_DATA, "VmData:"}}) {
    rlimit bound{};
    if (getrlimit(limit, &bound) != 0 || bound.rlim_cur == RLIM_INFINITY) continue;
    const std::size_t taken = 1024 * numberIn("/proc/self/status", used).value_or(0);
    minimum = std::min(minimum, std::size_t(bound.rlim_cur) - std::min(std::size_t(bound.rlim_cur), taken));
  }
  return minimum;
}

/// Returns the memory that this process holds and nobody else. Pages of files do not count.
std::size_t residentMemory() { return 1024 * numberIn("/proc/self/status", "RssAnon:").value_or(0); }
#else
std::size_t limitedMemory() { return noLimit; }
std::size_t residentMemory() { return 0; }
#endif

/// The share of this process, and the memory that it held when the share was set.
struct Allowance {
  MemoryShare share;
  std::size_t resident = 0;

  /// Returns what is left of the share.
  std::size_t rest() const {
    if (share.processes == 1 || share.free == noLimit) return noLimit;
    const double taken = double(residentMemory()) - double(resident); // negative after memory was freed
    return std::size_t(std::max(0.0, share.fraction * double(share.free) - taken));
  }
};

std::mutex allowanceMutex;
Allowance allowance; // of this process

Allowance currentAllowance() {
  const std::lock_guard lock(allowanceMutex);
  return allowance;
}

} // namespace

BackendChoice chooseBackend(Backend requested, std::size_t deviceBytes) {
  if (requested == Backend::Host) return {Backend::Host, "the host was requested"};
  const execution::CudaState cuda = cudaState();
  std::string problem = cuda.problem;
  if (problem.empty() && deviceBytes == tooManyForDevice)
    problem = "the problem has more points than device kernels can index";
  if (problem.empty() && cuda.freeBytes < deviceBytes)
    problem = "the problem needs " + gigabytes(deviceBytes) + " of device memory and " + cuda.name + " has " +
              gigabytes(cuda.freeBytes) + " free";
  if (problem.empty())
    return {Backend::Cuda,
            cuda.name + (requested == Backend::Cuda ? " was requested" : " is usable and has enough memory")};
  if (requested == Backend::Cuda)
    throw Error("cannot run on CUDA: " + problem + "; choose the Host or the Automatic backend");
  return {Backend::Host, problem};
}

BackendChoice chooseBackendForParts(Backend requested) {
  if (requested == Backend::Host) return chooseBackend(requested, 0);
  const std::string reason = "problems in parts are solved on the host";
  if (requested == Backend::Cuda)
    throw Error("cannot run on CUDA: " + reason + "; choose the Host or the Automatic backend");
  return {Backend::Host, reason};
}

int maxThreads() { return std::max(64, 4 * usableCores()); }

void shareHostCores(int processes) { sharingCores = processes; }

int chooseThreads(int requested, double nanoseconds) {
  if (requested > 0) return std::min(requested, maxThreads());
  const int cores = std::max(1, usableCores() / sharingCores);
  return int(std::clamp(nanoseconds / 1e6, 1.0, double(cores)));
}

#ifdef __linux__
std::size_t freeHostMemory() {
  const auto machine = numberIn("/proc/meminfo", "MemAvailable:");
  return std::min(machine ? 1024 * *machine : noLimit, groupMemory());
}
#else
std::size_t freeHostMemory() { return noLimit; } // unknown: the allocation itself fails
#endif

void useCudaDevice(int number) { execution::chosenDevice = number; }

void shareHostMemory(const MemoryShare& share) {
  const std::lock_guard lock(allowanceMutex);
  allowance = {share, residentMemory()};
}

void requireHostMemory(std::size_t bytes, const std::string& what) {
  const Allowance mine = currentAllowance();
  const std::size_t rest = mine.rest(), free = std::min(freeHostMemory(), limitedMemory());
  if (bytes <= std::min(rest, free)) return;
  const std::string needs = what + " need " + gigabytes(bytes) + " of memory";
  if (rest < free)
    throw Error(needs + " on this rank, and " + gigabytes(rest) + " are left of its share of the " +
                gigabytes(mine.share.free) + " that are free for the " +
                std::to_string(mine.share.processes) +
                " ranks of this node: use fewer ranks on a node, a smaller grid or nodes with more memory");
  throw Error(needs + " and " + gigabytes(free) +
              " are free: use a smaller grid or a machine with more memory");
}

bool hasHostMemory(std::size_t bytes) {
  return bytes <= std::min({currentAllowance().rest(), freeHostMemory(), limitedMemory()});
}

} // namespace isochrone
