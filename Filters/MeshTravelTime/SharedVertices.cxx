#include "MeshTravelTime/SharedVertices.h"

#include "Common/Ranks.h"

#include <vtkDataArray.h>
#include <vtkIdTypeArray.h>
#include <vtkPointData.h>
#include <vtkUnstructuredGrid.h>

namespace isochrone::filters {

mesh::Processes processesOf(const Ranks& ranks) {
  using Message = mesh::Processes::Message;
  const auto exchange = [&ranks](std::span<const int> partners, std::span<const Message> messages) {
    return ranks.exchange(partners, messages);
  };
  return {ranks.index(), ranks.count(), exchange,
          [&ranks](std::span<double> values) { ranks.allMin(values); }};
}

mesh::SharedVertices sharedVertices(const Ranks& ranks, const mesh::Problem& part,
                                    vtkUnstructuredGrid* grid) {
  vtkDataArray* ids = grid->GetPointData()->GetGlobalIds();
  const bool byId = !ranks.any(part.cellCount() > 0 && !ids);
  auto* exact = vtkIdTypeArray::SafeDownCast(ids);
  std::function<std::int64_t(std::int64_t)> idOf;
  if (byId && ids)
    idOf = [&](std::int64_t v) { return exact ? exact->GetValue(v) : vtkIdType(ids->GetTuple1(v)); };
  std::vector<mesh::KeyedVertex> candidates;
  ranks.rethrowOnAll([&] { candidates = mesh::candidatesOf(part, idOf); });
  mesh::SharedVertices shared;
  ranks.rethrowOnAll([&] { shared = mesh::findShared(processesOf(ranks), candidates); });
  return shared;
}

} // namespace isochrone::filters
