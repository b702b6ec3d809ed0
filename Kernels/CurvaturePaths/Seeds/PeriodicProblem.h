// PeriodicProblem.h - the problem of a plane with periodic axes as one in parts (Grid/PeriodicPart.h): a part
// of a plane of copies, whose neighbours are copies of itself.
#pragma once

#include "CurvaturePaths/CurvaturePaths.h"
#include "Grid/PeriodicPart.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace isochrone::curvature {

class PeriodicProblem {
public:
  /// @param problem  validated
  /// @param discretisation  of the problem
  /// @param plane  points of copies that the plane has beside the part, its margin and as many points around
  ///               them, in the indices of the image
  PeriodicProblem(const Problem& problem, std::shared_ptr<const Discretisation> discretisation,
                  const grid::Box& plane = {});
  PeriodicProblem(const PeriodicProblem&) = delete; // the problem in parts views the arrays

  /// Its seed number s is a copy of seed s % distinctSeeds(), or lies nowhere.
  const Problem& problem() const { return inParts; }
  /// Makes its discretisation from that of the image.
  std::shared_ptr<const Discretisation> discretisation() const;
  std::int32_t distinctSeeds() const { return distinct; }
  /// Returns the box of the plane, in the indices of the image.
  const grid::Box& plane() const { return box; }

  /// Returns the state of a seed or tip in the part: moved by whole periods, relative to the plane.
  State inPlane(State state) const;
  /// Returns the periods on each axis from where inPlane() puts a state in the image to the state itself.
  std::array<double, 2> turnsOf(const State& state) const;
  /// Returns the placement in the image of one in the plane.
  Placement inImage(Placement place) const;

  /// Returns the values of the states of the part with its margin from those of the image, and the reverse.
  /// @param planes  values per point: headings, or 1
  template <class Vector>
  Vector extended(const Vector& values, int planes) const;
  template <class Vector>
  void crop(Vector& values, int planes) const;

private:
  const std::shared_ptr<const Discretisation> ofImage;
  const StateGrid image;
  const grid::PeriodicPart periodic;
  grid::Box box;
  std::int32_t distinct;
  std::array<std::vector<float>, 3> fields; ///< cost, turning radius and shift; empty where constant
  std::vector<std::uint8_t> walls;
  Problem inParts;

  template <class T>
  std::vector<T> tiled(std::span<const T> values) const;
  std::int64_t wrapped(std::int64_t at, int axis) const;
  std::int64_t pointOf(const GridIndex& inWindow) const;
};

/// Returns the discretisation of an image with periodic axes: the one of its solution, or a new one.
/// @throws Error if the problem is not valid
std::shared_ptr<const Discretisation> discretisationOfImage(const Problem& problem, const Solution& solution);

/// A solution of the image as one of the problem in parts.
struct PeriodicSolution {
  PeriodicSolution(const PeriodicProblem& problem, const Solution& solution);
  PeriodicSolution(const PeriodicSolution&) = delete; // the solution views the arrays

  std::vector<float> travelTime, uncorrected;
  Solution solution;
};

template <class Vector>
Vector PeriodicProblem::extended(const Vector& values, int planes) const {
  Vector all;
  if (values.empty()) return all;
  const std::int64_t points = periodic.grid().points();
  all.resize(std::size_t(points * planes));
  std::int64_t n = 0;
  grid::forEachPoint({{0, 0, 0}, periodic.grid().sizes()}, [&](const GridIndex& p) {
    const std::int64_t from = pointOf(p);
    for (int k = 0; k < planes; ++k)
      all[std::size_t(n + points * k)] = values[std::size_t(from + image.planePoints() * k)];
    ++n;
  });
  return all;
}

template <class Vector>
void PeriodicProblem::crop(Vector& values, int planes) const {
  if (values.empty()) return;
  grid::Box own{periodic.first(), periodic.first()};
  own.high[0] += image.nx, own.high[1] += image.ny, own.high[2] += 1;
  auto to = values.begin();
  for (int k = 0; k < planes; ++k)
    grid::forEachPoint(own, [&](const GridIndex& p) {
      *to++ = values[std::size_t(periodic.grid().index(p) + periodic.grid().points() * k)];
    });
  values.resize(std::size_t(image.planePoints() * planes));
  values.shrink_to_fit();
}

} // namespace isochrone::curvature
