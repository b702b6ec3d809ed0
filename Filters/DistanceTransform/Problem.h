// Problem.h - the solver's problem, built from an image, with what is needed to speak of its samples:
// its points, or its cells, which stand for their centres.
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

/// The array that says where the sites are, and the samples that have its values.
struct SiteArray {
  vtkDataArray* values = nullptr;
  vtkUnsignedCharArray* ghosts = nullptr; ///< may be null
  bool onCells = false;

  int hidden() const; ///< the bit of a hidden sample
};

/// @param choice  none: the active scalars of the points or of the cells, else the first array that fits
/// @throws Error if there is none, or it is of strings or several components
SiteArray siteArrayOf(vtkImageData* image, ArrayChoice choice);

/// Points are their own samples; else an image whose points are the centres of the cells. Without arrays.
vtkSmartPointer<vtkImageData> samplesOf(vtkImageData* image, bool onCells);

vtkDataSetAttributes* attributesOf(vtkImageData* image, bool onCells);

/// From samples of a part of an image to those of the whole.
struct Part {
  Extent part{}, whole{};

  bool isWhole() const { return part == whole; }
  std::int64_t toWhole(std::int64_t sample) const { return numberOf(indexOf(sample, part), whole); }
  bool operator==(const Part&) const = default;
};

/// Where a mask came from: equal ones have equal masks. An array that is gone equals none.
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

/// @param sites  of `array`, if they are known
DistanceProblem makeProblem(const SiteArray& array, const SiteRule& rule, const ImageFrame& frame,
                            const Part& part, std::shared_ptr<const Sites> sites, int threads);

/// Do both have the same solution? Compares contents, so that an input that was recomputed to the same
/// values, changed elsewhere or merely touched is not solved again.
bool same(const DistanceProblem& a, const DistanceProblem& b);

/// @throws Error, with numbers, if there is no room for the sites and the output arrays
void requireMemory(const ImageFrame& frame, const distance::Options& options);

} // namespace isochrone::filters
