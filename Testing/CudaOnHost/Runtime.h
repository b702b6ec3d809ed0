// Runtime.h - shared by the files of the runtime interface: streams, errors and the state of the process.
#pragma once

#include "DeviceMemory.h"
#include "Kernel.h"

#include <cuda_runtime_api.h>

#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

/// Work in a stream: a function, or an event to record.
struct Operation {
  std::function<void()> run;
  CUevent_st* event = nullptr;
};
struct CUgraph_st {
  std::vector<Operation> operations;
};
struct CUgraphExec_st {
  std::vector<Operation> operations;
};
/// Queues work until the host waits for it (CUDA_ON_HOST_LAZY=0: runs immediately), so that a missing
/// synchronisation shows.
struct CUstream_st {
  int device = 0;
  std::deque<Operation> queue;
  CUgraph_st* capture = nullptr;
  bool invalidated = false; ///< the capture
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::thread::id owner; ///< of the capture
};
struct CUevent_st {
  CUstream_st* stream = nullptr; ///< where it waits to be recorded; null: recorded
  bool recorded = false, timing = true;
  double seconds = 0;
};

namespace on_host {

struct State {
  std::recursive_mutex mutex;
  std::set<CUstream_st*> streams;
  std::set<CUevent_st*> events;
  std::map<const std::uint8_t*, std::size_t> pinned; ///< bytes by address
  CUstream_st defaultStream;
  cudaError_t broken = cudaSuccess; ///< permanent error of the context
  int capturing = 0;                ///< number of capturing streams
};
State& state();

/// Returns the number of devices, and the one that is current on this thread.
int deviceCount();
int currentDevice();

/// Sets the thread's last error unless it is success, and returns the argument.
cudaError_t give(cudaError_t e);
cudaError_t takeLastError();
cudaError_t lastError();
/// Reports a wrong call of the runtime as a finding.
cudaError_t misuse(cudaError_t e, const std::string& call, const std::string& why);
/// Makes every later call fail.
void breakContext(cudaError_t e);

/// Checks whether the thread may make calls that synchronise or allocate. During a capture, unless relaxed,
/// such a call is an error and invalidates the capture.
cudaError_t checkCapture(const char* call);

enum class Allowed { Always, WhileWhole, OutsideCaptures };

/// Runs a call of the interface under the lock. Unless `Always`, it fails after the context is broken. With
/// `OutsideCaptures` it also fails within a capture.
template <class F>
cudaError_t call(const char* name, Allowed allowed, F f) {
  std::lock_guard lock(state().mutex);
  if (allowed != Allowed::Always && state().broken != cudaSuccess) return give(state().broken);
  if (allowed == Allowed::OutsideCaptures)
    if (const cudaError_t e = checkCapture(name); e != cudaSuccess) return e;
  return f();
}

// Defined in Streams.cxx.
bool isStream(cudaStream_t s);
CUstream_st& streamOf(cudaStream_t s);
void submit(CUstream_st& s, Operation o);
void runNext(CUstream_st& s);
void drain(CUstream_st& s);
void drainAll();

// Defined in DeviceCode.cxx.
/// Returns the kernel of a host function address; null if it is not registered or cannot run here.
Kernel* kernelOf(const void* function);

inline std::uint64_t addressOf(const void* p) { return reinterpret_cast<std::uint64_t>(p); }

} // namespace on_host
