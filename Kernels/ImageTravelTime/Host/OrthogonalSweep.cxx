// Compiled once per instruction set. OrthogonalSweep.h describes the data, DESIGN.md the equation.
#include "ImageTravelTime/Host/OrthogonalSweep.h"

#include "ImageTravelTime/Host/TileLanes.h"
#include "ImageTravelTime/Scheme/SeedGeometry.h"
#include "ImageTravelTime/Scheme/SidedUpdate.h"

namespace isochrone::image::ISOCHRONE_ISA {

namespace {

/// The place of a node: its index on each axis of the tile.
struct NodeIndex {
  int at[3];
};

/// A node as seen from the seed of its tile.
template <int Dimensions>
struct Seen {
  Vec distance, slowness; ///< of the seed
  Mask inBall;
  Vec along[Dimensions]; ///< component of x - seed along each axis
  SeenNeighbour<Floats> side[Dimensions][2];
  Vec least[Dimensions]; ///< lower limit of the derivative of T along the axis, see `leastOf`
};

/// Tiles of a rectilinear or spherical grid.
template <int Dimensions, bool spherical>
class Tiles : TileLanes<Dimensions> {
public:
  using typename TileLanes<Dimensions>::L;

  Tiles(const TileField& tileField, TileBatch& tileBatch, const OrthogonalBatch& tables, int firstLane,
        float* scratch)
      : TileLanes<Dimensions>(tileField, tileBatch, firstLane, scratch), edges(tables.edges),
        orthogonal(tables) {
    for (int role = 0; role < 3; ++role) roleOf[orthogonal.axis[role]] = role;
  }

  void work() {
    this->load();
    this->sweepAll([&](const auto& nodes) {
      if (batch.factoring == TileFactoring::Off)
        return this->sweep(nodes, [&](float* u, Vec s, int n) { return update(u, s, n); });
      return this->sweep(nodes, [&](float* u, Vec s, int n) { return updateNear(u, s, n); });
    });
  }

private:
  using TileLanes<Dimensions>::batch, TileLanes<Dimensions>::first;
  static constexpr int W = Floats::width;
  enum Role { radius, colatitude, longitude };

  const EdgesOfTiles& edges;
  const OrthogonalBatch& orthogonal;
  int roleOf[3]{}; ///< of each axis, if spherical

  static NodeIndex indexOf(int n) {
    return {{n % L::size[0], n / L::size[0] % L::size[1], n / (L::size[0] * L::size[1])}};
  }
  Vec fromEdge(const AlongEdge& edge, int index) const { return Floats::load(edge[index] + first); }
  Vec loadSeed(const float (&values)[batchTiles]) const { return Floats::load(values + first); }
  int indexOn(const NodeIndex& node, Role role) const { return node.at[orthogonal.axis[role]]; }

  /// Returns 1 / length for a coordinate's difference of 1 along an axis; 0 where the axis has no length.
  Vec inverseFactor(const NodeIndex& node, int axis) const {
    if (!spherical || roleOf[axis] == radius) return Floats::broadcast(1);
    const Vec byRadius = fromEdge(edges.inverseRadius, indexOn(node, radius));
    if (roleOf[axis] == colatitude) return byRadius;
    return byRadius * fromEdge(edges.inverseSine, indexOn(node, colatitude));
  }

  void loadSides(const float* u, const NodeIndex& node, Vec (&value)[Dimensions][2],
                 Vec (&inverse)[Dimensions][2]) const {
    const Vec zero = Floats::broadcast(0), none = Floats::broadcast(unreached), one = Floats::broadcast(1);
    for (int d = 0; d < Dimensions; ++d) {
      const Vec factor = inverseFactor(node, d);
      for (int up = 0; up < 2; ++up) {
        value[d][up] = Floats::load(u + (up ? L::step[d] : -L::step[d]) * W);
        inverse[d][up] = fromEdge(edges.inverse[d][up], node.at[d]);
        if constexpr (spherical) {
          const auto exists = Floats::greater(factor, zero);
          value[d][up] = Floats::select(exists, value[d][up], none);
          inverse[d][up] = Floats::select(exists, inverse[d][up] * factor, one);
        }
      }
    }
  }

