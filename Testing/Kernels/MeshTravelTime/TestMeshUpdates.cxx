// Claims about the updates that gave vertices their times, by the kernel of a device on host teams: they are
// those of the host.
#include "Execution/HostDevice.h"
#include "MeshTravelTime/Sensitivity/EvaluateVertices.h"
#include "MeshUpdateChecks.h"

#include <gtest/gtest.h>

using namespace isochrone;
using namespace isochrone::mesh;

class MeshUpdates : public testing::TestWithParam<std::string> {};

TEST_P(MeshUpdates, OfHostTeamsAreThoseOfTheHost) {
  expectUpdatesOfHost(meshMakerOf(GetParam()).make(), [](SolvedMesh& solved) {
    execution::HostDevice device(2);
    evaluateOnDevice(device, solved);
  });
}

INSTANTIATE_TEST_SUITE_P(Meshes, MeshUpdates, testing::ValuesIn(meshCaseNames()),
                         [](const auto& info) { return info.param; });
