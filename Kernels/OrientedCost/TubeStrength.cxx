#include "OrientedCost/TubeStrength.h"

#include "OrientedCost/Filters.h"
#include "OrientedCost/Plane.h"

#include <algorithm>
#include <cmath>

namespace isochrone::oriented {

namespace {

constexpr std::int64_t bandRows = 32; // a band with its margin stays in the cache

/// The second derivatives of the image, smoothed by an isotropic Gaussian, and the means along each heading.
struct Scale {
  double width;
  Plane xx, xy, yy;
  std::vector<std::vector<LineTap>> lines; ///< per response
};

/// Reach of the filters, grid steps.
struct Reach {
  int gaussX = 0, gaussY = 0, lineX = 0, lineY = 0;

  int x() const { return gaussX + lineX; }
  int y() const { return gaussY + lineY; }
};

grid::Direction headingOf(const Problem& p, int k) { return grid::headingDirection(k, p.headings); }

std::vector<LineTap> lineOf(const Problem& p, double width, int k) {
  return lineTaps(headingOf(p, k), p.hx, p.hy, width, p.length);
}

Reach reachOf(const Problem& p) {
  Reach reach;
  for (double width : p.widths) {
    reach.gaussX = std::max(reach.gaussX, gaussianReach(width, p.hx, p.nx));
    reach.gaussY = std::max(reach.gaussY, gaussianReach(width, p.hy, p.ny));
  }
  reach.lineX = lineReach(p.length, p.hx, p.nx);
  reach.lineY = lineReach(p.length, p.hy, p.ny);
  return reach;
}

/// Returns the standard deviation of the Gaussian that extends the image outside. Its reach equals the reach
/// of the filters.
double fillDeviation(const Problem& p, const Reach& reach) {
  return std::max(reach.x() * p.hx, reach.y() * p.hy) / gaussianDeviations;
}

/// Returns the points that the filters read.
Box readBy(const Problem& p, const Reach& reach) { return around(p.own(), reach.x(), reach.y(), p.nx, p.ny); }

/// Returns the image in `box`, extended to the points outside. They take the mean of the points inside,
/// weighted by a Gaussian.
std::vector<float> continued(const Problem& p, const Box& box, std::span<const float> intensity,
                             std::span<const std::uint8_t> outside, double deviation, const RowKernels& host,
                             Work& work, double share) {
  const Gaussian x = gaussian(deviation, p.hx, p.nx), y = gaussian(deviation, p.hy, p.ny);
  const Box given = p.given();
  Plane image(box.nx(), box.ny(), x.reach, y.reach);
  const auto smooth = [&](const std::function<float(std::int64_t)>& value) {
    fill(
        image, box, p.nx, p.ny,
        [&](auto i, auto j) {
          const std::int64_t n = given.index(i, j);
          return outside[n] ? 0.f : value(n);
        },
        work, share / 10);
    return sums(image, x.derivative[0], y.derivative[0], 0, 0, host, work, share * 0.4);
  };
  const Plane sum = smooth([&](auto n) { return intensity[n]; });
  const Plane weight = smooth([](auto) { return 1.f; });
  constexpr float minimum = 1e-6f; // precision of sums of floats
  std::vector<float> out;
  out.reserve(box.points());
  for (std::int64_t j = 0; j < box.ny(); ++j)
    for (std::int64_t i = 0; i < box.nx(); ++i) {
      const std::int64_t n = given.index(box.i0 + i, box.j0 + j);
      const float w = weight.row(j)[i];
      out.push_back(!outside[n] ? intensity[n] : w > minimum ? sum.row(j)[i] / w : 0);
    }
  return out;
}

Scale scaleOf(const Problem& p, const Plane& image, double width, const Reach& reach, const RowKernels& host,
              Work& work, double share) {
  const Gaussian x = gaussian(width, p.hx, p.nx), y = gaussian(width, p.hy, p.ny);
  const auto derivative = [&](int orderX, int orderY) {
    return sums(image, x.derivative[orderX], y.derivative[orderY], reach.lineX, reach.lineY, host, work,
                share / 3);
  };
  Scale scale{width, derivative(2, 0), derivative(1, 1), derivative(0, 2), {}};
  for (int k = 0; k < responses(p); ++k) scale.lines.push_back(folded(lineOf(p, width, k), p.nx, p.ny));
  return scale;
}

/// Work memory of a thread: some rows of one response.
struct Band {
  Plane across; ///< second derivative across the heading
  Plane best;
  std::vector<std::ptrdiff_t> offset;
  std::vector<float> weight;

