// Claims about the Team layer on a CUDA device: the same kernels give the same results.
#include "Error.h"
#include "Execution/Cuda.h"
#include "Execution/CudaDevice.h"
#include "TeamTests.h"

using namespace isochrone;
using namespace isochrone::execution;

#define SKIP_WITHOUT_DEVICE()                                                                                \
  if (const CudaState cuda = queryCuda(); !cuda.problem.empty()) GTEST_SKIP() << cuda.problem;

TEST(CudaTeam, PhasesEndWithABarrier) {
  SKIP_WITHOUT_DEVICE();
  CudaDevice device;
  phasesEndWithABarrier(device);
}

TEST(CudaTeam, CollectivesSeeAllLanes) {
  SKIP_WITHOUT_DEVICE();
  CudaDevice device;
  collectivesSeeAllLanes(device);
}

TEST(CudaTeam, TheDeviceDecidesTheNumberOfPositions) {
  SKIP_WITHOUT_DEVICE();
  CudaDevice device;
  theDeviceDecidesTheNumberOfPositions(device);
}

TEST(CudaTeam, CompactionKeepsTheOrder) {
  SKIP_WITHOUT_DEVICE();
  CudaDevice device;
  compactionKeepsTheOrder(device);
}

TEST(CudaTeam, AWatchFinallyReturnsTheValue) {
  SKIP_WITHOUT_DEVICE();
  CudaDevice device;
  aWatchFinallyReturnsTheValue(device);
}

TEST(CudaTeam, AKernelReportsItsNumberOfPositions) {
  SKIP_WITHOUT_DEVICE();
  CudaDevice device;
  aKernelReportsItsNumberOfPositions(device);
}

TEST(CudaTeam, DivisorsDivide) {
  SKIP_WITHOUT_DEVICE();
  CudaDevice device;
  divisorsDivide(device);
}

TEST(CudaTeam, TeamsListEachNumberOnce) {
  SKIP_WITHOUT_DEVICE();
  CudaDevice device;
  teamsListEachNumberOnce(device);
}

TEST(CudaBackend, RefusesAProblemWithTooManyPoints) {
  SKIP_WITHOUT_DEVICE();
  const BackendChoice choice = chooseBackend(Backend::Automatic, tooManyForDevice);
  EXPECT_EQ(choice.backend, Backend::Host);
  EXPECT_NE(choice.reason.find("more points than"), std::string::npos) << choice.reason;
  EXPECT_THROW(chooseBackend(Backend::Cuda, tooManyForDevice), Error);
}

namespace {

int deviceCount() {
  int devices = 0;
  check(cudaGetDeviceCount(&devices), "counting the devices");
  return devices;
}

int currentDevice() {
  int device = -1;
  check(cudaGetDevice(&device), "choosing a device");
  return device;
}

/// Restores the device of this thread and the default choice.
struct Devices {
  ~Devices() {
    useCudaDevice(0);
    cudaSetDevice(0);
  }
};

} // namespace

TEST(CudaDevices, ProcessesOfANodeShareItsDevices) {
  SKIP_WITHOUT_DEVICE();
  const Devices restored;
  for (int process = 0; process < 2 * deviceCount() + 1; ++process) {
    useCudaDevice(process);
    CudaDevice device;
    EXPECT_EQ(currentDevice(), process % deviceCount());
    compactionKeepsTheOrder(device);
  }
}

TEST(CudaDevices, TheMemoryOfTheChosenDeviceIsAsked) {
  SKIP_WITHOUT_DEVICE();
  const Devices restored;
  constexpr std::size_t taken = 64 << 20;
  const int last = deviceCount() - 1;
  useCudaDevice(last);
  const std::size_t before = queryCuda().freeBytes;
  {
    CudaDevice device;
    const auto memory = device.allocate<char>(taken);
    EXPECT_LE(queryCuda().freeBytes + taken, before);
    useCudaDevice(0);
    if (last > 0) EXPECT_GT(queryCuda().freeBytes + taken, before);
  }
}

TEST(CudaDevices, TheDeviceThatTheCallerChoseIsCurrentAgain) {
  SKIP_WITHOUT_DEVICE();
  const Devices restored;
  const int last = deviceCount() - 1;
  cudaSetDevice(last);
  useCudaDevice(0);
  queryCuda();
  EXPECT_EQ(currentDevice(), last);
}
