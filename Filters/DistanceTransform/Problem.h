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

/// Returns the site array.
/// @param choice  none: the active scalars of the points or cells, else the first suitable array
/// @throws Error if there is none, or the array holds strings or several components
SiteArray siteArrayOf(vtkImageData* image, ArrayChoice choice);

/// Returns an image, without arrays, whose points are the samples: the points or the centres of the cells.
vtkSmartPointer<vtkImageData> samplesOf(vtkImageData* image, bool onCells);

vtkDataSetAttributes* attributesOf(vtkImageData* image, bool onCells);

/// Maps samples of a part of an image to samples of the whole.
struct Part {
  Extent part{}, whole{};

  bool isWhole() const { return part == whole; }
  std::int64_t toWhole(std::int64_t sample) const { return numberOf(indexOf(sample, part), whole); }
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

/// A problem and its memory.
struct DistanceProblem {
  distance::Problem problem;
  std::shared_ptr<const Sites> sites;
  SiteOrigin origin;
  Part part;
};

/// @param sites  sites of `array` if known, else null
DistanceProblem makeProblem(const SiteArray& array, const SiteRule& rule, const ImageFrame& frame,
                            const Part& part, std::shared_ptr<const Sites> sites, int threads);

/// Returns whether both have the same solution. Compares contents, so that an input that was recomputed to
/// the same values, changed elsewhere or only touched is not solved again.
bool same(const DistanceProblem& a, const DistanceProblem& b);

/// @throws Error, with numbers, if the memory does not suffice for the sites and the output arrays
void requireMemory(const ImageFrame& frame, const distance::Options& options);

} // namespace isochrone::filters
