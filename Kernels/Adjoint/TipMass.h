// TipMass.h - the weights of tips as integers.
//
// Integers have the same sum in every order, so results do not depend on the order of threads, and a point
// passes on exactly what it has.
#pragma once

#include "Error.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace isochrone::adjoint {

/// The weights of all tips together make a mass of at most 2^massBits: twice this mass and a bit fit into 64
/// bits. With negative shares masses may grow as they pass.
inline constexpr int massBits = 61, signedMassBits = 53;

/// The maximum of a mass on its path. With negative shares those of twelve users together fit into 64 bits.
inline constexpr std::int64_t maximumMass = std::int64_t(1) << 62, maximumSignedMass = std::int64_t(1) << 59;

/// The weight of a state in the objective.
struct StateWeight {
  int state;
  float time; ///< its travel time
  double weight;
};

/// A tip, which joins the front when the front comes down to it.
struct TipMass {
  int state;
  float time;
  std::int64_t mass;
};

struct TipMasses {
  std::vector<TipMass> tips;
  double unit = 1; ///< weight of a mass of 1
};

/// Returns the weights as masses.
/// @param weights  each state once
/// @param bits     as massBits
/// @throws Error if their sum is not finite
inline TipMasses massesOf(std::span<const StateWeight> weights, int bits = massBits) {
  TipMasses masses;
  double total = 0;
  for (const StateWeight& w : weights) total += std::abs(w.weight);
  if (!std::isfinite(total))
    throw Error("the weights of the tips add up to more than 1.8e308: use smaller weights");
  if (total == 0) return masses;
  masses.unit = std::max(std::exp2(std::ceil(std::log2(total)) - bits), std::numeric_limits<double>::min());
  for (const StateWeight& w : weights)
    masses.tips.push_back({w.state, w.time, std::llround(w.weight / masses.unit)});
  return masses;
}

/// Puts the latest tips first, as the front takes them.
inline void sortLatestFirst(TipMasses& masses) {
  std::ranges::stable_sort(masses.tips, [](const TipMass& a, const TipMass& b) { return a.time > b.time; });
}

} // namespace isochrone::adjoint
