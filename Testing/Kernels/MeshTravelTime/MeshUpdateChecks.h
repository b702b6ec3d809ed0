// MeshUpdateChecks.h - the comparison of the updates of vertices with those of the host.
#pragma once

#include "MeshSensitivityCases.h"
#include "MeshTravelTime/Sensitivity/SolvedMesh.h"

#include <gtest/gtest.h>

namespace isochrone::mesh {

/// Expects the updates of the host, bit by bit.
/// @param evaluate  evaluate(solved) finds the updates of a prepared mesh
template <class Evaluate>
void expectUpdatesOfHost(const MeshCase& c, const Evaluate& evaluate) {
  const Values<float> times = solve(c, onHost()).travelTime;
  execution::RoundPool pool(1);
  SolvedMesh host(c.problem, times, pool), other(c.problem, times, pool);
  ASSERT_TRUE(host.prepare({}) && other.prepare({}));
  ASSERT_TRUE(host.evaluate({}));
  evaluate(other);
  ASSERT_EQ(host.dependences().size(), other.dependences().size());
  int updates = 0;
  for (std::size_t v = 0; v < host.dependences().size(); ++v) {
    const VertexDependence &a = host.dependences()[v], &b = other.dependences()[v];
    ASSERT_EQ(a.count, b.count) << v;
    ASSERT_EQ(a.value, b.value) << v;
    ASSERT_EQ(a.tetrahedron, b.tetrahedron) << v;
    for (int i = 0; i < a.count; ++i) {
      ASSERT_EQ(a.vertex[i], b.vertex[i]) << v;
      ASSERT_EQ(a.weight[i], b.weight[i]) << v;
    }
    updates += a.count > 0;
  }
  EXPECT_EQ(updates == 0, c.vertexCount() < 2);
}

} // namespace isochrone::mesh
