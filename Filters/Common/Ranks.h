// Ranks.h - MPI operations of the filters: gathering inputs on every rank, and rethrowing errors on all
// ranks.
//
// Functions marked collective must be called by all ranks, also by those that failed before; otherwise the
// others wait forever. Without MPI there is one rank and nothing is sent.
#pragma once

#include <vtkSmartPointer.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

class vtkDataSet;
class vtkImageData;
class vtkMultiProcessController;
class vtkPolyData;

namespace isochrone::filters {

class Ranks {
public:
  Ranks();
  /// Returns this rank as the only one.
  static Ranks alone();

  int count() const { return number; }
  int index() const { return rank; }
  bool first() const { return rank == 0; }

  /// The ranks on one node.
  struct Node {
    std::vector<int> ranks;
    int index = 0; ///< of this rank among them
    int count() const { return int(ranks.size()); }
  };
  /// Returns the node of this rank. Collective at the first call in a process.
  const Node& node() const;

  /// Divides the memory that is free on a node among its ranks, for requireHostMemory, its cores, for
  /// chooseThreads, and its CUDA devices, for the solvers. Ranks that hold the same whole image have equal
  /// shares. Ranks that work on parts have shares in proportion to their sizes, so that unequal parts fit if
  /// their sum does. Collective.
  /// @param size  number of points or cells that this rank solves; 0 where all solve the same
  void shareNode(double size) const;

  /// Runs `step` on every rank. Rethrows an error on any rank as Error on all of them; grid::OtherPartStopped
  /// is not one, since another rank says why. Collective.
  void rethrowOnAll(const std::function<void()>& step) const;

  /// Returns whether `condition` is true on any rank. Collective.
  bool any(bool condition) const;

  /// Returns the sum over all ranks. Collective.
  double sum(double local) const;

  /// Returns the elementwise maximum over all ranks. Collective.
  [[nodiscard]] std::vector<double> allMax(std::vector<double> local) const;

  /// Replaces each value by its minimum or maximum over all ranks. Collective.
  void allMin(std::span<double> values) const;
  void allMax(std::span<std::int32_t> values) const;

  /// Returns the values of each rank, in rank order. Collective.
  template <class T>
  std::vector<std::vector<T>> gather(std::span<const T> local) const {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto bytes = gatherBytes({reinterpret_cast<const char*>(local.data()), local.size_bytes()});
    std::vector<std::vector<T>> all;
    rethrowOnAll([&] { // as memory may be short
      for (const std::vector<char>& part : bytes) {
        all.emplace_back(part.size() / sizeof(T));
        if (!part.empty()) std::memcpy(all.back().data(), part.data(), part.size());
      }
    });
    return all;
  }

  /// Sends `messages[i]` to rank `partners[i]`, and returns what that rank sends, in the same order. Each
  /// rank must name the other, once, and call this as often; other ranks need not call it.
  /// @throws std::bad_alloc          if this rank has no memory for what it receives
  /// @throws grid::OtherPartStopped  if a partner has none
  std::vector<std::vector<char>> exchange(std::span<const int> partners,
                                          std::span<const std::vector<char>> messages) const;

  /// Checks that the parts of a dataset fit together. All ranks whose part has points must have the same
  /// arrays, with the same components and the right length, and for images the same spacing, origin and
  /// direction. Ghost arrays may be missing on some ranks. Collective.
  /// @param role  purpose of the dataset in messages, as in "input"
  /// @throws Error, the same on all ranks, if the parts differ
  void requireSame(vtkDataSet* part, const std::string& role) const;

  /// Returns the whole image, assembled from the pieces of the ranks without ghost copies. Collective.
  vtkSmartPointer<vtkImageData> gatherImage(vtkImageData* piece) const;

  /// Returns the points of all ranks in rank order. Some sources give every rank all points, others only its
  /// piece, so a point that an earlier rank also has (same position, same arrays) is left out. Collective.
  vtkSmartPointer<vtkPolyData> gatherPoints(vtkPolyData* points) const;

  /// Returns the cells of all ranks in rank order, with their points and point arrays. A rank that has the
  /// same points and number of cells as an earlier one has been given the same whole. Collective.
  vtkSmartPointer<vtkPolyData> gatherSurface(vtkPolyData* surface) const;

private:
  std::vector<std::vector<char>> gatherBytes(std::span<const char> local) const;

  vtkMultiProcessController* controller;
  int rank = 0, number = 1;
};

} // namespace isochrone::filters
