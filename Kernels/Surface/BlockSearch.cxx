// The loops of Blocks.h.
#include "Execution/Simd.h"
#include "Surface/Blocks.h"

namespace isochrone::surface::ISOCHRONE_ISA {

namespace {

using V = execution::ISOCHRONE_ISA::Vector<double>;
using Vec = V::Vec;
constexpr int width = V::width;

} // namespace

void boundBoxes(const PieceBox* boxes, const std::int32_t* list, std::int64_t count, const Corners& corners,
                double* bounds) {
  for (std::int64_t i = 0; i < count; ++i) {
    const PieceBox& box = boxes[list[i]];
    for (int l = 0; l < 8; l += width) {
      Vec square = V::broadcast(0);
      for (int a = 0; a < 3; ++a) {
        const Vec x = V::load(corners.x[a] + l);
        const Vec d =
            V::max(V::max(V::broadcast(box.low[a]) - x, x - V::broadcast(box.high[a])), V::broadcast(0));
        square = square + d * d;
      }
      // The disc: with the height h and the distance r beside its axis, (h - thickness)^2 + r^2 / 2 - R^2.
      const Vec x = V::load(corners.x[0] + l) - V::broadcast(box.middle[0]),
                y = V::load(corners.x[1] + l) - V::broadcast(box.middle[1]),
                z = V::load(corners.x[2] + l) - V::broadcast(box.middle[2]);
      const Vec height =
          x * V::broadcast(box.normal[0]) + y * V::broadcast(box.normal[1]) + z * V::broadcast(box.normal[2]);
      const Vec above =
          V::max(V::max(height, V::broadcast(0) - height) - V::broadcast(box.thickness), V::broadcast(0));
      const Vec beside = (x * x + y * y + z * z - height * height) * V::broadcast(0.5);
      square = V::max(square, above * above + V::max(beside - V::broadcast(box.radius), V::broadcast(0)));
      V::store(bounds + 8 * i + l, square);
    }
  }
}

void boundPieces(const PieceTerms* terms, const std::int32_t* list, std::int64_t count,
                 const Corners& corners, double* bounds) {
  for (std::int64_t i = 0; i < count; ++i)
    for (int l = 0; l < 8; l += width)
      V::store(bounds + 8 * i + l, squareTo<V>(terms[list[i]], V::load(corners.x[0] + l),
                                               V::load(corners.x[1] + l), V::load(corners.x[2] + l)));
}

void boundPart(const double* ofBlock, std::int64_t count, const Within& within, double* bounds) {
  for (std::int64_t i = 0; i < count; ++i)
    for (int l = 0; l < 8; l += width) {
      Vec sum = V::broadcast(0) - V::load(within.less + l);
      for (int k = 0; k < 8; ++k)
        sum = sum + V::broadcast(ofBlock[8 * i + k]) * V::load(within.weight[k] + l);
      V::store(bounds + 8 * i + l, sum);
    }
}

void findLowest(const double* bounds, std::int64_t count, std::int64_t lowest[8]) {
  constexpr int vectors = 8 / width;
  Vec least[vectors], place[vectors];
  for (int v = 0; v < vectors; ++v) least[v] = V::load(bounds + v * width), place[v] = V::broadcast(0);
  for (std::int64_t i = 1; i < count; ++i)
    for (int v = 0; v < vectors; ++v) {
      const Vec bound = V::load(bounds + 8 * i + v * width);
      place[v] = V::select(V::less(bound, least[v]), V::broadcast(double(i)), place[v]);
      least[v] = V::min(bound, least[v]);
    }
  double places[8];
  for (int v = 0; v < vectors; ++v) V::store(places + v * width, place[v]);
  for (int k = 0; k < 8; ++k) lowest[k] = std::int64_t(places[k]);
}

std::int64_t keepNear(std::int32_t* list, double* bounds, std::int64_t count, const Witnesses& witnesses) {
  std::int64_t kept = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    Vec bound[8 / width];
    for (int v = 0; v < 8 / width; ++v) bound[v] = V::load(bounds + 8 * i + v * width);
    bool near = true;
    for (int j = 0; j < Witnesses::count && near; ++j) {
      std::uint32_t nearer = 0;
      for (int v = 0; v < 8 / width; ++v)
        nearer |= V::bits(V::less(bound[v], V::load(witnesses.square[j] + v * width)));
      near = nearer != 0;
    }
    list[kept] = list[i];
    for (int v = 0; v < 8 / width; ++v) V::store(bounds + 8 * kept + v * width, bound[v]);
    kept += near ? 1 : 0;
  }
  return kept;
}

void lower(const PieceTerms* terms, const double* numbers, const std::int32_t* list, std::int64_t count,
           const Points& points, double slack, Nearest& nearest) {
  const Vec share = V::broadcast(1 + rounding), more = V::broadcast(slack);
  for (std::int64_t i = 0; i < count; ++i) {
    const PieceTerms& piece = terms[list[i]];
    const Vec number = V::broadcast(numbers[list[i]]);
    for (int l = 0; l < 64; l += width) {
      const Vec x = V::load(points.x[0] + l), y = V::load(points.x[1] + l), z = V::load(points.x[2] + l);
      const Vec before = V::load(nearest.square + l);
      if (V::bits(V::less(before * share + more, squareAtLeast<V>(piece, x, y, z))) == (1u << width) - 1)
        continue;
      const Vec square = squareTo<V>(piece, x, y, z);
      const Vec owner = V::load(nearest.number + l);
      const auto less = V::less(square, before),
                 equal = V::both(V::equal(square, before), V::less(number, owner));
      V::store(nearest.square + l, V::min(square, before));
      V::store(nearest.number + l, V::select(V::either(less, equal), number, owner));
    }
  }
}

} // namespace isochrone::surface::ISOCHRONE_ISA
