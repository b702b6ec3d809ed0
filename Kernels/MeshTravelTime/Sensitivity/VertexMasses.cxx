#include "MeshTravelTime/Sensitivity/VertexMasses.h"

#include "Grid/Components.h"

#include <algorithm>

namespace isochrone::mesh {

namespace {

class MassFlow {
public:
  MassFlow(std::span<const VertexDependence> d, std::span<double> m)
      : dependence(d), mass(m), open(d.size(), 0), state(d.size(), 0) {}

  double pass() {
    // 1. The vertices that the tips depend on, and the number of users of each.
    std::vector<std::int32_t> reached;
    const auto reach = [&](std::size_t v) {
      if (state[v] == 0) state[v] = isReached, reached.push_back(std::int32_t(v));
    };
    for (std::size_t v = 0; v < mass.size(); ++v)
      if (mass[v] != 0) reach(v);
    for (std::size_t next = 0; next < reached.size(); ++next)
      forUsed(reached[next], [&](std::size_t w, double) { ++open[w], reach(w); });

    // 2. Vertices whose users are done.
    std::vector<std::int32_t> front;
    for (const std::int32_t v : reached)
      if (open[std::size_t(v)] == 0) front.push_back(v);
    for (std::size_t next = 0; next < front.size(); ++next) {
      const std::int32_t v = front[next];
      state[std::size_t(v)] = isDone;
      forUsed(v, [&](std::size_t w, double share) {
        mass[w] += share * mass[std::size_t(v)];
        if (--open[w] == 0) front.push_back(std::int32_t(w));
      });
    }
    if (front.size() < reached.size()) passThroughCycles(reached);
    return lost;
  }

private:
  static constexpr std::uint8_t isReached = 1, isDone = 2;
  std::span<const VertexDependence> dependence;
  std::span<double> mass;
  std::vector<std::int32_t> open; ///< number of users that are not done
  std::vector<std::uint8_t> state;
  double lost = 0;

  template <class F>
  void forUsed(std::int64_t v, const F& f) const {
    const VertexDependence& d = dependence[std::size_t(v)];
    for (std::size_t i = 0; i < d.count; ++i) f(std::size_t(d.vertex[i]), d.weight[i]);
  }

  void passThroughCycles(std::span<const std::int32_t> reached) {
    std::vector<std::int64_t> left, number(mass.size(), -1), first{0}, to;
    for (const std::int32_t v : reached)
      if (state[std::size_t(v)] != isDone)
        number[std::size_t(v)] = std::int64_t(left.size()), left.push_back(v);
    for (const std::int64_t v : left) {
      forUsed(v, [&](std::size_t w, double) { to.push_back(number[w]); });
      first.push_back(std::int64_t(to.size()));
    }
    const grid::Components components(first, to, [] { return true; });
    std::vector<std::int64_t> members;
    for (std::size_t c = components.ends.size(); c-- > 0;) {
      members.clear();
      for (std::size_t m = c == 0 ? 0 : components.ends[c - 1]; m < components.ends[c]; ++m)
        members.push_back(left[std::size_t(components.members[m])]);
      std::ranges::sort(members);
      solveCycle(members);
    }
  }

  void solveCycle(const std::vector<std::int64_t>& members) {
    const std::size_t n = members.size();
    const auto numberOf = [&](std::size_t v) {
      const auto at = std::ranges::lower_bound(members, std::int64_t(v));
      return at != members.end() && *at == std::int64_t(v) ? std::size_t(at - members.begin()) : n;
    };
    std::vector<double> matrix(n * n, 0), masses(n);
    bool leadsOut = false, leadsIn = false;
    for (std::size_t m = 0; m < n; ++m) {
      masses[m] = mass[std::size_t(members[m])];
      matrix[m * n + m] += 1;
      forUsed(members[m], [&](std::size_t w, double share) {
        const std::size_t k = numberOf(w);
        if (k == n)
          leadsOut = true;
        else
          leadsIn = true, matrix[k * n + m] -= share;
      });
    }
    if (leadsIn && !leadsOut) { // masses circle for ever
      for (const std::int64_t v : members) lost += mass[std::size_t(v)], mass[std::size_t(v)] = 0;
      return;
    }
    if (leadsIn) grid::solveDense(matrix, masses);
    for (std::size_t m = 0; m < n; ++m) {
      mass[std::size_t(members[m])] = masses[m];
      forUsed(members[m], [&](std::size_t w, double share) {
        if (numberOf(w) == n) mass[w] += share * masses[m];
      });
    }
  }
};

} // namespace

double passMasses(std::span<const VertexDependence> dependence, std::span<double> mass) {
  return MassFlow(dependence, mass).pass();
}

} // namespace isochrone::mesh
