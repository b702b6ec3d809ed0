#include "CurvaturePaths/Host/PartMargin.h"

#include "CurvaturePaths/Scheme/LocalSolver.h"

#include <algorithm>
#include <cstdint>

namespace isochrone::curvature {

PartMargin::PartMargin(const Problem& problem, SectorSystem& s) : system(s) {
  const auto withHeadings = [&](grid::Box box) {
    box.high[2] = box.low[2] + system.planes();
    return box;
  };
  for (const grid::PartLink& link : problem.part.links) {
    Border& border = borders.emplace_back();
    if (!link.told.empty()) border.own = withHeadings(link.told);
    if (!link.heard.empty()) border.other = withHeadings(link.heard);
    border.sent.assign(std::size_t(border.own.points()), infinity);
  }
}

std::vector<grid::Message> PartMargin::send(float limit, float& minSent, float& minWaiting) {
  std::vector<grid::Message> messages;
  for (Border& border : borders) {
    grid::News<float> news;
    std::uint32_t number = 0;
    grid::forEachPoint(border.own, [&](const GridIndex& at) {
      const float value = system.value(int(at[2]), at[0], at[1]);
      float& sent = border.sent[number++];
      if (!(value < sent)) return;
      float& minimum = value > limit ? minWaiting : minSent;
      minimum = std::min(minimum, value);
      if (value > limit) return;
      sent = value;
      news.point.push_back(number - 1);
      news.value.push_back(value);
    });
    messages.push_back(grid::packed(news, border.own.points()));
  }
  return messages;
}

void PartMargin::receive(const std::vector<grid::Message>& messages) {
  for (std::size_t l = 0; l < borders.size(); ++l) {
    const grid::Box& box = borders[l].other;
    const grid::News<float> news = grid::unpacked<float>(messages[l], box.points());
    for (std::size_t n = 0; n < news.point.size(); ++n) {
      const std::int64_t row = news.point[n] / box.size(0);
      const std::int64_t i = box.low[0] + news.point[n] % box.size(0), j = box.low[1] + row % box.size(1);
      const int k = int(row / box.size(1));
      if (news.value[n] < system.value(k, i, j)) system.lower(k, i, j, news.value[n]);
    }
  }
}

} // namespace isochrone::curvature
