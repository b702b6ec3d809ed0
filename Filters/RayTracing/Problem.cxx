#include "RayTracing/Problem.h"

#include "Backend.h"
#include "Common/CellsAndPoints.h"
#include "Common/Extents.h"
#include "Common/ImageFrame.h"
#include "Common/ImageParts.h"
#include "Common/PartExchange.h"
#include "Common/SeedRuns.h"
#include "Common/SeedsAndTips.h"
#include "Error.h"

#include <vtkDataArray.h>
#include <vtkImageData.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <utility>

namespace isochrone::filters {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

rays::Grid gridOf(const ImageFrame& frame) {
  return {frame.size(0), frame.size(1), frame.size(2), frame.spacing(0), frame.spacing(1), frame.spacing(2)};
}

bool inCells(const rays::Options& options) { return options.rule == rays::WeightRule::Cells; }

/// Returns the chosen array, on cells with the rule Cells and else on points.
vtkDataArray* chosenArray(vtkImageData* data, const ArrayChoice& choice, const std::string& role,
                          bool cells) {
  if (cells)
    return cellArray(data, choice, role,
                     "apply Point Data To Cell Data first, or choose Weight Rule Accurate or Fast");
  return pointArray(data, choice, role, "apply Cell Data To Point Data first, or choose Weight Rule Cells");
}

/// Returns "point (3, 4, 0) at (1.5, 2, 0)" or "cell (3, 4, 0)", with the index in the image.
std::string nameOfElement(vtkImageData* data, std::int64_t element, bool cells) {
  Extent points;
  data->GetExtent(points.data());
  const auto i = indexOf(vtkIdType(element), cells ? cellExtent(points) : points);
  std::ostringstream name;
  name << (cells ? "cell (" : "point (") << i[0] << ", " << i[1] << ", " << i[2] << ')';
  if (cells) return name.str();
  double at[3];
  data->GetPoint(vtkIdType(element), at);
  name << " at (" << at[0] << ", " << at[1] << ", " << at[2] << ')';
  return name.str();
}

void add(std::vector<std::uint8_t>& marks, const std::vector<std::uint8_t>& more) {
  if (marks.empty()) {
    marks = more;
    return;
  }
  for (std::size_t n = 0; n < more.size(); ++n) marks[n] |= more[n];
}

/// Marks points or cells that are blanked regardless of their velocity; empty if there are none.
std::vector<std::uint8_t> blankedOf(vtkImageData* data, const RaySettings& settings, bool cells) {
  std::vector<std::uint8_t> marks, hidden;
  if (settings.barrierArray.chosen()) {
    vtkDataArray* array = chosenArray(data, settings.barrierArray, "barrier", cells);
    const auto [lower, upper] = settings.barrierRange;
    marks = settings.barriersWithinRange ? within(array, lower, upper) : nonzero(array);
  }
  addBlankedPoints(data, hidden);
  if (cells) {
    if (!hidden.empty()) add(marks, cellsOf(data, std::move(hidden)));
    add(marks, hiddenCells(data));
  } else {
    add(marks, hidden);
  }
  if (settings.interface == RaySettings::Interface::LabelBoundary && settings.stayInLabel) {
    auto inside = within(chosenArray(data, settings.interfaceArray, "interface", cells),
                         settings.interfaceLabel, settings.interfaceLabel);
    for (auto& mark : inside) mark = !mark;
    add(marks, inside);
  }
  return marks;
}

/// Returns the time per length; NaN if the value is invalid.
double slownessOf(double value, bool isSlowness) {
  if (std::isnan(value) || value == 0) return infinity;
  if (isSlowness) return value > 0 ? value : std::numeric_limits<double>::quiet_NaN();
  return value > 0 && std::isfinite(value) ? 1 / value : std::numeric_limits<double>::quiet_NaN();
}

[[noreturn]] void reject(vtkImageData* data, const RaySettings& settings, std::int64_t element, double value,
                         bool cells) {
  std::ostringstream message;
  message << (settings.slowness ? "slowness must not be negative (0, infinite or NaN: blanked)"
                                : "velocity must be finite and not negative (0 or NaN: blanked)")
          << ", got " << value << (cells ? " in " : " at ") << nameOfElement(data, element, cells)
          << ": correct it, or make a barrier there";
  throw Error(message.str());
}

/// Marks the elements at which a parameter of a tilted medium is not a number.
void markMissing(const rays::Grid& grid, const TiltedMedium& tilt, std::size_t elements,
                 std::vector<std::uint8_t>& marks) {
  const Thomsen arrays = tilt.arrays();
  std::vector<std::uint8_t> missing(elements);
  for (std::size_t n = 0; n < elements; ++n) missing[n] = arrays.isBarrier(grid, std::int64_t(n));
  add(marks, missing);
}

/// Computes the slowness in double precision and rounds once.
template <class Real>
std::vector<Real> slownessIn(vtkImageData* data, const RaySettings& settings, const ArrayChoice& choice,
                             const std::string& role, const std::vector<std::uint8_t>& blanked, bool cells) {
  std::vector<double> values;
  if (choice.chosen())
    values = toDoubles(chosenArray(data, choice, role, cells));
  else
    values.assign(cells ? data->GetNumberOfCells() : data->GetNumberOfPoints(), settings.constantVelocity);
  std::vector<Real> slowness(values.size());
  for (std::size_t n = 0; n < values.size(); ++n) {
    const double exact = !blanked.empty() && blanked[n] ? infinity : slownessOf(values[n], settings.slowness);
    if (std::isnan(exact)) reject(data, settings, std::int64_t(n), values[n], cells);
    slowness[n] = Real(exact);
    if (std::isinf(slowness[n]) != std::isinf(exact) || !(slowness[n] > 0))
      throw Error("single precision cannot hold the slowness of " +
                  nameOfElement(data, std::int64_t(n), cells) +
                  ": switch on Double Precision, or use other units");
  }
  return slowness;
}

std::shared_ptr<const RayMedium> mediumOf(vtkImageData* data, const RaySettings& settings,
                                          const ArrayChoice& choice, const std::string& role,
                                          const rays::Options& options) {
  if (!choice.chosen() && !(settings.constantVelocity > 0 && std::isfinite(settings.constantVelocity))) {
    std::ostringstream message;
    message << "Constant Velocity must be positive and finite, got " << settings.constantVelocity
            << ": enter another, or choose a Velocity Array";
    throw Error(message.str());
  }
  const bool cells = inCells(options);
  auto blanked = blankedOf(data, settings, cells);
  auto medium = std::make_shared<RayMedium>();
  if (settings.tilted) {
    const ImageFrame frame(data);
    medium->tilt = tiltedMediumOf(
        frame, settings.tilt,
        [&](const ArrayChoice& of, const char* name) { return chosenArray(data, of, name, cells); },
        [&](std::int64_t n) { return nameOfElement(data, n, cells); });
    medium->isTilted = true;
    markMissing(gridOf(frame), medium->tilt,
                std::size_t(cells ? data->GetNumberOfCells() : data->GetNumberOfPoints()), blanked);
  }
  if (options.doublePrecision)
    medium->preciseSlowness = slownessIn<double>(data, settings, choice, role, blanked, cells);
  else
    medium->slowness = slownessIn<float>(data, settings, choice, role, blanked, cells);
  return medium;
}

void setMedium(RayProblem& input, std::shared_ptr<const RayMedium> medium) {
  input.problem.slowness = medium->slowness;
  input.problem.tilted = medium->isTilted;
  input.problem.thomsen = medium->tilt.arrays();
  input.problem.preciseSlowness = medium->preciseSlowness;
  input.medium = std::move(medium);
}

template <class Real>
std::vector<Real> startsAt(std::span<const std::uint8_t> interface, std::span<const Real> time) {
  std::vector<Real> starts(time.size());
  for (std::size_t n = 0; n < time.size(); ++n)
    starts[n] = interface[n] ? time[n] : std::numeric_limits<Real>::infinity();
  return starts;
}

/// Marks marked points with an unmarked neighbour along an axis.
std::vector<std::uint8_t> boundaryOf(vtkImageData* data, const std::vector<std::uint8_t>& marks,
                                     const std::array<bool, 3>& periodic) {
  int n[3];
  data->GetDimensions(n);
  const std::int64_t step[3] = {1, n[0], std::int64_t(n[0]) * n[1]};
  std::vector<std::uint8_t> boundary(marks.size());
  for (std::int64_t p = 0; p < std::int64_t(marks.size()); ++p) {
    if (!marks[p]) continue;
    for (int a = 0; a < 3; ++a) {
      const std::int64_t i = p / step[a] % n[a];
      const std::int64_t around = periodic[a] ? step[a] * (n[a] - 1) : 0; // to the other end of the line
      const std::int64_t before = i > 0 ? -step[a] : around, behind = i + 1 < n[a] ? step[a] : -around;
      if (!marks[p + before] || !marks[p + behind]) boundary[p] = 1;
    }
  }
  return boundary;
}

/// Marks both ends of each line along periodic axes, which are one point, where one of them is marked.
void joinEnds(vtkImageData* data, const std::array<bool, 3>& periodic, std::vector<std::uint8_t>& marks) {
  int n[3];
  data->GetDimensions(n);
  const std::int64_t step[3] = {1, n[0], std::int64_t(n[0]) * n[1]};
  for (int a = 0; a < 3; ++a)
    for (std::int64_t p = 0; periodic[a] && p < std::int64_t(marks.size()); ++p)
      if (p / step[a] % n[a] == 0) {
        std::uint8_t &first = marks[p], &last = marks[p + step[a] * (n[a] - 1)];
        first = last = std::uint8_t(first | last);
      }
}

/// Marks the points between marked and unmarked cells.
std::vector<std::uint8_t> betweenCells(vtkImageData* data, std::vector<std::uint8_t> marks,
                                       const std::array<bool, 3>& periodic) {
  std::vector<std::uint8_t> others(marks.size());
  std::transform(marks.begin(), marks.end(), others.begin(), [](std::uint8_t m) { return std::uint8_t(!m); });
  std::vector<std::uint8_t> both = touched(data, std::move(marks));
  others = touched(data, std::move(others));
  joinEnds(data, periodic, both);
  joinEnds(data, periodic, others);
  for (std::size_t p = 0; p < both.size(); ++p) both[p] = both[p] && others[p];
  return both;
}

/// Marks the points on the interface.
std::vector<std::uint8_t> interfaceOf(vtkImageData* data, const RaySettings& settings, bool cells,
                                      PartExchange& ranks) {
  const bool mask = settings.interface == RaySettings::Interface::Mask;
  if (!settings.interfaceArray.chosen())
    throw Error("reflections need an interface, but no array defines it: choose the Interface Array");
  std::vector<std::uint8_t> marks;
  if (mask) {
    marks = nonzero(pointArray(data, settings.interfaceArray, "interface"));
    if (cells) joinEnds(data, settings.periodic, marks);
  } else {
    marks = within(chosenArray(data, settings.interfaceArray, "interface", cells), settings.interfaceLabel,
                   settings.interfaceLabel);
    marks = cells ? betweenCells(data, std::move(marks), settings.periodic)
                  : boundaryOf(data, marks, settings.periodic);
  }
  if (!ranks.any(std::any_of(marks.begin(), marks.end(), [](std::uint8_t m) { return m != 0; }))) {
    std::ostringstream message;
    message << "there is no interface: the interface array '" << settings.interfaceArray.name << "' ";
    if (mask)
      message << "is 0 at every point";
    else
      message << "has no boundary of the label " << settings.interfaceLabel
              << ": choose a label that only some of its values have";
    throw Error(message.str());
  }
  return marks;
}

} // namespace

