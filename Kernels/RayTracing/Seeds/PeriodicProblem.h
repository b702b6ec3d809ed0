// PeriodicProblem.h - the problem of an image with periodic axes as one in parts (Grid/PeriodicPart.h).
#pragma once

#include "Grid/PeriodicPart.h"
#include "RayTracing/RayTracing.h"

#include <cstdint>
#include <span>
#include <vector>

namespace isochrone::rays {

class PeriodicProblem {
public:
  /// @param problem  validated
  /// @throws Error on insufficient memory
  PeriodicProblem(const Problem& problem, const Options& options);
  PeriodicProblem(const PeriodicProblem&) = delete; // the problem in parts views the arrays

  /// Each source comes with its copies: number s is a copy of source s % distinctSources.
  const Problem& problem() const { return inParts; }
  /// Returns the numbers of sources with those of their copies.
  std::vector<std::int32_t> withCopies(std::span<const std::int32_t> sources) const;

  /// Returns the field of the grid of the problem in parts from that of the image, and the reverse.
  /// @throws Error on insufficient memory
  Field extended(const Field& field) const;
  void crop(Field& field) const;

  /// Returns the position in the grid of a position in the image or beyond it.
  Position inGrid(const Position& at) const { return periodic.copies(at)[0]; }
  /// Returns the number of steps that lead to a position from where inGrid() puts it in the image.
  GridIndex stepsFrom(const Position& inGrid, const Position& at) const;
  /// Returns the point of the image that a point of the grid repeats, among its first copy.
  GridIndex inImage(const GridIndex& point) const { return periodic.inImage(point); }
  const GridIndex& first() const {
    return periodic.first();
  } ///< point of the grid that is point 0 of the image
  /// Returns the number, in the image, of the element that an element of the grid repeats.
  std::int64_t elementInImage(std::int64_t element) const;

private:
  const Grid image;
  const WeightRule rule;
  grid::PeriodicPart periodic;
  std::vector<float> slowness, startTimes;
  std::vector<double> preciseSlowness, preciseStartTimes;
  Thomsen::Memory thomsen;
  Problem inParts;

  void requireMemory(std::size_t bytes) const;
  template <class T>
  std::vector<T> extended(std::span<const T> values, const Grid& from, const Grid& to,
                          int components = 1) const;
  template <class T>
  Values<T> extendedPoints(const Values<T>& values) const;
  template <class T>
  void cropPoints(Values<T>& values) const;
};

} // namespace isochrone::rays
