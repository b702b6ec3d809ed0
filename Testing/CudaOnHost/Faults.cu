// Faults.cu NAME: runs a kernel with a planted fault, which must be found. "nothing", "warpReads" and
// "waitForBlock" have no fault.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

constexpr int n = 64;
__global__ void nothing(int* out) {
  __shared__ int s[n];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = s[(threadIdx.x + 1) % n];
}
__global__ void sharedRace(int* out) {
  __shared__ int s[n];
  s[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = s[(threadIdx.x + 1) % n];
}
__global__ void sharedNotWritten(int* out) {
  __shared__ int s[n];
  if (threadIdx.x < n - 1) s[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = s[n - 1 - threadIdx.x];
}
__global__ void copyOne(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }
__global__ void beyond(int* out) { out[threadIdx.x + 1] = 1; }
__global__ void misaligned(char* out) { *(int*)(out + 4 * threadIdx.x + 1) = 1; }
__global__ void blocksRace(int* out) { out[0] = blockIdx.x; }
__global__ void threadsRace(int* out) {
  out[threadIdx.x] = 1;
  out[0] = out[(threadIdx.x + 1) % n];
}
__global__ void allReadOneWrites(int* out) { // no race within one warp
  const int seen = out[0];
  __syncwarp();
  if (threadIdx.x == 0) out[0] = seen + 1;
}
__global__ void divergentBarrier(int* out) {
  if (threadIdx.x < 7) {
    __syncthreads();
  } else {
    out[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = 2;
  }
}
__global__ void endless(volatile int* out) {
  while (out[0] == 0) {
  }
}
__global__ void waitForBlock(volatile int* out) { // waits for the later block: both must run
  if (blockIdx.x == 1)
    out[0] = 1;
  else
    while (out[0] == 0) {
    }
}

int main(int count, char** arguments) {
  const char* name = count > 1 ? arguments[1] : "nothing";
  auto is = [&](const char* s) { return std::strcmp(name, s) == 0; };
  int host[n] = {}, *d = nullptr, *e = nullptr, *pinned = nullptr;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&d, sizeof host);
  cudaMalloc(&e, sizeof host);
  cudaMallocHost(&pinned, sizeof host);
  if (is("nothing")) nothing<<<1, n>>>(d);
  if (is("sharedRace")) sharedRace<<<1, n>>>(d);
  if (is("sharedNotWritten")) sharedNotWritten<<<1, n>>>(d);
  if (is("notWritten")) copyOne<<<1, n>>>(e, d);
  if (is("beyond")) beyond<<<1, n>>>(d);
  if (is("misaligned")) misaligned<<<1, n>>>((char*)d);
  if (is("blocksRace")) blocksRace<<<4, 1>>>(d);
  if (is("threadsRace")) threadsRace<<<1, n>>>(d);
  if (is("warpReads")) cudaMemset(d, 0, sizeof host), allReadOneWrites<<<1, 32>>>(d);
  if (is("warpsRace")) cudaMemset(d, 0, sizeof host), allReadOneWrites<<<1, n>>>(d);
  if (is("divergentBarrier")) divergentBarrier<<<1, n>>>(d);
  if (is("freed")) cudaFree(e), copyOne<<<1, n>>>(e, d);
  if (is("tooManyThreads")) copyOne<<<1, 1025>>>(e, d);
  if (is("endless")) cudaMemset(d, 0, sizeof host), endless<<<1, 32>>>(d);
  if (is("waitForBlock")) cudaMemset(d, 0, sizeof host), waitForBlock<<<2, 32>>>(d);
  if (is("otherDevice")) cudaSetDevice(1), nothing<<<1, n, 0, stream>>>(d);
  if (is("allocationInCapture")) {
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    cudaMalloc(&e, 64);
    cudaGraph_t graph;
    cudaStreamEndCapture(stream, &graph);
  }
  if (is("hostAccess")) std::printf("%d\n", d[0]);
  if (is("noWait")) {
    cudaMemset(d, 0, sizeof host);
    cudaDeviceSynchronize();
    pinned[0] = -1;
    cudaMemcpyAsync(pinned, d, sizeof host, cudaMemcpyDeviceToHost, stream);
    std::printf("%s\n",
                pinned[0] == 0 ? "the copy was early" : "cuda-on-host: found: the host read too early");
  }
  cudaMemcpy(host, d, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
