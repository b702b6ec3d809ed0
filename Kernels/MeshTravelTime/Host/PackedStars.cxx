#include "MeshTravelTime/Host/PackedStars.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

namespace isochrone::mesh {

namespace {

/// Divides the tetrahedra around a vertex into stars, for one vertex at a time.
class Packer {
public:
  /// @param p  empty, or from an earlier packer
  Packer(const VertexStars& s, bool c, std::vector<std::uint8_t>& p) : stars(s), compact(c), places(p) {
    places.resize(std::size_t(s.vertexCount) + 1, absent);
  }

  /// Returns the number of words of the stars of a vertex.
  std::size_t wordsOf(std::int32_t vertex) {
    std::size_t sum = 0;
    forEachStar(vertex, [&](std::span<const Corner>, StarHeader header) { sum += header.words(compact); });
    return sum;
  }

  void write(std::int32_t vertex, std::uint32_t* to) {
    forEachStar(vertex, [&](std::span<const Corner> corners, StarHeader header) {
      write(corners, header, to);
      to += header.words(compact);
    });
  }

private:
  static constexpr std::uint8_t absent = 255;
  const VertexStars& stars;
  bool compact;
  std::vector<std::uint8_t>& places; ///< per vertex: position among the neighbours of the current star
  std::int32_t neighbours[StarHeader::maxNeighbours];

  /// Calls f(corners, header) for each star, with `neighbours` and `places` set for the star.
  template <class F>
  void forEachStar(std::int32_t vertex, F&& f) {
    std::span<const Corner> rest = stars.star(vertex);
    while (!rest.empty()) {
      int count = 0, tetrahedra = 0;
      while (tetrahedra < int(rest.size()) && tetrahedra < StarHeader::maxTetrahedra &&
             enter(rest[std::size_t(tetrahedra)], count))
        ++tetrahedra;
      const bool more = tetrahedra < int(rest.size());
      f(rest.first(std::size_t(tetrahedra)),
        StarHeader{std::uint8_t(tetrahedra), std::uint8_t(count), std::uint8_t(more), 0});
      for (int i = 0; i < count; ++i) places[std::size_t(neighbours[i])] = absent;
      rest = rest.subspan(std::size_t(tetrahedra));
    }
  }

  /// Adds the other corners of a tetrahedron to the neighbours. Returns false if not all fit.
  bool enter(Corner corner, int& count) {
    const Tetrahedron& t = stars.tetrahedra[corner / 4];
    int fresh = 0;
    for (int i = 0; i < 3; ++i)
      fresh += places[std::size_t(t.vertex[otherVertex(int(corner % 4), i)])] == absent;
    if (count + fresh > StarHeader::maxNeighbours) return false;
    for (int i = 0; i < 3; ++i) {
      const std::int32_t v = t.vertex[otherVertex(int(corner % 4), i)];
      if (places[std::size_t(v)] != absent) continue;
      places[std::size_t(v)] = std::uint8_t(count);
      neighbours[count++] = v;
    }
    return true;
  }

  void write(std::span<const Corner> corners, StarHeader header, std::uint32_t* to) const {
    *to++ = std::bit_cast<std::uint32_t>(header);
    std::memcpy(to, neighbours, header.neighbours * sizeof(std::int32_t));
    to += header.neighbours;
    std::uint16_t local[StarHeader::maxTetrahedra + 1] = {};
    const std::size_t n = corners.size();
    std::uint32_t* lengths = to + header.localWords();
    for (std::size_t l = 0; l < n; ++l) {
      const Tetrahedron& t = stars.tetrahedra[corners[l] / 4];
      const int k = int(corners[l] % 4), a = otherVertex(k, 0), b = otherVertex(k, 1), c = otherVertex(k, 2);
      local[l] = std::uint16_t(places[std::size_t(t.vertex[a])] | places[std::size_t(t.vertex[b])] << 5 |
                               places[std::size_t(t.vertex[c])] << 10);
      if (compact) {
        lengths[l] = corners[l];
        continue;
      }
      for (std::size_t e = 0; e < 6; ++e)
        lengths[e * n + l] = std::bit_cast<std::uint32_t>(t.square[edgesSeen[k][e]]);
    }
    std::memcpy(to, local, std::size_t(header.localWords()) * sizeof(std::uint32_t));
  }
};

} // namespace

PackedStars::PackedStars(const VertexStars& stars, bool c, execution::RoundPool& pool) : compact(c) {
  const std::int32_t n = stars.vertexCount;
  first.resize(std::size_t(n) + 2);
  first[0] = 0;
  std::vector<std::vector<std::uint8_t>> places(std::size_t(pool.size())); // per thread
  const auto forEachVertex = [&](const auto& visit) {
    pool.forRanges(n, [&](std::int64_t begin, std::int64_t end, int thread) {
      Packer packer(stars, compact, places[std::size_t(thread)]);
      for (auto v = std::int32_t(begin); v < end; ++v) visit(packer, v);
    });
  };
  forEachVertex([&](Packer& packer, std::int32_t v) { first[std::size_t(v) + 1] = packer.wordsOf(v); });
  for (std::int32_t v = 0; v < n; ++v) first[std::size_t(v) + 1] += first[v];
  first[std::size_t(n) + 1] = first[n]; // the vertex that is never reached has none
  constexpr std::size_t room = 64;      // for whole vectors that start before the end
  words.resize(first[n] + room);
  std::fill_n(words.end() - room, room, 0u);
  forEachVertex([&](Packer& packer, std::int32_t v) { packer.write(v, words.data() + first[v]); });
  if (!compact) return;
  squares.resize(6 * stars.tetrahedra.size());
  pool.forEach(std::int64_t(stars.tetrahedra.size()), [&](std::int64_t t) {
    std::memcpy(squares.data() + 6 * t, stars.tetrahedra[t].square, sizeof stars.tetrahedra[t].square);
  });
}

} // namespace isochrone::mesh