RayProblem makeRayProblem(const ImagePart& image, const RaySettings& settings, const rays::Options& options,
                          const Places& sources, PartExchange& ranks) {
  const ImageFrame frame(image.image), whole(image.whole);
  RayProblem input;
  input.problem.grid = gridOf(frame);
  input.problem.pointName = [frame](std::int64_t i, std::int64_t j, std::int64_t k) {
    return frame.pointName(i, j, k);
  };
  if (image.part) {
    input.problem.part = *image.part;
    ranks.connect(input.problem.part);
  }
  input.problem.placeName = [whole](const rays::Position& place) {
    const auto at = whole.toWorld(place);
    std::ostringstream name;
    name << '(' << at[0] << ", " << at[1] << ", " << at[2] << ')';
    return name.str();
  };
  setSources(sources, options, input);
  for (int a = 0; a < 3; ++a)
    input.problem.periodic[std::size_t(a)] = settings.periodic[std::size_t(frame.imageAxis(a))];
  setMedium(input, mediumOf(image.image, settings, settings.velocityArray, "velocity", options));
  return input;
}

std::vector<std::vector<std::size_t>> sourcesOfFields(const rays::Options& options, std::size_t sources) {
  std::vector<std::vector<std::size_t>> fields;
  for (std::size_t s = 0; s < sources; ++s) {
    const std::size_t field = !options.separateSources        ? 0
                              : options.fieldOfSource.empty() ? s
                                                              : std::size_t(options.fieldOfSource[s]);
    if (field >= fields.size()) fields.resize(field + 1);
    fields[field].push_back(s);
  }
  return fields;
}

