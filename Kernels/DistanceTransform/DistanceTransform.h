// DistanceTransform.h - public interface: the exact Euclidean distance from every point of an image to the
// nearest site, a marked point of the image, or to a surface between the points.
//
//   D(p)^2 = min over sites q of hx^2 (px - qx)^2 + hy^2 (py - qy)^2 + hz^2 (pz - qz)^2
//
// If the spacing is equal on all axes with more than one point, squared distances are integers times the
// squared spacing, and every result is exact. Otherwise they are the minimum of candidates computed in
// double. The result depends neither on the number of threads nor on the device: see DESIGN.md. Manduhu,
// Jones: A work efficient parallel algorithm for exact Euclidean distance transform, IEEE Trans. Image
// Process. 28 (2019).
#pragma once

#include "Backend.h"
#include "Grid/ImageGrid.h"
#include "Grid/OrthogonalGrid.h"
#include "Monitor.h"
#include "Surface/Surface.h"
#include "Values.h"

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace isochrone::distance {

using Grid = ImageGrid;
using isochrone::Position;

/// The points that get a distance, and the points to which it is measured.
enum class Region {
  Outside, ///< from non-sites to the nearest site; 0 at sites
  Inside,  ///< from sites to the nearest non-site; 0 at non-sites
  Both,    ///< from every point to the nearest point of the other kind
  Signed   ///< as Both, negative at sites
};

/// The points from `begin` to `end`, without the latter, on each axis.
struct Box {
  GridIndex begin{}, end{};

  bool empty() const { return begin[0] >= end[0] || begin[1] >= end[1] || begin[2] >= end[2]; }
  std::int64_t points() const {
    return empty() ? 0 : (end[0] - begin[0]) * (end[1] - begin[1]) * (end[2] - begin[2]);
  }
};

/// The division of an image among processes that solve it together, each its piece, with the bytes of the
/// undivided solve.
struct Sharing {
  int process = 0; ///< this one
  /// Per process: its own points. Each point of the image has one owner.
  std::vector<Box> owned;
  /// Per process: the points that it solves and whose sites it knows, among them its own.
  std::vector<Box> solved;

  // All processes call these equally often. A process whose solve throws or is aborted must call `sum` once
  // more, with NaN; all others then stop.
  /// Returns the sum over all processes, NaN if any of them stops.
  std::function<double(double)> sum;
  /// Sends messages[i] to process partners[i] and returns what that process sends, in the same order. Each
  /// process names the other one.
  std::function<std::vector<std::vector<char>>(std::span<const int> partners,
                                               std::span<const std::vector<char>> messages)>
      exchange;
  /// Replaces each value by its minimum over all processes. Only nearestSites calls it.
  std::function<void(std::span<double>)> minimum;
};

/// Input of the solver. The caller owns the memory behind the span, which must outlive the call.
struct Problem {
  Grid grid;                           ///< the whole image
  std::span<const std::uint8_t> sites; ///< per point of box(), nonzero: a site
  Sharing sharing{};                   ///< empty: one process solves the whole image
  /// Distances are measured to this surface, and the sites are the points inside it; null: between points.
  /// All processes have the whole surface.
  const surface::Surface* surface = nullptr;
  /// With a surface: index in the whole image of the first point of `grid`, if that is a part of it. The
  /// surface, tips and ends of segments are relative to point (0, 0, 0) of the whole image.
  GridIndex first{};
  /// Axes that are periodic: behind the last point follows the first, so that the period is the number of
  /// points times the spacing. Tips may lie beyond the image. Axes of one point are not periodic. Solved
  /// without a surface, and not divided among processes.
  std::array<bool, 3> periodic{};
  /// A rectilinear grid; null: an image. `grid` then has its sizes, and spacings of 1. Tips and the ends of
  /// segments are in grid steps (OrthogonalGrid converts), distances in the unit of the coordinates. Solved
  /// in double, without a surface, without periodic axes, and not divided among processes.
  const grid::OrthogonalGrid* rectilinear = nullptr;

  bool isShared() const { return !sharing.owned.empty(); }
  /// Returns the points that this process solves.
  Box box() const {
    return isShared() ? sharing.solved[std::size_t(sharing.process)] : Box{{0, 0, 0}, grid.sizes()};
  }
};

struct Options {
  Backend backend = Backend::Automatic;
  int threads = 0; ///< 0: chooseThreads(0); does not change the result
  Region region = Region::Outside;
  double maximumDistance = 0;   ///< world units; points farther away are not reached. 0: no limit
  bool distance = true;         ///< whether to fill Result::distance, or
  bool doublePrecision = false; ///< Result::preciseDistance instead
  bool squaredDistance = false; ///< whether to fill Result::squaredDistance
  bool nearestSite = false;     ///< whether to fill Result::nearestSite
};

/// Duration of one pass over the image.
struct Pass {
  const char* name; ///< its axes, for example "y and x"; on CUDA the step of the method
  double seconds;
};

/// Arrays, one value per point of Problem::box(); those that were not requested are empty. A point that
/// reaches no site (within the maximum distance) has +infinity (-infinity at sites with Region::Signed), and
/// nearest site -1.
struct Result {
  Values<float> distance;           ///< world units
  Values<double> preciseDistance;   ///< world units
  Values<double> squaredDistance;   ///< world units squared, never negative; integers for spacing 1
  Values<std::int64_t> nearestSite; ///< with a surface, the number of the nearest piece, also at distance 0;
                                    ///< else index, in the whole image, of the nearest point of the other
                                    ///< kind, the point itself at distance 0; among equally near points the
                                    ///< minimum index (for unequal spacings: any point that is nearest up to
                                    ///< rounding); with periodic axes, the one whose nearest copy has the
                                    ///< minimum index among the points of all copies
  BackendChoice ranOn;
  std::vector<Pass> passes;
  std::size_t workBytes = 0; ///< memory used in addition to the result
  int exchanges = 0;         ///< exchanges of messages with other processes
  std::size_t sentBytes = 0; ///< sent to other processes
  bool aborted = false;      ///< the monitor requested a stop; the arrays are then empty
};

/// Returns the distance from every point to the nearest site.
/// @throws Error on bad input (what, value, where, remedy) and on insufficient memory
Result solveDistanceTransform(const Problem& problem, const Options& options, const Monitor& monitor);

/// The straight line from a tip, anywhere in the image, to its nearest site (or other point).
struct Segment {
  enum class Status { Found, Outside, NoSite } status = Status::Outside;
  std::int64_t site = -1; ///< among equally near points, the one with the minimum index; or the piece
  double distance = 0;    ///< world units, never negative
  Position end{}; ///< the site, with periodic axes its nearest copy; or the nearest point of the surface
};

/// Returns the segment of each tip, exact also between grid points. A tip within half a spacing of the image
/// is treated as inside it. A tip is treated as a site if its nearest grid point is one; with a surface, the
/// segment leads to it from either side. If the image is
/// divided, all processes pass the same tips; returns an empty vector if another process stops.
/// @param result  result of solveDistanceTransform for the same problem and options, with a distance
std::vector<Segment> nearestSites(const Problem& problem, const Options& options, const Result& result,
                                  std::span<const Position> tips);

/// Extends the values of a surface from it, constant along the segments to the nearest points: those at the
/// nearest point on the nearest piece, `components` per point of Problem::box(); NaN where none is reached.
/// @param result  with nearest sites
std::vector<double> extendValues(const Problem& problem, const Result& result, int threads);

} // namespace isochrone::distance
