// Probabilities.h - the probabilities of random paths of a ray tracing, and their output.
#pragma once

#include "RayTracing/Runs.h"

#include <cstddef>
#include <span>
#include <vector>

class vtkImageData;
class vtkPolyData;

namespace isochrone::filters {

/// One set of probabilities for each field of a run, kept until the receivers or the temperature change.
class RayProbabilities {
public:
  /// Computes them unless they are known. Returns false after an abort.
  /// @param receivers  relative to the image
  /// @throws Error without a receiver, with a bad temperature and where times are too coarse
  bool update(const RayRun& run, const std::vector<rays::Position>& receivers, double temperature,
              const Monitor& monitor);
  /// Forgets the probabilities of another run.
  void forget() { all.clear(); }

  /// Adds PathProbability, the mean over some fields that reach a receiver. If `each` is set, also adds that
  /// of each field, with its number appended to the name.
  void attach(std::span<const std::size_t> fields, bool each, vtkImageData* image) const;
  /// Adds ExpectedTravelTime to the lines of the rays of some fields.
  /// @param paths  of the rays, field by field
  void attachExpectedTimes(std::span<const std::size_t> fields, const std::vector<Path>& paths,
                           const TimeOrigin& origin, vtkPolyData* lines) const;

private:
  std::vector<rays::Position> knownReceivers;
  double knownTemperature = 0;
  std::vector<rays::PathProbability>
      all; ///< per field, for these receivers and this temperature; empty: not known
};

} // namespace isochrone::filters
