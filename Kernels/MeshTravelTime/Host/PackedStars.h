// PackedStars.h - the mesh as the host solver reads it: all that a vertex sees in one stretch of memory.
//
// The solver waits for memory more than it computes, and the squared lengths of the tetrahedra around a
// vertex lie all over VertexStars. Here each vertex has its own copy, one length of all tetrahedra after the
// other, in 118 bytes a tetrahedron of the mesh. The compact layout has numbers of tetrahedra instead: 62
// bytes.
#pragma once

#include "MeshTravelTime/Scheme/VertexStars.h"

#include <cstdint>
#include <vector>

namespace isochrone::mesh {

/// Some tetrahedra around a vertex, in words of 32 bits: this one, the neighbours (vertices of the
/// tetrahedra), 16 bits a tetrahedron for the places of its corners a, b, c among them, 5 bits each, and then
/// the squared lengths la of all, lb, lc, ab, ac, bc; or, compact, Corners. A vertex with more tetrahedra or
/// neighbours than a star holds has several, one after the other.
struct StarHeader {
  std::uint8_t tetrahedra, neighbours;
  std::uint8_t more; ///< nonzero: another star of the same vertex follows
  std::uint8_t unused;

  static constexpr int mostTetrahedra = 64, mostNeighbours = 32;
  int localWords() const { return (tetrahedra + 1) / 2; }
  int words(bool compact) const { return 1 + neighbours + localWords() + (compact ? 1 : 6) * tetrahedra; }
};

class PackedStars {
public:
  PackedStars() = default; ///< of no vertices
  PackedStars(const VertexStars& stars, bool compact, int threads);

  /// The first star of a vertex; null if it has none.
  const std::uint32_t* star(std::int32_t vertex) const {
    return first[vertex] < first[vertex + 1] ? words.data() + first[vertex] : nullptr;
  }
  void prefetchPlace(std::int32_t vertex) const { __builtin_prefetch(first.data() + vertex); }
  bool isCompact() const { return compact; }
  /// In the order of VertexStars::tetrahedra; only compact.
  const float* squaresOf(std::uint32_t tetrahedron) const {
    return squares.data() + 6 * std::size_t(tetrahedron);
  }
  std::size_t bytes() const;

private:
  bool compact = false;
  Values<std::uint64_t> first; ///< per vertex, and one more: its first word
  Values<std::uint32_t> words; ///< with room behind for whole vectors
  Values<float> squares;
};

} // namespace isochrone::mesh
