// TimeOrigin.h - support for large start values, such as seconds since 1970.
//
// Solvers compute in single precision, which cannot resolve 1 s at 1.7e9 s with its seven digits. They get
// start values relative to the earliest one, and all derived times are relative to it as well. Outputs add
// the origin again, in double precision if single precision could not hold the sum.
#pragma once

#include <vtkSmartPointer.h>

#include <functional>
#include <span>
#include <vector>

class vtkDataArray;

namespace isochrone {
struct Path;
}

namespace isochrone::filters {

/// Returns the maximum finite time, 0 if there is none.
double latestOf(std::span<const float> time);

class TimeOrigin {
public:
  TimeOrigin() = default;
  /// Sets the origin to the earliest finite start value of the seeds used; 0 if there is none.
  /// @param used  returns whether a seed is used, given its number; empty: all are used
  explicit TimeOrigin(std::span<const double> startValues, const std::function<bool(std::size_t)>& used = {});

  double time() const { return origin; }

  /// Converts a time of the user to a time of the solver, and back.
  double since(double time) const { return time - origin; }
  double absolute(double time) const { return origin + time; }

  /// Converts the stopping time; 0, no limit, remains 0.
  /// @throws Error if it is earlier than the origin, since nothing would be computed
  double stoppingTime(double time) const;

  /// Makes an array like timeArray(), in single precision if that holds the sums to a few millionths of the
  /// time from the first arrival to the last, else in double precision.
  /// @param time    since the origin; infinite values become NaN
  /// @param latest  the last arrival, of all parts of the field
  /// @throws Error if even double precision cannot distinguish the times
  vtkSmartPointer<vtkDataArray> array(const char* name, std::span<const float> time, double latest) const;
  vtkSmartPointer<vtkDataArray> array(const char* name, std::span<const float> time) const {
    return array(name, time, latestOf(time));
  }

  /// Returns the maximum number of bytes per value of such an array.
  double bytesOfTime() const { return origin == 0 ? sizeof(float) : sizeof(double); }

  void addTo(Path& path) const;
  void addTo(std::vector<Path>& paths) const;

private:
  double origin = 0;
};

/// Returns the origin of sums of times that are relative to a and b.
TimeOrigin operator+(const TimeOrigin& a, const TimeOrigin& b);

} // namespace isochrone::filters
