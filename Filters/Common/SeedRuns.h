// SeedRuns.h - runs of one seed each, and the table of travel times between all seeds and tips.
#pragma once

#include "ManyRuns.h"
#include "Paths/Path.h"

#include <vtkSmartPointer.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

class vtkDataArray;
class vtkPolyData;
class vtkTable;

namespace isochrone::filters {

struct Places;
class TimeOrigin;

/// Treatment of several seeds: values of SeedRuns.
enum class SeedRuns { Together, Separate, TimeSteps };

/// Returns one of several points with its point arrays. Without a Label array it gets one with its number, so
/// that arrays with labels show it.
vtkSmartPointer<vtkPolyData> onlyPoint(vtkPolyData* points, int number);

/// A row of the table. NaN where no path leads from the seed to the tip.
struct TableEntry {
  double travelTime = std::numeric_limits<double>::quiet_NaN();
  double length = std::numeric_limits<double>::quiet_NaN(); ///< world units

  bool isReached() const { return travelTime == travelTime; }
};

/// The runs of all seeds.
struct SeedRunPlan {
  std::size_t seeds = 0, tips = 0;
  /// Seeds and tips are the same points, and a path takes as long backwards: a pair has one entry for both
  /// directions, that of the run of the first point.
  bool symmetric = false;
  bool keepsPaths = false;
  RunsAtOnce atOnce;
};

/// Results of the runs.
struct SeedRunPaths {
  std::vector<Path> paths;       ///< seed by seed, one per tip; empty unless kept
  std::vector<TableEntry> table; ///< seed by seed, one per tip
};

/// Solves for one seed and returns the paths to the tips from number `firstTip` on, with absolute times.
/// Fewer paths: the monitor requested a stop. Called on several threads.
using RunSeed =
    std::function<std::vector<Path>(std::size_t seed, std::size_t firstTip, int threads, const Monitor&)>;

/// Runs all seeds, as many at the same time as planned. Returns nothing if the monitor requested a stop.
std::optional<SeedRunPaths> runEachSeed(const SeedRunPlan& plan, const Monitor& monitor, const RunSeed& run);

/// Returns the entries of paths to all tips from one seed or several, seed by seed.
std::vector<TableEntry> entriesOf(std::span<const Path> paths);

/// Gives each pair of points the entry of the run of its first point for both directions.
void mirror(std::vector<TableEntry>& table, std::size_t points);

/// Makes an array of the travel times from one seed alone: TravelTime0, TravelTime1, ...; NaN everywhere if
/// the seed is not used.
/// @param times  since the origin; empty: the seed is not used
vtkSmartPointer<vtkDataArray> timesOfSeed(std::size_t seed, std::span<const float> times,
                                          const TimeOrigin& origin, std::int64_t points);

/// Makes the table: Seed (label), Tip (label), TravelTime and Length (NaN where unreached), Reached (0 or 1).
vtkSmartPointer<vtkTable> tableOf(std::span<const TableEntry> entries, const Places& seeds,
                                  const Places& tips);

} // namespace isochrone::filters