void setSources(const Places& sources, const rays::Options& options, RayProblem& input) {
  input.origin = {};
  input.origins.clear();
  if (!options.doublePrecision) input.origin = TimeOrigin(sources.startValues); // else it holds the sum
  input.problem.sources.clear();
  for (std::size_t s = 0; s < sources.size(); ++s)
    input.problem.sources.push_back({sources.positions[s], input.origin.since(sources.startValues[s])});
  if (!options.separateSources || options.doublePrecision) return;
  for (const std::vector<std::size_t>& field : sourcesOfFields(options, sources.size())) {
    const TimeOrigin& own = input.origins.emplace_back(onlyPlaces(sources, field).startValues);
    for (const std::size_t s : field) input.problem.sources[s].startTime = own.since(sources.startValues[s]);
  }
}

RayReflector reflectorOf(vtkImageData* data, const RaySettings& settings, const rays::Options& options,
                         PartExchange& ranks) {
  RayReflector reflector{interfaceOf(data, settings, inCells(options), ranks), nullptr};
  if (settings.secondVelocityArray.chosen() && settings.tilted)
    throw Error("converted waves are not possible with Velocity Type TTI, which describes P waves: set the "
                "Second Velocity Array to None");
  if (settings.secondVelocityArray.chosen())
    reflector.medium = mediumOf(data, settings, settings.secondVelocityArray, "second velocity", options);
  return reflector;
}

