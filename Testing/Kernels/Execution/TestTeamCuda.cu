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
