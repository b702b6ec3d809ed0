// BandedSystem.h - symmetric positive definite linear systems with a narrow band, solved by L D L^T.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace isochrone::curvature {

/// @tparam band  entries (i, j) with |i - j| > band are zero
template <std::size_t band>
class BandedSystem {
public:
  explicit BandedSystem(std::size_t size) : rows(size), rhs(size, 0) {}

  /// Adds to the entries (i, j) and (j, i).
  void add(std::size_t i, std::size_t j, double value) {
    rows[std::max(i, j)][std::max(i, j) - std::min(i, j)] += value;
  }
  double& right(std::size_t i) { return rhs[i]; }

  /// Solves for x. The matrix holds its factors afterwards.
  void solve(std::vector<double>& x) {
    factor();
    const std::size_t n = rows.size();
    x = rhs;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t d = 1; d <= std::min(i, band); ++d) x[i] -= rows[i][d] * x[i - d];
    for (std::size_t i = 0; i < n; ++i) x[i] /= rows[i][0];
    for (std::size_t i = n; i-- > 0;)
      for (std::size_t d = 1; d <= std::min(i, band); ++d) x[i - d] -= rows[i][d] * x[i];
  }

private:
  void factor() {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::size_t first = i < band ? 0 : i - band;
      for (std::size_t j = first; j < i; ++j)
        for (std::size_t k = first; k < j; ++k) rows[i][i - j] -= rows[i][i - k] * rows[j][j - k];
      for (std::size_t j = first; j < i; ++j) { // holds L(i, j) D(j) until here
        const double product = rows[i][i - j];
        rows[i][i - j] = product / rows[j][0];
        rows[i][0] -= product * rows[i][i - j];
      }
    }
  }

  std::vector<std::array<double, band + 1>> rows; ///< lower triangle, by distance from the diagonal
  std::vector<double> rhs;
};

} // namespace isochrone::curvature
