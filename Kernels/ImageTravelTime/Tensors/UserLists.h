// UserLists.h - the points whose update uses a point, as lists of steps to them.
//
// Neighbouring points mostly have equal lists, and equal lists are stored once: where the tensors vary
// smoothly the lists take a few hundredths of a byte per point, on white noise as much as a list for each
// point.
#pragma once

#include "Values.h"

#include <array>
#include <cstdint>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

namespace isochrone::image {

class UserLists {
public:
  /// Returns the numbers of the steps in a list.
  std::span<const std::uint16_t> of(std::uint32_t list) const {
    const std::uint16_t* at = &blocks[list / blockSize][list % blockSize];
    return {at + 1, *at};
  }
  std::size_t bytes() const;

private:
  friend class UserListWriter;
  static constexpr std::size_t blockSize = 1 << 16; ///< the longest list, with its length

  std::mutex mutex;
  std::vector<Values<std::uint16_t>> blocks;

  /// Adds a block and returns its number. @throws Error if the lists exceed the range of their numbers
  std::uint32_t addBlock(std::uint16_t*& memory);
};

/// Collects the lists of the points of a range, from users visited in the order of their indices.
class UserListWriter {
public:
  /// @param longestStep  to a user, in indices
  UserListWriter(UserLists& to, std::int64_t firstPoint, std::int64_t longestStep);

  /// Adds to the list of a point, at most longestStep away from the user visited last.
  void add(std::int64_t point, std::uint16_t number) {
    Open& list = openAt(point);
    if (list.count < capacity)
      list.number[list.count] = number;
    else
      more[point].push_back(number);
    ++list.count;
  }
  /// Returns the list of a point, after all of its users have been added. Points follow each other.
  std::uint32_t finish(std::int64_t point);

  std::size_t bytes() const;

private:
  static constexpr int capacity = 15, ways = 4, sets = 1 << 13;
  struct alignas(32) Open {
    std::uint16_t count = 0, number[capacity]{}; ///< zeros after the list
  };
  struct Known {
    const std::uint16_t* at; ///< its length, then its numbers; null: none
    std::uint32_t list;
  };

  UserLists& lists;
  std::int64_t first;
  std::vector<Open> open; ///< a ring, its size a power of two: of the points within the longest step
  std::unordered_map<std::int64_t, std::vector<std::uint16_t>> more; ///< beyond the capacity
  std::vector<std::array<Known, ways>> known;                        ///< by hash; the last ones used first
  Open last{.count = capacity + 1}; ///< the list finished last; at first one that is never equal
  std::uint32_t lastList = 0;
  std::uint16_t* block = nullptr;
  std::uint32_t blockNumber = 0;
  std::size_t used = UserLists::blockSize;

  Open& openAt(std::int64_t point) { return open[std::size_t(point - first) & (open.size() - 1)]; }
  std::uint32_t find(const std::uint16_t* list, std::uint64_t hash);
  Known store(const std::uint16_t* list);
};

} // namespace isochrone::image
