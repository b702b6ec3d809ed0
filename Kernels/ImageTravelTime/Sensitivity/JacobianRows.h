// JacobianRows.h - the derivatives of the time of one tip with respect to the slowness of each point.
#pragma once

#include "ImageTravelTime/Sensitivity/DependenceGraph.h"

#include <algorithm>
#include <bit>

namespace isochrone::image {

/// A set of numbers from 0 on, of which the smallest is taken first.
class NumberSet {
public:
  explicit NumberSet(std::int64_t size) : words(std::size_t(size + 63) / 64, 0) {}

  void add(std::int64_t number) {
    words[std::size_t(number >> 6)] |= std::uint64_t(1) << (number & 63);
    first = std::min(first, number >> 6);
    last = std::max(last, number >> 6);
  }
  void remove(std::int64_t number) {
    words[std::size_t(number >> 6)] &= ~(std::uint64_t(1) << (number & 63));
  }
  /// Calls f(number) for all numbers, ascending, and removes them. `f` may add larger ones.
  template <class F>
  void takeAll(const F& f) {
    for (std::int64_t w = first; w <= last; ++w)
      while (const std::uint64_t word = words[std::size_t(w)]) {
        words[std::size_t(w)] = word & (word - 1);
        f(64 * w + std::countr_zero(word));
      }
    first = INT64_MAX, last = -1;
  }

private:
  std::vector<std::uint64_t> words;
  std::int64_t first = INT64_MAX, last = -1; ///< words that may have numbers
};

/// The points that tips depend on, in their order, and their places in it.
struct RankedPoints {
  DependenceOrder order;
  Values<std::int64_t> rank; ///< per point; that of points without one is undefined
};

/// A row of the Jacobian.
struct JacobianRow {
  std::vector<std::int64_t> point; ///< ascending
  std::vector<double> weight;      ///< derivative with respect to the slowness, world length
};

/// Computes rows on one thread.
class JacobianRows {
public:
  /// All must outlive this.
  JacobianRows(const Problem& problem, const DependenceScheme& scheme, const DependenceGraph& graph,
               const RankedPoints& points);

  JacobianRow of(std::int64_t tip);

private:
  const Problem& problem;
  const DependenceScheme& scheme;
  const DependenceGraph& graph;
  const RankedPoints& points;
  std::vector<double> mass; ///< per rank; 0 between calls
  NumberSet waiting;        ///< ranks
  NumberSet passed;         ///< points
  std::vector<std::int64_t> ranks;

  void pass(std::int64_t rank, std::int64_t tip);
};

} // namespace isochrone::image
