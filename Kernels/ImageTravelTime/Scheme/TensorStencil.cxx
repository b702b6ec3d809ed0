#include "ImageTravelTime/Scheme/TensorStencil.h"

#include "ImageTravelTime/Scheme/Medium.h"

#include <algorithm>

namespace isochrone::image {

Decomposition::Decomposition(bool isPlane, const grid::Superbase& start) : plane(isPlane), base(start) {
  findOffsets();
}

void Decomposition::findOffsets() {
  for (int n = 0; n < 4; ++n)
    for (int a = 0; a < 3; ++a) vector[n][a] = base[n][a];
  for (int pair = 0; pair < maxTerms; ++pair) {
    grid::Offset e = grid::sellingOffset(base, pair);
    if (e < grid::Offset{0, 0, 0})
      for (int& c : e) c = -c;
    offset[pair] = e;
    square[pair] = e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
    sorted[pair] = pair;
  }
  // Sorted terms do not depend on the order of the superbase.
  std::sort(sorted.begin(), sorted.end(), [&](int a, int b) { return offset[a] < offset[b]; });
}

/// Sets `weight`. Returns whether the superbase is obtuse, up to rounding as in grid::makeObtuse.
bool Decomposition::findWeights(const grid::Symmetric3& d) {
  std::array<grid::Vector3, 4> image;
  for (int n = 1; n < 4; ++n) image[n] = grid::times(d, vector[n]);
  double lowest = 0;
  for (int pair = 0; pair < maxTerms; ++pair) {
    const auto [i, j, k, l] = grid::superbasePair(pair);
    weight[pair] = -grid::dot(vector[i], image[j]);
    lowest = std::min(lowest, weight[pair]);
  }
  return -lowest <= grid::obtuseTolerance(d);
}

bool Decomposition::counts(int pair, const grid::Symmetric3& d) const {
  return !(plane && offset[pair][2] != 0) && isTerm(weight[pair], offset[pair], square[pair], d);
}

bool Decomposition::advance(const grid::Symmetric3& d) {
  bool isNew = false;
  if (!findWeights(d)) {
    grid::makeObtuse(base, d);
    findOffsets();
    findWeights(d);
    isNew = true;
  }
  std::array<bool, maxTerms> now;
  for (int pair = 0; pair < maxTerms; ++pair) now[pair] = counts(pair, d);
  isNew |= now != counted;
  counted = now;
  int count = 0;
  for (const int pair : sorted)
    if (counted[pair]) {
      if (isNew) terms.term[count].offset = offset[pair];
      terms.term[count++].weight = weight[pair];
    }
  terms.count = count;
  return isNew;
}

TensorStencil stencilAt(const Problem& p, std::int64_t point) {
  Decomposition decomposition(p.grid.nz == 1);
  decomposition.advance(gridTensorAt(p, point));
  return decomposition.stencil();
}

} // namespace isochrone::image
