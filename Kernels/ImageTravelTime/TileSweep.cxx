// Built once per instruction set; see TileSweep.h for the data and DESIGN.md for the order of work.
#include "ImageTravelTime/TileSweep.h"

#include "Execution/Simd.h"
#include "ImageTravelTime/FactoredUpdate.h"

namespace isochrone::image::ISOCHRONE_ISA {

namespace {

/// Where the nodes of a tile lie in memory: alone, and with a border of one node.
template <int Dimensions>
struct Layout {
  using Shape = TileShape<Dimensions>;
  static constexpr int nodes = Shape::nodes;
  static constexpr int row = Shape::nx + 2, slab = row * (Shape::ny + 2);
  static constexpr int size[3] = {Shape::nx, Shape::ny, Shape::nz};
  static constexpr int step[3] = {1, row, slab};                             ///< with border
  static constexpr int linearStep[3] = {1, Shape::nx, Shape::nx* Shape::ny}; ///< without
  static constexpr int first = 1 + row + (Dimensions == 3 ? slab : 0);       ///< node (0, 0, 0)
  static constexpr int bordered = slab * (Dimensions == 3 ? Shape::nz + 2 : 1);

  struct Node {
    std::uint16_t bordered, linear;
  };
  /// Diagonal after diagonal from one of the corners: the nodes of a diagonal do not depend on each other.
  struct Orders {
    Node node[1 << Dimensions][nodes];
    constexpr Orders() : node{} {
      for (int corner = 0; corner < 1 << Dimensions; ++corner) {
        int count = 0;
        for (int sum = 0; sum <= size[0] + size[1] + size[2] - 3; ++sum)
          for (int k = 0; k < size[2]; ++k)
            for (int j = 0; j < size[1]; ++j) {
              const int i = sum - j - k;
              if (i < 0 || i >= size[0]) continue;
              const int x = corner & 1 ? size[0] - 1 - i : i, y = corner & 2 ? size[1] - 1 - j : j,
                        z = corner & 4 ? size[2] - 1 - k : k;
              node[corner][count++] = {std::uint16_t(first + x + y * step[1] + z * step[2]),
                                       std::uint16_t(x + y * linearStep[1] + z * linearStep[2])};
            }
      }
    }
  };
  static constexpr Orders orders{};

