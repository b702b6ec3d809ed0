#include "Surface/PieceTree.h"
#include "Surface/Surface.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isochrone::surface {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Returns a power of two near the largest distance along an axis between a position and a corner, so that no
/// square exceeds the range of double.
double unitOf(const Piece& piece, const Position& position) {
  double size = 0;
  for (int a = 0; a < 3; ++a)
    for (const Position& corner : piece) size = std::max(size, std::abs(corner[a] - position[a]));
  return size > 0 ? std::exp2(std::ilogb(size)) : 1;
}

} // namespace

Foot footOf(const PieceTerms& t, const Position& p) {
  Foot foot{0, infinity, {}, {}};
  double above[3];
  for (int e = 0; e < 3; ++e) {
    double along = 0, square = 0;
    above[e] = 0;
    for (int a = 0; a < 3; ++a) {
      along += (p[a] - t.corner[e][a]) * t.edge[e][a];
      above[e] += (p[a] - t.corner[e][a]) * t.inward[e][a];
    }
    const double s = std::min(std::max(along * t.inverse[e], 0.), 1.);
    for (int a = 0; a < 3; ++a) {
      const double r = p[a] - t.corner[e][a] - s * t.edge[e][a];
      square += r * r;
    }
    if (!(square < foot.distance)) continue;
    foot.distance = square;
    foot.weights = {};
    foot.weights[e] = 1 - s;
    foot.weights[(e + 1) % 3] = s;
  }
  if (above[0] > t.face && above[1] > t.face && above[2] > t.face) {
    // Edge e is opposite to corner e + 2, whose weight is the share of its part of the area.
    const double sum = above[0] + above[1] + above[2];
    double height = 0;
    for (int a = 0; a < 3; ++a) height += (p[a] - t.corner[0][a]) * t.normal[a];
    foot.weights = {above[1] / sum, above[2] / sum, above[0] / sum};
    foot.distance = height * height;
  }
  for (int a = 0; a < 3; ++a)
    foot.at[a] = foot.weights[0] * t.corner[0][a] + foot.weights[1] * t.corner[1][a] +
                 foot.weights[2] * t.corner[2][a];
  foot.distance = std::sqrt(foot.distance);
  return foot;
}

Foot footOn(const Piece& piece, const Position& position) {
  const double unit = unitOf(piece, position);
  Piece scaled = piece;
  Position p = position;
  for (int a = 0; a < 3; ++a) {
    p[a] /= unit;
    for (Position& corner : scaled) corner[a] /= unit;
  }
  Foot foot = footOf(termsOf(scaled), p);
  foot.distance *= unit;
  for (double& c : foot.at) c *= unit;
  return foot;
}

Foot nearestFoot(std::span<const Piece> pieces, const Position& position) {
  Foot nearest{-1, infinity, {}, {}};
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Piece& p = pieces[i];
    bool far = false; // by one axis, for speed
    for (int a = 0; a < 3; ++a)
      far |= std::min({p[0][a], p[1][a], p[2][a]}) - position[a] > nearest.distance ||
             position[a] - std::max({p[0][a], p[1][a], p[2][a]}) > nearest.distance;
    if (far) continue;
    Foot foot = footOn(p, position);
    if (!(foot.distance < nearest.distance)) continue;
    nearest = foot;
    nearest.piece = std::int32_t(i);
  }
  return nearest;
}

} // namespace isochrone::surface
