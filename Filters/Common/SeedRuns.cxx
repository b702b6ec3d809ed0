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
#include <string>
#include <utility>

namespace isochrone::filters {

vtkSmartPointer<vtkPolyData> onlyPoint(vtkPolyData* points, int number) {
  auto one = vtkSmartPointer<vtkPolyData>::New();
  vtkNew<vtkPoints> places;
  places->SetDataTypeToDouble();
  places->InsertNextPoint(points->GetPoint(number));
  one->SetPoints(places);
  vtkPointData *from = points->GetPointData(), *to = one->GetPointData();
  to->CopyAllOn();
  to->CopyAllocate(from, 1);
  to->CopyData(from, number, 0);
  if (!from->GetAbstractArray(arrays::label)) {
    const auto label = named<vtkIntArray>(arrays::label, 1);
    label->SetValue(0, number);
    to->AddArray(label);
  }
  return one;
}

std::vector<TableEntry> entriesOf(std::span<const Path> paths) {
  std::vector<TableEntry> entries(paths.size());
  for (std::size_t n = 0; n < paths.size(); ++n)
    if (paths[n].size() > 0) entries[n] = {paths[n].travelTime.back(), paths[n].length};
  return entries;
}

void mirror(std::vector<TableEntry>& table, std::size_t points) {
  for (std::size_t s = 1; s < points; ++s)
    for (std::size_t t = 0; t < s; ++t) table[s * points + t] = table[t * points + s];
}

std::optional<SeedRunPaths> runEachSeed(const SeedRunPlan& plan, const Monitor& monitor, const RunSeed& run) {
  SeedRunPaths all;
  all.table.resize(plan.seeds * plan.tips);
  if (plan.keepsPaths) all.paths.resize(all.table.size());
  std::atomic<bool> stopped{false};
  const auto runOne = [&](std::int64_t n, const Monitor& own) {
    const auto seed = std::size_t(n);
    const std::size_t firstTip = plan.symmetric && !plan.keepsPaths ? seed : 0;
    std::vector<Path> paths = run(seed, firstTip, plan.atOnce.threads, own);
    if (paths.size() < plan.tips - firstTip) {
      stopped = true;
      return;
    }
    const auto at = std::ptrdiff_t(seed * plan.tips + firstTip);
    std::ranges::copy(entriesOf(paths), all.table.begin() + at);
    if (plan.keepsPaths) std::ranges::move(paths, all.paths.begin() + at);
  };
  if (!forEachRun(std::int64_t(plan.seeds), plan.atOnce.runs, monitor, runOne) || stopped) return {};
  if (plan.symmetric) mirror(all.table, plan.seeds);
  return all;
}

vtkSmartPointer<vtkDataArray> timesOfSeed(std::size_t seed, std::span<const float> times,
                                          const TimeOrigin& origin, std::int64_t points) {
  const std::vector<float> never(times.empty() ? std::size_t(points) : 0,
                                 std::numeric_limits<float>::infinity());
  return origin.array(("TravelTime" + std::to_string(seed)).c_str(),
                      times.empty() ? std::span<const float>(never) : times);
}

vtkSmartPointer<vtkTable> tableOf(std::span<const TableEntry> entries, const Places& seeds,
                                  const Places& tips) {
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