  /// The nodes of a face, the number of their first axis fastest: f(linear, bordered).
  template <class F>
  static void onFace(int face, F&& f) {
    const int axis = face / 2, a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
    const int at = face % 2 ? size[axis] - 1 : 0;
    for (int q = 0; q < size[b]; ++q)
      for (int p = 0; p < size[a]; ++p)
        f(at * linearStep[axis] + p * linearStep[a] + q * linearStep[b],
          first + at * step[axis] + p * step[a] + q * step[b]);
  }
};

/// The update in the plane: see spec A.2, worked out in differences to the least neighbour.
template <bool cubic>
inline Vec update(Vec a, Vec b, Vec slowness, const float* weight) {
  if constexpr (cubic) {
    const Vec low = simd::min(a, b), d = simd::max(a, b) - low, square = d * d;
    const Mask two = simd::greater(slowness, square);
    const Vec root = simd::sqrt(simd::select(two, slowness + slowness - square, slowness));
    return low + simd::select(two, (d + root) * 0.5f, root);
  } else {
    const Mask swap = simd::greater(a, b);
    const Vec wx = simd::broadcast(weight[0]), wy = simd::broadcast(weight[1]);
    const Vec low = simd::min(a, b), d = simd::max(a, b) - low;
    const Vec wl = simd::select(swap, wy, wx), wh = simd::select(swap, wx, wy);
    const Vec square = wl * d * d;
    const Mask two = simd::greater(slowness, square);
    const Vec w2 = simd::select(two, wh, Vec{}), d2 = simd::select(two, d, Vec{});
    const Vec sum = wl + w2, rest = sum * slowness - wl * w2 * d2 * d2;
    return low + (w2 * d2 + simd::sqrt(rest)) / sum;
  }
}

/// The least and the greatest go to the front and the back, with their weights.
template <bool cubic>
inline void order(Vec& a, Vec& b, Vec& wa, Vec& wb) {
  const Vec low = simd::min(a, b), high = simd::max(a, b);
  if constexpr (!cubic) {
    const Mask swap = simd::greater(a, b);
    const Vec w = simd::select(swap, wb, wa);
    wb = simd::select(swap, wa, wb), wa = w;
  }
  a = low, b = high;
}

/// The update in space.
template <bool cubic>
inline Vec update(Vec a, Vec b, Vec c, Vec slowness, const float* weight) {
  Vec wa = simd::broadcast(weight[0]), wb = simd::broadcast(weight[1]), wc = simd::broadcast(weight[2]);
  order<cubic>(a, b, wa, wb), order<cubic>(b, c, wb, wc), order<cubic>(a, b, wa, wb);
  const Vec d1 = b - a, d2 = c - a, d12 = c - b;
  if constexpr (cubic) {
    const Vec q1 = d1 * d1, q2 = d2 * d2 + d12 * d12;
    const Mask two = simd::greater(slowness, q1);
    const Mask three = simd::both(two, simd::greater(slowness, q2));
    const Vec twice = slowness + slowness;
    Vec under = simd::select(two, twice - q1, slowness), sum = simd::select(two, d1, Vec{}),
        share = simd::select(two, simd::broadcast(0.5f), simd::broadcast(1.f));
    under = simd::select(three, (twice + slowness) - (q1 + q2), under);
    sum = simd::select(three, d1 + d2, sum);
    share = simd::select(three, simd::broadcast(1.f / 3), share);
    return a + (sum + simd::sqrt(under)) * share;
  } else {
    const Mask two = simd::greater(slowness, wa * d1 * d1);
    const Mask three = simd::both(two, simd::greater(slowness, wa * d2 * d2 + wb * d12 * d12));
    const Vec w2 = simd::select(two, wb, Vec{}), w3 = simd::select(three, wc, Vec{});
    const Vec e1 = simd::select(two, d1, Vec{}), e2 = simd::select(three, d2, Vec{}),
              e12 = simd::select(three, d12, Vec{});
    const Vec sum = wa + w2 + w3, b2 = w2 * e1, b3 = w3 * e2;
    const Vec rest = sum * slowness - (wa * (b2 * e1 + b3 * e2) + w2 * w3 * e12 * e12);
    return a + (b2 + b3 + simd::sqrt(rest)) / sum;
  }
}

/// One tile per lane, `Dimensions` 2 or 3.
template <int Dimensions>
class Tiles {
public:
  using L = Layout<Dimensions>;

  Tiles(const TileField& tileField, TileBatch& tileBatch, int firstLane, float* scratch)
      : field(tileField), batch(tileBatch), first(firstLane), value(scratch),
        slowness(value + L::bordered * simd::width), before(slowness + L::nodes * simd::width) {}

  void work() {
    load();
    if (batch.factoring != TileFactoring::Off) loadSeeds();
    std::uint32_t moving = 1;
    int sweeps = 0;
    for (; moving && sweeps < mostSweeps; ++sweeps) {
      // Opposite corners after neighbouring ones: whatever the direction of the front, two sweeps follow it.
      static constexpr unsigned sequence[8] = {0, 1, 2, 4, 6, 5, 3, 7};
      constexpr unsigned corners = (1u << Dimensions) - 1;
      const unsigned turn = Dimensions == 2 ? unsigned(sweeps) & corners : sequence[sweeps & 7];
      const auto& nodes = L::orders.node[(batch.corner ^ turn) & corners];
      if (batch.factoring == TileFactoring::Additive)
        moving =
            sweep(nodes, [&](float* u, Vec s, int node) { return factored<additive, false>(u, s, node); });
      else if (batch.factoring == TileFactoring::Multiplicative)
        moving = sweep(nodes,
                       [&](float* u, Vec s, int node) { return factored<multiplicative, true>(u, s, node); });
      else if (field.cubic)
        moving = sweep(nodes, [&](float* u, Vec s, int) { return plain<true>(u, s); });
      else
        moving = sweep(nodes, [&](float* u, Vec s, int) { return plain<false>(u, s); });
    }
    batch.sweeps = batch.sweeps > sweeps ? batch.sweeps : sweeps;
    batch.unfinished |= moving << first;
    findKeys();
    store();
  }

private:
  const TileField& field;
  TileBatch& batch;
  int first;
  float *value, *slowness, *before; ///< node after node, a tile in each lane
  Vec away[3], seedSlowness, startValue, radius;

