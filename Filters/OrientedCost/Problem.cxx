#include "OrientedCost/Problem.h"

#include "Common/ImagePlane.h"
#include "Error.h"

#include <vtkDataArray.h>
#include <vtkImageData.h>
#include <vtkPointData.h>

#include <algorithm>
#include <cmath>

namespace isochrone::filters {

namespace {

/// Returns one number per point: a component, or the mean of all components.
std::vector<float> oneComponent(vtkDataArray* array, int component) {
  const int count = array->GetNumberOfComponents();
  if (component < -1 || component >= count)
    throw Error("the intensity array '" + std::string(array->GetName()) + "' has " + std::to_string(count) +
                " components, numbered from 0, but Intensity Component is " + std::to_string(component) +
                ": choose one of them, or -1 for their mean");
  std::vector<float> all = toFloats(array);
  if (count == 1) return all;
  std::vector<float> one(array->GetNumberOfTuples());
  for (std::size_t p = 0; p < one.size(); ++p) {
    const float* tuple = all.data() + p * count;
    double sum = 0;
    for (int c = 0; c < count; ++c) sum += tuple[c];
    one[p] = component < 0 ? float(sum / count) : tuple[component];
  }
  return one;
}

double spacingOf(const ImagePlane& plane) { return std::max(plane.hx(), plane.hy()); }

} // namespace

double defaultLength(const ImagePlane& plane) { return 6 * spacingOf(plane); }

oriented::Problem problemWithoutArrays(const ImagePlane& plane, const OrientedCostSettings& settings) {
  oriented::Problem problem;
  problem.nx = plane.nx(), problem.ny = plane.ny(), problem.hx = plane.hx(), problem.hy = plane.hy();
  problem.headings = settings.headings;
  problem.polarity = settings.polarity;
  problem.widths = settings.widths;
  if (problem.widths.empty())
    for (const double steps : {1.5, 2.5, 4.0}) problem.widths.push_back(steps * spacingOf(plane));
  problem.length = std::isnan(settings.length) ? defaultLength(plane) : settings.length;
  problem.halfStrength = settings.halfStrength;
  problem.exponent = settings.exponent;
  problem.floor = settings.floor, problem.ceiling = settings.ceiling;
  return problem;
}

OrientedCostProblem makeProblem(vtkImageData* image, const ImagePlane& plane, const oriented::Part& part,
                                const OrientedCostSettings& settings) {
  OrientedCostProblem out;
  ArrayChoice intensity = settings.intensityArray;
  if (vtkDataArray* active = image->GetPointData()->GetScalars(); active && !intensity.chosen())
    intensity = {active->GetName() ? active->GetName() : "", false};
  intensity.needed = true;
  out.intensity = oneComponent(pointTuples(image, intensity, "intensity"), settings.component);
  if (settings.maskArray.chosen()) {
    out.outside = nonzero(pointArray(image, settings.maskArray, "mask"));
    for (std::uint8_t& mark : out.outside) mark = !mark;
  }
  addBlankedPoints(image, out.outside);

  out.problem = problemWithoutArrays(plane, settings);
  out.problem.part = part;
  out.problem.intensity = out.intensity;
  out.problem.outside = out.outside;
  return out;
}

bool same(const oriented::Problem& a, const oriented::Problem& b) {
  return a.nx == b.nx && a.ny == b.ny && a.part == b.part && a.hx == b.hx && a.hy == b.hy &&
         a.headings == b.headings && sameBytes(a.intensity, b.intensity) && sameBytes(a.outside, b.outside) &&
         a.polarity == b.polarity && a.widths == b.widths && a.length == b.length &&
         a.halfStrength == b.halfStrength && a.exponent == b.exponent && a.floor == b.floor &&
         a.ceiling == b.ceiling;
}

} // namespace isochrone::filters
