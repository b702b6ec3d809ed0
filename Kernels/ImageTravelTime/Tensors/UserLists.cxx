#include "ImageTravelTime/Tensors/UserLists.h"

#include "Bytes.h"
#include "Error.h"

#include <algorithm>
#include <bit>

namespace isochrone::image {

std::uint32_t UserLists::addBlock(std::uint16_t*& memory) {
  const std::lock_guard lock(mutex);
  if (blocks.size() == std::size_t(1) << 16)
    throw Error("the tensors lead to too many different lists of neighbours, about 1e10 bytes; make the tensors "
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
    : lists(to), first(firstPoint), open(std::bit_ceil(std::size_t(2 * longestStep + 1)), Open{}), known(sets) {}

std::uint32_t UserListWriter::finish(std::int64_t point) {
  Open& list = openAt(point);
  whole.assign(list.number, list.number + std::min<int>(list.count, capacity));
  if (list.count > capacity) {
    const auto rest = more.extract(point);
    whole.insert(whole.end(), rest.mapped().begin(), rest.mapped().end());
  }
  list.count = 0;
  std::uint64_t hash = whole.size();
  for (const std::uint16_t number : whole) hash = (hash ^ number) * 0x9e3779b97f4a7c15u, hash ^= hash >> 29;
  auto& set = known[hash % sets];
  int way = 0;
  for (; way < ways && set[way].at; ++way)
    if (std::equal(whole.begin(), whole.end(), set[way].at + 1, set[way].at + 1 + *set[way].at)) break;
  const Known found = way < ways && set[way].at ? set[way] : store();
  std::move_backward(set.begin(), set.begin() + std::min(way, ways - 1), set.begin() + std::min(way, ways - 1) + 1);
  set[0] = found;
  return found.list;
}

UserListWriter::Known UserListWriter::store() {
  if (used + whole.size() + 1 > UserLists::blockSize) blockNumber = lists.addBlock(block), used = 0;
  std::uint16_t* const at = block + used;
  const auto list = std::uint32_t(blockNumber * UserLists::blockSize + used);
  *at = std::uint16_t(whole.size());
  std::copy(whole.begin(), whole.end(), at + 1);
  used += whole.size() + 1;
  return {at, list};
}

std::size_t UserListWriter::bytes() const { return bytesOf(open, known, whole); }

} // namespace isochrone::image
