// DeviceCode.cxx - kernels from the fat binaries of the program: registration, PTX, launches.
#include "Report.h"
#include "Runtime.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>

#include <fcntl.h>
#include <unistd.h>

namespace on_host {

namespace {

struct FatBinary {
  const std::uint8_t* data = nullptr;
  std::unique_ptr<Module> module;
  std::string problem;
};
struct Registered {
  FatBinary* binary = nullptr;
  std::string name;
  std::unique_ptr<Kernel> kernel;
  std::string problem;
};

struct Registry {
  std::map<const void*, Registered*> functions; ///< by host address
  std::map<std::pair<FatBinary*, std::string>, Registered> all;
};
Registry& registry() {
  static Registry* const only = new Registry;
  return *only;
}

// The layout of fat binaries is undocumented. The magic number and the kinds of entries are checked.
#pragma pack(push, 1)
struct FatHeader {
  std::uint32_t magic;
  std::uint16_t version, headerBytes;
  std::uint64_t bytes;
};
struct FatEntry {
  std::uint16_t kind, unknown;
  std::uint32_t headerBytes;
  std::uint64_t bytes;
};
#pragma pack(pop)

constexpr std::uint32_t fatMagic = 0xBA55ED50;
constexpr std::uint16_t ptxKind = 1;

std::string ptxOf(const std::uint8_t* data) {
  FatHeader h;
  std::memcpy(&h, data, sizeof h);
  if (h.magic != fatMagic) throw std::runtime_error("not a fat binary");
  const std::uint8_t *at = data + h.headerBytes, *end = at + h.bytes;
  for (FatEntry e; at < end; at += e.headerBytes + e.bytes) {
    std::memcpy(&e, at, sizeof e);
    if (e.kind != ptxKind) continue;
    std::string text(reinterpret_cast<const char*>(at + e.headerBytes), e.bytes);
    if (text.substr(0, 4096).find(".version") == std::string::npos)
      throw std::runtime_error("its PTX is compressed: compile with nvcc --no-compress");
    text.resize(std::min(text.size(), text.find('\0')));
    return text;
  }
  throw std::runtime_error("no PTX in it: compile with an architecture that keeps PTX, such as 75");
}

void placeVariables(Module& module) {
  DeviceMemory& m = DeviceMemory::get();
  for (auto& [name, v] : module.variables) {
    if (v.space != "global" && v.space != "const") continue;
    v.address = m.allocate(v.size, currentDevice());
    std::memset(m.host(v.address), 0, v.size);
    std::memset(m.states(v.address), written, v.size);
    std::memcpy(m.host(v.address), v.initial.data(), std::min<std::size_t>(v.size, v.initial.size()));
  }
}

const Module* moduleOf(FatBinary& b) {
  if (b.module || !b.problem.empty()) return b.module.get();
  try {
    b.module = parseModule(ptxOf(b.data));
    placeVariables(*b.module);
  } catch (const std::exception& e) {
    b.problem = e.what();
  }
  return b.module.get();
}

Kernel* decoded(Registered& r) {
  if (r.kernel || !r.problem.empty()) return r.kernel.get();
  const Module* m = moduleOf(*r.binary);
  try {
    if (!m) throw std::runtime_error(r.binary->problem);
    r.kernel = decode(*m, r.name);
  } catch (const std::exception& e) {
    r.problem = e.what();
    report("kernel cannot be run here", demangled(r.name), r.problem);
  }
  return r.kernel.get();
}

/// Appends to a file, in one write, the kernels of the program and those that it launched.
void listKernels() {
  std::string text;
  for (auto& [key, r] : registry().all) {
    text += "has " + r.name + '\n';
    if (r.kernel && r.kernel->launches) text += "launched " + r.name + '\n';
  }
  const int file = open(std::getenv("CUDA_ON_HOST_KERNELS"), O_WRONLY | O_CREAT | O_APPEND, 0666);
  if (file < 0 || write(file, text.data(), text.size()) != ssize_t(text.size()))
    std::perror("cuda-on-host: CUDA_ON_HOST_KERNELS");
  if (file >= 0) close(file);
}

} // namespace

Kernel* kernelOf(const void* function) {
  Registry& all = registry();
  if (const auto r = all.functions.find(function); r != all.functions.end()) return decoded(*r->second);
  for (auto& [key, r] : all.all)
    if (&r == function) return decoded(r); // a cudaKernel_t
  return nullptr;
}

namespace {

cudaError_t checkLaunch(const Kernel& k, const dim3& grid, const dim3& block, std::size_t shared,
                        cudaStream_t stream) {
  const std::string name = "launch of " + k.shownName;
  if (!isStream(stream)) return misuse(cudaErrorInvalidResourceHandle, name, "no such stream");
  if (const int device = streamOf(stream).device; device != currentDevice() && stream)
    return misuse(cudaErrorInvalidResourceHandle, name,
                  "the stream belongs to device " + std::to_string(device) + ", but device " +
                      std::to_string(currentDevice()) + " is current");
  const std::uint64_t threads = std::uint64_t(block.x) * block.y * block.z;
  if (threads == 0 || threads > 1024 || block.z > 64 || grid.x == 0 || grid.y == 0 || grid.z == 0 ||
      grid.x > 0x7fffffffu || grid.y > 65535 || grid.z > 65535)
    return misuse(cudaErrorInvalidConfiguration, name,
                  "grid " + std::to_string(grid.x) + " x " + std::to_string(grid.y) + " x " +
                      std::to_string(grid.z) + ", " + std::to_string(threads) + " threads");
  const int* maximum = k.function.maxThreads;
  if (maximum[0] && threads > std::uint64_t(maximum[0]) * std::max(1, maximum[1]) * std::max(1, maximum[2]))
    return misuse(cudaErrorLaunchOutOfResources, name,
                  std::to_string(threads) + " threads, more than its launch bounds");
  constexpr std::size_t maxShared = 48 * 1024;
  if (k.sharedBytes + shared > maxShared)
    return misuse(cudaErrorInvalidValue, name,
                  std::to_string(k.sharedBytes + shared) + " bytes of shared memory");
  return cudaSuccess;
}

cudaError_t launch(const void* function, dim3 grid, dim3 block, void** args, std::size_t shared,
                   cudaStream_t stream) {
  return call("launch", Allowed::WhileWhole, [&] {
    Kernel* k = kernelOf(function);
    if (!k) return give(cudaErrorInvalidDeviceFunction);
    if (const cudaError_t e = checkLaunch(*k, grid, block, shared, stream); e != cudaSuccess) return e;
    Launch l{k,
             {grid.x, grid.y, grid.z},
             {block.x, block.y, block.z},
             std::uint32_t(shared),
             std::vector<std::uint8_t>(k->paramBytes)};
    for (std::size_t n = 0; n < k->function.params.size(); ++n) {
      const Variable& p = k->function.params[n];
      std::memcpy(l.params.data() + p.address, args[n], p.size);
    }
    submit(streamOf(stream), {[l = std::move(l)] {
             if (!execute(l)) breakContext(cudaErrorIllegalAddress);
           }});
    return give(state().broken);
  });
}

struct CallConfiguration {
  dim3 grid, block;
  std::size_t shared;
  void* stream;
};
thread_local std::vector<CallConfiguration> configurations;

} // namespace

} // namespace on_host

