// OrientedCost.h - public interface: computes a cost per position and heading from an image with tubes
// (vessels, roads). The cost is small along the tubes.
//
// The strength of a tube at a point is the second derivative of the smoothed image across the heading. The
// smoothing Gaussian is as narrow as the tube across the heading and longer along it. The cost falls from
// `ceiling`, where the image has no tube, to `floor` along strong tubes.
//
// Several processes can divide an image: each computes the costs of its part with a PartSolver.
#pragma once

#include "Monitor.h"
#include "OrientedCost/ExactSum.h"
#include "Values.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace isochrone::oriented {

/// Whether the tubes are brighter or darker than their surroundings.
enum class Polarity { Bright, Dark };

/// The points (i, j) with i0 <= i < i1 and j0 <= j < j1. Values of a box are stored x fastest.
struct Box {
  std::int64_t i0 = 0, i1 = 0, j0 = 0, j1 = 0;

  std::int64_t nx() const { return i1 - i0; }
  std::int64_t ny() const { return j1 - j0; }
  std::int64_t points() const { return nx() * ny(); }
  std::int64_t index(std::int64_t i, std::int64_t j) const { return i - i0 + nx() * (j - j0); }
  bool contains(const Box& other) const {
    return i0 <= other.i0 && other.i1 <= i1 && j0 <= other.j0 && other.j1 <= j1;
  }
  bool overlaps(const Box& other) const {
    return i0 < other.i1 && other.i0 < i1 && j0 < other.j1 && other.j0 < j1;
  }
  bool operator==(const Box&) const = default;
};

/// Returns the points of an image of nx * ny points that lie at most x and y steps beside a box.
inline Box around(const Box& box, std::int64_t x, std::int64_t y, std::int64_t nx, std::int64_t ny) {
  return {std::max<std::int64_t>(box.i0 - x, 0), std::min(box.i1 + x, nx),
          std::max<std::int64_t>(box.j0 - y, 0), std::min(box.j1 + y, ny)};
}

/// The part of an image that a process solves.
struct Part {
  Box own;   ///< points of the result
  Box given; ///< points of the input: at least `own` and the points of the image within marginOf() around it
  bool operator==(const Part&) const = default;
};

/// Point (i, j) lies at (i*hx, j*hy). Heading k is the angle 2 pi k / headings, radians, from the first axis
/// towards the second.
struct Problem {
  std::int64_t nx = 0, ny = 0; ///< of the whole image
  double hx = 1, hy = 1;       ///< world units
  int headings = 60;
  std::optional<Part> part;         ///< empty: the whole image
  std::span<const float> intensity; ///< per given point; a point without a finite value lies outside
  /// Per given point; nonzero marks a point outside the imaged region, empty marks none. Such a point has no
  /// tube, and the step of intensity at the region's border does not produce one.
  std::span<const std::uint8_t> outside;
  Polarity polarity = Polarity::Bright;
  /// Standard deviations of the Gaussians across a tube, world units, at least half the spacing. The
  /// strongest response over the widths is used. A tube with a Gaussian profile responds most strongly at
  /// sqrt(2) times its own standard deviation.
  std::vector<double> widths;
  double length = 0;         ///< standard deviation of the mean along the tube, world units
  double halfStrength = 0.2; ///< strength at which the cost is halfway, as a share of the typical strength
  double exponent = 2;       ///< > 0, steepness of the cost at that strength
  double floor = 0.02, ceiling = 1; ///< 1e-30 <= floor <= ceiling <= 1e30

  std::int64_t points() const { return nx * ny; }
  Box own() const { return part ? part->own : Box{0, nx, 0, ny}; }
  Box given() const { return part ? part->given : Box{0, nx, 0, ny}; }
};

/// Number of points beside a part, along each axis, on which its costs depend.
struct Margin {
  std::int64_t x = 0, y = 0;
};
/// Returns the margin of every part of an image. Reads neither arrays nor the part.
/// @throws Error on invalid settings
Margin marginOf(const Problem& problem);

/// Arrays over the own points, x fastest, then y, then heading.
struct Result {
  Values<float> cost;    ///< per point and heading
  Values<float> minCost; ///< per point, minimum over the headings
  Values<float>
      heading; ///< per point, heading of the minimum cost, radians; the smaller of two opposite ones
  double typicalStrength = 0; ///< in the unit of intensity
  bool aborted = false;       ///< the monitor requested a stop; the arrays are then empty
};

/// Computes the cost floor + (ceiling - floor) / (1 + (strength / (halfStrength *
/// typicalStrength))^exponent). The typical strength is the mean of the strongest response per point,
/// weighted by the response itself. It is at least a thousandth of the half range of the intensities, so that
/// rounding noise is not detected as a tube.
/// @param threads  0: chooseThreads(0); does not affect the result
/// @throws Error on invalid input, with value, place and remedy, and on insufficient memory
Result makeOrientedCost(const Problem& problem, int threads, const Monitor& monitor);

/// Range of the finite intensities inside; empty if there is none.
struct IntensityRange {
  double minimum = std::numeric_limits<double>::infinity(), maximum = -minimum;

  bool empty() const { return minimum > maximum; }
  void add(const IntensityRange& other) {
    minimum = std::min(minimum, other.minimum), maximum = std::max(maximum, other.maximum);
  }
};

/// Sums over points of the strongest response and of its square.
struct StrengthSums {
  ExactSum strengths, squares;

  void add(const StrengthSums& other) { strengths.add(other.strengths), squares.add(other.squares); }
};

/// Computes the costs of one part of an image in steps. The caller adds up the ranges and the sums of all
/// parts between them; then the costs have the same bits as those of the undivided image.
class PartSolver {
public:
  /// @param monitor  must outlive this
  /// @throws Error like makeOrientedCost
  PartSolver(const Problem& problem, int threads, const Monitor& monitor);
  ~PartSolver();

  /// Step 1: returns the range of the given points.
  IntensityRange range() const;
  /// Step 2: computes the strengths. May end early if the monitor requests a stop.
  /// @param ofImage  range of all parts
  void computeStrengths(const IntensityRange& ofImage);
  bool stopped() const;
  /// Step 3: returns the sums over the own points that lie in none of the boxes of `counted`.
  StrengthSums sums(std::span<const Box> counted) const;
  /// Step 4: returns the result.
  /// @param ofImage  sums in which each point of the image is counted once
  Result costs(const StrengthSums& ofImage);

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace isochrone::oriented
