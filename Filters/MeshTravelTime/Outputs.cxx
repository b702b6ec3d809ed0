#include "MeshTravelTime/Outputs.h"

#include "Common/Fields.h"
#include "Common/Ranks.h"
#include "Common/SeedsAndTips.h"
#include "Common/TravelTimeSeeds.h"
#include "MeshTravelTime/Input.h"
#include "MeshTravelTime/Problem.h"
#include "MeshTravelTime/Seeds.h"

#include <vtkCellData.h>
#include <vtkDataSet.h>
#include <vtkFloatArray.h>
#include <vtkPointData.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <sstream>

namespace isochrone::filters {

namespace {

/// Returns the number of points used by cells that coincide with an earlier one.
std::int64_t duplicates(const mesh::Problem& p, const std::vector<std::uint8_t>& used) {
  using Place = std::array<double, 3>;
  std::vector<Place> places;
  for (std::int64_t v = 0; v < p.vertexCount(); ++v) {
    if (!used[v]) continue;
    const auto i = std::size_t(3 * v);
    places.push_back({p.points[i], p.points[i + 1], p.points[i + 2]});
  }
  std::sort(places.begin(), places.end());
  return places.end() - std::unique(places.begin(), places.end());
}

struct Counts {
  double leftOut = 0, notDivided = 0, unused = 0, duplicate = 0, cutOff = 0, points = 0, noFrame = 0,
         notDefinite = 0, straightened = 0, obtuse = 0;
};

/// Only the owner of a shared vertex includes it.
Counts countsOf(const MeshInput& input, const mesh::Problem& p, const mesh::SharedVertices& shared,
                const mesh::Result& result) {
  Counts counts;
  std::vector<std::uint8_t> used(std::size_t(p.vertexCount()));
  for (const std::int64_t v : p.cells)
    if (v >= 0) used[std::size_t(v)] = 1;
  counts.leftOut = double(input.leftOut);
  counts.notDivided = double(input.notDivided);
  counts.unused = double(std::count(used.begin(), used.end(), 0));
  counts.duplicate = double(duplicates(p, used));
  for (std::size_t i = 0; i < shared.vertices.size(); ++i)
    if (!shared.owned[i]) used[std::size_t(shared.vertices[i])] = 0;
  for (std::size_t v = 0; v < used.size(); ++v) {
    counts.points += used[v];
    counts.cutOff += used[v] && result.open[v] && !std::isfinite(result.travelTime[v]);
  }
  counts.noFrame = double(result.barriers.noFrame);
  counts.notDefinite = double(result.barriers.notDefinite);
  counts.straightened = double(result.straightened.count);
  counts.obtuse = double(result.obtuseAngles);
  return counts;
}

std::string number(double count) { return std::to_string(std::int64_t(count)); }

} // namespace

double latestOf(const mesh::Result& result) {
  double last = 0;
  for (const float time : result.travelTime)
    if (std::isfinite(time)) last = std::max(last, double(time));
  return last;
}

const char* nameOf(mesh::Method method) {
  switch (method) {
  case mesh::Method::Automatic:
    break;
  case mesh::Method::Band:
    return "Band";
  case mesh::Method::PlainFim:
    return "Plain FIM";
  case mesh::Method::DecomposedManyBlocks:
    return "Decomposed Many Blocks";
  case mesh::Method::DecomposedOneBlock:
    return "Decomposed One Block";
  }
  return "Automatic";
}

void attachTravelTime(const mesh::Result& result, const MeshSeeds& seeds, double last, vtkDataSet* out) {
  removeSeedsOf("TravelTime", out);
  vtkPointData* data = out->GetPointData();
  std::vector<float> time(result.travelTime.begin(), result.travelTime.end());
  time.push_back(float(last)); // so that all ranks choose the same precision
  const vtkSmartPointer<vtkDataArray> array = seeds.origin.array("TravelTime", time);
  array->SetNumberOfTuples(vtkIdType(time.size()) - 1);
  data->AddArray(array);
  data->AddArray(seedIdArray(result.travelTime, result.seed, seeds.labels));
  data->AddArray(reachedArray(result.travelTime));
  data->SetActiveScalars("TravelTime");
}

void attachConduction(const mesh::ConductionField& field, bool direction, bool speed, vtkDataSet* out) {
  const auto add = [&](const char* name, const Values<float>& values, int components) {
    auto array = named<vtkFloatArray>(name, vtkIdType(values.size()) / components, components);
    std::copy(values.begin(), values.end(), array->GetPointer(0));
    out->GetCellData()->AddArray(array);
  };
  if (direction) add("ConductionDirection", field.direction, 3);
  if (speed) add("ConductionSpeed", field.speed, 1);
}

void blankUnreached(std::span<const float> travelTime, const mesh::Problem& problem, vtkDataSet* out) {
  std::vector<std::uint8_t> points(travelTime.size()), cells(std::size_t(problem.cellCount()));
  for (std::size_t v = 0; v < points.size(); ++v) points[v] = !std::isfinite(travelTime[v]);
  for (std::size_t i = 0; i < problem.cells.size(); ++i)
    if (const std::int64_t v = problem.cells[i]; v >= 0) cells[i / 4] |= points[std::size_t(v)];
  hide(points, vtkDataSetAttributes::HIDDENPOINT, out->GetPointData());
  hide(cells, vtkDataSetAttributes::HIDDENCELL, out->GetCellData());
}

std::vector<std::string> seedStatus(const Ranks& ranks, const mesh::Result& result, const MeshSeeds& seeds,
                                    const std::vector<MeshPlace>& places) {
  std::vector<double> usable(places.size()), atVertex(places.size());
  for (std::size_t s = 0; s < seeds.seeds.size(); ++s)
    if (seeds.points[s] < places.size() && result.usable[s]) usable[seeds.points[s]] = 1;
  for (std::size_t p = 0; p < places.size(); ++p) atVertex[p] = !places[p].vertices.empty();
  usable = ranks.allMax(usable);
  atVertex = ranks.allMax(atVertex);
  std::vector<std::string> status;
  for (std::size_t p = 0; p < places.size(); ++p)
    status.push_back(usable[p] == 0        ? "InBarrier"
                     : places[p].moved > 0 ? "Moved"
                     : atVertex[p] != 0    ? "AtVertex"
                                           : "InCell");
  return status;
}

std::string seedsInBarriers(const Places& points, const std::vector<std::string>& status) {
  const Faults closed = faultsOf(points, "seed", [&](std::size_t p) -> std::string {
    return status[p] == "InBarrier" ? "touches only barriers" : "";
  });
  if (closed.count == 0) return {};
  return std::to_string(closed.count) + " of " + std::to_string(points.size()) +
         " seeds are not used: " + closed.list;
}

std::string blurredStart(const MeshSeeds& seeds, std::size_t seed) {
  std::ostringstream text;
  text << "seed " << seeds.points[seed] << " starts " << seeds.seeds[seed].startTime
       << " after the earliest one, so late that single precision blurs its front by more than a sixteenth "
          "of an "
          "edge: give start times closer together";
  return text.str();
}

std::vector<std::string> meshWarnings(const Ranks& ranks, const MeshInput& input, const MeshProblem& problem,
                                      const mesh::SharedVertices& shared, const mesh::Result& result) {
  Counts all;
  ranks.rethrowOnAll([&] { all = countsOf(input, problem.problem, shared, result); });
  for (double* count : {&all.leftOut, &all.notDivided, &all.unused, &all.duplicate, &all.cutOff, &all.points,
                        &all.noFrame, &all.notDefinite, &all.straightened, &all.obtuse})
    *count = ranks.sum(*count);
  const auto first = [&](std::int64_t cell) {
    return cell < 0 ? std::string() : ", the first one is " + problem.problem.cellName(cell);
  };
  std::vector<std::string> warnings;
  if (all.leftOut > 0)
    warnings.push_back(number(all.leftOut) + " cells are points or lines: they are ignored");
  if (all.notDivided > 0)
    warnings.push_back(number(all.notDivided) +
                       " triangles of polygons are missing, since their polygons could not be divided: apply "
                       "Triangulate, or repair them");
  if (input.divided && ranks.count() > 1)
    warnings.push_back(
        "cells were divided into tetrahedra on each rank separately, so faces between ranks may not "
        "match: apply Tetrahedralize before the mesh is distributed");
  if (all.duplicate > 0)
    warnings.push_back(number(all.duplicate) +
                       " points coincide with another one: waves do not pass between them, apply " +
                       (input.isSurface ? "Clean" : "Clean To Grid") + " to merge them");
  if (all.unused > 0)
    warnings.push_back(number(all.unused) + " points belong to no cell: they are unreached");
  if (all.noFrame > 0)
    warnings.push_back(number(all.noFrame) +
                       " cells are barriers since their fibre has no length, or their sheet is "
                       "parallel to it" +
                       first(result.barriers.firstNoFrame));
  if (all.notDefinite > 0)
    warnings.push_back(number(all.notDefinite) +
                       " cells are barriers since their tensor is not positive definite" +
                       first(result.barriers.firstNotDefinite));
  if (all.straightened > 0)
    warnings.push_back(
        number(all.straightened) +
        " cells have an edge that waves pass in less than 0.003 of the time along their longest "
        "one: arrivals there may be early or late by the time along that edge" +
        first(result.straightened.first));
  if (all.obtuse > 0)
    warnings.push_back(
        number(all.obtuse) +
        " obtuse angles of triangles are not unfolded, since the mesh is distributed over ranks: "
        "times behind them are later than on one rank, run on one rank for the same times");
  if (all.cutOff > 0)
    warnings.push_back(number(all.cutOff) + " of " + number(all.points) +
                       " points are unreached: no wave enters their part of the mesh");
  return warnings;
}

} // namespace isochrone::filters
