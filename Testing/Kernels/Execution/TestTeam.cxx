// The Team layer on the host: forward, with lanes and tiles reversed, and on two threads.
#include "Execution/HostDevice.h"
#include "TeamTests.h"

using namespace isochrone::execution;

template <class Device>
class Team : public testing::Test {
protected:
  Device device{2};
};
using HostDevices = testing::Types<HostDevice<false>, HostDevice<true>>;
TYPED_TEST_SUITE(Team, HostDevices);

TYPED_TEST(Team, PhasesEndWithABarrier) { phasesEndWithABarrier(this->device); }
TYPED_TEST(Team, CollectivesSeeAllLanes) { collectivesSeeAllLanes(this->device); }
TYPED_TEST(Team, TheDeviceDecidesHowMuchRuns) { theDeviceDecidesHowMuchRuns(this->device); }
TYPED_TEST(Team, CompactionKeepsTheOrder) { compactionKeepsTheOrder(this->device); }
TYPED_TEST(Team, AWatchSeesTheValueInTheEnd) { aWatchSeesTheValueInTheEnd(this->device); }
TYPED_TEST(Team, AKernelSaysHowManyPositionsItHas) { aKernelSaysHowManyPositionsItHas(this->device); }
TYPED_TEST(Team, DivisorsDivide) { divisorsDivide(this->device); }
TYPED_TEST(Team, TeamsListEachNumberOnce) { teamsListEachNumberOnce(this->device); }

TEST(ReversedTeam, TellsARaceApart) {
  HostDevice<false> forward{1};
  HostDevice<true> reversed{1};
  auto one = forward.array<int>(RaceLanes::Lanes::size, -1), other = one;

  forward.run(RaceLanes{one.data()}, 1);
  reversed.run(RaceLanes{other.data()}, 1);

  EXPECT_NE(one.values, other.values);
}

TEST(HostDevice, ThreadsDoNotChangeTheResult) {
  HostDevice<false> one{1}, two{2};

  EXPECT_EQ(rotated(one, 500, 3), rotated(two, 500, 3));
}