  /// Returns an update, but none in barriers, whose infinite slowness may make it no number.
  static Vec open(Vec s, Vec updated) {
    const Vec none = Floats::broadcast(unreached);
    return Floats::select(Floats::greater(none, s), updated, none);
  }

  Vec update(const float* u, Vec s, int n) const {
    Vec value[Dimensions][2], inverse[Dimensions][2];
    loadSides(u, indexOf(n), value, inverse);
    return open(s, sided<Floats, Dimensions>(value, inverse, s));
  }

  /// Sees a node of a rectilinear grid.
  void seeStraight(const NodeIndex& node, Seen<Dimensions>& seen) const {
    Vec squared = Floats::broadcast(0);
    for (int d = 0; d < Dimensions; ++d) {
      seen.along[d] = fromEdge(edges.offset[d], node.at[d]);
      squared += seen.along[d] * seen.along[d];
    }
    seen.distance = Floats::sqrt(squared);
    for (int d = 0; d < Dimensions; ++d) {
      Vec across = Floats::broadcast(0);
      for (int other = 0; other < Dimensions; ++other)
        if (other != d) across += seen.along[other] * seen.along[other];
      for (int up = 0; up < 2; ++up)
        seen.side[d][up] = seenAlongLine<Floats>(up ? -seen.along[d] : seen.along[d], across, seen.distance,
                                                 fromEdge(edges.step[d][up], node.at[d]));
    }
  }

  /// Sees a node of a spherical grid.
  void seeCurved(const NodeIndex& node, Seen<Dimensions>& seen) const {
    const int i = indexOn(node, radius), j = indexOn(node, colatitude), k = indexOn(node, longitude);
    const Vec r = fromEdge(edges.radius, i), sine = fromEdge(edges.sine, j),
              cosine = fromEdge(edges.cosine, j);
    const Vec seedRadius = loadSeed(orthogonal.seeds.radius), seedSine = loadSeed(orthogonal.seeds.sine);
    const Vec turned =
        seedSine * fromEdge(edges.awayVersine[1], k); // moves the seed to the meridian of the node
    Vec part[3];
    part[radius] = fromEdge(edges.away, i) + seedRadius * (fromEdge(edges.awayVersine[0], j) + sine * turned);
    part[colatitude] = seedRadius * (fromEdge(edges.awaySine[0], j) + cosine * turned);
    part[longitude] = seedRadius * seedSine * fromEdge(edges.awaySine[1], k);
    seen.distance = Floats::sqrt(part[0] * part[0] + part[1] * part[1] + part[2] * part[2]);
    for (int d = 0; d < Dimensions; ++d) {
      const int role = roleOf[d];
      seen.along[d] = part[role];
      for (int up = 0; up < 2; ++up) {
        const Vec along = up ? -part[role] : part[role], step = fromEdge(edges.step[d][up], node.at[d]);
        if (role == radius) {
          const Vec across = part[colatitude] * part[colatitude] + part[longitude] * part[longitude];
          seen.side[d][up] = seenAlongLine<Floats>(along, across, seen.distance, step);
          continue;
        }
        const int angle = role - colatitude;
        Arc<Floats> arc;
        arc.angle = step;
        arc.lack = fromEdge(edges.lack[angle][up], node.at[d]),
        arc.versine = fromEdge(edges.versine[angle][up], node.at[d]);
        if (role == colatitude) {
          arc.radius = r, arc.outward = part[radius], arc.across = part[longitude];
        } else {
          arc.radius = r * sine;
          arc.outward = sine * part[radius] + cosine * part[colatitude];
          arc.across = cosine * part[radius] - sine * part[colatitude];
        }
        arc.fromAxis = arc.radius - arc.outward;
        seen.side[d][up] = seenAlongArc<Floats>(arc, along, seen.distance);
      }
    }
    // Where an axis has no length, the nodes of one place take the direction that is nearest to theirs.
    for (int d = 0; d < Dimensions; ++d) {
      const Vec zero = Floats::broadcast(0), size = Floats::max(seen.along[d], -seen.along[d]);
      seen.least[d] = zero;
      if (roleOf[d] == radius) continue;
      Vec ahead = Floats::max(part[radius], -part[radius]),
          half = fromEdge(edges.halfStep[roleOf[d] - colatitude], node.at[d]);
      if (roleOf[d] == longitude) {
        const auto atCentre = Floats::greater(fromEdge(edges.inverseRadius, i), zero);
        ahead = Floats::select(atCentre, Floats::max(part[colatitude], -part[colatitude]), ahead);
        half = Floats::select(atCentre, half, half * sine);
      }
      const auto near = Floats::greater(ahead * half * 1.1f, size);
      const auto lengthless = Floats::greater(Floats::broadcast(1e-30f), inverseFactor(node, d));
      seen.least[d] = Floats::select(Floats::both(near, lengthless), size, zero);
    }
  }

