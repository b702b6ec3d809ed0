#include "Common/SeedRuns.h"

#include "Common/Fields.h"
#include "Common/SeedsAndTips.h"
#include "Common/TimeOrigin.h"

#include <vtkDoubleArray.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkTable.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <string>
#include <utility>

namespace isochrone::filters {

std::size_t PointGroups::pointCount() const {
  std::size_t count = 0;
  for (const std::vector<std::size_t>& group : points) count += group.size();
  return count;
}

PointGroups groupsOf(const Places& places, bool byLabel) {
  PointGroups groups;
  std::map<std::int32_t, std::size_t> known; // labels
  for (std::size_t p = 0; p < places.size(); ++p) {
    const std::int32_t label = places.labels[p];
    const std::size_t group = byLabel ? known.try_emplace(label, groups.size()).first->second : p;
    if (group == groups.size()) {
      groups.points.emplace_back();
      groups.labels.push_back(label);
    }
    groups.points[group].push_back(p);
  }
  return groups;
}

vtkSmartPointer<vtkPolyData> onlyPoints(vtkPolyData* points, std::span<const std::size_t> numbers) {
  auto some = vtkSmartPointer<vtkPolyData>::New();
  vtkNew<vtkPoints> places;
  places->SetDataTypeToDouble();
  some->SetPoints(places);
  vtkPointData *from = points->GetPointData(), *to = some->GetPointData();
  to->CopyAllOn();
  to->CopyAllocate(from, vtkIdType(numbers.size()));
  const auto label = named<vtkIntArray>(arrays::label);
  for (const std::size_t number : numbers) {
    to->CopyData(from, vtkIdType(number), places->InsertNextPoint(points->GetPoint(vtkIdType(number))));
    label->InsertNextValue(int(number));
  }
  if (!from->GetAbstractArray(arrays::label)) to->AddArray(label);
  return some;
}

Places onlyPlaces(const Places& places, std::span<const std::size_t> numbers) {
  Places some;
  for (const std::size_t number : numbers) {
    some.positions.push_back(places.positions[number]);
    some.startValues.push_back(places.startValues[number]);
    some.labels.push_back(places.labels[number]);
  }
  return some;
}

bool answers(const SeedRunRequest& known, const SeedRunRequest& wanted) {
  return known.seedGroups.points == wanted.seedGroups.points && (known.keepsFields || !wanted.keepsFields) &&
         (known.residual || !wanted.residual);
}

SeedRunPlan planOf(const SeedRunRequest& request, bool symmetric, const SeedRunNeeds& needs) {
  const std::size_t runs = request.seedGroups.size();
  double kept = 0;
  if (request.keepsFields) {
    kept = needs.field * double(runs);
    requireHostMemory(std::size_t(std::min(needs.run + kept, 9e18)),
                      needs.fieldName + " from each of " + std::to_string(runs) + " seeds");
  }
  return {runs,
          request.tipGroups,
          symmetric,
          request.keepsFields,
          chooseRunsAtOnce(std::int64_t(runs), needs.threads, needs.run, kept),
          chooseBackend(needs.backend, 0).backend == Backend::Cuda,
          needs.threads};
}

std::vector<TableEntry> entriesOf(std::span<const Path> paths, const PointGroups& tips) {
  std::vector<TableEntry> entries;
  const std::size_t count = tips.pointCount();
  for (std::size_t first = 0; first < paths.size(); first += count)
    for (const std::vector<std::size_t>& group : tips.points) {
      TableEntry& best = entries.emplace_back();
      for (const std::size_t tip : group) {
        const Path& path = paths[first + tip];
        if (path.size() > 0 && !(best.travelTime <= path.travelTime.back()))
          best = {path.travelTime.back(), path.length};
      }
    }
  return entries;
}

void mirror(std::vector<TableEntry>& table, std::size_t groups) {
  for (std::size_t s = 1; s < groups; ++s)
    for (std::size_t t = 0; t < s; ++t) table[s * groups + t] = table[t * groups + s];
}

std::optional<SeedRunPaths> runEachSeed(const SeedRunPlan& plan, const Monitor& monitor, const RunSeed& run) {
  const std::size_t tips = plan.tips.pointCount(), groups = plan.tips.size();
  SeedRunPaths all;
  all.table.resize(plan.runs * groups);
  if (plan.keepsPaths) all.paths.resize(plan.runs * tips);
  std::atomic<bool> stopped{false};
  const auto runOne = [&](std::int64_t n, int threads, const Monitor& own) -> std::optional<Backend> {
    const auto number = std::size_t(n);
    const bool skips =
        plan.symmetric && !plan.keepsPaths && groups == tips; // entries that mirror() overwrites
    const std::size_t firstTip = skips ? number : 0;
    SeedRun one = run(number, firstTip, threads, own);
    if (one.paths.size() < tips - firstTip) {
      stopped = true;
      return one.ranOn;
    }
    one.paths.insert(one.paths.begin(), firstTip, Path());
    std::ranges::copy(entriesOf(one.paths, plan.tips), all.table.begin() + std::ptrdiff_t(number * groups));
    if (plan.keepsPaths) std::ranges::move(one.paths, all.paths.begin() + std::ptrdiff_t(number * tips));
    return one.ranOn;
  };
  if (!forEachRun(std::int64_t(plan.runs), plan.onHost, plan.mayUseDevice, plan.threads, monitor, runOne) ||
      stopped)
    return {};
  if (plan.symmetric) mirror(all.table, plan.runs);
  return all;
}

vtkSmartPointer<vtkDataArray> timesOfRun(std::size_t run, std::span<const float> times,
                                         const TimeOrigin& origin, std::int64_t points) {
  const std::vector<float> never(times.empty() ? std::size_t(points) : 0,
                                 std::numeric_limits<float>::infinity());
  return origin.array(("TravelTime" + std::to_string(run)).c_str(),
                      times.empty() ? std::span<const float>(never) : times);
}

vtkSmartPointer<vtkTable> tableOf(std::span<const TableEntry> entries, const PointGroups& seeds,
                                  const PointGroups& tips) {
  const auto rows = vtkIdType(entries.size());
  const auto seed = named<vtkIntArray>("Seed", rows), tip = named<vtkIntArray>("Tip", rows);
  const auto time = named<vtkDoubleArray>("TravelTime", rows), length = named<vtkDoubleArray>("Length", rows);
  const auto reached = named<vtkUnsignedCharArray>("Reached", rows);
  for (vtkIdType row = 0; row < rows; ++row) {
    const auto n = std::size_t(row);
    seed->SetValue(row, seeds.labels[n / tips.size()]);
    tip->SetValue(row, tips.labels[n % tips.size()]);
    time->SetValue(row, entries[n].travelTime);
    length->SetValue(row, entries[n].length);
    reached->SetValue(row, entries[n].isReached());
  }
  auto table = vtkSmartPointer<vtkTable>::New();
  for (vtkDataArray* column : std::initializer_list<vtkDataArray*>{seed, tip, time, length, reached})
    table->AddColumn(column);
  return table;
}

} // namespace isochrone::filters
