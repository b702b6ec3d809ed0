#include "DistanceTransform/Samples.h"

#include "Common/ImageParts.h"
#include "Common/Ranks.h"

#include <utility>

namespace isochrone::filters {

namespace {

/// Returns the frame of the samples of an image or of the indices of a rectilinear grid.
ImageFrame frameOf(const Inputs& in, vtkImageData* image, bool onCells) {
  const auto samples = samplesOf(image, onCells);
  if (!in.axes) return ImageFrame(samples);
  const GridAxes axes = onCells ? centresOf(*in.axes) : *in.axes;
  return {samples, &axes};
}

} // namespace

Samples::Samples(const Inputs& in, const ArrayChoice& choice, SiteRule::Mode mode)
    : array(siteArrayOf(in.image, choice, mode)), frame(frameOf(in, in.image, array.onCells)),
      wholeFrame(frameOf(in, wholeOf(in.image, in.plan), array.onCells)),
      tips(placesOf(in.tips, wholeFrame)) {
  const auto samplesIn = [&](vtkImageData* image) {
    return array.onCells ? cellExtent(extentOf(image)) : extentOf(image);
  };
  part = {samplesIn(in.image), samplesIn(wholeOf(in.image, in.plan))};
  const Extent piece = !in.plan ? part.part : in.shared ? in.plan->piece : in.plan->owned;
  owned = in.plan && array.onCells ? cellExtent(piece) : piece;
  shared = !in.shared ? nullptr : array.onCells ? &in.shared->cells : &in.shared->points;
}

DistanceProblem problemOf(const Ranks& ranks, const Samples& samples, const SiteRule& rule,
                          std::shared_ptr<const Sites> sites, std::shared_ptr<const SurfaceSites> surface,
                          int threads) {
  DistanceProblem out = makeProblem(samples.array, rule, samples.shared ? samples.wholeFrame : samples.frame,
                                    samples.part, std::move(sites), std::move(surface), threads);
  if (!samples.shared) {
    out.problem.first = boxOf(samples.part.part, samples.wholeFrame).begin;
    return out;
  }
  distance::Sharing& sharing = out.problem.sharing;
  sharing.process = ranks.index();
  for (const Extent& owned : samples.shared->owned) sharing.owned.push_back(boxOf(owned, samples.wholeFrame));
  for (const Extent& needed : samples.shared->needed)
    sharing.solved.push_back(boxOf(needed, samples.wholeFrame));
  return out;
}

} // namespace isochrone::filters
