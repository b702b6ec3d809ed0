// AdjointPlan.h - the schemes of all headings in double, as plain tables for the kernels of Descent.h.
#pragma once

#include "CurvaturePaths/Scheme/Discretisation.h"

#include <vector>

namespace isochrone::curvature {

/// weight = a[0] + a[1] rate + a[2] rate^2, in 1 / world length squared; `rate` is the turning rate.
struct FlowTerm {
  std::int16_t x, y, heading; ///< offset in grid steps
  TableRange single, doubled; ///< of SensitivityPlan::cover: pixels of the planar offset, and of twice it
  double a[3];
  double perBalance; ///< d weight / d balancedRadius = perBalance * rate
};

/// The terms of a block for turning rates up to `high`.
struct FlowPiece {
  double high;
  int first, count;
};

/// The parts of a model's schemes that are the same for all headings.
struct SchemeForm {
  int schemes = 1, blocks = 1;    ///< blocks of all schemes together, scheme after scheme
  bool symmetric = false;         ///< terms take the minimum of both sides
  bool turns = false;             ///< adds the symmetric term of turning on the spot
  double factors[maxBlocks] = {}; ///< turning rate of a block = shift + factor / radius
  double turnWeight = 0;          ///< weight of turning on the spot times radius^2
};

struct SensitivityPlan {
  SchemeForm form;
  std::vector<FlowTerm> terms;
  std::vector<FlowPiece> pieces;  ///< ascending turning rates
  std::vector<TableRange> ranges; ///< [heading][block]
  std::vector<Pixel> cover;
  std::vector<std::uint8_t> wallDistance; ///< Manhattan, per plane point, at most 255; empty: no walls
};

SensitivityPlan makeSensitivityPlan(const Problem& problem, const Discretisation& discretisation);

} // namespace isochrone::curvature
