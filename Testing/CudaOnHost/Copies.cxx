// Copies.cxx - allocations and copies.
#include "Report.h"
#include "Runtime.h"
#include "Trace.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

namespace on_host {

namespace {

bool isPinned(const void* p) {
  const auto* at = static_cast<const std::uint8_t*>(p);
  auto block = state().pinned.upper_bound(at);
  if (block == state().pinned.begin()) return false;
  --block;
  return at < block->first + block->second;
}

bool onDevice(const void* p) { return DeviceMemory::get().owns(addressOf(p)); }

std::string boundsText(std::size_t bytes, const void* at) {
  return "out of bounds: " + std::to_string(bytes) + " bytes at " +
         DeviceMemory::get().describe(addressOf(at));
}

bool isValid(const void* p, std::size_t bytes) {
  return !onDevice(p) || DeviceMemory::get().valid(addressOf(p), bytes);
}

/// Executes a queued copy. Memory may have been freed since the copy was submitted.
void copy(void* to, const void* from, std::size_t bytes) {
  DeviceMemory& m = DeviceMemory::get();
  for (const void* p : {static_cast<const void*>(to), from})
    if (!isValid(p, bytes)) {
      report("copy out of bounds", "cudaMemcpy", boundsText(bytes, p));
      return breakContext(cudaErrorIllegalAddress);
    }
  const bool toDevice = onDevice(to), fromDevice = onDevice(from);
  traceCopy(bytes);
  std::memmove(toDevice ? m.host(addressOf(to)) : to, fromDevice ? m.host(addressOf(from)) : from, bytes);
  if (toDevice && fromDevice) std::memmove(m.states(addressOf(to)), m.states(addressOf(from)), bytes);
  if (toDevice && !fromDevice) std::memset(m.states(addressOf(to)), written, bytes);
}

cudaError_t checkCopy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  const bool toDevice = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool fromDevice = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if (kind != cudaMemcpyDefault && (toDevice != onDevice(to) || fromDevice != onDevice(from)))
    return misuse(cudaErrorInvalidValue, "cudaMemcpy", "the addresses do not fit the direction");
  for (const void* p : {static_cast<const void*>(to), from})
    if (!isValid(p, bytes)) return misuse(cudaErrorInvalidValue, "cudaMemcpy", boundsText(bytes, p));
  return cudaSuccess;
}

} // namespace

} // namespace on_host

using namespace on_host;

extern "C" {

cudaError_t cudaMalloc(void** p, std::size_t bytes) {
  return call("cudaMalloc", Allowed::OutsideCaptures, [&] {
    *p = bytes ? reinterpret_cast<void*>(DeviceMemory::get().allocate(bytes, currentDevice())) : nullptr;
    return *p || !bytes ? cudaSuccess : give(cudaErrorMemoryAllocation);
  });
}

cudaError_t cudaFree(void* p) {
  return call("cudaFree", Allowed::Always, [&] {
    if (!p) return cudaSuccess;
    if (const cudaError_t e = checkCapture("cudaFree"); e != cudaSuccess) return e;
    drainAll();
    if (!DeviceMemory::get().release(addressOf(p)))
      return misuse(cudaErrorInvalidValue, "cudaFree", "not an allocation");
    return give(state().broken);
  });
}

cudaError_t cudaHostAlloc(void** p, std::size_t bytes, unsigned) {
  return call("cudaHostAlloc", Allowed::OutsideCaptures, [&] {
    *p = std::malloc(bytes);
    if (!*p) return give(cudaErrorMemoryAllocation);
    std::memset(*p, 0xff, bytes);
    state().pinned[static_cast<std::uint8_t*>(*p)] = bytes;
    return cudaSuccess;
  });
}
cudaError_t cudaMallocHost(void** p, std::size_t bytes) { return cudaHostAlloc(p, bytes, 0); }

cudaError_t cudaFreeHost(void* p) {
  return call("cudaFreeHost", Allowed::Always, [&] {
    if (!p) return cudaSuccess;
    if (const cudaError_t e = checkCapture("cudaFreeHost"); e != cudaSuccess) return e;
    drainAll();
    if (state().pinned.erase(static_cast<std::uint8_t*>(p)) == 0)
      return misuse(cudaErrorInvalidValue, "cudaFreeHost", "not pinned memory");
    std::free(p);
    return give(state().broken);
  });
}

/// Reads and writes pageable memory before the call returns.
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return call("cudaMemcpyAsync", Allowed::WhileWhole, [&] {
    if (!isStream(stream)) return misuse(cudaErrorInvalidResourceHandle, "cudaMemcpyAsync", "no such stream");
    if (bytes == 0) return cudaSuccess;
    if (const cudaError_t e = checkCopy(to, from, bytes, kind); e != cudaSuccess) return e;
    CUstream_st& s = streamOf(stream);
    if (!onDevice(from) && !isPinned(from) && !s.capture) {
      const auto* first = static_cast<const std::uint8_t*>(from);
      const auto held = std::make_shared<std::vector<std::uint8_t>>(first, first + bytes);
      submit(s, {[to, held] { copy(to, held->data(), held->size()); }});
      return cudaSuccess;
    }
    submit(s, {[=] { copy(to, from, bytes); }});
    if (!onDevice(to) && !isPinned(to) && !s.capture) drain(s);
    return give(state().broken);
  });
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return call("cudaMemcpy", Allowed::OutsideCaptures, [&] {
    drainAll();
    if (bytes == 0) return give(state().broken);
    if (const cudaError_t e = checkCopy(to, from, bytes, kind); e != cudaSuccess) return e;
    if (state().broken == cudaSuccess) copy(to, from, bytes);
    return give(state().broken);
  });
}

cudaError_t cudaMemsetAsync(void* p, int value, std::size_t bytes, cudaStream_t stream) {
  return call("cudaMemsetAsync", Allowed::WhileWhole, [&] {
    if (!onDevice(p) || !isValid(p, bytes))
      return misuse(cudaErrorInvalidValue, "cudaMemset", boundsText(bytes, p));
    if (!isStream(stream)) return misuse(cudaErrorInvalidResourceHandle, "cudaMemsetAsync", "no such stream");
    submit(streamOf(stream), {[=] {
             DeviceMemory& m = DeviceMemory::get();
             std::memset(m.host(addressOf(p)), value, bytes);
             std::memset(m.states(addressOf(p)), written, bytes);
           }});
    return give(state().broken);
  });
}
cudaError_t cudaMemset(void* p, int value, std::size_t bytes) {
  return call("cudaMemset", Allowed::OutsideCaptures,
              [&] { return cudaMemsetAsync(p, value, bytes, nullptr); });
}

} // extern "C"
