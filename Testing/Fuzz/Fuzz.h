// Fuzz.h - shared by the modules: the report of faults, and random images, media and masks.
//
// Most parts of a problem are valid and a few are not, so that it passes the first checks. A solver must
// refuse it with Error or solve it. Every invariant then holds: the same bits for any number of threads and
// instruction set (and method), no NaN, a small residual, agreement with a reference that shares no code,
// paths of finite points.
#pragma once

#include "Draw.h"
#include "Grid/ImageGrid.h"
#include "Grid/ThomsenArrays.h"
#include "Monitor.h"

#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace isochrone::fuzz {

/// Collects faults of the current problem and counts over all problems.
class Report {
public:
  void begin(const std::string& module, std::uint64_t seed);
  /// Sets a short description of the problem for messages.
  void describe(const std::string& words) { problem = words; }
  void fault(const std::string& what);
  void expect(bool holds, const std::string& what) {
    if (!holds) fault(what);
  }
  void expectFinite(std::span<const double> values, const char* what);
  void expectFinite(std::span<const float> values, const char* what);
  /// Expects no NaN and no -infinity; +infinity means unreached.
  void expectTimes(std::span<const float> times);
  /// Returns the text of the Error that `work` throws, empty if there is none. Other exceptions are faults.
  std::string outcome(const std::function<void()>& work);

  long problems = 0, refused = 0, faults = 0;

private:
  std::string module, problem;
  std::uint64_t seed = 0;
};

template <class Values>
bool sameBits(const Values& a, const Values& b) {
  return a.size() == b.size() &&
         (a.size() == 0 || std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0);
}

/// Selects the instruction set of the solvers from here on.
void useInstructionSet(const char* name);
/// Returns a random instruction set.
const char* anyInstructionSet(Draw& draw);

/// @param maximum  maximum number of points
ImageGrid anyGrid(Draw& draw, std::int64_t maximum);
std::string sizeOf(const ImageGrid& grid);
/// Returns a position in the image, often on a point, rarely outside or NaN.
Position anyPosition(Draw& draw, const ImageGrid& grid);
/// Returns values of a medium of `kind` 0 to 6: constant; varying by a factor of 4, 10^4 or 10^16; with
/// holes; with NaN; striped. Rarely of the wrong size.
std::vector<float> anyMedium(Draw& draw, std::int64_t size, int kind);
std::vector<std::uint8_t> anyMask(Draw& draw, std::int64_t size, double share);
/// The parameters of a tilted medium.
struct Tilt {
  std::vector<float> epsilon, delta, shear, axis;
  std::string words; ///< its description

  Thomsen arrays() const { return {epsilon, delta, axis, shear}; }
};
/// Returns a tilted medium, uniform or with parameters for each of `size` elements; rarely with an invalid
/// number.
Tilt anyTilt(Draw& draw, const ImageGrid& grid, std::int64_t size);
/// Returns a monitor that rarely stops the solver after some calls; `calls` is their number.
Monitor anyMonitor(Draw& draw, int& calls);
/// Returns whether all values are in the range, 0, NaN or infinite, so that a reference in double precision
/// suffices.
bool within(std::span<const float> values, double low, double high);

/// Returns the bits of values.
template <class Values>
std::string bitsOf(const Values& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0])};
}
/// Expects that solves of one seed each give the same at the same time, on one thread each, as one after the
/// other on two, as the filters run many seeds.
/// @param solve  returns the bits of the result of a seed; called on several threads
void expectSameRuns(std::int64_t seeds, const std::function<std::string(std::int64_t, int threads)>& solve,
                    Report& report);

// The modules.
void fuzzCurvature(Draw& draw, Report& report);
void fuzzDistance(Draw& draw, Report& report);
void fuzzDrift(Draw& draw, Report& report);  ///< images in a drift
void fuzzTilted(Draw& draw, Report& report); ///< images of tilted media
void fuzzAxes(Draw& draw, Report& report);   ///< rectilinear and spherical grids
void fuzzImage(Draw& draw, Report& report);
void fuzzMesh(Draw& draw, Report& report);
void fuzzOriented(Draw& draw, Report& report);
void fuzzRays(Draw& draw, Report& report);
void fuzzTiltedRays(Draw& draw, Report& report); ///< rays in tilted media
void fuzzSurface(Draw& draw, Report& report);
void fuzzRectilinear(Draw& draw, Report& report); ///< distances on rectilinear grids
// Images with periodic axes.
void fuzzPeriodicCurvature(Draw& draw, Report& report);
void fuzzPeriodicDistance(Draw& draw, Report& report);
void fuzzPeriodicDrift(Draw& draw, Report& report);
void fuzzPeriodicImage(Draw& draw, Report& report);
void fuzzPeriodicRays(Draw& draw, Report& report);
void fuzzPeriodicTilted(Draw& draw, Report& report);
void fuzzPeriodicTiltedRays(Draw& draw, Report& report);

} // namespace isochrone::fuzz
