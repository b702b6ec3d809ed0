// SeedRuns.h - runs of one seed each, and the table of travel times between all seeds and tips.
#pragma once

#include "Backend.h"
#include "ManyRuns.h"
#include "Paths/Path.h"

#include <vtkSmartPointer.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

class vtkDataArray;
class vtkPolyData;
class vtkTable;

namespace isochrone::filters {

struct Places;
class TimeOrigin;

/// Treatment of several seeds: values of SeedRuns.
enum class SeedRuns { Together, Separate, TimeSteps };

/// Points that are one source, or one target: the points of one label, or each point.
struct PointGroups {
  std::vector<std::vector<std::size_t>> points; ///< per group, indices of its points
  std::vector<std::int32_t> labels;             ///< per group

  std::size_t size() const { return points.size(); }
  std::size_t pointCount() const;
};

/// Returns the groups in the order of their first points.
/// @param byLabel  false: one per point
PointGroups groupsOf(const Places& places, bool byLabel);

/// Returns some of several points with their point arrays. Without a Label array they get one with their
/// numbers, so that arrays with labels show them.
vtkSmartPointer<vtkPolyData> onlyPoints(vtkPolyData* points, std::span<const std::size_t> numbers);

/// Returns some places, without their point data.
Places onlyPlaces(const Places& places, std::span<const std::size_t> numbers);

/// A row of the table. NaN where no path leads from the seed to the tip.
struct TableEntry {
  double travelTime = std::numeric_limits<double>::quiet_NaN();
  double length = std::numeric_limits<double>::quiet_NaN(); ///< world units

  bool isReached() const { return travelTime == travelTime; }
};

/// The part of a request that is the same for every solver.
struct SeedRunRequest {
  PointGroups seedGroups, tipGroups; ///< a run for each group of seeds
  bool keepsFields = false;          ///< the travel times of all points, and the paths
  bool residual = false;

  /// Returns whether seeds and tips have the same groups.
  bool isSquare() const { return seedGroups.points == tipGroups.points; }
};

/// Returns whether runs for a request have what another one requests, if their tips are the same.
bool answers(const SeedRunRequest& known, const SeedRunRequest& wanted);

/// Where the runs take place, and the memory that they take.
struct SeedRunNeeds {
  Backend backend = Backend::Automatic;
  int threads = 0;
  double run = 0;        ///< bytes of a run while it takes place
  double field = 0;      ///< bytes of the result of a run, if it is kept
  std::string fieldName; ///< as in "the travel times of 3 x 4 points"
};

/// The runs of all seeds.
struct SeedRunPlan {
  std::size_t runs = 0;
  PointGroups tips;
  /// Seeds and tips are the same points in the same groups, and a path takes as long backwards: a pair has
  /// one entry for both directions, that of the run of the first one.
  bool symmetric = false;
  bool keepsPaths = false;
  RunsAtOnce onHost;
  bool mayUseDevice = false;
  int threads = 0; ///< of a run on a device
};

/// Checks the memory of all runs before they start, and plans them.
/// @throws Error, with numbers, if the memory does not suffice
SeedRunPlan planOf(const SeedRunRequest& request, bool symmetric, const SeedRunNeeds& needs);

/// Results of the runs.
struct SeedRunPaths {
  std::vector<Path> paths;       ///< run by run, one per tip; empty unless kept
  std::vector<TableEntry> table; ///< run by run, one per group of tips
};

/// One run.
struct SeedRun {
  std::vector<Path> paths;      ///< to the requested tips, with absolute times; fewer: the monitor stopped it
  std::optional<Backend> ranOn; ///< nothing if no seed is usable
};

/// Solves for the seeds of one run, with paths to the tips from number `firstTip` on. Called on several
/// threads.
using RunSeed = std::function<SeedRun(std::size_t run, std::size_t firstTip, int threads, const Monitor&)>;

/// Runs all seeds, as many at the same time as planned. Returns nothing if the monitor requested a stop.
std::optional<SeedRunPaths> runEachSeed(const SeedRunPlan& plan, const Monitor& monitor, const RunSeed& run);

/// Returns the entries of paths to all tips from one run or several, run by run: of a group of tips that of
/// the shortest travel time, the first of equals.
std::vector<TableEntry> entriesOf(std::span<const Path> paths, const PointGroups& tips);

/// Gives each pair of groups the entry of the run of its first one for both directions.
void mirror(std::vector<TableEntry>& table, std::size_t groups);

/// Makes an array of the travel times of one run: TravelTime0, TravelTime1, ...; NaN everywhere if no seed is
/// used.
/// @param times  since the origin; empty: no seed is used
vtkSmartPointer<vtkDataArray> timesOfRun(std::size_t run, std::span<const float> times,
                                         const TimeOrigin& origin, std::int64_t points);

/// Makes the table: Seed (label), Tip (label), TravelTime and Length (NaN where unreached), Reached (0 or 1).
vtkSmartPointer<vtkTable> tableOf(std::span<const TableEntry> entries, const PointGroups& seeds,
                                  const PointGroups& tips);

} // namespace isochrone::filters
