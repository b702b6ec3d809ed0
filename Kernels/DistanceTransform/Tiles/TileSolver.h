// TileSolver.h - the distance transform by tile kernels, on any device: one pass per axis.
#pragma once

#include "DistanceTransform/DistanceTransform.h"
#include "DistanceTransform/Tiles/PassPlan.h"
#include "DistanceTransform/Tiles/WindowTile.h"
#include "DistanceTransform/Validation.h"

#include <algorithm>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace isochrone::distance {

inline constexpr const char* passNames[2][4] = {{"y window", "y stacks", "y merging", "y painting"},
                                                {"z window", "z stacks", "z merging", "z painting"}};

/// Returns the number of blocks that process `ofBlock` items each.
inline int blocks(std::int64_t items, int ofBlock) { return int((items + ofBlock - 1) / ofBlock); }

/// Times all steps with one timer; steps of the same name are summed.
template <class Device>
class Steps {
public:
  explicit Steps(Device& device) : timer(device.timer()) { timer.mark(); }
  void end(const char* name) { // the work since the previous step
    names.push_back(name);
    timer.mark();
  }
  std::vector<Pass> passes() {
    std::vector<Pass> list;
    const std::vector<double> seconds = timer.seconds();
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto same = std::find_if(list.begin(), list.end(),
                                     [&](const Pass& p) { return std::string(p.name) == names[i]; });
      if (same == list.end())
        list.push_back({names[i], seconds[i]});
      else
        same->seconds += seconds[i];
    }
    return list;
  }

private:
  typename Device::Timer timer;
  std::vector<const char*> names;
};

/// The memory of the stacks, shared by the passes and allocated when tiles remain for them.
template <class Device>
struct StackMemory {
  typename Device::template Array<Owner> entries;
  typename Device::template Array<Part> parts;
  typename Device::template Array<int> heads;

  template <bool mayRepeat>
  Stacks<mayRepeat> take(Device& device, const PassPlan& plan) {
    const std::size_t all = plan.lines.columns * plan.lines.slabs;
    grow(device, entries, all * plan.rows());
    grow(device, parts, all * plan.bands);
    grow(device, heads, plan.bands > 1 ? all * plan.bands : 0);
    return {plan.lines, plan.copied, plan.bands, plan.bandRows, entries.data(), parts.data(), heads.data()};
  }
  std::size_t bytes() const { return entries.bytes() + parts.bytes() + heads.bytes(); }

private:
  template <class T>
  void grow(Device& device, typename Device::template Array<T>& array, std::size_t n) {
    if (array.bytes() >= n * sizeof(T)) return;
    array = {};
    array = device.template allocate<T>(n);
  }
};

/// One pass along y or z.
template <class Axis, class Device>
class LinePass {
public:
  LinePass(Device& d, const PassPlan& p, const Axis& a, const char* const (&stepNames)[4])
      : device(d), plan(p), axis(a), names(stepNames),
        unresolved(device.template array<std::uint8_t>(plan.lines.tiles(), 1)),
        listed(device.template allocate<std::uint8_t>(plan.stacks ? plan.lines.strips() : 0)),
        tiles(device.template allocate<int>(plan.stacks ? plan.lines.tiles() : 0)),
        strips(device.template allocate<int>(plan.stacks ? plan.lines.strips() : 0)),
        places(device.template allocate<Place>(plan.stacks ? plan.lines.tiles() * warpSize : 0)),
        counts(device.template allocate<int>(2)) {}
  std::size_t bytes() const {
    return unresolved.bytes() + listed.bytes() + tiles.bytes() + strips.bytes() + places.bytes() +
           counts.bytes();
  }

