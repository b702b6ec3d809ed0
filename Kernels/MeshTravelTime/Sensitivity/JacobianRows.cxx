#include "MeshTravelTime/Sensitivity/JacobianRows.h"

#include <map>
#include <utility>

namespace isochrone::mesh {

JacobianRows::JacobianRows(std::int64_t elements, const SolvedMesh& mesh, const MassFlow& masses,
                           const ElementWeights& elementWeights)
    : solved(mesh), flow(masses), weights(elementWeights), mass(mesh.dependences().size(), 0),
      perSlowness(std::size_t(elements), 0), waiting(std::int64_t(mass.size())),
      passed(std::int64_t(mass.size())), touched(elements) {}

/// Completes the masses of a group whose users have theirs. Returns false if goOn() did.
bool JacobianRows::pass(std::int64_t rank, double& lost, const MassFlow::GoOn& goOn) {
  const MassFlow::Group group = flow.groupAt(rank);
  if (!flow.complete(group, mass, lost, goOn)) return false;
  for (std::int64_t r = group.begin; r < group.end; ++r) {
    const std::int32_t v = flow.ranked()[std::size_t(r)];
    waiting.remove(r);
    passed.add(v);
    flow.forUsed(v, [&](std::int32_t used, double) {
      if (const std::int64_t to = flow.rankOf(used); to >= group.end) waiting.add(to);
    });
  }
  return true;
}

JacobianRow JacobianRows::of(const SolvedMesh::TipPlace& tip, const MassFlow::GoOn& goOn) {
  JacobianRow row;
  for (std::size_t i = 0; i < tip.count; ++i) {
    mass[std::size_t(tip.vertex[i])] += tip.weight[i];
    waiting.add(flow.rankOf(tip.vertex[i]));
  }
  constexpr std::int64_t batch = 4096; // vertices between two questions
  std::int64_t count = 0;
  bool goesOn = true;
  waiting.takeAll([&](std::int64_t rank) {
    goesOn = goesOn && (++count % batch != 0 || goOn()) && pass(rank, row.lostWeight, goOn);
  });
  if (!goesOn) return {};
  // By vertex, since ranks at the same level depend on threads.
  std::map<std::int32_t, double> shares; // of seeds
  passed.takeAll([&](std::int64_t number) {
    const auto v = std::int32_t(number);
    const double at = std::exchange(mass[std::size_t(v)], 0);
    if (at == 0) return;
    for (const ElementWeight& w : weights.of(flow.rankOf(v))) {
      perSlowness[w.element] += at * w.weight;
      touched.add(w.element);
    }
    if (const std::int32_t seed = solved.seedOf(v); seed >= 0) shares[seed] += at;
  });
  touched.takeAll([&](std::int64_t element) {
    if (const double weight = std::exchange(perSlowness[std::size_t(element)], 0); weight != 0)
      row.entries.push_back({std::uint32_t(element), weight});
  });
  double largest = 0;
  for (const auto& [seed, share] : shares)
    if (share >= largest) row.seed = seed, largest = share;
  return row;
}

} // namespace isochrone::mesh
