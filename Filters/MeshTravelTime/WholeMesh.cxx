#include "MeshTravelTime/WholeMesh.h"

#include "Backend.h"
#include "Common/Fields.h"
#include "Common/Ranks.h"
#include "MeshTravelTime/SharedVertices.h"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPointSet.h>
#include <vtkPoints.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <unordered_map>

namespace isochrone::filters {

namespace {

/// Adds the tuples with the given numbers of all arrays to `out`. Of the marks of ghosts only the bit of
/// hidden ones is added.
void copyTuples(vtkDataSetAttributes* from, vtkIdList* numbers, unsigned char hiddenBit,
                vtkDataSetAttributes* out) {
  for (int a = 0; a < from->GetNumberOfArrays(); ++a) {
    vtkAbstractArray* all = from->GetAbstractArray(a);
    const auto part = vtk::TakeSmartPointer(all->NewInstance());
    part->SetName(all->GetName());
    part->SetNumberOfComponents(all->GetNumberOfComponents());
    part->SetNumberOfTuples(numbers->GetNumberOfIds());
    all->GetTuples(numbers, part);
    if (part->GetName() != std::string(vtkDataSetAttributes::GhostArrayName())) {
      out->AddArray(part);
      continue;
    }
    std::vector<std::uint8_t> hidden;
    for (vtkIdType i = 0; i < numbers->GetNumberOfIds(); ++i)
      hidden.push_back(vtkUnsignedCharArray::SafeDownCast(part)->GetValue(i) & hiddenBit);
    hide(hidden, hiddenBit, out);
  }
}

} // namespace

WholeMesh gatherMesh(const Ranks& ranks, vtkUnstructuredGrid* part, const mesh::Problem& problem,
                     std::span<const double> onsets) {
  // 1. Gather the parts. A point has the name that the ranks with it share, or -1.
  const mesh::SharedVertices shared = sharedVertices(ranks, problem, part);
  const double bytes = double(problem.vertexCount()) * 40 + double(problem.cellCount()) * 33;
  const double all = ranks.sum(bytes);
  std::vector<double> at;
  std::vector<std::int64_t> names;
  ranks.rethrowOnAll([&] {
    requireHostMemory(std::size_t(3 * all),
                      "the messages, the parts and the whole of the mesh on every rank");
    at.resize(problem.points.size());
    for (std::size_t i = 0; i < at.size(); ++i) at[i] = problem.points[i];
    names.assign(std::size_t(problem.vertexCount()), -1);
    for (std::size_t i = 0; i < shared.vertices.size(); ++i)
      names[std::size_t(shared.vertices[i])] = shared.name[i];
  });
  const auto places = ranks.gather<double>(at);
  const auto namesOf = ranks.gather<std::int64_t>(names);
  const auto cells = ranks.gather<std::int64_t>(problem.cells);
  const auto hidden = ranks.gather<std::uint8_t>(problem.hidden);
  const auto times = ranks.gather<double>(onsets);

  // 2. Number the points in rank order.
  WholeMesh whole;
  ranks.rethrowOnAll([&] {
    std::unordered_map<std::int64_t, vtkIdType> known;
    std::vector<std::uint8_t> isHidden;
    vtkNew<vtkPoints> points;
    points->SetDataTypeToDouble();
    whole.mesh = vtkSmartPointer<vtkUnstructuredGrid>::New();
    whole.mesh->SetPoints(points);
    for (std::size_t r = 0; r < places.size(); ++r) {
      std::vector<vtkIdType> number(namesOf[r].size());
      for (std::size_t v = 0; v < number.size(); ++v) {
        const vtkIdType next = points->GetNumberOfPoints();
        const std::int64_t name = namesOf[r][v];
        number[v] = name < 0 ? next : known.emplace(name, next).first->second;
        if (number[v] != next) continue;
        points->InsertNextPoint(&places[r][3 * v]);
        whole.onsets.push_back(times[r].empty() ? std::numeric_limits<double>::quiet_NaN() : times[r][v]);
      }
      if (int(r) == ranks.index()) whole.firstCell = whole.mesh->GetNumberOfCells();
      for (std::size_t c = 0; 4 * c < cells[r].size(); ++c) {
        vtkIdType corners[4];
        const int count = cells[r][4 * c + 3] < 0 ? 3 : 4;
        for (int k = 0; k < count; ++k) corners[k] = number[std::size_t(cells[r][4 * c + std::size_t(k)])];
        whole.mesh->InsertNextCell(count == 3 ? VTK_TRIANGLE : VTK_TETRA, count, corners);
        isHidden.push_back(hidden[r].empty() ? 0 : hidden[r][c]);
      }
      if (int(r) == ranks.index()) whole.points = std::move(number);
    }
    if (std::ranges::count(isHidden, 0) < std::ptrdiff_t(isHidden.size()))
      hide(isHidden, vtkDataSetAttributes::HIDDENCELL, whole.mesh->GetCellData());
    if (std::ranges::all_of(times, [](const auto& of) { return of.empty(); })) whole.onsets.clear();
  });
  return whole;
}

void copyPart(vtkPointSet* from, const WholeMesh& whole, vtkPointSet* out) {
  vtkNew<vtkIdList> points, cells;
  points->SetNumberOfIds(out->GetNumberOfPoints());
  std::copy(whole.points.begin(), whole.points.end(), points->begin());
  cells->SetNumberOfIds(out->GetNumberOfCells());
  std::iota(cells->begin(), cells->end(), whole.firstCell);
  copyTuples(from->GetPointData(), points, vtkDataSetAttributes::HIDDENPOINT, out->GetPointData());
  copyTuples(from->GetCellData(), cells, vtkDataSetAttributes::HIDDENCELL, out->GetCellData());
  if (points->GetNumberOfIds() > 0) out->GetPointData()->SetActiveScalars("TravelTime");
  for (int a = 0; a < from->GetFieldData()->GetNumberOfArrays(); ++a)
    out->GetFieldData()->AddArray(from->GetFieldData()->GetAbstractArray(a));
}

} // namespace isochrone::filters