  /// Runs the windows of all tiles.
  /// @param before  the squares of the source are final below it
  template <bool withOwners, class Source, class Target>
  void runWindow(const Source& source, const Target& target, double before, Steps<Device>& steps) {
    [[maybe_unused]] constexpr bool isLast = std::is_same_v<Target, ToResult<Axis>>;
    if (!plan.window) return;
    if constexpr (std::numeric_limits<typename Axis::Number>::is_integer) {
      using Packing = std::conditional_t<withOwners, SquareAndRow, PairOfColumns>;
      const WindowTile<Axis, Packing, Source, Target> kernel(plan.lines, source, target, axis, !plan.stacks,
                                                             unresolved.data());
      device.run(kernel, kernel.count());
    } else {
      device.run(UnequalWindowTile<Source, Target, Axis, withOwners>{plan.lines, source, target, axis, before,
                                                                     isLast, plan.needed, unresolved.data()},
                 int(plan.lines.tiles()));
    }
    steps.end(names[0]);
  }

  /// Lists the unresolved tiles, and the strips that contain one. Returns whether any tile is unresolved. The
  /// host waits for this: if none is, the stacks are skipped.
  bool leavesTiles() {
    if (!plan.stacks) return false;
    const Lines& lines = plan.lines;
    device.compact(unresolved, tiles, counts.data());
    device.run(ListStrips{int(lines.strips()), lines.tilesOfLine(), unresolved.data(), listed.data()},
               blocks(lines.strips(), ListStrips::Lanes::size));
    device.compact(listed, strips, counts.data() + 1);
    device.download(counts, left);
    return left[0] > 0;
  }

  /// Runs the stacks of the listed tiles.
  template <class Source, class Target>
  void runStacks(const Source& source, const Target& target, StackMemory<Device>& memory,
                 Steps<Device>& steps) {
    const auto stacks = memory.template take<Axis::mayRepeat>(device, plan);
    steps.end("memory");

    // 1. Stacks of the bands, merged in pairs.
    const auto runListed = [&](const auto& kernel) {
      device.run(kernel, blocks(std::int64_t(kernel.listed.count) * kernel.listed.share, warpsOfBlock));
    };
    runListed(BuildStacks<Axis, Source>{stacks, source, axis, {strips.data(), left[1], plan.bands}});
    steps.end(names[1]);
    for (int span = 1; span < plan.bands; span *= 2) {
      const int pairs = (plan.bands - span + 2 * span - 1) / (2 * span);
      runListed(MergeStacks<Axis, Source>{stacks, source, axis, span, {strips.data(), left[1], pairs}});
    }
    if (plan.bands > 1) {
      runListed(FindHeads<Axis::mayRepeat>{stacks, {strips.data(), left[1], 1}});
      steps.end(names[2]);
    }

    // 2. Painting of the tiles.
    device.run(FindOwners<Axis::mayRepeat>{stacks, tiles.data(), left[0], places.data()},
               blocks(left[0], warpsOfBlock));
    device.run(PaintTile<Axis, Source, Target>{stacks, source, target, axis, tiles.data(), places.data()},
               left[0]);
    steps.end(names[3]);
  }

private:
  Device& device;
  PassPlan plan;
  Axis axis;
  const char* const (&names)[4];
  typename Device::template Array<std::uint8_t> unresolved, listed;
  typename Device::template Array<int> tiles, strips;
  typename Device::template Array<Place> places;
  typename Device::template Array<int> counts; ///< lengths of the lists `tiles` and `strips`
  int left[2] = {0, 0};                        ///< the same on the host
};

/// Returns the number of bytes of the pass along x.
inline std::size_t wordBytes(const Rows& rows) {
  return rows.rows * rows.words() * (sizeof(std::uint32_t) + sizeof(SiteWord));
}

