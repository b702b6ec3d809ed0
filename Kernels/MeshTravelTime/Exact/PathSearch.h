// PathSearch.h - the shortest path from a tip to the seeds, by windows.
//
// Windows are not kept after a solve. A path is searched from its tip instead, by windows that may be on a
// shortest path: those whose distance from the tip, plus the distance that the field leaves at least, does
// not exceed the distance of the tip. They stay in a few triangles around the path.
#pragma once

#include "MeshTravelTime/Exact/Sources.h"
#include "MeshTravelTime/MeshTravelTime.h"

#include <cstdint>
#include <functional>
#include <queue>
#include <span>
#include <unordered_map>
#include <vector>

namespace isochrone::mesh {

/// Data shared by all searches on a surface. Distances are in units of the surface.
struct SearchField {
  SearchField(const Problem& problem, std::span<const float> travelTime);

  const Problem& problem;
  const Surface surface;
  double perTime;               ///< distance per time
  std::vector<double> distance; ///< per vertex
  double noise = 0;             ///< bound of the rounding errors of `distance`
  struct Goal {
    std::int32_t seed;
    double start;
    Place place;
    SurfacePoint point; ///< not for vertices
  };
  std::unordered_map<std::int32_t, std::vector<Goal>> atVertex, inFace;

  static std::span<const Goal> at(const std::unordered_map<std::int32_t, std::vector<Goal>>& goals,
                                  std::int32_t number) {
    const auto found = goals.find(number);
    return found == goals.end() ? std::span<const Goal>() : found->second;
  }
};

class PathSearch {
public:
  explicit PathSearch(const SearchField& searchField) : field(searchField), s(searchField.surface) {}

  /// Returns the path to a place; Unreachable if there is none.
  /// @param mayContinue  asked every few milliseconds; if it returns false, the path is not complete
  Path pathTo(const Place& tip, const std::function<bool()>& mayContinue);

private:
  /// A straight line that arrives at a point.
  struct Arrival {
    double distance = HUGE_VAL;
    std::int32_t source = -1; ///< where the line starts
    std::int32_t window = -1; ///< the last one on its way; -1: it starts in the same triangle
    double via = 0;           ///< where it crosses that window
  };
  /// The tip, or a vertex where the path bends.
  struct Source {
    Position at;
    Arrival arrival; ///< of a vertex
  };
  struct Node {
    Window window;       ///< its label is the number of a source
    std::int32_t parent; ///< the window before; -1: the source
  };
  struct Task {
    double bound; ///< of the length of paths through it
    bool isVertex;
    std::int32_t number; ///< of a vertex or node
    double distance;     ///< of the vertex when it was queued
    auto key() const { return std::tuple(bound, isVertex, number); }
    bool operator<(const Task& other) const { return key() > other.key(); }
  };

  double limitOf(std::int32_t vertex) const;
  void push(const Window& window, std::int32_t parent);
  void lower(std::int32_t vertex, const Arrival& arrival);
  void reach(const SearchField::Goal& one, const Arrival& arrival);
  void start(const Place& tip);
  void depart(std::int32_t vertex);
  void advance(std::int32_t node);
  Path trace(const Place& tip) const;
  /// Adds the points between an arrival and the source of its line to a path that starts at the tip.
  void addCrossings(const Arrival& arrival, std::vector<Position>& points) const;

  const SearchField& field;
  const Surface& s;
  std::vector<Source> sources;
  std::vector<Node> nodes;
  std::unordered_map<std::int32_t, Arrival> reached;                  ///< per vertex
  std::unordered_map<std::int32_t, std::vector<std::int32_t>> ofEdge; ///< nodes
  std::priority_queue<Task> tasks;
  double bound = HUGE_VAL; ///< of the length of the path
  Arrival best;            ///< its distance includes the start of the seed
  const SearchField::Goal* goal = nullptr;
};

} // namespace isochrone::mesh
