// Problem.h - builds the solver's problem from an image. Its samples are the points, or the centres of the
// cells.
#pragma once

#include "Common/ArrayBridge.h"
#include "Common/Extents.h"
#include "DistanceTransform/DistanceTransform.h"
#include "DistanceTransform/Sites.h"

#include <vtkSmartPointer.h>
#include <vtkWeakPointer.h>

#include <array>
#include <memory>
#include <string>

class vtkDataArray;
class vtkDataSetAttributes;
class vtkImageData;
class vtkUnsignedCharArray;

namespace isochrone::filters {

class ImageFrame;

/// The array that defines the sites, and the kind of its samples.
struct SiteArray {
  vtkDataArray* values = nullptr;
  vtkUnsignedCharArray* ghosts = nullptr; ///< may be null
  bool onCells = false;

  int hidden() const; ///< the ghost bit of a hidden sample
};

/// Returns the site array; without values if none exists and the rule needs none.
/// @param choice  none: the active scalars of the points or cells, else the first suitable array
/// @throws Error if there is none, or the array holds strings or several components
SiteArray siteArrayOf(vtkImageData* image, ArrayChoice choice, SiteRule::Mode mode);

/// Returns an image, without arrays, whose points are the samples: the points or the centres of the cells.
vtkSmartPointer<vtkImageData> samplesOf(vtkImageData* image, bool onCells);

vtkDataSetAttributes* attributesOf(vtkImageData* image, bool onCells);

/// Returns whether a sample, by its number in the whole image, is in an extent.
inline bool contains(const Extent& extent, std::int64_t sample, const Extent& whole) {
  const auto [i, j, k] = indexOf(sample, whole);
  return contains(extent, {i, i, j, j, k, k});
}

/// Maps samples of a part of an image to samples of the whole.
struct Part {
  Extent part{}, whole{};

  bool isWhole() const { return part == whole; }
  std::int64_t toWhole(std::int64_t sample) const { return numberOf(indexOf(sample, part), whole); }
  std::int64_t fromWhole(std::int64_t sample) const { return numberOf(indexOf(sample, whole), part); }
  /// Returns whether the part has a sample of the whole.
  bool has(std::int64_t sample) const { return contains(part, sample, whole); }
  bool operator==(const Part&) const = default;
};

/// Origin of a mask. Equal origins have equal masks; a deleted array equals none.
struct SiteOrigin {
  vtkWeakPointer<vtkDataArray> values, ghosts;
  vtkMTimeType valuesTime = 0, ghostsTime = 0;
  SiteRule rule;

  SiteOrigin() = default;
  SiteOrigin(const SiteArray& array, const SiteRule& rule);
  bool equals(const SiteOrigin& other) const;
};

struct SurfaceSites;

/// A problem and its memory.
struct DistanceProblem {
  distance::Problem problem;
  std::shared_ptr<const Sites> sites;               ///< null if there is a surface
  std::shared_ptr<const SurfaceSites> surface;      ///< null if distances are between samples
  std::shared_ptr<const grid::OrthogonalGrid> grid; ///< null: an image
  SiteOrigin origin;
  Part part;
};

/// @param frame  of the samples of this rank; if the problem is shared, of all samples
/// @param sites  sites of `array` if known, else null
/// @param surface  null: distances are between samples
DistanceProblem makeProblem(const SiteArray& array, const SiteRule& rule, const ImageFrame& frame,
                            const Part& part, std::shared_ptr<const Sites> sites,
                            std::shared_ptr<const SurfaceSites> surface, int threads);

/// Returns an extent of samples in grid coordinates.
/// @param frame  of all samples
distance::Box boxOf(const Extent& extent, const ImageFrame& frame);

/// Returns whether both have the same solution. Compares contents, so that an input that was recomputed to
/// the same values, changed elsewhere or only touched is not solved again.
bool same(const DistanceProblem& a, const DistanceProblem& b);

/// Returns the memory of the sites and the output arrays.
double neededBytes(const ImageFrame& frame, const distance::Options& options);

/// @throws Error, with numbers, if the memory does not suffice for the sites and the output arrays
void requireMemory(const ImageFrame& frame, const distance::Options& options);

} // namespace isochrone::filters