/// The pass along x.
template <class Axis, class Device>
class WordPass {
public:
  WordPass(Device& d, const Rows& r, const Axis& a)
      : device(d), rows(r), repeats(a.copiedRows() > 0),
        bits(device.template allocate<std::uint32_t>(rows.rows * rows.words())),
        words(device.template allocate<SiteWord>(rows.rows * rows.words())) {}
  void pack(const std::uint8_t* sites, bool complement, Steps<Device>& steps) {
    device.run(PackSites{rows, Divisor(rows.words()), sites, complement, bits.data()},
               blocks(rows.rows * rows.words(), PackSites::Lanes::size));
    hasWords = false;
    steps.end("x");
  }
  /// Makes the words, which only searches beyond the windows and the sites themselves need.
  void makeWords(Steps<Device>& steps) {
    if (std::exchange(hasWords, true)) return;
    using Kernel = MakeWords<Axis::mayRepeat>;
    device.run(Kernel{rows, bits.data(), words.data(), repeats}, blocks(rows.rows, Kernel::Lanes::ny));
    steps.end("x sites");
  }
  const std::uint32_t* bitData() { return bits.data(); }
  const SiteWord* wordData() { return words.data(); }

private:
  Device& device;
  Rows rows;
  bool repeats;
  typename Device::template Array<std::uint32_t> bits;
  typename Device::template Array<SiteWord> words;
  bool hasWords = false;
};

/// Returns the largest squared distance of the type that is within the limit.
template <class T>
T limitOf(double limit) {
  if constexpr (std::numeric_limits<T>::is_integer)
    return limit >= double(none<T>) ? none<T> - 1 : T(limit);
  else
    return std::min(limit, std::numeric_limits<T>::max());
}

/// Solves with axes of one type. Sets all members of the result but ranOn.
template <class Axis, class Device>
void transformBy(Device& device, const Measure& measure, const Problem& problem, const Options& options,
                 const TransformSettings& settings, const Monitor& monitor, Result& result) {
  using T = typename Axis::Number;
  const std::int64_t points = problem.grid.points();
  const Rows rowsOfImage = rowsOf(measure);
  const bool signedOnes = options.region == Region::Signed, volume = measure.dimensions == 3;

  // 1. Arrays.
  Steps<Device> steps(device);
  auto sites = device.upload(problem.sites);
  steps.end("copy in");
  auto distance = device.template allocate<float>(options.distance && !options.doublePrecision ? points : 0);
  auto precise = device.template allocate<double>(options.distance && options.doublePrecision ? points : 0);
  auto squared = device.template allocate<double>(options.squaredDistance ? points : 0);
  auto nearest = device.template allocate<std::int64_t>(options.nearestSite ? points : 0);
  auto squares = device.template allocate<T>(volume ? points : 0);
  auto owners = device.template allocate<int>(volume && options.nearestSite ? points : 0);
  const std::pair<PassPlan, PassPlan> plans = plansOf(measure, settings);
  const PassPlan &planY = plans.first, &planZ = plans.second;
  DeviceAxes<Axis, Device> axes(device, measure);
  const Axis x = axes.axis(0, measure.axes[0].reach);
  WordPass<Axis, Device> alongX(device, rowsOfImage, x);
  LinePass<Axis, Device> alongY(device, planY, axes.axis(1, planY.needed), passNames[0]);
  LinePass<Axis, Device> alongZ(device, planZ, axes.axis(2, planZ.needed), passNames[1]);
  StackMemory<Device> stacks;
  steps.end("memory");

  // 2. Distances to the sites, then distances to the other points.
  const auto passes = [&](bool complement, auto withOwners) {
    const int wordsOfRow = rowsOfImage.words();
    const FromWords<Axis> rows{alongX.wordData(), wordsOfRow, x};
    const ToSquares<T> keep{squares.data(), options.nearestSite ? owners.data() : nullptr};
    const FromSquares<T> kept{squares.data()};
    const ToResult<Axis> finish{options.distance && !options.doublePrecision ? distance.data() : nullptr,
                                options.distance && options.doublePrecision ? precise.data() : nullptr,
                                options.squaredDistance ? squared.data() : nullptr,
                                options.nearestSite ? nearest.data() : nullptr,
                                measure.unit,
                                limitOf<T>(measure.limit),
                                complement && options.region != Region::Inside,
                                complement && signedOnes,
                                alongX.wordData(),
                                wordsOfRow,
                                volume && options.nearestSite ? owners.data() : nullptr,
                                measure.axes[0].points,
                                measure.axes[1].points,
                                x};
    // Short distances by windows; done if they resolve the last axis.
    alongX.pack(sites.data(), complement, steps);
    if (options.nearestSite || !measure.integers32) alongX.makeWords(steps);
    const auto runWindows = [&](const auto& fromX, const auto& fromY) {
      constexpr double all = std::numeric_limits<double>::infinity();
      if (!volume) return alongY.template runWindow<withOwners>(fromX, finish, all, steps);
      alongY.template runWindow<withOwners>(fromX, keep, all, steps);
      alongZ.template runWindow<withOwners>(fromY, finish, planY.finalBelow(measure.axes[1]), steps);
    };
    if constexpr (std::numeric_limits<T>::is_integer)
      runWindows(NearBits<Axis>{alongX.bitData(), wordsOfRow, x}, NearSquares<Axis>{squares.data()});
    else
      runWindows(rows, kept);
    if (!(volume ? alongZ : alongY).leavesTiles()) return;

    // The unresolved tiles, from the first axis on.
    alongX.makeWords(steps);
    if (!volume) return alongY.runStacks(rows, finish, stacks, steps);
    if (alongY.leavesTiles()) alongY.runStacks(rows, keep, stacks, steps);
    alongZ.runStacks(kept, finish, stacks, steps);
  };
  const auto run = [&](bool complement) {
    if (options.nearestSite)
      passes(complement, std::true_type{});
    else
      passes(complement, std::false_type{});
  };
  if (options.region != Region::Inside) run(false);
  if (options.region != Region::Outside) run(true);
  device.wait();
  result.workBytes = sites.bytes() + axes.bytes() + squares.bytes() + owners.bytes() +
                     wordBytes(rowsOfImage) + alongY.bytes() + alongZ.bytes() + stacks.bytes();
  result.aborted = !monitor.report(0.5);
  if (result.aborted) return;

  // 3. Results.
  const auto fetch = [&](auto& from, auto& to) {
    to.resize(from.bytes() / sizeof(to[0]));
    if (!to.empty()) device.download(from, to.data());
  };
  fetch(distance, result.distance);
  fetch(precise, result.preciseDistance);
  fetch(squared, result.squaredDistance);
  fetch(nearest, result.nearestSite);
  steps.end("copy out");
  result.passes = steps.passes();
}

