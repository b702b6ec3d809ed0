#include "Grid/GridPart.h"

#include <algorithm>
#include <limits>

namespace isochrone::grid {

Box common(const Box& a, const Box& b) {
  Box box;
  for (int axis = 0; axis < 3; ++axis) {
    box.low[axis] = std::max(a.low[axis], b.low[axis]);
    box.high[axis] = std::min(a.high[axis], b.high[axis]);
  }
  return box;
}

Box grown(const Box& box, std::int64_t margin, const GridIndex& size) {
  Box larger;
  for (int axis = 0; axis < 3; ++axis) {
    larger.low[axis] = std::max<std::int64_t>(box.low[axis] - margin, 0);
    larger.high[axis] = std::min(box.high[axis] + margin, size[axis]);
  }
  return larger;
}

std::vector<PartFace> GridPart::faces() const {
  std::vector<PartFace> faces;
  for (std::size_t l = 0; l < links.size(); ++l) {
    const Box& other = links[l].heard;
    if (own.empty() || other.empty()) continue;
    for (int axis = 0; axis < 3; ++axis)
      for (const bool up : {false, true}) {
        if (up ? other.low[axis] != own.high[axis] : other.high[axis] != own.low[axis]) continue;
        PartFace face{l, axis, up, common(own, other), {}};
        face.inner.low[axis] = up ? own.high[axis] - 1 : own.low[axis];
        face.inner.high[axis] = face.inner.low[axis] + 1;
        face.outer = face.inner;
        face.outer.low[axis] += up ? 1 : -1;
        face.outer.high[axis] += up ? 1 : -1;
        if (!face.inner.empty()) faces.push_back(face);
      }
  }
  return faces;
}

double GridPart::minimumWidth(const std::array<double, 3>& spacing) const {
  double width = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < 3; ++axis)
    if (const std::int64_t size = own.size(axis); size > 1 && size < whole[axis] && !own.empty())
      width = std::min(width, double(size) * spacing[axis]);
  allMin({&width, 1});
  return width;
}

Box GridPart::boxInWhole(const GridIndex& size) const {
  Box box{first, first};
  for (int axis = 0; axis < 3; ++axis) box.high[axis] += size[axis];
  return box;
}

GridPart partOf(int process, std::span<const Box> own, const GridIndex& whole, std::int64_t margin) {
  const auto withMargin = [&](int p) { return grown(own[std::size_t(p)], margin, whole); };
  const GridIndex first = withMargin(process).low;
  const auto local = [&](Box box) {
    for (int axis = 0; axis < 3; ++axis) box.low[axis] -= first[axis], box.high[axis] -= first[axis];
    return box;
  };
  GridPart part;
  part.whole = whole;
  part.first = first;
  part.own = local(own[std::size_t(process)]);
  for (int other = 0; other < int(own.size()); ++other) {
    if (other == process) continue;
    const Box told = common(own[std::size_t(process)], withMargin(other));
    const Box heard = common(own[std::size_t(other)], withMargin(process));
    if (!told.empty() || !heard.empty()) part.links.push_back({other, local(told), local(heard)});
  }
  return part;
}

template <class T>
Message packed(const News<T>& news, std::int64_t points) {
  if (news.point.empty()) return {};
  const auto count = std::uint32_t(news.point.size());
  const std::size_t bits = (std::size_t(points) + 7) / 8, numbers = count * sizeof(std::uint32_t);
  Message message(sizeof count + std::min(bits, numbers) + count * sizeof(T));
  std::memcpy(message.data(), &count, sizeof count);
  char* at = message.data() + sizeof count;
  if (bits < numbers) {
    for (const std::uint32_t p : news.point) at[p / 8] = char(at[p / 8] | 1 << p % 8);
  } else {
    std::memcpy(at, news.point.data(), numbers);
  }
  std::memcpy(at + std::min(bits, numbers), news.value.data(), count * sizeof(T));
  return message;
}

template Message packed(const News<float>&, std::int64_t);
template Message packed(const News<double>&, std::int64_t);

template <class T>
News<T> unpacked(std::span<const char> message, std::int64_t points) {
  if (message.empty()) return {};
  std::uint32_t count = 0;
  std::memcpy(&count, message.data(), sizeof count);
  const std::size_t bits = (std::size_t(points) + 7) / 8, numbers = count * sizeof(std::uint32_t);
  const char* at = message.data() + sizeof count;
  News<T> news;
  news.value.resize(count);
  if (bits < numbers) {
    for (std::uint32_t p = 0; p < std::uint32_t(points); ++p)
      if (at[p / 8] >> p % 8 & 1) news.point.push_back(p);
  } else {
    news.point.resize(count);
    std::memcpy(news.point.data(), at, numbers);
  }
  std::memcpy(news.value.data(), at + std::min(bits, numbers), count * sizeof(T));
  return news;
}
template News<float> unpacked(std::span<const char>, std::int64_t);
template News<double> unpacked(std::span<const char>, std::int64_t);

} // namespace isochrone::grid
