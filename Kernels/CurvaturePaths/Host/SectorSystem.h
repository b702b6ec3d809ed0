// SectorSystem.h - builds the data that the sweeps of a problem work on: planes, fields, stencils as
// addresses, readers, and visibility near walls.
#pragma once

#include "CurvaturePaths/Host/ReaderList.h"
#include "CurvaturePaths/Host/SectorPlanes.h"
#include "CurvaturePaths/Host/SectorSweep.h"
#include "CurvaturePaths/Host/WallVisibility.h"
#include "CurvaturePaths/Scheme/Discretisation.h"

#include <array>
#include <memory>
#include <vector>

namespace isochrone::curvature {

class SectorSystem {
public:
  /// @param planes  headings to solve (Sectors.h)
  SectorSystem(const Problem& problem, const Discretisation& discretisation, int planes,
               execution::RoundPool& pool);
  SectorSystem(const SectorSystem&) = delete; // the views hold addresses
  SectorSystem& operator=(const SectorSystem&) = delete;

  /// Sets the value of a state (in sweep units), lower than before, and that of the opposite heading if it is
  /// not solved. Its readers are swept in the next rounds.
  void lower(int heading, std::int64_t i, std::int64_t j, float value);

  const SectorView* views() const { return view.data(); }
  int planes() const { return planeCount; }
  float value(int heading, std::int64_t i, std::int64_t j) const;
  std::size_t bytes() const;

  /// Writes offset + scale * u of every state, x fastest, then y, then heading.
  void gather(double scale, double offset, execution::RoundPool& pool, std::span<float> travelTime) const;

  /// Keeps the solution and resets all values. From then on, differences are corrected by it (Corrections.h).
  /// Only for problems with Accuracy::SecondOrder, and only once.
  void correctDifferences(execution::RoundPool& pool);

private:
  /// A field in the order of the sweeps: one array, or one per heading if it depends on the heading.
  struct Arranged {
    std::vector<Values<float>> arrays;
    const float* of(int k) const { return arrays[arrays.size() > 1 ? k : 0].data(); }
  };

  struct HeadingParts {
    std::vector<UniformScheme> uniform;
    std::vector<std::vector<Prior>> priors; ///< per scheme of `uniform`
    std::vector<VaryingScheme> varying;
    std::vector<std::vector<VaryingPiece>> pieces;
    ReaderList readers;
    std::vector<TurnReader> turnReaders;
    std::vector<int> others;
  };

  struct SectorParts {
    std::vector<HeadingParts> headings;
    std::vector<SectorHeading> heading;
    std::vector<std::uint64_t> dirty;
    std::vector<std::vector<std::uint32_t>> pending, pendingBorders; ///< per heading
    std::vector<ReaderList> planeReaders;                            ///< per heading, turns included
    std::vector<SectorPlane> planes;                                 ///< per heading
  };

  void checkReach() const;
  void allocatePlanes(execution::RoundPool& pool);
  std::vector<char> priorPlanes(int orientation) const;
  std::vector<char> borderedPlanes(int orientation);
  void arrangeFields(execution::RoundPool& pool);
  Arranged arrange(const Field& field, int orientation, double factor, bool invert,
                   execution::RoundPool& pool) const;
  void findBounds(int orientation);
  void buildSector(int s);
  void buildHeading(int s, int i);
  void buildUniformSchemes(int s, int k, HeadingParts& parts);
  bool readsAlongRow(int s, int k, const Offset& e, bool symmetric) const;
  bool onlyTurnsVary(int k) const;
  std::vector<std::vector<Term>> uniformTerms(int k) const;
  void buildVaryingSchemes(int s, int k, HeadingParts& parts);
  VaryingPiece varyingPiece(int s, int k, const Piece& piece, double multiplier, bool symmetric);
  Neighbour neighbour(int s, int k, const Offset& e, bool symmetric, bool previous = false);
  Prior prior(int s, int k, const Offset& e, bool symmetric);
  void addReaders(int s, int i);
  void connect(int s);
  void layOutSets(int s);
  int wrap(int k) const { return ((k % planeCount) + planeCount) % planeCount; }

  const Problem& problem;
  const int planeCount;
  const grid::Box own; ///< the points that are swept
  const bool corrects; ///< differences will be corrected
  const SolverUnits& units;
  const Walls& walls;
  const HeadingStencils& stencils;
  PlanarOffsets planar;
  Sectors sectors;
  std::array<std::unique_ptr<SectorPlanes>, 2> planesOf, before;
  std::array<std::unique_ptr<WallVisibility>, 2> visibility;
  std::array<Arranged, 2> cost, inverseRadius, shift, bounds;
  std::array<int, 2> borderReach{}; ///< per orientation
  std::array<int, 2> stripShift{};
  std::array<SectorParts, sectorCount> parts;
  std::array<SectorView, sectorCount> view{};
};

} // namespace isochrone::curvature
