#include "OrientedCost/Plane.h"

#include <algorithm>

namespace isochrone::oriented {

namespace {

constexpr std::int64_t band = 16;            // rows per task
constexpr std::int64_t slack = 4 * rowPiece; // floats that may be read past the last row

std::int64_t wholePieces(std::int64_t n) { return (n + rowPiece - 1) / rowPiece * rowPiece; }

/// Returns the point that mirrors at both ends show at i: ... 1 0 | 0 1 ... n-1 | n-1 n-2 ...
std::int64_t mirrored(std::int64_t i, std::int64_t n) {
  const std::int64_t period = 2 * n, at = (i % period + period) % period;
  return at < n ? at : period - 1 - at;
}

/// Weights of the neighbours -reach, ..., reach, which lie `step` floats apart.
struct LineSum {
  std::vector<std::ptrdiff_t> offset;
  const std::vector<float>& weight;

  LineSum(const std::vector<float>& weights, std::int64_t step) : weight(weights) {
    const std::int64_t reach = std::int64_t(weights.size() / 2);
    for (std::int64_t i = -reach; i <= reach; ++i) offset.push_back(i * step);
  }
  Taps taps() const { return {offset.data(), weight.data(), int(weight.size())}; }
};

} // namespace

Plane::Plane(std::int64_t columns, std::int64_t rows, int marginAlongX, int marginAlongY)
    : nx(columns), ny(rows), marginX(marginAlongX), marginY(marginAlongY),
      stride(wholePieces(columns + 2 * std::int64_t(marginAlongX))),
      values(std::size_t(stride * (rows + 2 * std::int64_t(marginAlongY)) + slack)) {}

double planeBytes(double columns, double rows, double marginX, double marginY) {
  return 4. * ((columns + 2 * marginX + rowPiece) * (rows + 2 * marginY) + slack);
}

void fill(Plane& plane, const Box& box, std::int64_t nx, std::int64_t ny,
          const std::function<float(std::int64_t, std::int64_t)>& value, Work& work, double share) {
  std::vector<std::int64_t> columns; // of the image
  for (std::int64_t i = -plane.marginX; i < plane.nx + plane.marginX; ++i)
    columns.push_back(mirrored(box.i0 + i, nx));
  work.rows(plane.ny + 2 * std::int64_t(plane.marginY), band, share,
            [&](std::int64_t begin, std::int64_t end, int) {
              for (std::int64_t j = begin - plane.marginY; j < end - plane.marginY; ++j) {
                const std::int64_t row = mirrored(box.j0 + j, ny);
                float* const out = plane.row(j) - plane.marginX;
                float* const rest = std::transform(columns.begin(), columns.end(), out,
                                                   [&](std::int64_t i) { return value(i, row); });
                std::fill(rest, out + plane.stride, 0.f);
              }
            });
}

Plane sums(const Plane& image, const std::vector<float>& weightsX, const std::vector<float>& weightsY,
           int marginX, int marginY, const RowKernels& host, Work& work, double share) {
  const int reachY = int(weightsY.size() / 2), rowsBeyond = marginY + reachY;
  Plane alongX(image.nx, image.ny, marginX, rowsBeyond), both(image.nx, image.ny, marginX, marginY);
  const LineSum x(weightsX, 1), y(weightsY, alongX.stride);
  const auto run = [&](const Plane& from, const LineSum& line, Plane& to) {
    work.rows(to.ny + 2 * std::int64_t(to.marginY), band, share / 2,
              [&](std::int64_t begin, std::int64_t end, int) {
                for (std::int64_t j = begin - to.marginY; j < end - to.marginY; ++j)
                  host.weigh(from.row(j) - marginX, line.taps(), to.row(j) - marginX, to.stride);
              });
  };
  run(image, x, alongX);
  run(alongX, y, both);
  return both;
}

} // namespace isochrone::oriented