using namespace on_host;

extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
  auto* b = new FatBinary;
  std::memcpy(&b->data, static_cast<char*>(wrapper) + 8, sizeof b->data); // follows magic and version
  [[maybe_unused]] static const bool once =
      std::getenv("CUDA_ON_HOST_KERNELS") && std::atexit(listKernels) == 0;
  return reinterpret_cast<void**>(b);
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
void __cudaRegisterFunction(void** binary, const char* host, char*, const char* name, int, uint3*, uint3*,
                            dim3*, dim3*, int*) {
  std::lock_guard lock(state().mutex);
  auto* b = reinterpret_cast<FatBinary*>(binary);
  Registered& r = registry().all[{b, name}];
  r.binary = b;
  r.name = name;
  registry().functions[host] = &r;
}
void __cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int) {}
char __cudaInitModule(void**) { return 1; }

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, CUstream_st* stream) {
  configurations.push_back({grid, block, shared, stream});
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
  const CallConfiguration c = configurations.back();
  configurations.pop_back();
  *grid = c.grid, *block = c.block, *shared = c.shared;
  *static_cast<void**>(stream) = c.stream;
  return cudaSuccess;
}
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* f) {
  return call("cudaGetKernel", Allowed::Always, [&] {
    const auto r = registry().functions.find(f);
    *kernel = r == registry().functions.end() ? nullptr : reinterpret_cast<cudaKernel_t>(r->second);
    return *kernel ? cudaSuccess : give(cudaErrorInvalidDeviceFunction);
  });
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** args, std::size_t shared,
                               cudaStream_t stream) {
  return launch(kernel, grid, block, args, shared, stream);
}
cudaError_t cudaLaunchKernel(const void* f, dim3 grid, dim3 block, void** args, std::size_t shared,
                             cudaStream_t stream) {
  return launch(f, grid, block, args, shared, stream);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* c, const void* f, void** args) {
  return launch(f, c->gridDim, c->blockDim, args, c->dynamicSmemBytes, c->stream);
}

} // extern "C"
