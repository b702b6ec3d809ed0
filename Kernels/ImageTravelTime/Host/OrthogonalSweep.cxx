// Compiled once per instruction set. OrthogonalSweep.h describes the data, DESIGN.md the equation.
#include "ImageTravelTime/Host/OrthogonalSweep.h"

#include "ImageTravelTime/Host/TileLanes.h"
#include "ImageTravelTime/Scheme/OrthogonalUpdate.h"

namespace isochrone::image::ISOCHRONE_ISA {

namespace {

/// The terms of a node of the tiles in the lanes of a vector.
struct NodeOfLanes {
  const OrthogonalBatch& batch;
  const int* roles; ///< of the axes
  int first;        ///< lane
  int at[3];        ///< index on each axis of the tile

  int roleOf(int axis) const { return roles[axis]; }
  int axisOf(int role) const { return batch.axis[role]; }
  AxisSteps<Floats> steps(int a) const {
    const AxisOfTiles& edge = batch.edges[a];
    return {{of(edge.inverse[0], a), of(edge.inverse[1], a)}, of(edge.inverseFactor, a)};
  }
  AxisShape<Floats> shape(int a) const {
    const AxisOfTiles& edge = batch.edges[a];
    return {{of(edge.step[0], a), of(edge.step[1], a)},
            of(edge.value, a),
            of(edge.cosine, a),
            {of(edge.lack[0], a), of(edge.lack[1], a)},
            {of(edge.versine[0], a), of(edge.versine[1], a)},
            of(edge.halfStep, a)};
  }
  AxisFromSeed<Floats> fromSeed(int a) const {
    return {of(batch.edges[a].away, a), of(batch.edges[a].awayVersine, a)};
  }
  OrthogonalSeed<Floats> seed() const {
    const auto load = [&](const float(&values)[batchTiles]) { return Floats::load(values + first); };
    return {load(batch.seeds.slowness), load(batch.seeds.ball), load(batch.seeds.radius),
            load(batch.seeds.sine)};
  }

private:
  Vec of(const AlongEdge& edge, int axis) const { return Floats::load(edge[at[axis]] + first); }
};

/// Tiles of a rectilinear or spherical grid.
template <int Dimensions, bool curved>
class Tiles : TileLanes<Dimensions> {
public:
  using typename TileLanes<Dimensions>::L;

  Tiles(const TileField& tileField, TileBatch& tileBatch, const OrthogonalBatch& tables, int firstLane,
        float* scratch)
      : TileLanes<Dimensions>(tileField, tileBatch, firstLane, scratch), orthogonal(tables) {
    for (int role = 0; role < 3; ++role) roleOf[orthogonal.axis[role]] = role;
  }

  void work() {
    this->load();
    this->sweepAll([&](const auto& nodes) {
      if (batch.factoring == TileFactoring::Off)
        return this->sweep(nodes, [&](float* u, Vec s, int n) { return update<false>(u, s, n); });
      return this->sweep(nodes, [&](float* u, Vec s, int n) { return update<true>(u, s, n); });
    });
  }

private:
  using TileLanes<Dimensions>::batch, TileLanes<Dimensions>::first;

  const OrthogonalBatch& orthogonal;
  int roleOf[3]{}; ///< of each axis, if spherical

  template <bool nearSeed>
  Vec update(const float* u, Vec s, int n) const {
    const NodeOfLanes node{orthogonal,
                           roleOf,
                           first,
                           {n % L::size[0], n / L::size[0] % L::size[1], n / (L::size[0] * L::size[1])}};
    const OrthogonalUpdate<Floats, Dimensions, curved, NodeOfLanes> updated(node);
    const auto neighbour = [u](int axis, int up) {
      return Floats::load(u + (up ? L::step[axis] : -L::step[axis]) * Floats::width);
    };
    if constexpr (nearSeed)
      return updated.near(s, neighbour);
    else
      return updated.plain(s, neighbour);
  }
};

} // namespace

void sweepOrthogonalTiles(const TileField& field, TileBatch& batch, const OrthogonalBatch& orthogonal,
                          float* scratch) {
  batch.unfinished = 0, batch.sweeps = 0;
  for (int lane = 0; lane < batch.count; lane += Floats::width) {
    if (field.isPlane && orthogonal.curved)
      Tiles<2, true>(field, batch, orthogonal, lane, scratch).work();
    else if (field.isPlane)
      Tiles<2, false>(field, batch, orthogonal, lane, scratch).work();
    else if (orthogonal.curved)
      Tiles<3, true>(field, batch, orthogonal, lane, scratch).work();
    else
      Tiles<3, false>(field, batch, orthogonal, lane, scratch).work();
  }
}

} // namespace isochrone::image::ISOCHRONE_ISA
