// Derivatives.h - derivatives of the travel times of tips, as arrays and a table.
#pragma once

#include "ImageTravelTime/Runs.h"

#include <vtkSmartPointer.h>

#include <optional>
#include <string>
#include <vector>

class vtkDataArray;
class vtkDataObject;
class vtkImageData;
class vtkTable;

namespace isochrone::filters {

class ImageFrame;
struct Places;

/// The derivatives last computed of a field, with the arguments that they belong to.
class ImageDerivatives {
public:
  /// Differentiates the sum of weight * travel time of the tips unless the result is known. Returns false if
  /// the monitor stopped it.
  /// @param warning  set if the result is new; may be empty
  bool differentiate(const ImageTravelTimeRun& field, const Places& tips, const Monitor& monitor,
                     std::string& warning);
  /// Likewise the travel time of each tip.
  bool differentiateEach(const ImageTravelTimeRun& field, const Places& tips, const Monitor& monitor,
                         std::string& warning);

  /// Returns the backend of the sum.
  const BackendChoice& ranOn() const { return sum->result.ranOn; }

  /// Adds SpeedSensitivity, SlownessSensitivity of a problem with slownesses, or TensorSensitivity, with the
  /// components of the input tensors.
  /// @param tensors  their array; null: none
  void attachSensitivity(const ImageTravelTimeRun& field, const ImageFrame& frame, vtkDataArray* tensors,
                         vtkImageData* out) const;
  /// Adds Objective and StartValueSensitivity (per seed) to the field data.
  void attachObjective(const ImageTravelTimeRun& field, vtkDataObject* out) const;
  /// Makes a table of the Jacobian, one entry per row.
  vtkSmartPointer<vtkTable> table(const ImageTravelTimeRun& field, const Places& seeds) const;

private:
  template <class Result>
  struct Known {
    std::vector<image::Position> tips;
    std::vector<double> weights; ///< of the sum
    Result result;
  };
  std::optional<Known<image::Sensitivities>> sum;
  std::optional<Known<image::Jacobian>> each;
};

/// Checks, before a solve, that its result can be differentiated.
/// @throws Error with the reason and the remedy
void requireDifferentiable(const image::Problem& problem, const image::Options& options);

} // namespace isochrone::filters
