// DistanceTransform.h - public interface: the exact Euclidean distance from every point of an image to the
// nearest of the points that are called sites.
//
//   D(p)^2 = min over sites q of hx^2 (px - qx)^2 + hy^2 (py - qy)^2 + hz^2 (pz - qz)^2
//
// Where the spacing is the same on all axes that have more than one point, squared distances are integers
// times the square of the spacing and every result is exact; else they are the least of candidates computed
// in double. The answer depends neither on the threads nor on the device: see DESIGN.md. Manduhu, Jones: A
// work efficient parallel algorithm for exact Euclidean distance transform, IEEE Trans. Image Process. 28
// (2019).
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

/// Which points get a distance, and to what.
enum class Region {
  Outside, ///< from points that are no sites to the nearest site; 0 at sites
  Inside,  ///< from sites to the nearest point that is none; 0 at points that are none
  Both,    ///< from every point to the nearest point of the other kind
  Signed   ///< as Both, negative at sites
};

/// The memory behind the span belongs to the caller and must outlive the call.
struct Problem {
  Grid grid;
  std::span<const std::uint8_t> sites; ///< per point, nonzero: a site
};

struct Options {
  Backend backend = Backend::Automatic;
  int threads = 0; ///< 0: all cores; never changes the answer
  Region region = Region::Outside;
  double maximumDistance = 0;   ///< world units; points farther away are not reached. 0: no limit
  bool distance = true;         ///< whether to fill Result::distance, or
  bool doublePrecision = false; ///< Result::preciseDistance instead of it
  bool squaredDistance = false; ///< whether to fill Result::squaredDistance
  bool nearestSite = false;     ///< whether to fill Result::nearestSite
};

/// Time that one pass over the image took.
struct Pass {
  const char* name; ///< the axes it works along, as "y and x"; on CUDA the step of the method
  double seconds;
};

/// What was not asked for is empty. A point without a site to measure to (within the maximum distance) has
/// +infinity, with Region::Signed -infinity at sites, and the nearest site -1.
struct Result {
  Values<float> distance;           ///< world units
  Values<double> preciseDistance;   ///< world units
  Values<double> squaredDistance;   ///< world units squared, never negative; integers where the spacing is 1
  Values<std::int64_t> nearestSite; ///< index of the nearest point of the other kind, of equally near ones
                                    ///< the least (where the spacing differs between axes: of those that
                                    ///< are equally near to rounding, any); itself where the distance is 0
  BackendChoice ranOn;
  std::vector<Pass> passes;
  std::size_t workBytes = 0; ///< memory used besides the result
  bool aborted = false;      ///< the monitor said stop; the arrays are then empty
};

/// Distance from every point to the nearest site.
/// @throws Error on bad input (what, value, where, remedy) and on too little memory
Result solveDistanceTransform(const Problem& problem, const Options& options, const Monitor& monitor);

/// The straight way from a tip, anywhere in the image, to what is nearest to it.
struct Segment {
  enum class Status { Found, Outside, NoSite } status = Status::Outside;
  std::int64_t site = -1; ///< of equally near points the one with the least index
  double distance = 0;    ///< world units, never negative
};

/// The segment of each tip, exact also between grid points. A tip in half a spacing's distance of the image
/// counts as in it, and as a site where its nearest grid point is one.
/// @param result  as solveDistanceTransform returned it for the same problem and options, with a distance
std::vector<Segment> nearestSites(const Problem& problem, const Options& options, const Result& result,
                                  std::span<const Position> tips);

} // namespace isochrone::distance
