// Internals.h - the steps of Execute of the filter, by files: Inputs.cxx, SeparateSeeds.cxx, Results.cxx, and
// all others in vtkIsochroneImageTravelTime.cxx.
#pragma once

#include "Common/Extents.h"
#include "Common/GridAxes.h"
#include "Common/ImageFrame.h"
#include "Common/ImageParts.h"
#include "Common/PartExchange.h"
#include "Common/SeedRuns.h"
#include "Common/SeedsAndTips.h"
#include "ImageTravelTime/Derivatives.h"
#include "ImageTravelTime/EachSeed.h"
#include "ImageTravelTime/ImageTravelTime.h"
#include "ImageTravelTime/Problem.h"
#include "ImageTravelTime/Reuse.h"
#include "ImageTravelTime/Runs.h"
#include "vtkIsochroneImageTravelTime.h"

#include <vtkDataSet.h>
#include <vtkImageData.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>
#include <vtkTable.h>

#include <optional>
#include <vector>

// As in every source file of this filter.
using namespace isochrone;
using namespace isochrone::filters;
namespace filters = isochrone::filters;

/// The steps of Execute, and the state kept between executions.
struct vtkIsochroneImageTravelTime::Internals {
  /// Input of a solve, identical on every rank except for the part of the image.
  struct Inputs {
    ImagePart image;
    std::optional<GridAxes> axes; ///< of a rectilinear or spherical grid, whose indices are the image
    vtkDataSet* given = nullptr;
    vtkSmartPointer<vtkPolyData> seeds;    ///< null: the centre of the image, or a region
    vtkSmartPointer<vtkPolyData> allSeeds; ///< of all time steps
    int step = 0;                          ///< of the seed; noStep: no time steps
    vtkSmartPointer<vtkPolyData> tips;     ///< may be empty
    vtkSmartPointer<vtkPolyData> targets;  ///< null: no targets

    ImageFrame frame() const { return {image.image, axes ? &*axes : nullptr}; }
  };

  /// Seeds, tips and targets in grid coordinates.
  struct Placed {
    Places seeds, allSeeds, tips;
    PointGroups seedGroups, tipGroups; ///< of all seeds
    std::optional<Places> targets;
  };

  struct Tables {
    vtkSmartPointer<vtkTable> travelTimes, jacobian; ///< null after an abort
  };

  vtkIsochroneImageTravelTime* filter;
  std::optional<ImageTravelTimeRun> fromSeeds, fromTargets; ///< empty after an abort or an error
  Values<float> gradient; ///< of the time from the seeds, along grid axes; empty until it is requested
  std::vector<image::FactoringBall> balls, targetBalls; ///< one per seed, and per target
  std::optional<BothWays> both;
  ImageDerivatives derivatives;
  std::optional<std::vector<image::Position>> tips; ///< of the paths; empty before the first extraction
  std::vector<Path> paths;
  bool separate = false;                 ///< `fromSeeds` and `paths` are of `each`
  std::optional<ImageSeedRuns> each;     ///< runs of one seed each; empty until requested
  std::optional<std::vector<Path>> seen; ///< `paths` in the medium; empty until requested

  PartNeeds needs() const;
  Inputs gather(const Execution& execution);
  bool run(const Inputs& in, PartExchange& ranks, const Execution& execution,
           vtkSmartPointer<vtkPolyData>& paths, Tables& tables);
  Placed place(const Inputs& in, const ImageFrame& frame) const;
  ImageTravelTimeSettings settings() const;
  bool solve(const Inputs& in, const ImageFrame& frame, const Placed& placed, PartExchange& ranks,
             int threads);
  bool examine(int threads);
  bool differentiate(const Places& places);
  bool followTips(const Places& places, PartExchange& ranks, int threads);
  bool seeInMedium(int threads);
  bool tabulate(const Placed& placed);
  void attach(const Inputs& in, const ImageFrame& frame, const Placed& placed, double latest,
              const Extent& owned, vtkImageData* out) const;
  vtkSmartPointer<vtkPolyData> lines(const ImageFrame& frame, const Placed& placed) const;
  void forget();

private:
  bool solve(std::optional<ImageTravelTimeRun>& field, ImageTravelTimeProblem input,
             const image::Options& options, PartExchange& ranks, double begin, double end,
             std::optional<Values<float>> given = {});
  bool solveTargets(ImageTravelTimeProblem input, image::Options options, const Places& targets,
                    PartExchange& ranks);
  bool differentiates() const { return filter->ComputeSensitivity || filter->ComputeJacobian; }
  ArrayChoice givenArray() const { return choiceOf(filter->GetInputArrayInformation(GivenTravelTimeArray)); }
  double solveShare() const { return differentiates() ? 0.5 : 1; } ///< of the work before the residual
  bool runSeeds(ImageTravelTimeProblem input, const image::Options& options, const Placed& placed,
                PartExchange& ranks);
  bool findEach(ImageSeedRequest request, double begin, double end);
  bool isSeparate() const { return static_cast<filters::SeedRuns>(filter->SeedRuns) == SeedRuns::Separate; }
  /// Returns whether the only seed is not a point.
  bool seedIsExtended() const { return filter->SeedType == Region || filter->SeedType == LevelSet; }
};
