// TimeOrigin.h - start values as large as the seconds since 1970.
//
// Solvers compute in single precision, which has seven digits: not enough for 1.7e9 s and a second later. So
// they get start values that count from the earliest one, all that follows from their times does, too, and
// outputs add it again, in double precision where single precision could not hold the sum.
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

class TimeOrigin {
public:
  TimeOrigin() = default;
  /// The earliest start value that is finite, of the seeds that are used; 0 if there is none.
  /// @param used  by the number of a seed; empty: all are
  explicit TimeOrigin(std::span<const double> startValues, const std::function<bool(std::size_t)>& used = {});

  double time() const { return origin; }

  /// Converts a time of the user to one of the solver, and back.
  double since(double time) const { return time - origin; }
  double absolute(double time) const { return origin + time; }

  /// The stopping time of the solver; 0, for none, remains 0.
  /// @throws Error where it comes before the origin: nothing would be computed
  double stoppingTime(double time) const;

  /// An array as timeArray() makes it: single precision if that holds the sums to a few millionths of the
  /// time from the first arrival to the last, else double.
  /// @param time  since the origin; infinite: NaN
  /// @throws Error where not even double precision tells the times apart
  vtkSmartPointer<vtkDataArray> array(const char* name, std::span<const float> time) const;

  /// The bytes that a value of such an array may take.
  double bytesOfTime() const { return origin == 0 ? sizeof(float) : sizeof(double); }

  void addTo(Path& path) const;
  void addTo(std::vector<Path>& paths) const;

private:
  double origin = 0;
};

/// Times that count from both origins.
TimeOrigin operator+(const TimeOrigin& a, const TimeOrigin& b);

} // namespace isochrone::filters