RayProblem secondLeg(const RayProblem& first, const RayReflector& reflector, const rays::Field& field) {
  RayProblem second = first;
  second.problem.sources.clear();
  auto starts = std::make_shared<RayStarts>();
  if (!field.preciseTravelTime.empty())
    starts->preciseTimes = startsAt<double>(reflector.interface, field.preciseTravelTime);
  else
    starts->times = startsAt<float>(reflector.interface, field.travelTime);
  second.problem.startTimes = starts->times;
  second.problem.preciseStartTimes = starts->preciseTimes;
  second.starts = std::move(starts);
  if (reflector.medium) setMedium(second, reflector.medium);
  return second;
}

namespace {

/// Returns the bytes per point of the arrays of a tilted medium.
double bytesOfTilt(const ImageFrame& frame, const TiltedSettings& tilt) {
  const auto isArray = [](const TiltedParameter& parameter) { return parameter.array.chosen() ? 1 : 0; };
  const bool plane = frame.size(2) == 1, turns = isArray(tilt.tilt) || (!plane && isArray(tilt.azimuth));
  const int values =
      isArray(tilt.epsilon) + isArray(tilt.delta) + isArray(tilt.shear) + (turns ? (plane ? 2 : 3) : 0);
  return values * double(sizeof(float));
}

} // namespace

