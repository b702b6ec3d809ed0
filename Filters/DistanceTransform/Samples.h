// Samples.h - what a rank has of the inputs, and the samples between which distances are measured.
#pragma once

#include "Common/GridAxes.h"
#include "Common/ImageFrame.h"
#include "Common/SeedsAndTips.h"
#include "DistanceTransform/Pieces.h"
#include "DistanceTransform/Problem.h"

#include <vtkImageData.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>

#include <memory>
#include <optional>
#include <string>

namespace isochrone::filters {

class Ranks;

/// Input of this rank.
struct Inputs {
  vtkSmartPointer<vtkImageData> image; ///< the whole image, or the part that the plan requires
  std::optional<GridAxes> axes;        ///< of a rectilinear grid, whose indices are `image`
  std::optional<DistancePlan> plan;
  std::optional<SharedPieces> shared;   ///< if the ranks solve one problem together
  vtkSmartPointer<vtkPolyData> tips;    ///< from all ranks; may be empty
  vtkSmartPointer<vtkPolyData> surface; ///< from all ranks; null unless distances are measured to it
  vtkMTimeType surfaceTime = 0;
  std::string warning; ///< of the memory that gathering takes
};

/// The samples between which distances are measured, and the tips on their grid.
struct Samples {
  SiteArray array;
  Part part;
  ImageFrame frame, wholeFrame; ///< of this rank's samples, and of all samples
  Places tips;                  ///< on wholeFrame
  Extent owned;                 ///< this rank's samples that go to its output, without ghost levels
  const SharedExtents* shared;  ///< of samples; null: this rank solves alone

  Samples(const Inputs& in, const ArrayChoice& choice, SiteRule::Mode mode);
};

/// Returns the problem of this rank with the boxes of all ranks, if they solve together.
DistanceProblem problemOf(const Ranks& ranks, const Samples& samples, const SiteRule& rule,
                          std::shared_ptr<const Sites> sites, std::shared_ptr<const SurfaceSites> surface,
                          int threads);

} // namespace isochrone::filters
