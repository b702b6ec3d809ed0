#include "ImageTravelTime/Tensors/UserLists.h"

#include "Bytes.h"
#include "Error.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace isochrone::image {

std::uint32_t UserLists::addBlock(std::uint16_t*& memory) {
  const std::lock_guard lock(mutex);
  if (blocks.size() == std::size_t(1) << 16)
    throw Error(
        "the tensors lead to too many different lists of neighbours, about 1e10 bytes; make the tensors "
        "smoother or less anisotropic, or the image smaller");
  blocks.emplace_back(blockSize);
  memory = blocks.back().data();
  return std::uint32_t(blocks.size() - 1);
}

std::size_t UserLists::bytes() const {
  std::size_t sum = bytesOf(blocks);
  for (const auto& block : blocks) sum += bytesOf(block);
  return sum;
}

UserListWriter::UserListWriter(UserLists& to, std::int64_t firstPoint, std::int64_t longestStep)
    : lists(to), first(firstPoint), open(std::bit_ceil(std::size_t(2 * longestStep + 1)), Open{}),
      known(sets) {}

std::uint32_t UserListWriter::finish(std::int64_t point) {
  Open& now = openAt(point);
  if (std::memcmp(&now, &last, sizeof now) != 0 || now.count > capacity) {
    last = now;
    std::uint64_t word[4], hash = 0;
    std::memcpy(word, &now, sizeof word);
    for (const std::uint64_t w : word) hash = (hash ^ w) * 0x9e3779b97f4a7c15u, hash ^= hash >> 32;
    if (now.count <= capacity) {
      lastList = find(&now.count, hash);
    } else {
      std::vector<std::uint16_t> whole(&now.count, now.number + capacity);
      const auto rest = more.extract(point);
      whole.insert(whole.end(), rest.mapped().begin(), rest.mapped().end());
      lastList = find(whole.data(), hash);
    }
  }
  now = {};
  return lastList;
}

/// Returns the list with a length and numbers.
std::uint32_t UserListWriter::find(const std::uint16_t* list, std::uint64_t hash) {
  auto& set = known[hash % sets];
  const auto isEqual = [&](const Known& k) {
    return std::equal(list, list + *list + 1, k.at, k.at + *k.at + 1);
  };
  int way = 0;
  while (way < ways && set[way].at && !isEqual(set[way])) ++way;
  const Known found = way < ways && set[way].at ? set[way] : store(list);
  for (way = std::min(way, ways - 1); way > 0; --way) set[way] = set[way - 1];
  set[0] = found;
  return found.list;
}

UserListWriter::Known UserListWriter::store(const std::uint16_t* list) {
  const std::size_t size = std::size_t(*list) + 1;
  if (used + size > UserLists::blockSize) blockNumber = lists.addBlock(block), used = 0;
  std::uint16_t* const at = block + used;
  std::copy_n(list, size, at);
  const auto number = std::uint32_t(blockNumber * UserLists::blockSize + used);
  used += size;
  return {at, number};
}

std::size_t UserListWriter::bytes() const { return bytesOf(open, known); }

} // namespace isochrone::image
