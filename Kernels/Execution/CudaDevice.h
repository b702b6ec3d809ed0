// CudaDevice.h - arrays and tile kernels on one CUDA device. For .cu files only. HostDevice.h describes the
// interface.
#pragma once

#include "Backend.h"
#include "Execution/Cuda.h"
#include "Execution/Team.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace isochrone::execution {

/// Throws if `status` is an error. Clears the error in the runtime, which otherwise keeps it until it is read
/// and reports it to the next solve of this thread.
inline void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  cudaGetLastError();
  const std::string problem = std::string("CUDA failed at ") + what + ": " + cudaGetErrorString(status);
  if (status == cudaErrorMemoryAllocation)
    throw OutOfDeviceMemory(problem + "; choose the Host or the Automatic backend");
  throw Error(problem + "; choose the Host backend, or check the device and its driver");
}

/// Destroys objects of the CUDA runtime.
struct Destroy {
  void operator()(cudaStream_t stream) const { cudaStreamDestroy(stream); }
  void operator()(cudaEvent_t event) const { cudaEventDestroy(event); }
  void operator()(cudaGraph_t graph) const { cudaGraphDestroy(graph); }
  void operator()(cudaGraphExec_t graph) const { cudaGraphExecDestroy(graph); }
  void operator()(void* pinned) const { cudaFreeHost(pinned); }
};
/// Owns an object of the CUDA runtime.
template <class T>
struct Handle : std::unique_ptr<T, Destroy> {
  using std::unique_ptr<T, Destroy>::unique_ptr;
  operator T*() const { return this->get(); }
};

inline Handle<CUstream_st> makeStream() {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "creating a stream");
  return Handle<CUstream_st>(stream);
}
inline Handle<CUevent_st> makeEvent(unsigned flags) {
  cudaEvent_t event = nullptr;
  check(cudaEventCreateWithFlags(&event, flags), "creating an event");
  return Handle<CUevent_st>(event);
}

/// Runs a kernel at one position after another per block, so that a launch of fixed size serves any count.
/// The launch has as many blocks as the device holds at once, or that number times Kernel::blocksPerPlace.
/// For few positions of unequal cost, a factor above 1 lets a waiting block start in the first free place
/// instead of behind a busy block. The bound of one block per multiprocessor keeps the compiler from spilling
/// registers (sm_80) to fit more blocks.
template <class Kernel>
__global__ void __launch_bounds__(Kernel::Lanes::size, 1)
    runTiles(const __grid_constant__ Kernel kernel, const int* count, int maximum) {
  __shared__ typename Kernel::Shared shared;
  CudaTeam<typename Kernel::Lanes> team;
  int end = count ? min(*count, maximum) : maximum;
  if constexpr (requires { kernel.positions(); }) end = min(kernel.positions(), maximum);
  for (int position = blockIdx.x; position < end; position += gridDim.x) kernel(team, shared, position);
}

template <class T>
__global__ void __launch_bounds__(256) fillArray(T* array, std::size_t n, T value) {
  for (std::size_t i = blockIdx.x * std::size_t(256) + threadIdx.x; i < n; i += gridDim.x * std::size_t(256))
    array[i] = value;
}

/// Lists the positions of the nonzero flags; see HostDevice::compact. Defined in Device.cu, the only file
/// that includes CUB. With scratch = nullptr, only sets scratchBytes.
void compactOnCuda(const std::uint8_t* flags, int n, int* list, int* count, void* scratch,
                   std::size_t& scratchBytes, cudaStream_t stream);

/// Makes the chosen device the current one of this thread. At the end the former one is current again, unless
/// it was device 0, the default of a thread that has chosen none: this would create a context on it, and the
/// contexts of all processes of a node would fill its memory.
class CurrentDevice {
public:
  CurrentDevice() {
    check(cudaGetDevice(&former), "choosing a device");
    used = former;
    const int chosen = chosenDevice;
    if (chosen < 0) return;
    int devices = 0;
    check(cudaGetDeviceCount(&devices), "counting the devices");
    used = chosen % devices;
    if (used != former) check(cudaSetDevice(used), "choosing a device");
  }
  ~CurrentDevice() {
    if (used != former && former != 0) cudaSetDevice(former);
  }
  CurrentDevice(const CurrentDevice&) = delete;
  int number() const { return used; }

private:
  int former = 0, used = 0;
};

