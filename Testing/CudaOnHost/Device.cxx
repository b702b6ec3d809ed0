// Device.cxx - properties of the emulated device, and errors.
#include "Block.h"
#include "Report.h"
#include "Runtime.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

namespace on_host {

namespace {

thread_local cudaError_t last = cudaSuccess;
thread_local int current = 0;

// Values of an H100, except for the number of processors (CUDA_ON_HOST_SMS) and the shared memory per block,
// which is the default on every device.
constexpr int capability[] = {9, 0}, threadsPerBlock = 1024, threadsPerProcessor = 2048,
              blocksPerProcessor = 32, sharedPerBlock = 48 * 1024, sharedPerProcessor = 228 * 1024,
              registersOfProcessor = 65536, driverVersion = 13000;

int maxThreads(const Kernel& k) {
  const int* maximum = k.function.maxThreads;
  return maximum[0] ? maximum[0] * std::max(1, maximum[1]) * std::max(1, maximum[2]) : threadsPerBlock;
}

} // namespace

State& state() {
  static State* const only = new State; // outlives static destructors of the program
  return *only;
}

int deviceCount() { return int(std::max(0L, setting("DEVICES", 1))); }
int currentDevice() { return current; }

cudaError_t give(cudaError_t e) {
  if (e != cudaSuccess) last = e;
  return e;
}
cudaError_t takeLastError() { return std::exchange(last, cudaSuccess); }
cudaError_t lastError() { return last; }

cudaError_t misuse(cudaError_t e, const std::string& call, const std::string& why) {
  report("misuse of the runtime", call, why + " (" + cudaGetErrorName(e) + ")");
  return give(e);
}

void breakContext(cudaError_t e) {
  if (state().broken == cudaSuccess) state().broken = e;
}

cudaError_t checkCapture(const char* call) {
  if (state().capturing == 0) return cudaSuccess;
  for (CUstream_st* s : state().streams) {
    const bool mine = s->mode == cudaStreamCaptureModeGlobal || s->owner == std::this_thread::get_id();
    if (!s->capture || s->mode == cudaStreamCaptureModeRelaxed || !mine) continue;
    s->invalidated = true;
    return misuse(cudaErrorStreamCaptureUnsupported, call, "not allowed while a stream is capturing");
  }
  return cudaSuccess;
}

} // namespace on_host

using namespace on_host;

