// Runs.h - solved problems of the image solver, and the path between two of them.
#pragma once

#include "ImageTravelTime/Problem.h"

#include <optional>
#include <vector>

namespace isochrone::filters {

/// A problem with its solution.
struct ImageTravelTimeRun {
  ImageTravelTimeProblem input;
  image::Options options;
  image::Result result;
  bool isGiven = false;             ///< the travel time is that of an earlier solve
  std::vector<double> givenBalls{}; ///< then of point seeds: givenBalls (GivenTravelTime.h)
};

/// Quantities that combine the fields of both sides.
struct BothWays {
  image::TwoWay twoWay;
  Path path; ///< between the two sets; empty if there is none, or another rank has it
  int seed = -1, target = -1;
};

/// Returns the path between the two sets through a point with the minimum sum of times, or nothing if the
/// monitor stopped it.
std::optional<BothWays> meet(const ImageTravelTimeRun& fromSeeds, const ImageTravelTimeRun& fromTargets,
                             int threads, const Monitor& monitor);

/// Returns whether a result computed with options `a` serves a request with options `b`.
bool answers(const image::Options& a, const image::Options& b);

} // namespace isochrone::filters
