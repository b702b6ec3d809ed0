// Internals.h - the steps of Execute of the filter, by files: Inputs.cxx, SeparateSeeds.cxx, and all others
// in vtkIsochroneCurvaturePaths.cxx.
#pragma once

#include "Common/ImageFrame.h"
#include "Common/ImageParts.h"
#include "Common/ImagePlane.h"
#include "Common/PartExchange.h"
#include "Common/SeedRuns.h"
#include "Common/SeedsAndTips.h"
#include "CurvaturePaths/CurvaturePaths.h"
#include "CurvaturePaths/EachSeed.h"
#include "CurvaturePaths/Problem.h"
#include "CurvaturePaths/Solution.h"
#include "CurvaturePaths/States.h"
#include "vtkIsochroneCurvaturePaths.h"

#include <vtkImageData.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>
#include <vtkTable.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

// As in every source file of this filter.
using namespace isochrone;
using namespace isochrone::filters;
namespace filters = isochrone::filters;

/// The steps of Execute, and the state kept between executions.
struct vtkIsochroneCurvaturePaths::Internals {
  /// Input of a solve, identical on every rank. Without seeds the solve starts at the centre of the image.
  struct Inputs {
    vtkSmartPointer<vtkImageData> image, orientedCost;
    vtkSmartPointer<vtkPolyData> seeds, tips;
    vtkSmartPointer<vtkPolyData> allSeeds; ///< of all time steps
    int step = 0;                          ///< of the seed; noStep: no time steps
    /// The points whose states each rank solves, along the axes of the plane; nothing: each rank solves all.
    std::optional<std::vector<grid::Box>> parts;
    std::string whyWhole; ///< why many states are not divided
  };

  vtkIsochroneCurvaturePaths* filter;
  std::unique_ptr<CurvatureSolution> solved; ///< null after an abort or an error
  std::unique_ptr<CurvatureSeedRuns> each;   ///< runs of one seed each; null until requested
  std::shared_ptr<curvature::StartCache> startCache = curvature::makeStartCache();

  Inputs gather(const Execution& execution);
  void divide(const Execution& execution, Inputs& in) const;
  bool holdsOutputs(const Execution& execution, const Inputs& in, const ImagePlane& plane,
                    int headings) const;
  std::string whyWhole() const;
  CurvatureSettings settings() const;
  double solveShare() const { return filter->ComputeSensitivity ? 0.45 : 0.9; } ///< of all work
  bool run(const Inputs& in, PartExchange& ranks, const Execution& execution,
           vtkSmartPointer<vtkPolyData>& paths, vtkSmartPointer<vtkTable>& table);
  bool runSeeds(CurvatureProblem input, const Places& allSeeds, const States& tips, int threads, double begin,
                double end);
  bool isSeparate() const {
    return static_cast<filters::SeedRuns>(filter->SeedRuns) == filters::SeedRuns::Separate;
  }
  void cutPaths(const curvature::Problem& problem, const ImagePlane& plane, vtkPolyData* paths) const;
  void forget();
  bool solve(CurvatureProblem input, const States& tips, PartExchange& ranks, int threads);
  bool examine(const States& tips, PartExchange& ranks, int threads);
  void warnOfPaths(const std::vector<Path>& paths, const States& tips) const;
  void attachImages(const Inputs& in, const ImagePlane& plane, const States& seeds, PartExchange& ranks,
                    vtkInformationVector* outputs) const;
  void attachSeparate(const Inputs& in, const ImagePlane& plane, const States& seeds,
                      vtkInformationVector* outputs) const;
  vtkSmartPointer<vtkPolyData> pathLines(const ImageFrame& frame, const States& seeds,
                                         const States& tips) const;
};
