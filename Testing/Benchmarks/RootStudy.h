// RootStudy.h - the root of a state's equation, sum of weight max(0, lambda - value)^2 = cost^2, on any
// device. By Newton's method without sorting (root()), and by Algorithm 3 of the paper: sorts the values and
// adds terms while they are below the root. Mirebeau et al., 2022.
#pragma once

#include "CurvaturePaths/Scheme/LocalSolver.h"
#include "Execution/Team.h"
#include "Table.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <vector>

namespace isochrone::benchmark {

/// Comparators of Batcher's odd-even merge sort for N values, in order.
template <int N>
struct SortingNetwork {
  int count = 0, low[N * N] = {}, high[N * N] = {};

  constexpr SortingNetwork() {
    for (int p = 1; p < N; p *= 2)
      for (int k = p; k >= 1; k /= 2)
        for (int j = k % p; j < N - k; j += 2 * k)
          for (int i = 0; i < k && i + j + k < N; ++i)
            if ((i + j) / (2 * p) == (i + j + k) / (2 * p)) low[count] = i + j, high[count++] = i + j + k;
  }
};

/// Sorts values and weights by value.
template <int N>
TEAM_FN void sortByNetwork(float (&value)[N], float (&weight)[N]) {
  execution::unroll<SortingNetwork<N>().count>([&](auto c) {
    constexpr int a = SortingNetwork<N>().low[decltype(c)()], b = SortingNetwork<N>().high[decltype(c)()];
    const bool swap = value[b] < value[a];
    const float lowValue = swap ? value[b] : value[a], lowWeight = swap ? weight[b] : weight[a];
    value[b] = swap ? value[a] : value[b], weight[b] = swap ? weight[a] : weight[b];
    value[a] = lowValue, weight[a] = lowWeight;
  });
}

/// Algorithm 3: the largest prefix of the sorted values below its own root. Values are relative to the
/// minimum, to preserve single precision.
template <int N>
TEAM_FN float sortedRoot(float cost, float (&value)[N], float (&weight)[N]) {
  sortByNetwork(value, weight);
  float sum = 0, moment = 0, squares = -(cost * cost), above = curvature::infinity;
  execution::unroll<N>([&](auto t) {
    const float d = value[t] - value[0], w = above > d ? weight[t] : 0.f;
    sum += w, moment += w * d, squares += w * d * d;
    const float discriminant = curvature::maxOf(moment * moment - sum * squares, 0);
    above = w > 0 ? (moment + std::sqrt(discriminant)) / sum : above;
  });
  return value[0] + above;
}

enum class RootMethod { Newton, Sorted };

/// Solves one equation per lane, `repeats` times with increasing costs.
template <int N, RootMethod method>
struct SolveRoots {
  using Lanes = execution::Box<128, 1, 1>;
  struct Shared {};
  const float *values, *weights; ///< [slot][equation]
  float* roots;
  std::int64_t equations; ///< a multiple of the lanes
  int repeats;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    execution::PerLane<Team, float> value[N], weight[N], latest;
    team.each(Lanes{}, [&](execution::Cell c) {
      const std::int64_t e = std::int64_t(position) * Lanes::size + c.index;
      execution::unroll<N>([&](auto t) { value[t][c] = values[t * equations + e]; });
      execution::unroll<N>([&](auto t) { weight[t][c] = weights[t * equations + e]; });
      latest[c] = 0;
    });
    for (int r = 0; r < repeats; ++r)
      team.each(Lanes{}, [&](execution::Cell c) {
        const float cost = 0.3f + 0.01f * float(r);
        if constexpr (method == RootMethod::Sorted) {
          float v[N], w[N];
          execution::unroll<N>([&](auto t) { v[t] = value[t][c], w[t] = weight[t][c]; });
          latest[c] = sortedRoot<N>(cost, v, w);
        } else {
          const auto weightOf = [&](auto t) { return weight[t][c]; };
          latest[c] = curvature::root<N>(
              cost, curvature::infinity, curvature::massOf<N>(weightOf), [&](auto t) { return value[t][c]; },
              weightOf, [&](auto t) { return 1 / std::sqrt(weight[t][c]); });
        }
      });
    team.each(Lanes{},
              [&](execution::Cell c) { roots[std::int64_t(position) * Lanes::size + c.index] = latest[c]; });
  }
};

/// Prints nanoseconds per root by either method, for the models' numbers of terms.
template <class Device>
class RootStudy {
public:
  RootStudy(Device& runsOn, const char* name, const std::string& file)
      : device(runsOn), table(file, {{"device", name}, {"best of", 3.}},
                              {{"terms", "terms", 5},
                               {"newton_ns", "Newton ns", 9, 2},
                               {"sorted_ns", "sorted ns", 9, 2},
                               {"sorted_over_newton", "sorted/Newton", 13, 2},
                               {"difference", "difference x 1e6", 16, 2}}) {}

  void run() { row<4>(), row<6>(), row<8>(), row<30>(); }

private:
  static constexpr std::int64_t equations = 1 << 14;
  static constexpr int repeats = 30;
  Device& device;
  Table table;

  template <int N>
  void row() {
    std::mt19937 random(12345);
    std::vector<float> values(N * equations), weights(N * equations);
    for (float& v : values) v = 3 * float(random() >> 8) * 0x1p-24f;
    for (float& w : weights) w = 0.01f + float(random() >> 8) * 0x1p-24f;
    auto deviceValues = device.upload(std::span<const float>(values)),
         deviceWeights = device.upload(std::span<const float>(weights));
    const auto solve = [&]<RootMethod method>(std::vector<float>& roots) {
      auto found = device.template allocate<float>(equations);
      double minimum = std::numeric_limits<double>::infinity();
      for (int run = 0; run < 3; ++run)
        minimum = std::min(minimum, seconds([&] {
                             device.run(SolveRoots<N, method>{deviceValues.data(), deviceWeights.data(),
                                                              found.data(), equations, repeats},
                                        int(equations / 128));
                             device.wait();
                           }));
      roots.resize(equations);
      device.download(found, roots.data());
      return 1e9 * minimum / double(equations * repeats);
    };
    std::vector<float> newton, sorted;
    const double newtonNs = solve.template operator()<RootMethod::Newton>(newton),
                 sortedNs = solve.template operator()<RootMethod::Sorted>(sorted);
    double difference = 0;
    for (std::size_t e = 0; e < newton.size(); ++e)
      difference = std::max(difference, std::abs(double(sorted[e]) - newton[e]) / newton[e]);
    table.row({double(N), newtonNs, sortedNs, sortedNs / newtonNs, 1e6 * difference});
  }
};

} // namespace isochrone::benchmark