/// Returns the number of bytes of device memory that solveTransform needs, without small arrays;
/// tooManyForDevice if the pieces of the image exceed the range of int.
inline std::size_t transformBytes(const Problem& problem, const Options& options,
                                  const TransformSettings& settings = {}) {
  const Measure numbers = measure(problem, options.maximumDistance);
  const Rows rows = rowsOf(numbers);
  const auto [y, z] = plansOf(numbers, settings);
  const std::int64_t maximum = std::max({y.maxItems(), z.maxItems(), rows.rows * rows.words()});
  if (maximum > std::numeric_limits<int>::max() - 1024) return tooManyForDevice;
  const std::size_t square = numbers.integers32 ? sizeof(std::int32_t) : sizeof(double);
  const std::size_t between = numbers.dimensions == 3 ? square + (options.nearestSite ? 4 : 0) : 0;
  return resultBytes(problem, options) + problem.grid.points() * (1 + between) + coordinateBytes(numbers) +
         wordBytes(rows) + y.listBytes() + z.listBytes() + std::max(y.entryBytes(), z.entryBytes()) +
         std::max(y.bandBytes(), z.bandBytes()) + (std::size_t(16) << 20);
}

template <class Device>
void solveTransform(Device& device, const Problem& problem, const Options& options,
                    const TransformSettings& settings, const Monitor& monitor, Result& result) {
  const Measure numbers = measure(problem, options.maximumDistance);
  withAxes(numbers, [&]<class Axis>() {
    transformBy<Axis>(device, numbers, problem, options, settings, monitor, result);
  });
}

} // namespace isochrone::distance