double bytesOf(const ImageFrame& frame, const RaySettings& settings, const TimeOrigin& origin,
               const rays::Options& options, int fields) {
  const double real = options.doublePrecision ? 8 : 4;
  const double tilt = settings.tilted ? bytesOfTilt(frame, settings.tilt) : 0;
  // The slowness of each direction of the edges, two of which are opposite.
  const double directions =
      settings.tilted
          ? double(rays::makeForwardStar(gridOf(frame), options.neighbours, options.radius).offsets.size()) /
                2
          : 0;
  const bool wraps = std::ranges::any_of(settings.periodic, [](bool axis) { return axis; });
  const double copies = wraps ? real + tilt : 0; // the solver adds those of the margin
  // Velocities in double precision, slowness, Reached; per field the times and their array, and predecessors
  // with their array if requested. Path probabilities: per field those kept and their array, and while one
  // field is computed the paths to each point and the order of the points.
  const double bytes = 8 + real + 1 + tilt + directions * real + copies +
                       fields * (real + (options.doublePrecision ? real : origin.bytesOfTime()) +
                                 (options.predecessors ? 10 : 0)) +
                       (settings.pathProbability ? fields * 16 + 56 : 0);
  return bytes * double(frame.size(0)) * double(frame.size(1)) * double(frame.size(2));
}

void requireMemory(const ImageFrame& frame, const RaySettings& settings, const TimeOrigin& origin,
                   const rays::Options& options, int fields) {
  std::ostringstream what;
  what << "the travel times of " << frame.size(0) << " x " << frame.size(1) << " x " << frame.size(2)
       << " points";
  if (fields > 1) what << ", " << fields << " times";
  requireHostMemory(std::size_t(std::min(bytesOf(frame, settings, origin, options, fields), 9e18)),
                    what.str());
}

bool same(const rays::Problem& a, const rays::Problem& b) {
  const auto shape = [](const rays::Grid& g) {
    return std::array<double, 6>{double(g.nx), double(g.ny), double(g.nz), g.hx, g.hy, g.hz};
  };
  const auto sameSource = [](const rays::Source& s, const rays::Source& t) {
    return sameBytes<double>(s.at, t.at) && s.startTime == t.startTime;
  };
  return shape(a.grid) == shape(b.grid) && shape(wholeGrid(a)) == shape(wholeGrid(b)) &&
         a.periodic == b.periodic && a.part.first == b.part.first && sameBytes(a.slowness, b.slowness) &&
         a.tilted == b.tilted && sameTilt(a.thomsen, b.thomsen) &&
         sameBytes(a.preciseSlowness, b.preciseSlowness) && sameBytes(a.startTimes, b.startTimes) &&
         sameBytes(a.preciseStartTimes, b.preciseStartTimes) &&
         std::equal(a.sources.begin(), a.sources.end(), b.sources.begin(), b.sources.end(), sameSource);
}

bool answers(const rays::Options& a, const rays::Options& b) {
  return a.backend == b.backend && a.neighbours == b.neighbours && a.radius == b.radius && a.rule == b.rule &&
         a.method == b.method && a.doublePrecision == b.doublePrecision &&
         a.separateSources == b.separateSources && a.fieldOfSource == b.fieldOfSource &&
         (a.predecessors || !b.predecessors) && (a.sourceIds || !b.sourceIds);
}

} // namespace isochrone::filters