/// The chosen device, current on this thread, with one stream.
class CudaDevice {
public:
  CudaDevice() {
    check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, current.number()),
          "querying the device");
    stream = makeStream();
  }

  bool manyThreads() const { return true; }

  template <class T>
  class Array {
  public:
    Array() = default;
    explicit Array(std::size_t size) : n(size) {
      if (n > 0) check(cudaMalloc(&memory, n * sizeof(T)), "allocating device memory");
    }
    Array(Array&& other) noexcept
        : memory(std::exchange(other.memory, nullptr)), n(std::exchange(other.n, 0)) {}
    Array& operator=(Array&& other) noexcept {
      std::swap(memory, other.memory);
      std::swap(n, other.n);
      return *this;
    }
    ~Array() { cudaFree(memory); }
    T* data() { return memory; }
    std::size_t size() const { return n; }
    std::size_t bytes() const { return n * sizeof(T); }

  private:
    T* memory = nullptr;
    std::size_t n = 0;
  };

  template <class T>
  Array<T> array(std::size_t n, T value) {
    Array<T> a(n);
    if (n > 0)
      fillArray<<<unsigned(std::min<std::size_t>((n + 255) / 256, 16 * processors)), 256, 0, stream>>>(
          a.data(), n, value);
    check(cudaGetLastError(), "filling device memory");
    return a;
  }
  template <class T>
  Array<T> allocate(std::size_t n) {
    return Array<T>(n);
  }
  template <class T>
  Array<T> upload(std::span<const T> values) {
    Array<T> a(values.size());
    if (values.empty()) return a; // nothing to wait for
    check(cudaMemcpyAsync(a.data(), values.data(), a.bytes(), cudaMemcpyHostToDevice, stream),
          "copying to the device");
    check(cudaStreamSynchronize(stream), "copying to the device"); // the caller may free its memory
    return a;
  }
  template <class T>
  void download(Array<T>& from, T* to) {
    download(from, to, from.size());
  }
  template <class T>
  void download(Array<T>& from, T* to, std::size_t n) {
    check(cudaMemcpyAsync(to, from.data(), n * sizeof(T), cudaMemcpyDeviceToHost, stream),
          "copying from the device");
    check(cudaStreamSynchronize(stream), "running the kernels or copying from the device");
  }

  template <class Kernel>
  void run(const Kernel& kernel, const int* count, int maximum) {
    if (maximum == 0) return;
    int resident = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, runTiles<Kernel>, Kernel::Lanes::size, 0),
          "querying the occupancy");
    int places = std::max(1, resident) * processors;
    if constexpr (requires { Kernel::blocksPerPlace; }) places *= Kernel::blocksPerPlace;
    const int blocks = std::min(maximum, places);
    runTiles<<<blocks, Kernel::Lanes::size, 0, stream>>>(kernel, count, maximum);
    check(cudaGetLastError(), "launching a kernel");
  }
  template <class Kernel>
  void run(const Kernel& kernel, int count) {
    run(kernel, nullptr, count);
  }

  void compact(Array<std::uint8_t>& flags, Array<int>& list, int* count) {
    std::size_t bytes = 0;
    compactOnCuda(flags.data(), int(flags.size()), list.data(), count, nullptr, bytes, stream);
    if (scratch.size() < bytes) scratch = Array<std::uint8_t>(bytes);
    compactOnCuda(flags.data(), int(flags.size()), list.data(), count, scratch.data(), bytes, stream);
  }

  void wait() { check(cudaStreamSynchronize(stream), "the kernels"); }

  /// A CUDA graph: one launch for the whole sequence.
  class Recording {
  public:
    Recording(cudaGraph_t graph, cudaStream_t runsOn) : stream(runsOn) {
      cudaGraphExec_t made = nullptr;
      check(cudaGraphInstantiateWithFlags(&made, graph, 0), "instantiating a graph");
      executable.reset(made);
    }
    void replay() { check(cudaGraphLaunch(executable, stream), "launching a graph"); }

  private:
    Handle<CUgraphExec_st> executable;
    cudaStream_t stream;
  };
  template <class F>
  Recording record(F&& runs) {
    const auto end = [this] {
      cudaGraph_t graph = nullptr; // stays null if the recording failed
      const cudaError_t status = cudaStreamEndCapture(stream, &graph);
      return std::pair(status, Handle<CUgraph_st>(graph));
    };
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "recording a graph");
    try {
      runs();
    } catch (...) {
      end();
      cudaGetLastError();
      throw;
    }
    const auto [status, graph] = end();
    check(status, "recording a graph");
    return Recording(graph, stream);
  }

  /// Reads a value in device memory without waiting for the device. Each call of latest() starts a copy and
  /// returns the copy that the previous call started, so the host stays one step behind.
  template <class T>
  class Watch {
  public:
    Watch(const T* watched, cudaStream_t runsOn) : value(watched), stream(runsOn) {
      T* memory = nullptr;
      check(cudaMallocHost(&memory, 2 * sizeof(T)), "allocating pinned memory");
      copies.reset(memory);
      copies[0] = copies[1] = T{};
      for (auto& event : done) event = makeEvent(cudaEventDisableTiming);
    }
    ~Watch() { cudaStreamSynchronize(stream); } // a copy may be in flight
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    T latest() {
      check(cudaMemcpyAsync(copies.get() + next, value, sizeof(T), cudaMemcpyDeviceToHost, stream),
            "copying a counter");
      check(cudaEventRecord(done[next], stream), "copying a counter");
      next = 1 - next;
      check(cudaEventSynchronize(done[next]), "a kernel"); // returns at once for an event never recorded
      return copies[next];
    }

  private:
    const T* value;
    std::unique_ptr<T[], Destroy> copies;
    cudaStream_t stream;
    Handle<CUevent_st> done[2];
    int next = 0;
  };
  template <class T>
  Watch<T> watch(const T* value) {
    return Watch<T>(value, stream);
  }

  class Timer {
  public:
    explicit Timer(cudaStream_t runsOn) : stream(runsOn) {}
    void mark() {
      marks.push_back(makeEvent(cudaEventDefault));
      check(cudaEventRecord(marks.back(), stream), "measuring the time");
    }
    std::vector<double> seconds() {
      std::vector<double> between;
      if (!marks.empty()) check(cudaEventSynchronize(marks.back()), "the kernels");
      for (std::size_t i = 1; i < marks.size(); ++i) {
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, marks[i - 1], marks[i]), "measuring the time");
        between.push_back(1e-3 * milliseconds);
      }
      return between;
    }

  private:
    std::vector<Handle<CUevent_st>> marks;
    cudaStream_t stream;
  };
  Timer timer() { return Timer(stream); }

private:
  CurrentDevice current;
  Handle<CUstream_st> stream;
  int processors = 1;
  Array<std::uint8_t> scratch;
};

} // namespace isochrone::execution
