// Runtime.h - what the files of the runtime interface share: streams, errors and the state of the process.
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

/// A piece of work in a stream: a function, or an event to record.
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
/// Work waits in its queue until the host asks for it (CUDA_ON_HOST_LAZY=0: runs at once), so that a missing
/// synchronisation shows.
struct CUstream_st {
  std::deque<Operation> queue;
  CUgraph_st* capture = nullptr;
  bool invalidated = false; ///< the capture
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::thread::id owner; ///< of the capture
};
struct CUevent_st {
  CUstream_st* stream = nullptr; ///< where it waits to be recorded
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
  cudaError_t broken = cudaSuccess; ///< the context, for good
  int capturing = 0;                ///< streams
};
State& state();

/// Sets the thread's last error, unless it is success, and returns it.
cudaError_t give(cudaError_t e);
cudaError_t takeLastError();
cudaError_t lastError();
/// A finding: the program called the runtime wrongly.
cudaError_t misuse(cudaError_t e, const std::string& call, const std::string& why);
/// From now on every call fails.
void breakContext(cudaError_t e);

/// Whether the thread may make calls that synchronise or allocate. While it captures, unless relaxed, it may
/// not, and doing so spoils the capture.
cudaError_t checkCapture(const char* call);

enum class Allowed { Always, WhileWhole, OutsideCaptures };

/// The frame of every call of the interface: one at a time; where not `Always`, nothing happens after the
/// context broke; where `OutsideCaptures`, nor inside of one.
template <class F>
cudaError_t call(const char* name, Allowed allowed, F f) {
  std::lock_guard lock(state().mutex);
  if (allowed != Allowed::Always && state().broken != cudaSuccess) return give(state().broken);
  if (allowed == Allowed::OutsideCaptures)
    if (const cudaError_t e = checkCapture(name); e != cudaSuccess) return e;
  return f();
}

// Streams.cxx
bool isStream(cudaStream_t s);
CUstream_st& streamOf(cudaStream_t s);
void submit(CUstream_st& s, Operation o);
void runNext(CUstream_st& s);
void drain(CUstream_st& s);
void drainAll();

// DeviceCode.cxx
/// The kernel of a function's address on the host; null where it is not registered or cannot run here.
Kernel* kernelOf(const void* function);

inline std::uint64_t addressOf(const void* p) { return reinterpret_cast<std::uint64_t>(p); }

} // namespace on_host
