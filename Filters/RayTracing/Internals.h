// Internals.h - the steps of Execute of the filter, by files: Inputs.cxx, and all others in
// vtkIsochroneRayTracing.cxx.
#pragma once

#include "Common/Execution.h"
#include "Common/ImageFrame.h"
#include "Common/ImageParts.h"
#include "Common/PartExchange.h"
#include "Common/SeedRuns.h"
#include "Common/SeedsAndTips.h"
#include "RayTracing/EachSource.h"
#include "RayTracing/Outputs.h"
#include "RayTracing/Probabilities.h"
#include "RayTracing/Problem.h"
#include "RayTracing/RayTracing.h"
#include "RayTracing/Runs.h"
#include "vtkIsochroneRayTracing.h"

#include <vtkImageData.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>
#include <vtkTable.h>

#include <cstddef>
#include <optional>
#include <vector>

// As in every source file of this filter.
using namespace isochrone;
using namespace isochrone::filters;

/// The steps of Execute, and the state kept between executions.
struct vtkIsochroneRayTracing::Internals {
  /// Values of SourceRuns.
  enum { Together, Separate, TimeSteps };

  /// Input of a solve, identical on every rank except for the part of the image.
  struct Inputs {
    ImagePart image;
    vtkSmartPointer<vtkPolyData> sources;   ///< null: the centre of the image
    vtkSmartPointer<vtkPolyData> receivers; ///< may be empty
  };

  /// Sources and receivers in grid coordinates.
  struct Placed {
    Places sources, receivers;
    PointGroups sourceGroups, receiverGroups;
  };

  vtkIsochroneRayTracing* filter;
  std::optional<RayRun> direct;  ///< empty after an abort or an error
  std::vector<RayRun> reflected; ///< second leg per field of the first; empty without an interface
  std::optional<std::vector<rays::Position>> receivers; ///< of the arrivals; empty before the first tracing
  std::vector<Arrivals> arrivals;                       ///< one per field
  RayProbabilities probabilities;                       ///< of the first leg
  std::optional<RaySourceRuns> each; ///< of sources that run together, each alone; empty until requested

  PartNeeds needs() const;
  Inputs gather(const Execution& execution) const;
  bool run(const Inputs& in, PartExchange& ranks, const Execution& execution);
  Placed place(const Inputs& in) const;
  rays::Options options(const ImageFrame& frame, const Placed& placed, int threads) const;
  RaySettings settings() const;
  bool solve(const Inputs& in, const Placed& placed, PartExchange& ranks, int threads);
  bool trace(const Places& places, PartExchange& ranks);
  bool weighPaths(const Places& places);
  bool tabulate(const Inputs& in, const Placed& placed, PartExchange& ranks, int threads,
                vtkSmartPointer<vtkTable>& table);
  void attach(const Inputs& in, const Placed& placed, const std::vector<std::size_t>& shown,
              PartExchange& ranks, vtkImageData* image) const;
  std::vector<Path> paths(const std::vector<std::size_t>& shown) const {
    return pathsOf(*direct, arrivals, shown, filter->MergeCollinear);
  }
  vtkSmartPointer<vtkTable> matrix(const Placed& placed, const std::vector<std::size_t>& shown) const;
  std::vector<std::size_t> shownFields(vtkInformation* request, vtkInformationVector* outputs) const;
  void forget();

private:
  std::optional<RayRun> run(RayProblem input, const rays::Options& options, PartExchange& ranks, double begin,
                            double end);
  bool reflect(const RayReflector& reflector, const PointGroups& sources, PartExchange& ranks, double begin,
               double end);
  bool reflects() const { return filter->Interface != 0; }
};
