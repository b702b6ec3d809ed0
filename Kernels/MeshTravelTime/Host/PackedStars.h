// PackedStars.h - the mesh as the host solver reads it: the data of each vertex in one stretch of memory.
//
// The solver is limited by memory latency, and the squared lengths of the tetrahedra around a vertex are
// scattered over VertexStars. Here each vertex has its own copy, with one length of all tetrahedra after the
// other, in 118 bytes per tetrahedron of the mesh. The compact layout stores the indices of tetrahedra
// instead: 62 bytes.
#pragma once

#include "Bytes.h"
#include "MeshTravelTime/Scheme/VertexStars.h"

#include <cstdint>
#include <vector>

namespace isochrone::mesh {

/// A star: some tetrahedra around a vertex, in words of 32 bits. The words are this header; the neighbours
/// (vertices of the tetrahedra); 16 bits per tetrahedron for the positions of its corners a, b, c among the
/// neighbours, 5 bits each; and the squared lengths la of all tetrahedra, then lb, lc, ab, ac, bc (compact:
/// Corners instead). A vertex with more tetrahedra or neighbours than a star holds has several consecutive
/// stars.
struct StarHeader {
  std::uint8_t tetrahedra, neighbours;
  std::uint8_t more; ///< nonzero: another star of the same vertex follows
  std::uint8_t unused;

  static constexpr int maxTetrahedra = 64, maxNeighbours = 32;
  int localWords() const { return (tetrahedra + 1) / 2; }
  int words(bool compact) const { return 1 + neighbours + localWords() + (compact ? 1 : 6) * tetrahedra; }
};

/// The edges of a tetrahedron as seen from each of its vertices, by edgeBetween, in the order of a star's
/// lengths: la, lb, lc, ab, ac, bc.
inline constexpr int edgesSeen[4][6] = {
    {0, 1, 3, 2, 4, 5}, {0, 2, 4, 1, 3, 5}, {1, 2, 5, 0, 3, 4}, {3, 4, 5, 0, 1, 2}};

class PackedStars {
public:
  PackedStars() = default; ///< without vertices
  PackedStars(const VertexStars& stars, bool compact, execution::RoundPool& pool);

  /// Returns the first star of a vertex, null if it has none.
  const std::uint32_t* star(std::int32_t vertex) const {
    return first[vertex] < first[vertex + 1] ? words.data() + first[vertex] : nullptr;
  }
  void prefetchPlace(std::int32_t vertex) const { __builtin_prefetch(first.data() + vertex); }
  bool isCompact() const { return compact; }
  /// Returns the six squares of a tetrahedron of VertexStars::tetrahedra; compact layout only.
  const float* squaresOf(std::uint32_t tetrahedron) const {
    return squares.data() + 6 * std::size_t(tetrahedron);
  }
  std::size_t bytes() const { return bytesOf(first, words, squares); }

private:
  bool compact = false;
  Values<std::uint64_t> first; ///< per vertex, and one more: index of its first word
  Values<std::uint32_t> words; ///< padded at the end for whole vectors
  Values<float> squares;
};

} // namespace isochrone::mesh
