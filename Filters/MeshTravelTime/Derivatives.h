// Derivatives.h - derivatives of the travel times of tips on a mesh, as arrays and a table.
#pragma once

#include "MeshTravelTime/MeshTravelTime.h"
#include "MeshTravelTime/Seeds.h"

#include <vtkSmartPointer.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

class vtkDataSet;
class vtkTable;

namespace isochrone::filters {

/// The derivatives last computed of a field, with the arguments that they belong to.
class MeshDerivatives {
public:
  /// Differentiates the sum of weight * travel time of the tips unless the result is known. Returns false if
  /// the monitor stopped it.
  /// @param warning  set if the result is new; may be empty
  bool differentiate(const mesh::Problem& problem, std::span<const float> travelTime, const Places& tips,
                     const std::vector<MeshPlace>& places, const mesh::SensitivityOptions& options,
                     const Monitor& monitor, std::string& warning);
  /// Likewise the travel time of each tip.
  bool differentiateEach(const mesh::Problem& problem, std::span<const float> travelTime, const Places& tips,
                         const std::vector<MeshPlace>& places, const mesh::SensitivityOptions& options,
                         const Monitor& monitor, std::string& warning);

  /// Returns the backend of the sum, or else of the rows.
  const BackendChoice& ranOn() const { return sum ? sum->result.ranOn : each->result.ranOn; }

  /// Adds the derivatives by the medium to the points or the cells, named by what defines the speed:
  /// SpeedSensitivity, ConductionVelocitySensitivity, ConductivitySensitivity or TensorSensitivity. Adds
  /// Objective and StartValueSensitivity to the field data, the latter with a row per point among the seeds
  /// and, if there are onset times, one for all of them.
  void attach(const mesh::Problem& problem, const MeshSeeds& seeds, std::size_t seedPoints,
              vtkDataSet* out) const;
  /// Makes a table of the Jacobian, one entry per row.
  vtkSmartPointer<vtkTable> table(const MeshSeeds& seeds) const;

private:
  template <class Result>
  struct Known {
    std::vector<Position> tips;
    std::vector<double> weights; ///< of the sum
    Result result;
  };
  std::optional<Known<mesh::Sensitivities>> sum;
  std::optional<Known<mesh::Jacobian>> each;
};

} // namespace isochrone::filters
