#include "MeshTravelTime/SharedVertices.h"

#include "Common/Ranks.h"

#include <vtkDataArray.h>
#include <vtkIdTypeArray.h>
#include <vtkPointData.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

namespace isochrone::filters {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Key of a vertex on all ranks: its coordinates, or its global id.
using VertexKey = std::array<std::uint64_t, 3>;

std::uint64_t scrambled(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// Returns a hash of a triangle whose sign changes with the orientation.
std::uint64_t signedNumber(std::int64_t a, std::int64_t b, std::int64_t c) {
  bool odd = false;
  const auto order = [&](std::int64_t& x, std::int64_t& y) {
    if (x > y) std::swap(x, y), odd = !odd;
  };
  order(a, b), order(b, c), order(a, b);
  const std::uint64_t number =
      scrambled(scrambled(scrambled(std::uint64_t(a)) + std::uint64_t(b)) + std::uint64_t(c));
  return odd ? -number : number;
}

/// Returns the vertices on the surface of the part, ascending, and all vertices of triangles. The faces of
/// two neighbours have opposite orientations, so their hashes cancel at a vertex surrounded by cells.
std::vector<std::int64_t> surfaceOf(const mesh::Problem& part) {
  std::vector<std::uint64_t> sum(std::size_t(part.vertexCount()));
  constexpr int faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  std::vector<std::int64_t> flat;
  for (std::int64_t c = 0; c < part.cellCount(); ++c) {
    const std::int64_t* v = &part.cells[std::size_t(4 * c)];
    if (v[3] < 0) {
      flat.insert(flat.end(), v, v + 3);
      continue;
    }
    for (const auto& face : faces) {
      const std::uint64_t number = signedNumber(v[face[0]], v[face[1]], v[face[2]]);
      for (const int k : face) sum[std::size_t(v[k])] += number;
    }
  }
  for (std::size_t v = 0; v < sum.size(); ++v)
    if (sum[v] != 0) flat.push_back(std::int64_t(v));
  std::sort(flat.begin(), flat.end());
  flat.erase(std::unique(flat.begin(), flat.end()), flat.end());
  return flat;
}

using Box = std::array<double, 6>; ///< minimum, maximum coordinates

Box boxOf(const mesh::Problem& part, const std::vector<std::int64_t>& vertices) {
  Box box{infinity, infinity, infinity, -infinity, -infinity, -infinity};
  for (const std::int64_t v : vertices)
    for (int a = 0; a < 3; ++a) {
      const double x = part.points[std::size_t(3 * v + a)];
      box[a] = std::min(box[a], x);
      box[3 + a] = std::max(box[3 + a], x);
    }
  return box;
}

bool inside(const Box& box, const mesh::Problem& part, std::int64_t v) {
  for (int a = 0; a < 3; ++a)
    if (const double x = part.points[std::size_t(3 * v + a)]; !(x >= box[a] && x <= box[3 + a])) return false;
  return true;
}

VertexKey keyOf(const mesh::Problem& part, vtkDataArray* ids, std::int64_t v) {
  if (auto* exact = vtkIdTypeArray::SafeDownCast(ids)) return {std::uint64_t(exact->GetValue(v)), 0, 0};
  if (ids) return {std::uint64_t(vtkIdType(ids->GetTuple1(v))), 0, 0};
  VertexKey key;
  for (int a = 0; a < 3; ++a) {
    const double x = part.points[std::size_t(3 * v + a)] + 0.0; // turns -0 into 0
    std::memcpy(&key[a], &x, sizeof x);
  }
  return key;
}

} // namespace

SharedVertices::SharedVertices(const Ranks& ranks, const mesh::Problem& part, vtkUnstructuredGrid* grid) {
  // 1. Candidates: the surface within the box of another part.
  std::vector<std::int64_t> surface = surfaceOf(part);
  vtkDataArray* ids = grid->GetPointData()->GetGlobalIds();
  const bool byId = !ranks.any(part.cellCount() > 0 && !ids);
  const std::vector<std::vector<double>> boxes = ranks.gather<double>(boxOf(part, surface));
  std::erase_if(surface, [&](std::int64_t v) {
    for (int r = 0; r < ranks.count(); ++r) {
      Box box;
      std::copy_n(boxes[r].begin(), 6, box.begin());
      if (r != ranks.index() && inside(box, part, v)) return false;
    }
    return true;
  });

  // 2. Gather and sort all candidates. Equal keys denote one vertex.
  std::vector<VertexKey> keys(surface.size());
  std::transform(surface.begin(), surface.end(), keys.begin(),
                 [&](std::int64_t v) { return keyOf(part, byId ? ids : nullptr, v); });
  const std::vector<std::vector<VertexKey>> all = ranks.gather<VertexKey>(keys);
  std::vector<std::pair<VertexKey, int>> sorted; // with the rank
  for (int r = 0; r < ranks.count(); ++r)
    for (const VertexKey& key : all[r]) sorted.emplace_back(key, r);
  std::sort(sorted.begin(), sorted.end());

  // 3. Number the vertices of several ranks.
  std::vector<std::pair<VertexKey, int>> several; // with the first rank that has it
  for (std::size_t begin = 0, end; begin < sorted.size(); begin = end) {
    for (end = begin + 1; end < sorted.size() && sorted[end].first == sorted[begin].first;) ++end;
    if (sorted[end - 1].second != sorted[begin].second) several.push_back(sorted[begin]);
  }
  count = std::int64_t(several.size());
  for (std::size_t i = 0; i < surface.size(); ++i) {
    const auto found = std::lower_bound(several.begin(), several.end(), std::pair(keys[i], 0));
    if (found == several.end() || found->first != keys[i]) continue;
    own.push_back(surface[i]);
    slotOf.push_back(found - several.begin());
    before.push_back(found->second < ranks.index());
  }
}

mesh::Sharing Exchange::sharing() {
  mesh::Sharing sharing;
  sharing.vertices = shared.vertices();
  sharing.exchange = [this](std::span<double> times, double pending, double band) {
    return exchangeTimes(times, pending, band);
  };
  sharing.exchangeSeeds = [this](std::span<std::int32_t> seeds) { return exchangeSeeds(seeds); };
  return sharing;
}

bool Exchange::agree(Message message) {
  if (stopped) return false;
  double ends[2] = {double(message), -double(message)};
  ranks.allMin(ends);
  stopped = ends[0] != -ends[1] || message == Message::Stop;
  return !stopped;
}

double Exchange::exchangeTimes(std::span<double> times, double pending, double band) {
  constexpr double ahead = 16; // bands between two exchanges; tuning parameter
  const bool stop = std::isnan(pending);
  if (!agree(stop ? Message::Stop : Message::Times)) return std::numeric_limits<double>::quiet_NaN();

  // 1. Take the minimum over all ranks: the times of the slots and the pending time; and the longest band.
  std::vector<double> minimum(std::size_t(shared.slotCount()) + 2, infinity);
  for (std::size_t i = 0; i < times.size(); ++i) {
    double& slot = minimum[std::size_t(shared.slots()[i])];
    slot = std::min(slot, times[i]);
  }
  double& allPending = minimum[minimum.size() - 2];
  allPending = pending;
  minimum.back() = -band;
  ranks.allMin(minimum);
  for (std::size_t i = 0; i < times.size(); ++i) times[i] = minimum[std::size_t(shared.slots()[i])];

  // 2. A time that decreased since the last exchange is pending for the ranks that did not have it.
  const double longest = -minimum.back();
  double first = allPending;
  minimum.resize(minimum.size() - 2);
  for (std::size_t s = 0; s < minimum.size(); ++s)
    if (known.empty() ? minimum[s] < infinity : minimum[s] < known[s]) first = std::min(first, minimum[s]);
  known = std::move(minimum);
  return first < infinity ? first + ahead * longest : std::numeric_limits<double>::quiet_NaN();
}

bool Exchange::exchangeSeeds(std::span<std::int32_t> seeds) {
  if (!agree(Message::Seeds)) return false;
  std::vector<std::int32_t> maximum(std::size_t(shared.slotCount()), -1);
  const auto slot = [&](std::size_t i) -> std::int32_t& { return maximum[std::size_t(shared.slots()[i])]; };
  for (std::size_t i = 0; i < seeds.size(); ++i) slot(i) = std::max(slot(i), seeds[i]);
  ranks.allMax(maximum);
  bool changed = false;
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    changed = changed || seeds[i] != slot(i);
    seeds[i] = slot(i);
  }
  return ranks.any(changed);
}

bool Exchange::finish(bool well) {
  const bool all = agree(well ? Message::Finish : Message::Stop);
  stopped = true;
  return all;
}

} // namespace isochrone::filters