  const float* tile(const float* from, std::int32_t number) const {
    return from + std::int64_t(number) * L::nodes;
  }

  /// Rows of W nodes of W tiles, from tile after tile to node after node.
  template <class Target>
  static void interleave(const float* const (&from)[simd::width], int node, Target&& to) {
    Vec rows[simd::width];
    for (int l = 0; l < simd::width; ++l) rows[l] = simd::load(from[l] + node);
    simd::transpose(rows);
    for (int m = 0; m < simd::width; ++m) simd::store(to(m), rows[m]);
  }

  static int bordered(int node) { // of the node with this number in the order of the tile
    using Shape = typename L::Shape;
    const int i = node % Shape::nx, j = node / Shape::nx % Shape::ny, k = node / (Shape::nx * Shape::ny);
    return L::first + i + j * L::step[1] + k * L::step[2];
  }

  void load() {
    const float *u[simd::width], *s[simd::width];
    for (int l = 0; l < simd::width; ++l) {
      u[l] = tile(field.value, batch.tile[first + l]);
      s[l] = tile(field.slowness, batch.tile[first + l]);
    }
    for (int node = 0; node < L::nodes; node += simd::width) {
      interleave(u, node, [&](int m) { return value + bordered(node + m) * simd::width; });
      interleave(s, node, [&](int m) { return slowness + (node + m) * simd::width; });
    }
    float* kept = before;
    for (int face = 0; face < 2 * Dimensions; ++face) {
      for (int l = 0; l < simd::width; ++l) u[l] = tile(field.value, batch.neighbour[face][first + l]);
      const int outward = face % 2 ? L::step[face / 2] : -L::step[face / 2];
      const int opposite = face % 2 ? 0 : L::size[face / 2] - 1, here = face % 2 ? L::size[face / 2] - 1 : 0;
      const int across =
          (opposite - here) * L::linearStep[face / 2]; // from a node to the one behind the face
      L::onFace(face, [&](int node, int at) {
        float* border = value + (at + outward) * simd::width;
        for (int l = 0; l < simd::width; ++l) border[l] = u[l][node + across];
        simd::store(kept, simd::load(value + at * simd::width));
        kept += simd::width;
      });
    }
  }

  void loadSeeds() {
    const auto each = [&](auto&& member) {
      float values[simd::width];
      for (int l = 0; l < simd::width; ++l) values[l] = member(batch.seed[first + l]);
      return simd::load(values);
    };
    for (int axis = 0; axis < 3; ++axis) away[axis] = each([&](const SeedOfTile& s) { return s.away[axis]; });
    seedSlowness = each([](const SeedOfTile& s) { return s.slowness; });
    startValue = each([](const SeedOfTile& s) { return s.startValue; });
    radius = each([](const SeedOfTile& s) { return s.radius; });
  }

  template <bool cubic>
  Vec plain(const float* u, Vec s) const {
    constexpr int W = simd::width;
    const Vec a = simd::min(simd::load(u - W), simd::load(u + W));
    const Vec b = simd::min(simd::load(u - L::row * W), simd::load(u + L::row * W));
    if constexpr (Dimensions == 2)
      return update<cubic>(a, b, s, field.weight);
    else
      return update<cubic>(a, b, simd::min(simd::load(u - L::slab * W), simd::load(u + L::slab * W)), s,
                           field.weight);
  }

