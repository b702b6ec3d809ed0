// SharedVertices.cxx - finds the vertices that several parts of a mesh have.
#include "FirstException.h"
#include "MeshTravelTime/MeshTravelTime.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <tuple>
#include <utility>

namespace isochrone::mesh {

namespace {

std::uint64_t scrambled(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

std::uint64_t hashOf(const VertexKey& key) {
  return scrambled(scrambled(scrambled(key[0]) + key[1]) + key[2]);
}

/// Returns a hash of a triangle whose sign changes with the orientation.
std::uint64_t signedNumber(std::int64_t a, std::int64_t b, std::int64_t c) {
  bool odd = false;
  const auto order = [&](std::int64_t& x, std::int64_t& y) {
    if (x > y) std::swap(x, y), odd = !odd;
  };
  order(a, b), order(b, c), order(a, b);
  const std::uint64_t number = hashOf({std::uint64_t(a), std::uint64_t(b), std::uint64_t(c)});
  return odd ? -number : number;
}

/// Returns the vertices on the surface of the part, ascending, and all vertices of triangles. The faces of
/// two neighbours have opposite orientations, so their hashes cancel at a vertex surrounded by cells.
std::vector<std::int64_t> surfaceOf(const Problem& part) {
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

template <class Record>
void append(const Processes::Message& message, std::vector<Record>& records) {
  const std::size_t before = records.size();
  records.resize(before + message.size() / sizeof(Record));
  if (!message.empty()) std::memcpy(&records[before], message.data(), message.size());
}

/// Delivers records. In each step the processes are divided into halves, which exchange the records that
/// belong to the other half, and continue within their half: log2(count) steps with at most two partners,
/// whatever the destinations are. Collective.
/// @param receiverOf  returns the process that receives a record
/// @param failure     a process that fails takes part in all steps, with empty messages
/// @return the records for this process, in any order
template <class Record, class ReceiverOf>
std::vector<Record> delivered(const Processes& all, std::vector<Record> records, const ReceiverOf& receiverOf,
                              FirstException& failure) {
  for (int first = 0, end = all.count; end - first > 1;) {
    const int low = (end - first) / 2, middle = first + low;
    const bool inLow = all.index < middle;
    std::vector<int> partners{inLow ? all.index + low : std::min(all.index - low, middle - 1)};
    if (end - middle > low && all.index == middle - 1) partners.push_back(end - 1); // it has no other partner

    std::vector<Processes::Message> messages(partners.size()), answers;
    failure.guard([&] {
      const auto leaving = std::partition(records.begin(), records.end(),
                                          [&](const Record& r) { return (receiverOf(r) < middle) == inLow; });
      messages[0].resize(std::size_t(records.end() - leaving) * sizeof(Record));
      if (leaving != records.end()) std::memcpy(messages[0].data(), &*leaving, messages[0].size());
      records.erase(leaving, records.end());
    });
    FirstException lost; // the next step follows even so
    lost.guard([&] { answers = all.exchange(partners, messages); });
    failure.guard([&] {
      lost.rethrow();
      for (const Processes::Message& message : answers) append(message, records);
    });
    (inLow ? end : first) = middle;
  }
  return records;
}

/// Entry of a table of the keys of all processes, which is distributed by a hash of the keys.
struct Entry {
  VertexKey key;
  int process, number; ///< a process that has the key, and the index of the key there
};

/// Two processes that have a key, of which one is the owner: as sent to the process `to`.
struct Match {
  int to, number; ///< index of the key in the process `to`
  int owner, ownerNumber;
  int partner; ///< the other process
};

/// Returns the matches of the keys of this process, by number and partner. Collective.
std::vector<Match> matchesOf(const Processes& all, std::vector<Entry> entries, FirstException& failure) {
  const auto count = std::uint64_t(all.count);
  const auto holderOf = [&](const Entry& e) { return int(hashOf(e.key) % count); };
  const auto receiverOf = [](const Match& m) { return m.to; };
  entries = delivered(all, std::move(entries), holderOf, failure);
  std::ranges::sort(entries, {}, [](const Entry& e) { return std::tie(e.key, e.process); });
  std::vector<Match> matches;
  failure.guard([&] {
    for (auto begin = entries.begin(); begin != entries.end();) {
      const auto end =
          std::find_if(begin, entries.end(), [&](const Entry& e) { return e.key != begin->key; });
      // Any of the processes may be the owner. The remainder of the hash is the same for all keys here.
      const Entry& owner = begin[std::ptrdiff_t(hashOf(begin->key) / count % std::uint64_t(end - begin))];
      for (auto e = begin; e != end; ++e) {
        if (e->process == owner.process) continue;
        matches.push_back({e->process, e->number, owner.process, owner.number, owner.process});
        matches.push_back({owner.process, owner.number, owner.process, owner.number, e->process});
      }
      begin = end;
    }
  });
  entries = {};
  matches = delivered(all, std::move(matches), receiverOf, failure);
  std::ranges::sort(matches, {}, [](const Match& m) { return std::tie(m.number, m.partner); });
  return matches;
}

} // namespace

std::vector<KeyedVertex> candidatesOf(const Problem& part,
                                      const std::function<std::int64_t(std::int64_t)>& idOf) {
  std::vector<KeyedVertex> candidates;
  for (const std::int64_t v : surfaceOf(part)) {
    VertexKey key{};
    if (idOf) key[0] = std::uint64_t(idOf(v));
    for (std::size_t a = 0; a < 3 && !idOf; ++a)
      key[a] = std::bit_cast<std::uint64_t>(part.points[std::size_t(3 * v) + a] + 0.0); // turns -0 into 0
    candidates.push_back({key, v});
  }
  std::sort(candidates.begin(), candidates.end());
  return candidates;
}

SharedVertices findShared(const Processes& all, const std::vector<KeyedVertex>& candidates) {
  // 1. Number the keys of this process in their order, and find the processes that have them as well.
  std::vector<Entry> entries;
  std::vector<int> numbers; // per candidate
  FirstException failure;
  failure.guard([&] {
    for (const KeyedVertex& c : candidates) {
      if (entries.empty() || entries.back().key != c.key)
        entries.push_back({c.key, all.index, int(entries.size())});
      numbers.push_back(int(entries.size()) - 1);
    }
  });
  const std::vector<Match> matches = matchesOf(all, std::move(entries), failure);
  failure.rethrow();

  // 2. The keys with a match are the shared points. Every process lists them in the order of the keys.
  SharedVertices shared;
  std::map<int, SharedVertices::Neighbour> neighbours;
  std::vector<std::pair<int, std::int64_t>> owners; // per point: owner, name
  std::vector<int> pointNumbers;                    // per point, ascending
  for (const Match& m : matches) {
    if (pointNumbers.empty() || pointNumbers.back() != m.number) {
      pointNumbers.push_back(m.number);
      owners.emplace_back(m.owner, (std::int64_t(m.owner) << 31) + m.ownerNumber);
    }
    SharedVertices::Neighbour& neighbour = neighbours[m.partner];
    neighbour.process = m.partner;
    (m.owner == all.index ? neighbour.owned : neighbour.foreign).push_back(int(pointNumbers.size()) - 1);
  }
  shared.pointCount = int(pointNumbers.size());
  for (auto& [process, neighbour] : neighbours) shared.neighbours.push_back(std::move(neighbour));

  // 3. Collect the vertices of the points.
  std::vector<std::pair<std::int64_t, int>> vertices; // with their points
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const auto found = std::lower_bound(pointNumbers.begin(), pointNumbers.end(), numbers[i]);
    if (found != pointNumbers.end() && *found == numbers[i])
      vertices.emplace_back(candidates[i].vertex, int(found - pointNumbers.begin()));
  }
  std::sort(vertices.begin(), vertices.end());
  for (const auto& [vertex, point] : vertices) {
    const auto& [owner, name] = owners[std::size_t(point)];
    shared.vertices.push_back(vertex);
    shared.point.push_back(point);
    shared.name.push_back(name);
    shared.owned.push_back(owner == all.index);
  }
  return shared;
}

} // namespace isochrone::mesh
