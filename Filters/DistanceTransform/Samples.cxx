#include "DistanceTransform/Samples.h"

#include "Common/ImageParts.h"
#include "Common/Ranks.h"

#include <utility>

namespace isochrone::filters {

namespace {

/// Returns the rectilinear grid of the samples; null for an image.
std::shared_ptr<const grid::OrthogonalGrid> gridOf(const Inputs& in, bool onCells) {
  if (!in.rectilinear) return nullptr;
  return onCells ? in.rectilinear->cells() : in.rectilinear->points;
}

} // namespace

Samples::Samples(const Inputs& in, const ArrayChoice& choice, SiteRule::Mode mode)
    : array(siteArrayOf(in.image, choice, mode)),
      frame(samplesOf(in.image, array.onCells), gridOf(in, array.onCells)),
      wholeFrame(samplesOf(wholeOf(in.image, in.plan), array.onCells), frame.space()),
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
