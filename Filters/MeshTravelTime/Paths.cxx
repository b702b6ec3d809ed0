#include "MeshTravelTime/Paths.h"

#include "Common/Ranks.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>

namespace isochrone::filters {

namespace {

/// Known part of a path, the same on all ranks.
struct Trail {
  PathStatus status = PathStatus::TipOutside;
  bool open = false;      ///< it continues from `head`, or from the tip before the first round
  mesh::PathHead head;    ///< with the common names of vertices; empty: at the tip
  std::vector<Path> path; ///< pieces, starting at the tip
};

/// The statuses on a mesh. That of a tip is the first of those that the ranks find.
constexpr std::array statuses{PathStatus::Complete, PathStatus::Unreachable, PathStatus::TipInWall,
                              PathStatus::TipOutside};

/// Joins the pieces, from the seed to the tip, with one point where two pieces meet.
Path joined(const Trail& trail) {
  Path all;
  all.status = trail.status;
  if (all.status != PathStatus::Complete) return all;
  all.seed = trail.path.back().seed;
  for (auto piece = trail.path.rbegin(); piece != trail.path.rend(); ++piece) {
    const std::ptrdiff_t skipped = all.size() > 0 ? 1 : 0;
    for (const auto part : {&Path::x, &Path::y, &Path::z, &Path::travelTime})
      (all.*part).insert((all.*part).end(), ((*piece).*part).begin() + skipped, ((*piece).*part).end());
    all.length += piece->length;
    all.energy += piece->energy;
  }
  return all;
}

/// A sequence of numbers sent between ranks.
class Message {
public:
  Message() = default;
  explicit Message(std::vector<double> received) : numbers(std::move(received)) {}
  std::vector<double> numbers;

  void put(double value) { numbers.push_back(value); }
  double take() { return numbers[next++]; }
  bool atEnd() const { return next == numbers.size(); }

private:
  std::size_t next = 0;
};

void put(std::size_t tip, const mesh::PathPiece& piece, Message& message) {
  const Path& path = piece.path;
  for (const double value : {double(tip), double(path.status == PathStatus::Complete), double(path.seed),
                             path.length, path.energy, double(path.size())})
    message.put(value);
  for (std::size_t p = 0; p < path.size(); ++p)
    for (const double value : {path.x[p], path.y[p], path.z[p], path.travelTime[p]}) message.put(value);
  message.put(piece.head.turns);
  message.put(double(piece.head.vertices.size()));
  for (std::size_t i = 0; i < piece.head.vertices.size(); ++i) {
    message.put(double(piece.head.vertices[i]));
    message.put(piece.head.weights[i]);
  }
}

void take(Message& message, std::vector<Trail>& trails) {
  Trail& trail = trails[std::size_t(message.take())];
  const bool complete = message.take() != 0;
  Path path;
  path.seed = std::int32_t(message.take());
  path.length = message.take();
  path.energy = message.take();
  for (auto left = std::size_t(message.take()); left > 0; --left)
    for (const auto part : {&Path::x, &Path::y, &Path::z, &Path::travelTime})
      (path.*part).push_back(message.take());
  trail.path.push_back(std::move(path));
  trail.head = {};
  trail.head.turns = std::int32_t(message.take());
  for (auto left = std::size_t(message.take()); left > 0; --left) {
    trail.head.vertices.push_back(std::int64_t(message.take()));
    trail.head.weights.push_back(message.take());
  }
  trail.open = !complete && !trail.head.vertices.empty();
  trail.status = complete ? PathStatus::Complete : PathStatus::Unreachable;
}

class Follower {
public:
  Follower(const Ranks& r, const mesh::Problem& problem, const mesh::SharedVertices& shared,
           std::span<const float> time)
      : ranks(r), tracer(problem, time) {
    for (std::size_t i = 0; i < shared.vertices.size(); ++i) {
      vertexOf.emplace(shared.name[i], shared.vertices[i]);
      nameOf.emplace(shared.vertices[i], shared.name[i]);
    }
  }

