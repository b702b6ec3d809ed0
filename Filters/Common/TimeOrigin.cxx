#include "Common/TimeOrigin.h"

#include "Common/Fields.h"
#include "Error.h"
#include "Paths/Path.h"

#include <vtkDataArray.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace isochrone::filters {

namespace {

/// Maximum rounding error of a sum, relative to the time from the first arrival to the last. The accuracy of
/// the solvers in single precision is about the first value.
constexpr double roundingOfSingle = 6e-6;
constexpr double roundingOfDouble = 1e-4;

} // namespace

double latestOf(std::span<const float> time) {
  float latest = 0;
  for (const float t : time) latest = t > latest && t <= std::numeric_limits<float>::max() ? t : latest;
  return latest;
}

TimeOrigin::TimeOrigin(std::span<const double> startValues, const std::function<bool(std::size_t)>& used) {
  double earliest = std::numeric_limits<double>::infinity();
  for (std::size_t s = 0; s < startValues.size(); ++s)
    if (std::isfinite(startValues[s]) && (!used || used(s))) earliest = std::min(earliest, startValues[s]);
  if (std::isfinite(earliest)) origin = earliest;
}

double TimeOrigin::stoppingTime(double time) const {
  if (origin == 0 || !(time > 0)) return time; // the solver rejects negative values
  if (time < origin)
    fail("the stopping time, ", time, ", is before the earliest start value, ", origin,
         ", so nothing would be computed: give a later one, or 0 for none");
  return std::max(since(time), std::numeric_limits<double>::min());
}

vtkSmartPointer<vtkDataArray> TimeOrigin::array(const char* name, std::span<const float> time,
                                                double latest) const {
  if (origin == 0) return timeArray(name, time);
  const double size = std::abs(origin);
  const auto loses = [=](double epsilon, double maximum) { return size * epsilon / 2 > maximum * latest; };
  if (latest > 0 && loses(std::numeric_limits<double>::epsilon(), roundingOfDouble))
    fail("the start value ", origin, " is too large: travel times of up to ", latest,
         " added to it lose their digits even in double precision; subtract a common offset from the start "
         "values");
  const bool single = !loses(std::numeric_limits<float>::epsilon(), roundingOfSingle) &&
                      size < std::numeric_limits<float>::max() / 2;
  return single ? timeArray(name, time, float(origin)) : preciseTimeArray(name, time, origin);
}

void TimeOrigin::addTo(Path& path) const {
  for (double& t : path.travelTime) t = absolute(t);
}
void TimeOrigin::addTo(std::vector<Path>& paths) const {
  for (Path& path : paths) addTo(path);
}

TimeOrigin operator+(const TimeOrigin& a, const TimeOrigin& b) {
  const double sum[] = {a.time() + b.time()};
  return TimeOrigin(sum);
}

} // namespace isochrone::filters
