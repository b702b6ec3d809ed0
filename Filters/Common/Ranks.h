// Ranks.h - what the filters need of MPI: the whole input on every rank, and errors that all ranks agree on.
//
// Every function that says so is collective: all ranks must call it, also those that failed before, or the
// others wait for ever. Without MPI there is one rank and nothing is sent.
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
  /// This rank without the others.
  static Ranks alone();

  int count() const { return number; }
  int mine() const { return rank; }
  bool first() const { return rank == 0; }

  /// `requested` if positive, else the cores of this node shared by the ranks on it; limited as by
  /// chooseThreads. Collective.
  int threads(int requested) const;

  /// Runs `step` on every rank. What any rank throws is thrown as Error on all of them. Collective.
  void agree(const std::function<void()>& step) const;

  /// Is `condition` true on any rank? Collective.
  bool any(bool condition) const;

  /// Of the values of all ranks the sum. Collective.
  double sum(double mine) const;

  /// Of the values of all ranks the greatest, one by one. Collective.
  std::vector<double> greatest(std::vector<double> mine) const;

  /// Each value becomes the least (the greatest) that any rank has. Collective.
  void lower(std::span<double> values) const;
  void raise(std::span<std::int32_t> values) const;

  /// What each rank gives, in rank order. Collective.
  template <class T>
  std::vector<std::vector<T>> gather(std::span<const T> mine) const {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<std::vector<T>> all;
    for (const std::vector<char>& bytes :
         gatherBytes({reinterpret_cast<const char*>(mine.data()), mine.size_bytes()})) {
      all.emplace_back(bytes.size() / sizeof(T));
      if (!bytes.empty()) std::memcpy(all.back().data(), bytes.data(), bytes.size());
    }
    return all;
  }

  /// Throws Error, the same on all ranks, unless the parts of a dataset fit together: every rank whose part
  /// has points has the same arrays, of the same components and as long as they should be, and of images the
  /// same spacing, origin and direction. Ghost arrays need not be everywhere. Collective.
  /// @param role  what the dataset is for, as in "input"
  void requireSame(vtkDataSet* part, const std::string& role) const;

  /// The whole image, put together where ranks hold pieces of it; ghost copies are left out. Collective.
  vtkSmartPointer<vtkImageData> whole(vtkImageData* piece) const;

  /// The points of all ranks in rank order. A point that an earlier rank has too (same place, same arrays) is
  /// left out: some sources give every rank everything, some give each its piece. Collective.
  vtkSmartPointer<vtkPolyData> all(vtkPolyData* points) const;

private:
  std::vector<std::vector<char>> gatherBytes(std::span<const char> mine) const;

  vtkMultiProcessController* controller;
  int rank = 0, number = 1;
};

} // namespace isochrone::filters