  /// Finds the tips. Collective.
  std::vector<Trail> begin(const std::vector<mesh::Tip>& tips) {
    std::vector<double> local;
    ranks.rethrowOnAll([&] {
      for (const mesh::Tip& tip : tips) {
        mesh::PathHead head;
        const PathStatus status = tracer.find(tip, head);
        starts.push_back(status == PathStatus::Complete ? std::optional(head) : std::nullopt);
        local.push_back(double(std::ranges::find(statuses, status) - statuses.begin()));
      }
    });
    ranks.allMin(local);
    std::vector<Trail> trails(tips.size());
    for (std::size_t t = 0; t < tips.size(); ++t) {
      trails[t].status = statuses[std::size_t(local[t])];
      trails[t].open = trails[t].status == PathStatus::Complete;
    }
    return trails;
  }

  /// Adds a piece to each open path. Returns false if no path is open, or the monitor of a rank stopped it.
  /// Collective.
  bool round(std::vector<Trail>& trails, const Monitor& monitor) {
    std::vector<std::size_t> open;
    for (std::size_t t = 0; t < trails.size(); ++t)
      if (trails[t].open) open.push_back(t);
    const double done = 1 - double(open.size()) / double(trails.size());
    if (open.empty()) return false;

    // 1. Find the rank with the steepest descent, the first of equals.
    constexpr double notHere = -2;
    std::vector<double> local;
    std::vector<std::optional<mesh::PathHead>> heads;
    ranks.rethrowOnAll([&] {
      for (const std::size_t t : open) {
        heads.push_back(headOf(t, trails[t]));
        local.push_back(heads.back() ? tracer.steepness(*heads.back()) : notHere);
      }
    });
    const std::vector<std::vector<double>> all = ranks.gather<double>(local);

    // 2. That rank follows the path.
    Message message;
    ranks.rethrowOnAll([&] {
      for (std::size_t i = 0; i < open.size() && !isStopped; ++i) {
        isStopped = !monitor.report(done);
        int best = 0;
        for (int r = 1; r < ranks.count(); ++r)
          if (all[r][i] > all[best][i]) best = r;
        if (all[best][i] < 0) {
          trails[open[i]].open = false;
          trails[open[i]].status = PathStatus::Unreachable;
        } else if (best == ranks.index()) {
          mesh::PathPiece piece = tracer.follow(*heads[i]);
          for (std::int64_t& v : piece.head.vertices) v = nameOf.at(v);
          put(open[i], piece, message);
        }
      }
    });

    isStopped = ranks.any(isStopped);
    if (isStopped) return false;

    // 3. All ranks receive the pieces.
    std::vector<std::vector<double>> pieces = ranks.gather<double>(message.numbers);
    ranks.rethrowOnAll([&] {
      for (std::vector<double>& numbers : pieces) {
        Message from(std::move(numbers));
        while (!from.atEnd()) take(from, trails);
      }
    });
    return true;
  }

  bool stopped() const { return isStopped; }

private:
  /// Returns the head in this part, if the part has all its vertices.
  std::optional<mesh::PathHead> headOf(std::size_t tip, const Trail& trail) const {
    if (trail.head.vertices.empty()) return starts[tip];
    mesh::PathHead head = trail.head;
    for (std::int64_t& v : head.vertices) {
      const auto found = vertexOf.find(v);
      if (found == vertexOf.end()) return std::nullopt;
      v = found->second;
    }
    return head;
  }

  const Ranks& ranks;
  mesh::PathTracer tracer;
  std::unordered_map<std::int64_t, std::int64_t> vertexOf, nameOf;
  std::vector<std::optional<mesh::PathHead>> starts; ///< of the tips that are in this part and reached
  bool isStopped = false;                            ///< the monitor of a rank stopped it
};

} // namespace

std::vector<Path> pathsOverRanks(const Ranks& ranks, const mesh::Problem& problem,
                                 const mesh::SharedVertices& shared, std::span<const float> travelTime,
                                 const std::vector<mesh::Tip>& tips, const Monitor& monitor) {
  if (tips.empty()) return {};
  std::optional<Follower> follower;
  ranks.rethrowOnAll([&] { follower.emplace(ranks, problem, shared, travelTime); });
  std::vector<Trail> trails = follower->begin(tips);
  while (follower->round(trails, monitor)) {
  }
  if (follower->stopped()) return {};
  std::vector<Path> paths;
  for (const Trail& trail : trails) paths.push_back(joined(trail));
  return paths;
}

} // namespace isochrone::filters
