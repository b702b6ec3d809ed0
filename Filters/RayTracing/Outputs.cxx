#include "RayTracing/Outputs.h"

#include "Common/Fields.h"
#include "Common/ImageFrame.h"
#include "Common/MatrixTable.h"
#include "Common/PartExchange.h"
#include "Common/PathsToPolyData.h"
#include "Common/SeedsAndTips.h"

#include <vtkDoubleArray.h>
#include <vtkFloatArray.h>
#include <vtkIdTypeArray.h>
#include <vtkImageData.h>
#include <vtkIntArray.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkTable.h>

#include <algorithm>

namespace isochrone::filters {

namespace {

template <class Real>
const Values<Real>& timesOf(const rays::Field& field) {
  if constexpr (sizeof(Real) == 4)
    return field.travelTime;
  else
    return field.preciseTravelTime;
}

vtkSmartPointer<vtkDataArray> timesFrom(const TimeOrigin& origin, const std::string& name,
                                        std::span<const float> time, PartExchange& ranks) {
  return origin.array(name.c_str(), time, ranks.max(latestOf(time)));
}
vtkSmartPointer<vtkDataArray> timesFrom(const TimeOrigin&, const std::string& name, // always 0
                                        std::span<const double> time, PartExchange&) {
  return timeArray(name.c_str(), time);
}

/// Returns the earliest of the origins.
TimeOrigin originOf(std::span<const ShownField> fields) {
  std::vector<double> times;
  for (const ShownField& shown : fields) times.push_back(shown.origin.time());
  return TimeOrigin(times);
}

/// Returns the minimum of several fields since the earliest origin.
template <class Real>
Values<Real> minimumOf(std::span<const ShownField> fields, const TimeOrigin& origin) {
  Values<Real> minimum;
  minimum.assign(timesOf<Real>(*fields[0].field).size(), std::numeric_limits<Real>::infinity());
  for (const auto& [field, own] : fields) {
    const auto start = Real(origin.since(own.time()));
    std::ranges::transform(minimum, timesOf<Real>(*field), minimum.begin(),
                           [=](Real a, Real b) { return std::min(a, start + b); });
  }
  return minimum;
}

template <class Real>
void attach(const std::string& name, std::span<const ShownField> fields, bool each, PartExchange& ranks,
            vtkImageData* image) {
  vtkPointData* data = image->GetPointData();
  const auto add = [&](const std::string& named, const TimeOrigin& origin, std::span<const Real> time) {
    data->AddArray(timesFrom(origin, named, time, ranks));
  };
  const TimeOrigin origin = originOf(fields);
  if (fields.size() == 1)
    add(name, origin, timesOf<Real>(*fields[0].field));
  else
    add(name, origin, minimumOf<Real>(fields, origin));
  for (std::size_t f = 0; each && f < fields.size(); ++f)
    add(name + std::to_string(f), fields[f].origin, timesOf<Real>(*fields[f].field));
}

template <class Real>
void attachReached(std::span<const Real> times, bool blank, vtkImageData* image) {
  image->GetPointData()->AddArray(reachedArray(times));
  if (blank) blankUnreached(times, image);
}

bool complete(const rays::Ray& ray) { return ray.status == PathStatus::Complete; }

} // namespace

void attachTimes(const std::string& name, std::span<const ShownField> fields, bool each, PartExchange& ranks,
                 vtkImageData* image) {
  if (fields[0].field->preciseTravelTime.empty())
    attach<float>(name, fields, each, ranks, image);
  else
    attach<double>(name, fields, each, ranks, image);
}

void attachReached(bool blank, vtkImageData* image) {
  vtkDataArray* times = image->GetPointData()->GetArray("TravelTime");
  const auto size = std::size_t(times->GetNumberOfTuples());
  if (auto* precise = vtkDoubleArray::SafeDownCast(times))
    attachReached<double>({precise->GetPointer(0), size}, blank, image);
  else
    attachReached<float>({vtkFloatArray::SafeDownCast(times)->GetPointer(0), size}, blank, image);
  image->GetPointData()->SetActiveScalars("TravelTime");
}

void attachPredecessors(const std::string& name, const rays::Problem& problem, const rays::Options& options,
                        const rays::Field& field, vtkImageData* image) {
  const auto& offsets = rays::makeForwardStar(problem.grid, options.neighbours, options.radius).offsets;
  const rays::Grid whole = rays::wholeGrid(problem);
  const GridIndex first = problem.part.first, period = rays::periodOf(problem, options.rule);
  const auto neighbour = [&](GridIndex at, const rays::Offset& offset) {
    for (int a = 0; a < 3; ++a) {
      at[a] += first[a] + offset[a];
      if (problem.periodic[a]) at[a] = (at[a] % period[a] + period[a]) % period[a];
    }
    return vtkIdType(whole.index(at));
  };
  auto ids = named<vtkIdTypeArray>(name.c_str(), vtkIdType(field.predecessor.size()));
  for (std::size_t p = 0; p < field.predecessor.size(); ++p) {
    const std::uint16_t offset = field.predecessor[p];
    const GridIndex at = problem.grid.indices(std::int64_t(p));
    ids->SetValue(vtkIdType(p), offset == rays::noOffset ? -1 : neighbour(at, offsets[offset]));
  }
  image->GetPointData()->AddArray(ids);
}

void attachSourceIds(const rays::Field& field, const Places& sources, vtkImageData* image) {
  auto ids = named<vtkIntArray>("SourceId", vtkIdType(field.source.size()));
  std::transform(field.source.begin(), field.source.end(), ids->GetPointer(0),
                 [&](std::int32_t source) { return source < 0 ? -1 : sources.labels[source]; });
  image->GetPointData()->AddArray(ids);
}

std::vector<Path> pathsOf(const rays::Problem& problem, const Arrivals& arrivals, bool merge) {
  std::vector<Path> paths;
  for (std::size_t r = 0; r < arrivals.toReceivers.size(); ++r) {
    const Path last = rays::pathOf(problem, arrivals.toReceivers[r], merge);
    paths.push_back(arrivals.toInterface.empty()
                        ? last
                        : rays::join(rays::pathOf(problem, arrivals.toInterface[r], merge), last));
    paths.back().status = arrivals.toReceivers[r].status;
  }
  return paths;
}

vtkSmartPointer<vtkPolyData> raysToPolyData(const std::vector<Path>& paths, const ImageFrame& frame,
                                            const Places& sources, const Places& receivers) {
  return pathsToPolyData(paths, PathKind::Plain, &frame, sources, receivers, nullptr,
                         {"Receiver", "Source", "Barrier"});
}

std::string missingRays(const std::vector<Path>& paths, const Places& receivers) {
  if (receivers.size() == 0) return {};
  const std::size_t fields = paths.size() / receivers.size();
  const Faults missing = faultsOf(receivers, "receiver", [&](std::size_t receiver) -> std::string {
    std::size_t unreached = 0;
    for (std::size_t f = 0; f < fields; ++f) {
      const PathStatus status = paths[f * receivers.size() + receiver].status;
      if (status == PathStatus::TipOutside) return "lies outside the image";
      if (status == PathStatus::TipInWall) return "lies in a barrier";
      if (status == PathStatus::Unreachable) ++unreached;
    }
    if (unreached == 0) return {};
    if (unreached == fields) return "cannot be reached from any source";
    return "cannot be reached from " + std::to_string(unreached) + " of " + std::to_string(fields) +
           " sources";
  });
  if (missing.count == 0) return {};
  return "no ray leads to " + std::to_string(missing.count) + " of " + std::to_string(receivers.size()) +
         " receivers: " + missing.list;
}

vtkSmartPointer<vtkTable> matrixToTable(std::span<const Arrivals* const> arrivals, const Places& sources) {
  MatrixTable table("ReceiverId", "SourceId");
  bool reflected = false;
  vtkIdType row = 0;
  for (const Arrivals* all : arrivals) {
    reflected = reflected || all->matrices.size() > 1;
    for (std::size_t r = 0; r < all->toReceivers.size(); ++r) {
      if (!complete(all->toReceivers[r])) continue;
      const rays::Ray& first = all->toInterface.empty() ? all->toReceivers[r] : all->toInterface[r];
      if (first.source >= 0) // else another rank has the ray
        for (std::size_t leg = 0; leg < all->matrices.size(); ++leg)
          table.append(all->matrices[leg], r, row, sources.labels[first.source], int(leg));
      ++row;
    }
  }
  return table.table(reflected);
}

} // namespace isochrone::filters
