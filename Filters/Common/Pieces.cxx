#include "Common/Pieces.h"

#include "Common/Fields.h"
#include "Common/Ranks.h"

#include <vtkAlgorithm.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkDataObject.h>
#include <vtkExtentTranslator.h>
#include <vtkImageData.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkMatrix3x3.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkStreamingDemandDrivenPipeline.h>

#include <algorithm>
#include <cstring>

namespace isochrone::filters {

using Pipeline = vtkStreamingDemandDrivenPipeline;

namespace {

vtkInformation* requestedOutput(vtkInformation* request, vtkInformationVector* outputs) {
  const int port =
      request->Has(Pipeline::FROM_OUTPUT_PORT()) ? request->Get(Pipeline::FROM_OUTPUT_PORT()) : 0;
  return outputs->GetInformationObject(std::max(port, 0));
}

/// Returns whether a class of algorithms is upstream of a filter's first port.
bool comesThrough(const char* algorithms, vtkAlgorithm* filter) {
  for (int c = 0; filter->GetNumberOfInputPorts() > 0 && c < filter->GetNumberOfInputConnections(0); ++c) {
    vtkAlgorithm* before = filter->GetInputAlgorithm(0, c);
    if (before && (before->IsA(algorithms) || comesThrough(algorithms, before))) return true;
  }
  return false;
}

/// Calls f(from, to, count) for each row of the samples in `kept`: their numbers before and after.
template <class F>
void forEachRow(const Extent& before, const Extent& kept, F&& f) {
  const vtkIdType count = kept[1] - kept[0] + 1;
  vtkIdType to = 0;
  for (int k = kept[4]; k <= kept[5]; ++k)
    for (int j = kept[2]; j <= kept[3]; ++j, to += count) f(numberOf({kept[0], j, k}, before), to, count);
}

void crop(vtkDataSetAttributes* data, const Extent& before, const Extent& kept, bool inPlace) {
  int active[vtkDataSetAttributes::NUM_ATTRIBUTES];
  data->GetAttributeIndices(active);
  // The first array becomes the last one, until all have had their turn. Arrays may lack a name.
  for (int left = data->GetNumberOfArrays(); left > 0; --left) {
    const vtkSmartPointer<vtkAbstractArray> array = data->GetAbstractArray(0);
    auto own = vtk::TakeSmartPointer(array->NewInstance());
    own->SetName(array->GetName());
    own->SetNumberOfComponents(array->GetNumberOfComponents());
    own->CopyComponentNames(array);
    own->CopyInformation(array->GetInformation()); // without the ranges of before
    if (!inPlace) allocate(own, sizeOf(kept));
    vtkAbstractArray* target = inPlace ? array : own;
    if (hasValuesInMemory(array)) {
      const std::size_t tuple =
          std::size_t(array->GetNumberOfComponents()) * std::size_t(array->GetDataTypeSize());
      const auto* from = static_cast<const char*>(array->GetVoidPointer(0));
      auto* to = static_cast<char*>(target->GetVoidPointer(0));
      forEachRow(before, kept, [&](vtkIdType first, vtkIdType n, vtkIdType count) {
        std::memmove(to + std::size_t(n) * tuple, from + std::size_t(first) * tuple,
                     std::size_t(count) * tuple);
      });
    } else {
      forEachRow(before, kept, [&](vtkIdType first, vtkIdType n, vtkIdType count) {
        for (vtkIdType t = 0; t < count; ++t) target->SetTuple(n + t, first + t, array);
      });
    }
    if (inPlace) {
      array->Resize(sizeOf(kept));
      array->CopyInformation(own->GetInformation());
    }
    data->RemoveArray(0);
    data->AddArray(target);
  }
  for (int type = 0; type < vtkDataSetAttributes::NUM_ATTRIBUTES; ++type)
    if (active[type] >= 0) data->SetActiveAttribute(active[type], type);
}

} // namespace

void crop(vtkImageData* image, const Extent& kept, bool inPlace) {
  Extent before;
  image->GetExtent(before.data());
  if (kept == before) return;
  const Extent cells = cellExtent(before);
  Extent keptCells = cellExtent(kept);
  for (int e = 0; e < 6; ++e) // a plane of the last points has the last cells
    keptCells[e] = std::min(keptCells[e], cells[e | 1]);
  crop(image->GetPointData(), before, kept, inPlace);
  crop(image->GetCellData(), cells, keptCells, inPlace);
  image->SetExtent(const_cast<int*>(kept.data()));
}

void requestWhole(vtkInformationVector** inputs, int ports) {
  for (int port = 0; port < ports; ++port) {
    for (int c = 0; c < inputs[port]->GetNumberOfInformationObjects(); ++c) {
      vtkInformation* info = inputs[port]->GetInformationObject(c);
      if (info->Has(Pipeline::WHOLE_EXTENT())) { // composite inputs have none
        info->Set(Pipeline::UPDATE_EXTENT(), info->Get(Pipeline::WHOLE_EXTENT()), 6);
      }
      info->Set(Pipeline::UPDATE_PIECE_NUMBER(), 0);
      info->Set(Pipeline::UPDATE_NUMBER_OF_PIECES(), 1);
      info->Set(Pipeline::UPDATE_NUMBER_OF_GHOST_LEVELS(), 0);
    }
  }
}

void announce(vtkInformation* output, vtkImageData* frame) {
  vtkNew<vtkImageData> empty;
  if (!frame) frame = empty;
  output->Set(Pipeline::WHOLE_EXTENT(), frame->GetExtent(), 6);
  output->Set(vtkDataObject::ORIGIN(), frame->GetOrigin(), 3);
  output->Set(vtkDataObject::SPACING(), frame->GetSpacing(), 3);
  output->Set(vtkDataObject::DIRECTION(), frame->GetDirectionMatrix()->GetData(), 9);
  output->Set(vtkAlgorithm::CAN_PRODUCE_SUB_EXTENT(), 1);
}

Extent extentOf(vtkImageData* image) {
  Extent extent;
  image->GetExtent(extent.data());
  return extent;
}

bool announced(vtkInformation* input, vtkImageData* frame) {
  if (!input || !input->Has(Pipeline::WHOLE_EXTENT())) return false;
  if (!vtkImageData::SafeDownCast(input->Get(vtkDataObject::DATA_OBJECT()))) return false;
  frame->SetExtent(input->Get(Pipeline::WHOLE_EXTENT()));
  if (input->Has(vtkDataObject::ORIGIN())) frame->SetOrigin(input->Get(vtkDataObject::ORIGIN()));
  if (input->Has(vtkDataObject::SPACING())) frame->SetSpacing(input->Get(vtkDataObject::SPACING()));
  if (input->Has(vtkDataObject::DIRECTION()))
    frame->SetDirectionMatrix(input->Get(vtkDataObject::DIRECTION()));
  return true;
}

Piece requestedPiece(vtkInformation* request, vtkInformationVector* outputs) {
  vtkInformation* info = requestedOutput(request, outputs);
  if (!info->Has(Pipeline::UPDATE_PIECE_NUMBER()) || !info->Has(Pipeline::UPDATE_NUMBER_OF_PIECES()))
    return {};
  return {info->Get(Pipeline::UPDATE_PIECE_NUMBER()),
          std::max(1, info->Get(Pipeline::UPDATE_NUMBER_OF_PIECES()))};
}

Extent pieceExtent(const Piece& piece, int ghostLevels, const Extent& whole) {
  vtkNew<vtkExtentTranslator> translator;
  Extent from = whole, extent{};
  if (!translator->PieceToExtentThreadSafe(piece.number, piece.count, ghostLevels, from.data(), extent.data(),
                                           translator->GetSplitMode(), 0))
    return {0, -1, 0, -1, 0, -1};
  return extent;
}

Extent requestedExtent(vtkInformation* request, vtkInformationVector* outputs, int port,
                       const Extent& whole) {
  const Piece piece = requestedPiece(request, outputs);
  vtkInformation* info = outputs->GetInformationObject(port);
  if (piece.count == 1) return whole;
  const bool isRequested = info == requestedOutput(request, outputs);
  if (isRequested && request->Has(vtkDemandDrivenPipeline::REQUEST_DATA())) {
    Extent extent{0, -1, 0, -1, 0, -1};
    info->Get(Pipeline::UPDATE_EXTENT(), extent.data());
    return extent;
  }
  // The extent is unknown in this pass, or this output was not requested: use the extent of the piece.
  const int ghosts = isRequested ? info->Get(Pipeline::UPDATE_NUMBER_OF_GHOST_LEVELS()) : 0;
  return pieceExtent(piece, ghosts, whole);
}

void keepPiece(vtkInformation* request, vtkInformationVector* outputs, int port) {
  auto* image = vtkImageData::GetData(outputs, port);
  keepPiece(request, outputs, port, extentOf(image), image);
}

void keepPiece(vtkInformation* request, vtkInformationVector* outputs, int port, const Extent& whole) {
  keepPiece(request, outputs, port, whole, vtkImageData::GetData(outputs, port));
}

void keepPiece(vtkInformation* request, vtkInformationVector* outputs, int port, const Extent& whole,
               vtkImageData* image) {
  if (requestedPiece(request, outputs).count == 1 || image->GetNumberOfPoints() == 0) return;
  Extent extent = requestedExtent(request, outputs, port, whole);
  if (empty(extent))
    image->Initialize();
  else
    crop(image, extent);
}

bool announcedInPieces(vtkAlgorithm* filter, vtkInformation* input, vtkImageData* frame) {
  return Ranks().count() > 1 && announced(input, frame) && !comesThrough("vtkResampleToImage", filter);
}

std::optional<PiecePlan> planPiece(const Extent& whole, const Extent& owned,
                                   const std::array<double, 3>& layers) {
  if (empty(owned) || !contains(whole, owned)) return {};
  PiecePlan plan{whole, owned, owned};
  for (int a = 0; a < 3; ++a) {
    const int size = whole[2 * a + 1] - whole[2 * a] + 1;
    const int more = layers[a] < size ? int(layers[a]) : size;
    plan.needed[2 * a] = std::max(owned[2 * a] - more, whole[2 * a]);
    plan.needed[2 * a + 1] = std::min(owned[2 * a + 1] + more, whole[2 * a + 1]);
  }
  return plan;
}

void requestPart(const PiecePlan& plan, vtkInformation* input) {
  input->Set(Pipeline::UPDATE_EXTENT(), plan.needed.data(), 6);
}

vtkSmartPointer<vtkImageData> neededImage(const Ranks& ranks, vtkImageData* image,
                                          std::optional<PiecePlan>& plan) {
  ranks.requireSame(image, "image");
  Extent extent;
  image->GetExtent(extent.data());
  if (ranks.any(!plan || !contains(extent, plan->needed))) {
    plan.reset();
    return ranks.gatherImage(image);
  }
  auto part = vtkSmartPointer<vtkImageData>::New();
  part->ShallowCopy(image);
  ranks.rethrowOnAll([&] { crop(part, plan->needed); });
  return part;
}

vtkSmartPointer<vtkImageData> wholeOf(vtkImageData* image, const std::optional<PiecePlan>& plan) {
  if (!plan) return image;
  auto whole = vtkSmartPointer<vtkImageData>::New();
  whole->CopyStructure(image);
  whole->SetExtent(const_cast<int*>(plan->whole.data()));
  return whole;
}

} // namespace isochrone::filters
