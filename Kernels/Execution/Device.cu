#include "Execution/Cuda.h"
#include "Execution/CudaDevice.h"

#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>

namespace isochrone::execution {

void compactOnCuda(const std::uint8_t* flags, int n, int* list, int* count, void* scratch,
                   std::size_t& scratchBytes, cudaStream_t stream) {
  check(cub::DeviceSelect::Flagged(scratch, scratchBytes, thrust::counting_iterator<int>(0), flags, list,
                                   count, n, stream),
        "compacting a list");
}

CudaState queryCuda() {
  int devices = 0;
  const cudaError_t status = cudaGetDeviceCount(&devices);
  if (status != cudaSuccess) {
    cudaGetLastError(); // so that the next check does not report this one
    return {"", std::string("no usable CUDA device: ") + cudaGetErrorString(status), 0};
  }
  cudaDeviceProp properties{};
  std::size_t free = 0, total = 0;
  const CurrentDevice current;
  check(cudaGetDeviceProperties(&properties, current.number()), "querying the device");
  check(cudaMemGetInfo(&free, &total), "querying free device memory");
  cudaFuncAttributes attributes{};
  const cudaError_t kernels = cudaFuncGetAttributes(&attributes, fillArray<float>);
  if (kernels != cudaSuccess) {
    cudaGetLastError();
    return {"", std::string(properties.name) + " cannot run these kernels: " + cudaGetErrorString(kernels),
            0};
  }
  return {properties.name, "", free};
}

} // namespace isochrone::execution