  /// Sets the lower limits of the derivatives: where the straight line from the seed passes closest to the
  /// axis between a node and its neighbour, the neighbour is later than the node, and the derivative along
  /// the axis is that of T. The front cannot come from there, and without the limit the node would be too
  /// late.
  void setLeast(const NodeIndex& node, Vec s, Seen<Dimensions>& seen) const {
    const Vec zero = Floats::broadcast(0), scale = seen.slowness / seen.distance;
    Vec squares = zero;
    for (int d = 0; d < Dimensions; ++d) {
      Vec least = zero;
      if constexpr (spherical) least = seen.least[d];
      const Vec factor = inverseFactor(node, d);
      for (int up = 0; up < 2; ++up) {
        const Vec along = up ? -seen.along[d] : seen.along[d];
        const Vec h = fromEdge(edges.step[d][up], node.at[d]) / factor; // infinite without a length
        auto passes = Floats::both(Floats::greater(along, zero), Floats::greater(factor, zero));
        passes = Floats::both(passes, Floats::greater(h * h * 1e-3f, seen.side[d][up].nearer));
        least = Floats::select(passes, along, least);
      }
      seen.least[d] = Floats::select(seen.inBall, least * scale, zero);
      squares += seen.least[d] * seen.least[d];
    }
    // Some of the slowness is left for a neighbour.
    const Vec most = s * 0.99f;
    const Vec shrink = Floats::sqrt(most / squares);
    for (int d = 0; d < Dimensions; ++d)
      seen.least[d] = Floats::select(Floats::greater(squares, most), seen.least[d] * shrink, seen.least[d]);
  }

  Vec updateNear(const float* u, Vec s, int n) const {
    const NodeIndex node = indexOf(n);
    Vec value[Dimensions][2], inverse[Dimensions][2];
    loadSides(u, node, value, inverse);
    Seen<Dimensions> seen;
    seen.slowness = loadSeed(orthogonal.seeds.slowness);
    if constexpr (spherical)
      seeCurved(node, seen);
    else
      seeStraight(node, seen);
    const Vec zero = Floats::broadcast(0);
    seen.inBall = Floats::both(Floats::greater(loadSeed(orthogonal.seeds.ball), seen.distance),
                               Floats::greater(seen.distance, zero));
    setLeast(node, s, seen);
    FactoredSide<Floats> side[Dimensions][2];
    for (int d = 0; d < Dimensions; ++d)
      for (int up = 0; up < 2; ++up) {
        const Vec correction = Floats::select(seen.inBall, seen.slowness * seen.side[d][up].remainder, zero);
        side[d][up] = {value[d][up] + correction, value[d][up], inverse[d][up]};
      }
    return open(s, factoredSides<Floats, Dimensions>(side, seen.least, s));
  }
};

} // namespace

void sweepOrthogonalTiles(const TileField& field, TileBatch& batch, const OrthogonalBatch& orthogonal,
                          float* scratch) {
  batch.unfinished = 0, batch.sweeps = 0;
  for (int lane = 0; lane < batch.count; lane += Floats::width) {
    if (field.isPlane && orthogonal.spherical)
      Tiles<2, true>(field, batch, orthogonal, lane, scratch).work();
    else if (field.isPlane)
      Tiles<2, false>(field, batch, orthogonal, lane, scratch).work();
    else if (orthogonal.spherical)
      Tiles<3, true>(field, batch, orthogonal, lane, scratch).work();
    else
      Tiles<3, false>(field, batch, orthogonal, lane, scratch).work();
  }
}

} // namespace isochrone::image::ISOCHRONE_ISA