extern "C" {

cudaError_t cudaGetLastError() { return takeLastError(); }
cudaError_t cudaPeekAtLastError() { return lastError(); }

const char* cudaGetErrorName(cudaError_t e) {
  switch (e) {
  case cudaSuccess:
    return "cudaSuccess";
  case cudaErrorInvalidValue:
    return "cudaErrorInvalidValue";
  case cudaErrorMemoryAllocation:
    return "cudaErrorMemoryAllocation";
  case cudaErrorInvalidConfiguration:
    return "cudaErrorInvalidConfiguration";
  case cudaErrorInvalidDeviceFunction:
    return "cudaErrorInvalidDeviceFunction";
  case cudaErrorIllegalAddress:
    return "cudaErrorIllegalAddress";
  case cudaErrorIllegalState:
    return "cudaErrorIllegalState";
  case cudaErrorStreamCaptureUnsupported:
    return "cudaErrorStreamCaptureUnsupported";
  case cudaErrorStreamCaptureInvalidated:
    return "cudaErrorStreamCaptureInvalidated";
  case cudaErrorInvalidResourceHandle:
    return "cudaErrorInvalidResourceHandle";
  case cudaErrorLaunchOutOfResources:
    return "cudaErrorLaunchOutOfResources";
  case cudaErrorNoDevice:
    return "cudaErrorNoDevice";
  case cudaErrorNotReady:
    return "cudaErrorNotReady";
  default:
    return "another CUDA error";
  }
}
const char* cudaGetErrorString(cudaError_t e) {
  switch (e) {
  case cudaSuccess:
    return "no error";
  case cudaErrorMemoryAllocation:
    return "out of memory";
  case cudaErrorNoDevice:
    return "no CUDA-capable device is detected";
  case cudaErrorIllegalAddress:
    return "an illegal memory access was encountered";
  default:
    return cudaGetErrorName(e);
  }
}

cudaError_t cudaGetDeviceCount(int* count) {
  *count = deviceCount();
  return *count ? cudaSuccess : give(cudaErrorNoDevice);
}
cudaError_t cudaGetDevice(int* device) { return *device = current, cudaSuccess; }
cudaError_t cudaSetDevice(int device) {
  if (device < 0 || device >= deviceCount()) return give(cudaErrorInvalidDevice);
  current = device;
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* v) { return *v = driverVersion, cudaSuccess; }
cudaError_t cudaRuntimeGetVersion(int* v) { return *v = driverVersion, cudaSuccess; }

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr a, int) {
  switch (a) {
  case cudaDevAttrMultiProcessorCount:
    *value = int(settings().processors);
    break;
  case cudaDevAttrComputeCapabilityMajor:
    *value = capability[0];
    break;
  case cudaDevAttrComputeCapabilityMinor:
    *value = capability[1];
    break;
  case cudaDevAttrMaxThreadsPerBlock:
    *value = threadsPerBlock;
    break;
  case cudaDevAttrMaxThreadsPerMultiProcessor:
    *value = threadsPerProcessor;
    break;
  case cudaDevAttrMaxSharedMemoryPerBlock:
  case cudaDevAttrMaxSharedMemoryPerBlockOptin:
    *value = sharedPerBlock;
    break;
  case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
    *value = sharedPerProcessor;
    break;
  case cudaDevAttrWarpSize:
    *value = 32;
    break;
  case cudaDevAttrMaxGridDimX:
    *value = 0x7fffffff;
    break;
  case cudaDevAttrMaxGridDimY:
  case cudaDevAttrMaxGridDimZ:
    *value = 65535;
    break;
  case cudaDevAttrMaxRegistersPerBlock:
  case cudaDevAttrMaxRegistersPerMultiprocessor:
    *value = registersOfProcessor;
    break;
  default:
    *value = 0;
  }
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int device) {
  if (device < 0 || device >= deviceCount()) return give(cudaErrorInvalidDevice);
  std::memset(p, 0, sizeof *p);
  std::snprintf(p->name, sizeof p->name, "CUDA on the host (PTX interpreter%s%s)", device ? ", device " : "",
                device ? std::to_string(device).c_str() : "");
  p->totalGlobalMem = DeviceMemory::get().total();
  p->sharedMemPerBlock = sharedPerBlock;
  p->sharedMemPerMultiprocessor = sharedPerProcessor;
  p->regsPerBlock = registersOfProcessor;
  p->warpSize = 32;
  p->maxThreadsPerBlock = threadsPerBlock;
  p->maxThreadsPerMultiProcessor = threadsPerProcessor;
  p->major = capability[0], p->minor = capability[1];
  p->multiProcessorCount = int(settings().processors);
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  return call("cudaMemGetInfo", Allowed::WhileWhole, [&] {
    *free = DeviceMemory::get().free(current);
    *total = DeviceMemory::get().total();
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSynchronize() {
  return call("cudaDeviceSynchronize", Allowed::OutsideCaptures, [&] {
    drainAll();
    return give(state().broken);
  });
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* a, const void* f) {
  return call("cudaFuncGetAttributes", Allowed::WhileWhole, [&] {
    const Kernel* k = kernelOf(f);
    if (!k) return give(cudaErrorInvalidDeviceFunction);
    std::memset(a, 0, sizeof *a);
    a->sharedSizeBytes = k->sharedBytes;
    a->localSizeBytes = k->localBytes;
    a->maxThreadsPerBlock = maxThreads(*k);
    a->numRegs = 32;
    a->ptxVersion = a->binaryVersion = k->module->target;
    a->maxDynamicSharedSizeBytes = int(sharedPerBlock - k->sharedBytes);
    return cudaSuccess;
  });
}
cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int) { return cudaSuccess; }

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* f, int threads,
                                                                   std::size_t shared, unsigned) {
  return call("cudaOccupancyMaxActiveBlocksPerMultiprocessor", Allowed::WhileWhole, [&] {
    const Kernel* k = kernelOf(f);
    if (!k) return give(cudaErrorInvalidDeviceFunction);
    const std::size_t bytes = k->sharedBytes + shared, warps = std::max(1, (threads + 31) / 32);
    *blocks = std::min(blocksPerProcessor, int(threadsPerProcessor / 32 / warps));
    if (bytes) *blocks = std::min(*blocks, int(sharedPerProcessor / bytes));
    return cudaSuccess;
  });
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* f, int threads,
                                                          std::size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, f, threads, shared, 0);
}

} // extern "C"
