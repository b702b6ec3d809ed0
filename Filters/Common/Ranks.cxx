#include "Common/Ranks.h"

#include "Backend.h"
#include "Common/Extents.h"
#include "Error.h"
#include "Grid/GridPart.h"

#include <vtkAbstractArray.h>
#include <vtkAppendPolyData.h>
#include <vtkCellData.h>
#include <vtkCommunicator.h>
#include <vtkDataArray.h>
#include <vtkFieldData.h>
#include <vtkImageData.h>
#include <vtkMatrix3x3.h>
#include <vtkMultiProcessController.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkUnsignedCharArray.h>
#include <vtkWeakPointer.h>
#include <vtksys/SystemInformation.hxx>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <set>
#include <string>
#include <vector>

namespace isochrone::filters {

namespace {

using Pieces = std::vector<vtkSmartPointer<vtkDataObject>>;

/// Allocates arrays in `out` like the arrays of `in`.
void allocateLike(vtkDataSetAttributes* in, vtkIdType tuples, vtkDataSetAttributes* out) {
  out->CopyAllOn();
  out->CopyAllocate(in, tuples);
  out->SetNumberOfTuples(tuples);
  for (int a = 0; a < out->GetNumberOfArrays(); ++a) {
    if (auto* numbers = out->GetArray(a)) numbers->Fill(0);
  }
}

/// Returns the bytes of one tuple of all arrays.
std::size_t tupleBytes(vtkDataSetAttributes* data) {
  std::size_t bytes = 0;
  for (int a = 0; a < data->GetNumberOfArrays(); ++a)
    if (auto* array = data->GetArray(a))
      bytes += std::size_t(array->GetDataTypeSize()) * std::size_t(array->GetNumberOfComponents());
  return bytes;
}

/// Copies one piece into the whole. Skips ghost copies (`ghost` is their bit), since their owner sends them.
void place(vtkDataSetAttributes* in, const Extent& part, vtkDataSetAttributes* out, const Extent& whole,
           int ghost) {
  auto* ghosts =
      vtkUnsignedCharArray::SafeDownCast(in->GetAbstractArray(vtkDataSetAttributes::GhostArrayName()));
  for (int a = 0; a < out->GetNumberOfArrays(); ++a) {
    vtkAbstractArray* target = out->GetAbstractArray(a);
    vtkAbstractArray* source = target->GetName() ? in->GetAbstractArray(target->GetName()) : nullptr;
    if (!source || source->GetNumberOfTuples() != sizeOf(part)) continue;
    vtkIdType from = 0;
    for (int k = part[4]; k <= part[5]; ++k) {
      for (int j = part[2]; j <= part[3]; ++j) {
        vtkIdType to = numberOf({part[0], j, k}, whole);
        for (int i = part[0]; i <= part[1]; ++i, ++from, ++to) {
          if (!ghosts || !(ghosts->GetValue(from) & ghost)) target->SetTuple(to, from, source);
        }
      }
    }
  }
}

/// Returns the position and all array values of a point as bytes, for comparison.
std::string identity(vtkPolyData* points, vtkIdType p) {
  double at[3];
  points->GetPoint(p, at);
  std::string key(reinterpret_cast<const char*>(at), sizeof(at));
  vtkPointData* data = points->GetPointData();
  for (int a = 0; a < data->GetNumberOfArrays(); ++a) {
    auto* array = data->GetArray(a);
    for (int c = 0; array && c < array->GetNumberOfComponents(); ++c) {
      const double value = array->GetComponent(p, c);
      key.append(reinterpret_cast<const char*>(&value), sizeof(value));
    }
  }
  return key;
}

} // namespace

Ranks::Ranks() : controller(vtkMultiProcessController::GetGlobalController()) {
  if (!controller) return;
  rank = controller->GetLocalProcessId();
  number = controller->GetNumberOfProcesses();
}

Ranks Ranks::alone() {
  Ranks one;
  one.controller = nullptr;
  one.rank = 0;
  one.number = 1;
  return one;
}

const Ranks::Node& Ranks::node() const {
  static const Node alone{{0}, 0};
  if (number == 1) return alone;
  static Node known;                                                // a process stays on its node
  static auto& of = *new vtkWeakPointer<vtkMultiProcessController>; // outlives VTK's own statics
  if (of == controller) return known;
  using Name = std::array<char, 256>;
  Name local{};
  vtksys::SystemInformation system;
  const char* host = system.GetHostname();
  std::strncpy(local.data(), host ? host : "", local.size() - 1);
  std::vector<Name> names(number);
  controller->AllGather(local.data(), names[0].data(), vtkIdType(local.size()));
  known = {};
  for (int r = 0; r < number; ++r) {
    if (r == rank) known.index = known.count();
    if (names[r] == local) known.ranks.push_back(r);
  }
  of = controller;
  return known;
}

void Ranks::shareNode(double size) const {
  const Node& mine = node();
  shareHostCores(mine.count());
  if (number == 1) return;
  // A small part also needs memory that does not depend on its size. 2^16 points take some megabytes.
  constexpr double smallest = 1 << 16;
  const double local = size + smallest;
  const auto sizes = gather<double>({&local, 1});
  // No rank takes memory before all have measured how much is free.
  const std::size_t measured = freeHostMemory();
  const auto free = gather<std::size_t>({&measured, 1});
  if (mine.count() == 1) return;
  double sum = 0;
  std::size_t minimum = measured;
  for (const int r : mine.ranks) sum += sizes[r][0], minimum = std::min(minimum, free[r][0]);
  shareHostMemory({mine.count(), local / sum, minimum});
  useCudaDevice(mine.index);
}

void Ranks::rethrowOnAll(const std::function<void()>& step) const {
  std::string message;
  int culprit = number; // none
  try {
    step();
  } catch (const std::bad_alloc&) {
    message = "there is not enough memory: use a smaller grid";
    culprit = rank;
  } catch (const grid::OtherPartStopped&) {
  } catch (const std::exception& error) {
    message = error.what();
    culprit = rank;
  }
  if (number > 1) {
    const int local = culprit;
    controller->AllReduce(&local, &culprit, 1, vtkCommunicator::MIN_OP);
    if (culprit < number) {
      const std::string own = message;
      int length = int(message.size());
      controller->Broadcast(&length, 1, culprit);
      message.resize(length);
      controller->Broadcast(message.data(), length, culprit);
      if (any(own != message)) message = "on rank " + std::to_string(culprit) + ": " + message;
    }
  }
  if (culprit < number) throw Error(message);
}

bool Ranks::any(bool condition) const {
  const int local = condition;
  int largest = local;
  if (number > 1) controller->AllReduce(&local, &largest, 1, vtkCommunicator::MAX_OP);
  return largest != 0;
}

double Ranks::sum(double local) const {
  double all = local;
  if (number > 1) controller->AllReduce(&local, &all, 1, vtkCommunicator::SUM_OP);
  return all;
}

std::vector<double> Ranks::allMax(std::vector<double> local) const {
  std::vector<double> all = local;
  if (number > 1 && !local.empty())
    controller->AllReduce(local.data(), all.data(), vtkIdType(local.size()), vtkCommunicator::MAX_OP);
  return all;
}

void Ranks::allMin(std::span<double> values) const {
  if (number == 1) return;
  std::array<double, 64> local; // no allocation, since a rank without memory says so by this
  while (!values.empty()) {
    const std::size_t count = std::min(local.size(), values.size());
    std::copy_n(values.begin(), count, local.begin());
    controller->AllReduce(local.data(), values.data(), vtkIdType(count), vtkCommunicator::MIN_OP);
    values = values.subspan(count);
  }
}

void Ranks::allMax(std::span<std::int32_t> values) const {
  const std::vector<std::int32_t> local(values.begin(), values.end());
  if (number > 1 && !local.empty())
    controller->AllReduce(local.data(), values.data(), vtkIdType(local.size()), vtkCommunicator::MAX_OP);
}

std::vector<std::vector<char>> Ranks::gatherBytes(std::span<const char> local) const {
  if (number == 1) return {{local.begin(), local.end()}};
  const auto size = vtkIdType(local.size());
  std::vector<vtkIdType> sizes(number), begins(number);
  controller->AllGather(&size, sizes.data(), 1);
  vtkIdType total = 0;
  for (int r = 0; r < number; ++r) {
    begins[r] = total;
    total += sizes[r];
  }
  std::vector<char> all;
  std::vector<std::vector<char>> parts;
  rethrowOnAll([&] { // as memory may be short
    all.resize(std::size_t(std::max<vtkIdType>(total, 1)));
    for (int r = 0; r < number; ++r) parts.emplace_back(sizes[r]);
  });
  controller->AllGatherV(local.data(), all.data(), size, sizes.data(), begins.data());
  for (int r = 0; r < number; ++r) std::copy_n(all.begin() + begins[r], sizes[r], parts[r].begin());
  return parts;
}

vtkSmartPointer<vtkImageData> Ranks::gatherImage(vtkImageData* piece) const {
  if (number == 1) return piece;
  requireSame(piece, "image");
  Extent local;
  piece->GetExtent(local.data());
  std::vector<Extent> extents(number);
  controller->AllGather(local.data(), extents[0].data(), 6);
  const Extent bounds = boundingExtent(extents);
  if (empty(bounds) ||
      std::all_of(extents.begin(), extents.end(), [&](const Extent& e) { return e == bounds; })) {
    return piece;
  }

  rethrowOnAll([&] {
    const std::size_t bytes = std::size_t(sizeOf(bounds)) * tupleBytes(piece->GetPointData()) +
                              std::size_t(sizeOf(cellExtent(bounds))) * tupleBytes(piece->GetCellData());
    requireHostMemory(3 * bytes, "the messages, the pieces and the whole of the image on every rank");
  });

  // Ranks without points may not know the geometry or the arrays: take both from the first rank that has
  // points.
  const int model = int(std::find_if_not(extents.begin(), extents.end(), empty) - extents.begin());
  std::array<double, 15> geometry; // origin, spacing, direction
  std::copy_n(piece->GetOrigin(), 3, geometry.begin());
  std::copy_n(piece->GetSpacing(), 3, geometry.begin() + 3);
  std::copy_n(piece->GetDirectionMatrix()->GetData(), 9, geometry.begin() + 6);
  controller->Broadcast(geometry.data(), vtkIdType(geometry.size()), model);
  Pieces pieces;
  controller->AllGather(piece, pieces);

  auto image = vtkSmartPointer<vtkImageData>::New();
  rethrowOnAll([&] {
    image->SetExtent(const_cast<int*>(bounds.data()));
    image->SetOrigin(geometry.data());
    image->SetSpacing(geometry.data() + 3);
    image->SetDirectionMatrix(geometry.data() + 6);
    image->GetFieldData()->PassData(piece->GetFieldData());
    const Extent cells = cellExtent(bounds);
    auto* arrays = vtkDataSet::SafeDownCast(pieces[model]);
    allocateLike(arrays->GetPointData(), sizeOf(bounds), image->GetPointData());
    allocateLike(arrays->GetCellData(), sizeOf(cells), image->GetCellData());
    for (int r = 0; r < number; ++r) {
      auto* part = vtkDataSet::SafeDownCast(pieces[r]);
      if (!part || empty(extents[r])) continue;
      place(part->GetPointData(), extents[r], image->GetPointData(), bounds,
            vtkDataSetAttributes::DUPLICATEPOINT);
      if (hasCellsOf(bounds, extents[r]))
        place(part->GetCellData(), cellExtent(extents[r]), image->GetCellData(), cells,
              vtkDataSetAttributes::DUPLICATECELL);
    }
  });
  return image;
}

vtkSmartPointer<vtkPolyData> Ranks::gatherPoints(vtkPolyData* points) const {
  if (number == 1) return points;
  requireSame(points, "points for seeds or tips");
  Pieces pieces;
  controller->AllGather(points, pieces);
  std::set<std::string> known;
  auto append = vtkSmartPointer<vtkAppendPolyData>::New();
  append->SetOutputPointsPrecision(vtkAlgorithm::DOUBLE_PRECISION);
  for (vtkDataObject* object : pieces) {
    auto* piece = vtkPolyData::SafeDownCast(object);
    if (!piece) continue;
    auto fresh = vtkSmartPointer<vtkPolyData>::New();
    auto positions = vtkSmartPointer<vtkPoints>::New();
    positions->SetDataTypeToDouble();
    fresh->GetPointData()->CopyAllOn();
    fresh->GetPointData()->CopyAllocate(piece->GetPointData());
    std::vector<std::string> added;
    for (vtkIdType p = 0; p < piece->GetNumberOfPoints(); ++p) {
      added.push_back(identity(piece, p));
      if (known.count(added.back())) continue;
      fresh->GetPointData()->CopyData(piece->GetPointData(), p,
                                      positions->InsertNextPoint(piece->GetPoint(p)));
    }
    known.insert(added.begin(), added.end());
    fresh->SetPoints(positions);
    append->AddInputData(fresh);
  }
  append->Update();
  return append->GetOutput();
}

vtkSmartPointer<vtkPolyData> Ranks::gatherSurface(vtkPolyData* surface) const {
  if (number == 1) return surface;
  requireSame(surface, "surface");
  Pieces pieces;
  controller->AllGather(surface, pieces);
  std::set<std::vector<double>> known;
  auto append = vtkSmartPointer<vtkAppendPolyData>::New();
  append->SetOutputPointsPrecision(vtkAlgorithm::DOUBLE_PRECISION);
  for (vtkDataObject* object : pieces) {
    auto* piece = vtkPolyData::SafeDownCast(object);
    if (!piece || piece->GetNumberOfCells() == 0) continue;
    std::vector<double> points{double(piece->GetNumberOfCells())};
    for (vtkIdType p = 0; p < piece->GetNumberOfPoints(); ++p)
      points.insert(points.end(), piece->GetPoint(p), piece->GetPoint(p) + 3);
    if (known.insert(std::move(points)).second) append->AddInputData(piece);
  }
  if (known.empty()) return surface;
  append->Update();
  return append->GetOutput();
}

} // namespace isochrone::filters
