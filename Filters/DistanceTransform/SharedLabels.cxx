#include "DistanceTransform/SharedLabels.h"

#include "Common/Fields.h"
#include "Common/Ranks.h"
#include "DistanceTransform/Problem.h"

#include <vtkDataArray.h>

#include <algorithm>
#include <cstring>

namespace isochrone::filters {

namespace {

using Messages = std::vector<std::vector<char>>;

void keepEachOnce(std::vector<std::int64_t>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

/// Returns the nearest sites that this rank does not have, ascending.
std::vector<std::int64_t> foreignSites(std::span<const std::uint8_t> isSite, const distance::Result& result,
                                       const Part& part) {
  std::vector<std::int64_t> sites;
  std::int64_t before = -1;
  std::size_t compact = 1 << 16; // number of sites at which repetitions are removed
  for (std::size_t n = 0; n < isSite.size(); ++n) {
    const std::int64_t site = result.nearestSite[n];
    if (isSite[n] || site < 0 || site == before) continue;
    before = site;
    if (part.has(site)) continue;
    sites.push_back(site);
    if (sites.size() < compact) continue;
    keepEachOnce(sites);
    compact = std::max(compact, 2 * sites.size());
  }
  keepEachOnce(sites);
  return sites;
}

vtkSmartPointer<vtkDataArray> emptyLike(vtkDataArray* array) {
  vtkSmartPointer<vtkDataArray> values;
  values.TakeReference(vtkDataArray::CreateDataArray(array->GetDataType()));
  return values;
}

std::span<char> bytesOf(vtkDataArray* array) {
  return {static_cast<char*>(array->GetVoidPointer(0)),
          std::size_t(array->GetNumberOfTuples()) * std::size_t(array->GetDataTypeSize())};
}

} // namespace

ForeignValues foreignValues(const Ranks& ranks, vtkDataArray* array, std::span<const std::uint8_t> isSite,
                            const distance::Result& result, const Part& part,
                            const std::vector<Extent>& owned) {
  ForeignValues out;
  std::vector<int> others;
  for (int r = 0; r < ranks.count(); ++r)
    if (r != ranks.index()) others.push_back(r);

  // 1. Ask the owners.
  Messages questions(others.size());
  std::vector<std::vector<std::size_t>> places(others.size()); // in `out`, of each question
  ranks.rethrowOnAll([&] {
    out.sites = foreignSites(isSite, result, part);
    out.values = emptyLike(array);
    allocate(out.values, vtkIdType(out.sites.size()));
    std::size_t owner = 0; // index in `others`
    const auto owns = [&](std::size_t o, std::int64_t site) {
      return contains(owned[std::size_t(others[o])], site, part.whole);
    };
    for (std::size_t s = 0; s < out.sites.size(); ++s) {
      for (std::size_t tried = 0; !owns(owner, out.sites[s]) && tried < others.size(); ++tried)
        owner = (owner + 1) % others.size();
      places[owner].push_back(s);
      const auto* bytes = reinterpret_cast<const char*>(&out.sites[s]);
      questions[owner].insert(questions[owner].end(), bytes, bytes + sizeof(std::int64_t));
    }
  });
  Messages asked, answered;
  ranks.rethrowOnAll([&] { asked = ranks.exchange(others, questions); });

  // 2. Answer.
  Messages answers(others.size());
  ranks.rethrowOnAll([&] {
    for (std::size_t o = 0; o < others.size(); ++o) {
      const std::size_t count = asked[o].size() / sizeof(std::int64_t);
      const auto values = emptyLike(array);
      allocate(values, vtkIdType(count));
      for (std::size_t i = 0; i < count; ++i) {
        std::int64_t site = 0;
        std::memcpy(&site, asked[o].data() + i * sizeof site, sizeof site);
        values->SetTuple(vtkIdType(i), part.fromWhole(site), array);
      }
      const std::span<char> bytes = bytesOf(values);
      answers[o].assign(bytes.begin(), bytes.end());
    }
  });
  ranks.rethrowOnAll([&] { answered = ranks.exchange(others, answers); });
  ranks.rethrowOnAll([&] {
    const std::size_t size = std::size_t(array->GetDataTypeSize());
    for (std::size_t o = 0; o < others.size(); ++o)
      for (std::size_t i = 0; i < places[o].size(); ++i)
        std::memcpy(bytesOf(out.values).data() + places[o][i] * size, answered[o].data() + i * size, size);
  });
  return out;
}

} // namespace isochrone::filters
