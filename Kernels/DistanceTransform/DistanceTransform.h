// DistanceTransform.h - public interface: the exact Euclidean distance from every point of an image to the
// nearest site, a marked point of the image.
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
#include "Monitor.h"
#include "Values.h"

#include <cstdint>
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

/// Input of the solver. The caller owns the memory behind the span, which must outlive the call.
struct Problem {
  Grid grid;
  std::span<const std::uint8_t> sites; ///< per point, nonzero: a site
};

struct Options {
  Backend backend = Backend::Automatic;
  int threads = 0; ///< 0: all cores; does not change the result
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

/// Arrays that were not requested are empty. A point that reaches no site (within the maximum distance) has
/// +infinity (-infinity at sites with Region::Signed), and nearest site -1.
struct Result {
  Values<float> distance;           ///< world units
  Values<double> preciseDistance;   ///< world units
  Values<double> squaredDistance;   ///< world units squared, never negative; integers for spacing 1
  Values<std::int64_t> nearestSite; ///< index of the nearest point of the other kind, the point itself at
                                    ///< distance 0; among equally near points the minimum index (for unequal
                                    ///< spacings: any point that is nearest up to rounding)
  BackendChoice ranOn;
  std::vector<Pass> passes;
  std::size_t workBytes = 0; ///< memory used in addition to the result
  bool aborted = false;      ///< the monitor requested a stop; the arrays are then empty
};

/// Returns the distance from every point to the nearest site.
/// @throws Error on bad input (what, value, where, remedy) and on insufficient memory
Result solveDistanceTransform(const Problem& problem, const Options& options, const Monitor& monitor);

/// The straight line from a tip, anywhere in the image, to its nearest site (or other point).
struct Segment {
  enum class Status { Found, Outside, NoSite } status = Status::Outside;
  std::int64_t site = -1; ///< among equally near points, the one with the minimum index
  double distance = 0;    ///< world units, never negative
};

/// Returns the segment of each tip, exact also between grid points. A tip within half a spacing of the image
/// is treated as inside it. A tip is treated as a site if its nearest grid point is one.
/// @param result  result of solveDistanceTransform for the same problem and options, with a distance
std::vector<Segment> nearestSites(const Problem& problem, const Options& options, const Result& result,
                                  std::span<const Position> tips);

} // namespace isochrone::distance
