// Fuzz.h - what the modules share: the report of faults, and images, media and masks by chance.
//
// A problem is structured: most of its parts are sensible and a few are not, so that it gets past the first
// check. A solver must refuse it with Error or solve it, and then every invariant holds: the same bits for
// any number of threads and instruction set (and method), no NaN, a small residual, agreement with a
// reference that shares no code, paths of finite points.
#pragma once

#include "Draw.h"
#include "Grid/ImageGrid.h"
#include "Monitor.h"

#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace isochrone::fuzz {

/// What came of the problem at hand, and of all of them.
class Report {
public:
  void begin(const std::string& module, std::uint64_t seed);
  /// Says in a few words what the problem is; messages quote it.
  void describe(const std::string& words) { problem = words; }
  void fault(const std::string& what);
  void expect(bool holds, const std::string& what) {
    if (!holds) fault(what);
  }
  void expectFinite(std::span<const double> values, const char* what);
  void expectFinite(std::span<const float> values, const char* what);
  /// No NaN and no -infinity; +infinity is not reached.
  void expectTimes(std::span<const float> times);
  /// The text of the Error that `work` throws, empty if none. Other exceptions are faults.
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

/// From here on solvers use this instruction set.
void useInstructionSet(const char* name);
/// One of them by chance.
const char* anyInstructionSet(Draw& draw);

/// @param most  points
ImageGrid anyGrid(Draw& draw, std::int64_t most);
std::string sizeOf(const ImageGrid& grid);
/// A place in the image, often on a point, seldom outside or not a number.
Position anyPosition(Draw& draw, const ImageGrid& grid);
/// Values of a medium, `kind` 0 ... 6: even, uneven by a factor 4, 10^4 or 10^16, with holes, with NaN, or
/// striped. Seldom of the wrong size.
std::vector<float> anyMedium(Draw& draw, std::int64_t size, int kind);
std::vector<std::uint8_t> anyMask(Draw& draw, std::int64_t size, double share);
/// Seldom one that stops a solver after some calls; `calls` counts them.
Monitor anyMonitor(Draw& draw, int& calls);
/// Whether all values are between these, or 0, NaN or infinite: references need no more than double then.
bool within(std::span<const float> values, double low, double high);

// The modules.
void fuzzCurvature(Draw& draw, Report& report);
void fuzzDistance(Draw& draw, Report& report);
void fuzzImage(Draw& draw, Report& report);
void fuzzMesh(Draw& draw, Report& report);
void fuzzOriented(Draw& draw, Report& report);
void fuzzRays(Draw& draw, Report& report);

} // namespace isochrone::fuzz