  template <Upwind (*correct)(const FromSeed&, int, float, float, float, Vec), bool byTime>
  Vec factored(const float* u, Vec s, int node) const {
    const int at[3] = {node % L::size[0], node / L::size[0] % L::size[1], node / (L::size[0] * L::size[1])};
    FromSeed from;
    Vec squared{};
    for (int axis = 0; axis < Dimensions; ++axis) {
      from.along[axis] = away[axis] + float(at[axis]) * field.step[axis];
      squared += from.along[axis] * from.along[axis];
    }
    from.distance = simd::max(simd::sqrt(squared), simd::broadcast(1e-6f));
    from.slowness = seedSlowness, from.startValue = startValue;
    from.radius = radius;
    Upwind axes[Dimensions];
    for (int axis = 0; axis < Dimensions; ++axis) {
      const int step = L::step[axis] * simd::width;
      const Upwind low = correct(from, axis, 1.f, field.step[axis], field.weight[axis], simd::load(u - step)),
                   high =
                       correct(from, axis, -1.f, field.step[axis], field.weight[axis], simd::load(u + step));
      axes[axis] = lesser<byTime>(low, high);
    }
    return solve(axes, s);
  }

  /// Returns the lanes that changed.
  template <class Update>
  std::uint32_t sweep(const typename L::Node (&nodes)[L::nodes], Update&& update) {
    constexpr int W = simd::width;
    Mask changed = simd::fromBits(0);
    for (const auto& node : nodes) {
      float* u = value + node.bordered * W;
      const Vec s = simd::load(slowness + node.linear * W), old = simd::load(u);
      const Vec next = update(u, s, node.linear);
      changed = simd::either(changed, simd::greater(old, next));
      simd::store(u, simd::min(old, next));
    }
    return simd::bits(changed);
  }

  void findKeys() {
    const float* kept = before;
    const Vec none = simd::broadcast(unreached);
    Vec leastOfAll = none;
    for (int face = 0; face < 2 * Dimensions; ++face) {
      const int outward = face % 2 ? L::step[face / 2] : -L::step[face / 2];
      Vec least = none;
      L::onFace(face, [&](int, int at) {
        const Vec now = simd::load(value + at * simd::width);
        Mask concerns = simd::greater(simd::load(kept), now);
        // Factored, a node may also be lowered by one that is later.
        if (batch.factoring == TileFactoring::Off)
          concerns =
              simd::both(concerns, simd::greater(simd::load(value + (at + outward) * simd::width), now));
        least = simd::min(least, simd::select(concerns, now, none));
        leastOfAll = simd::min(leastOfAll, now);
        kept += simd::width;
      });
      simd::store(batch.key[face] + first, least);
    }
    simd::store(batch.least + first, leastOfAll);
  }

  void store() {
    for (int node = 0; node < L::nodes; node += simd::width) {
      Vec rows[simd::width];
      for (int m = 0; m < simd::width; ++m) rows[m] = simd::load(value + bordered(node + m) * simd::width);
      simd::transpose(rows);
      for (int l = 0; l < simd::width && first + l < batch.count; ++l)
        simd::store(field.value + std::int64_t(batch.tile[first + l]) * L::nodes + node, rows[l]);
    }
  }
};

template <int Dimensions>
void sweepTiles(const TileField& field, TileBatch& batch, float* scratch) {
  batch.unfinished = 0, batch.sweeps = 0;
  for (int lane = 0; lane < batch.count; lane += simd::width)
    Tiles<Dimensions>(field, batch, lane, scratch).work();
}

} // namespace

void sweepPlaneTiles(const TileField& field, TileBatch& batch, float* scratch) {
  sweepTiles<2>(field, batch, scratch);
}
void sweepSpaceTiles(const TileField& field, TileBatch& batch, float* scratch) {
  sweepTiles<3>(field, batch, scratch);
}

} // namespace isochrone::image::ISOCHRONE_ISA
