#include "OrientedCost/Pieces.h"

#include "Common/ImagePlane.h"
#include "Common/Ranks.h"
#include "Error.h"
#include "OrientedCost/Problem.h"

#include <vtkImageData.h>
#include <vtkNew.h>

#include <array>
#include <span>
#include <vector>

namespace isochrone::filters {

namespace {

oriented::Box boxOf(const ImagePlane& whole, const Extent& extent) {
  const auto bound = [&](int axis, int end) {
    return std::int64_t(extent[2 * whole.frame().imageAxis(axis) + end]) - whole.frame().start(axis);
  };
  return {bound(0, 0), bound(0, 1) + 1, bound(1, 0), bound(1, 1) + 1};
}

/// Returns the positions of an extent of states.
Extent positionsOf(const Extent& states, const ImagePlane& plane, const Extent& image) {
  Extent extent = image;
  for (int axis = 0; axis < 2; ++axis)
    for (int end = 0; end < 2; ++end)
      extent[2 * plane.frame().imageAxis(axis) + end] = states[2 * axis + end];
  return empty(states) ? Extent{0, -1, 0, -1, 0, -1} : extent;
}

template <class T>
T sumOf(const Ranks& ranks, const T& local) {
  T all;
  for (const std::vector<T>& of : ranks.gather<T>({&local, 1})) all.add(of[0]);
  return all;
}

} // namespace

std::optional<PiecePlan> planPiece(vtkAlgorithm* filter, vtkInformation* request, vtkInformation* input,
                                   vtkInformationVector* outputs, int costPort, int imagePort,
                                   const OrientedCostSettings& settings) {
  vtkNew<vtkImageData> image;
  if (!announcedInPieces(filter, input, image)) return {};
  Extent whole, states;
  image->GetExtent(whole.data());
  std::array<double, 3> layers{};
  try {
    const ImagePlane plane(image);
    const oriented::Margin margin = oriented::marginOf(problemWithoutArrays(plane, settings));
    layers[plane.frame().imageAxis(0)] = double(margin.x);
    layers[plane.frame().imageAxis(1)] = double(margin.y);
    plane.stateSpace(settings.headings, plane.smallerExtent())->GetExtent(states.data());
    const Extent owned[] = {positionsOf(requestedExtent(request, outputs, costPort, states), plane, whole),
                            requestedExtent(request, outputs, imagePort, whole)};
    return planPiece(whole, boundingExtent(owned), layers);
  } catch (const Error&) { // Execute reports it
    return {};
  }
}

oriented::Part partOf(const ImagePlane& whole, const Extent& owned, const Extent& given) {
  return {boxOf(whole, owned), boxOf(whole, given)};
}

oriented::Result solveInParts(const Ranks& ranks, const oriented::Problem& problem, int threads,
                              const Monitor& monitor) {
  std::optional<oriented::PartSolver> solver;
  oriented::IntensityRange range;
  ranks.rethrowOnAll([&] {
    solver.emplace(problem, threads, monitor);
    range = solver->range();
  });
  range = sumOf(ranks, range);
  ranks.rethrowOnAll([&] { solver->computeStrengths(range); });
  oriented::Result result;
  result.aborted = ranks.any(solver->stopped());
  if (result.aborted) return result;

  // Pieces share their borders: the first rank that has a point counts it.
  const oriented::Box own = problem.own();
  std::vector<oriented::Box> before;
  for (const auto& box : ranks.gather<oriented::Box>({&own, 1})) before.push_back(box[0]);
  before.resize(ranks.index());
  const oriented::StrengthSums sums = sumOf(ranks, solver->sums(before));
  ranks.rethrowOnAll([&] { result = solver->costs(sums); });
  result.aborted = ranks.any(result.aborted);
  return result;
}

} // namespace isochrone::filters
