// Claims about the Team layer on the host.
#include "Execution/HostDevice.h"
#include "TeamTests.h"

using namespace isochrone::execution;

class Team : public testing::Test {
protected:
  HostDevice device{2};
};

TEST_F(Team, PhasesEndWithABarrier) { phasesEndWithABarrier(device); }
TEST_F(Team, CollectivesSeeAllLanes) { collectivesSeeAllLanes(device); }
TEST_F(Team, TheDeviceDecidesTheNumberOfPositions) { theDeviceDecidesTheNumberOfPositions(device); }
TEST_F(Team, CompactionKeepsTheOrder) { compactionKeepsTheOrder(device); }
TEST_F(Team, AWatchFinallyReturnsTheValue) { aWatchFinallyReturnsTheValue(device); }
TEST_F(Team, AKernelReportsItsNumberOfPositions) { aKernelReportsItsNumberOfPositions(device); }
TEST_F(Team, DivisorsDivide) { divisorsDivide(device); }
TEST_F(Team, TeamsListEachNumberOnce) { teamsListEachNumberOnce(device); }

TEST(HostDevice, ThreadsDoNotChangeTheResult) {
  HostDevice one{1}, two{2};

  EXPECT_EQ(rotated(one, 500, 3), rotated(two, 500, 3));
}
