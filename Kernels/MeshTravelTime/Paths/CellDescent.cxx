#include "MeshTravelTime/Paths/CellDescent.h"

#include "MeshTravelTime/Scheme/LocalSolver.h"

#include <cmath>

namespace isochrone::mesh {

namespace {

/// Solves the symmetric positive definite system of n unknowns by Cholesky factorisation; false if singular.
bool solve(int n, double a[3][3], const double b[3], double x[3]) {
  for (int j = 0; j < n; ++j) {
    const double whole = a[j][j];
    for (int k = 0; k < j; ++k) a[j][j] -= a[j][k] * a[j][k];
    if (!(a[j][j] > 1e-12 * whole)) return false;
    a[j][j] = std::sqrt(a[j][j]);
    for (int i = j + 1; i < n; ++i) {
      for (int k = 0; k < j; ++k) a[i][j] -= a[i][k] * a[j][k];
      a[i][j] /= a[j][j];
    }
  }
  for (int i = 0; i < n; ++i) {
    x[i] = b[i];
    for (int k = 0; k < i; ++k) x[i] -= a[i][k] * x[k];
    x[i] /= a[i][i];
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < n; ++k) x[i] -= a[k][i] * x[k];
    x[i] /= a[i][i];
  }
  return true;
}

/// Computes the steepest descent along the vertices in the bits of `face`, at least two, and its slope.
/// Returns false if none exists.
bool along(const CellTimes& c, unsigned face, Descent& down) {
  int corner[4], n = 0;
  for (int k = 0; k < 4; ++k)
    if (face >> k & 1) corner[n++] = k;
  const int o = corner[0]; // origin of the edges
  double gram[3][3], fall[3], rate[3];
  for (int i = 1; i < n; ++i) {
    fall[i - 1] = c.time[o] - c.time[corner[i]];
    for (int j = 1; j <= i; ++j) {
      const double between = i == j ? 0 : c.square[edgeBetween(corner[i], corner[j])];
      gram[i - 1][j - 1] =
          0.5 * (c.square[edgeBetween(o, corner[i])] + c.square[edgeBetween(o, corner[j])] - between);
    }
  }
  if (!solve(n - 1, gram, fall, rate)) return false;
  double squared = 0;
  for (int i = 0; i < n - 1; ++i) squared += rate[i] * fall[i];
  if (!(squared > 0)) return false;
  down.slope = std::sqrt(squared);
  down.rates = {};
  for (int i = 0; i < n - 1; ++i) {
    down.rates[corner[i + 1]] = rate[i] / down.slope;
    down.rates[o] -= rate[i] / down.slope;
  }
  return true;
}

} // namespace

bool timesOf(const Problem& p, std::span<const float> travelTime, std::int64_t cell, CellTimes& times) {
  const auto corner = verticesOf(p, cell);
  times.corners = int(corner.size());
  for (std::size_t k = 0; k < corner.size(); ++k) {
    times.time[k] = travelTime[std::size_t(corner[k])];
    if (!std::isfinite(times.time[k])) return false;
  }
  return squaredEdges(p, cell, 1, times.square) == Passage::Open;
}

Descent steepestDescent(const CellTimes& cell, const CornerWeights& place) {
  const unsigned all = cell.corners == 4 ? 15 : 7;
  unsigned carrier = 0;
  for (int k = 0; k < 4; ++k) carrier |= place[k] > 0 ? 1u << k : 0;
  Descent best;
  for (unsigned face = carrier; face <= all; ++face) {
    if ((face & carrier) != carrier || (face & ~all) || !(face & (face - 1))) continue;
    Descent down;
    if (!along(cell, face, down) || !(down.slope > best.slope)) continue;
    bool enters = true; // no weight may become negative
    for (int k = 0; k < 4; ++k) enters = enters && ((carrier | ~face) >> k & 1 || down.rates[k] > 0);
    if (enters) best = down;
  }
  return best;
}

bool gradientOf(const CellTimes& cell, Descent& descent) {
  return along(cell, cell.corners == 4 ? 15 : 7, descent);
}

double squareAlong(const CellTimes& c, const CornerWeights& vector) {
  double sum = 0; // the weights of the vector sum to zero
  for (int j = 1; j < c.corners; ++j)
    for (int i = 0; i < j; ++i) sum -= vector[i] * vector[j] * c.square[edgeBetween(i, j)];
  return sum > 0 ? sum : 0;
}

} // namespace isochrone::mesh