  /// Computes the second derivative across heading k, then its mean along k, and keeps the mean in `best`
  /// where it is greater. Row `begin` of the image is row 0 of the band.
  void respond(const Problem& p, const Scale& scale, int k, std::int64_t begin, std::int64_t end,
               const RowKernels& host) {
    const grid::Direction n = headingOf(p, k);
    const double unit = (p.polarity == Polarity::Bright ? -1 : 1) * scale.width * scale.width;
    const float steering[3] = {float(unit * n.y * n.y), float(-2 * unit * n.x * n.y),
                               float(unit * n.x * n.x)};
    offset.clear(), weight.clear();
    int reach = 0;
    for (const LineTap& tap : scale.lines[k]) {
      offset.push_back(tap.i + tap.j * across.stride);
      weight.push_back(tap.weight);
      reach = std::max(reach, std::abs(tap.j));
    }
    const int margin = across.marginX;
    for (std::int64_t j = begin - reach; j < end + reach; ++j) {
      const float* const derivatives[3] = {scale.xx.row(j) - margin, scale.xy.row(j) - margin,
                                           scale.yy.row(j) - margin};
      host.steer(derivatives, steering, across.row(j - begin) - margin, across.stride);
    }
    for (std::int64_t j = begin; j < end; ++j)
      host.raise(across.row(j - begin), {offset.data(), weight.data(), int(weight.size())},
                 best.row(j - begin), best.stride);
  }
};

} // namespace

int responses(const Problem& p) { return p.headings % 2 ? p.headings : p.headings / 2; }

Margin marginOfFilters(const Problem& p) {
  const Reach reach = reachOf(p);
  const double fill = fillDeviation(p, reach);
  return {reach.x() + gaussianReach(fill, p.hx, p.nx), reach.y() + gaussianReach(fill, p.hy, p.ny)};
}

double strengthBytes(const Problem& p) {
  const Reach r = reachOf(p);
  const double fill = fillDeviation(p, r);
  const Box own = p.own(), read = readBy(p, r);
  const double lines = planeBytes(double(own.nx()), double(own.ny()), r.x(), r.y());
  const double filled = 3 * planeBytes(double(read.nx()), double(read.ny()), gaussianReach(fill, p.hx, p.nx),
                                       gaussianReach(fill, p.hy, p.ny));
  return std::max(filled, (2 + 3 * double(p.widths.size())) * lines) + 4. * double(p.given().points());
}

void tubeStrength(const Problem& p, std::span<const float> intensity, std::span<const std::uint8_t> outside,
                  float* strength, Work& work, double share) {
  const RowKernels host = chooseRowKernels();
  const Reach reach = reachOf(p);
  const Box own = p.own(), given = p.given();
  Box shown = given; // by `intensity`
  std::vector<float> filled;
  if (!outside.empty()) {
    shown = readBy(p, reach);
    filled = continued(p, shown, intensity, outside, fillDeviation(p, reach), host, work, 0.05 * share);
    intensity = filled;
  }
  std::vector<Scale> scales;
  {
    Plane image(own.nx(), own.ny(), reach.x(), reach.y());
    fill(
        image, own, p.nx, p.ny, [&](auto i, auto j) { return intensity[shown.index(i, j)]; }, work,
        0.05 * share);
    for (double width : p.widths)
      scales.push_back(scaleOf(p, image, width, reach, host, work, 0.1 * share / double(p.widths.size())));
  }
  const std::int64_t bands = (own.ny() + bandRows - 1) / bandRows;
  std::vector<Band> scratch(work.threads());
  for (Band& band : scratch) {
    band.across = Plane(own.nx(), bandRows, reach.lineX, reach.lineY);
    band.best = Plane(own.nx(), bandRows, 0, 0);
  }
  work.rows(bands * responses(p), 1, 0.8 * share, [&](std::int64_t job, std::int64_t, int thread) {
    const int k = int(job / bands);
    const std::int64_t begin = job % bands * bandRows, end = std::min(own.ny(), begin + bandRows);
    Band& band = scratch[thread];
    std::fill_n(band.best.row(0), band.best.stride * bandRows, 0.f);
    for (const Scale& scale : scales) band.respond(p, scale, k, begin, end, host);
    for (std::int64_t j = begin; j < end; ++j) {
      float* out = strength + own.nx() * (j + own.ny() * k);
      std::copy_n(band.best.row(j - begin), own.nx(), out);
      for (std::int64_t i = 0; i < own.nx() && !outside.empty(); ++i)
        if (outside[given.index(own.i0 + i, own.j0 + j)]) out[i] = 0;
    }
  });
}

} // namespace isochrone::oriented
