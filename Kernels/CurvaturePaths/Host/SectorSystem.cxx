#include "CurvaturePaths/Host/SectorSystem.h"

#include "Backend.h"
#include "CurvaturePaths/Scheme/PartProblem.h"
#include "CurvaturePaths/Scheme/SecondDifference.h"
#include "Error.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace isochrone::curvature {

namespace {

bool turnsOnTheSpot(Model model) { return model == Model::ReedsShepp || model == Model::ReedsSheppForward; }

/// Returns the turning rate of fast turns, times the turning radius. The elastica model has no maximum; its
/// number is the one with the fewest updates (EXPERIMENTS.md). Turns on the spot do not leave their pixel.
double ownRate(Model model) { return turnsOnTheSpot(model) ? 0 : model == Model::Elastica ? 2 : 1; }

/// Returns the overlap of the sectors: one heading, plus the headings that a path turns through in one pixel
/// (DESIGN.md).
int overlapOf(const Problem& p, const Range& radius, const Range& shift) {
  const double rate = std::max(std::abs(shift.lo), std::abs(shift.hi)) + ownRate(p.model) / radius.lo;
  if (rate == 0) return 0;
  const double turned = rate * std::max(p.grid.hx, p.grid.hy) / p.grid.headingStep();
  return turned < p.grid.headings ? 1 + int(std::ceil(turned)) : p.grid.headings;
}

/// Returns the offsets, and twice each offset if differences are corrected.
std::vector<std::vector<Offset>> readOffsets(const HeadingStencils& stencils, bool corrects) {
  std::vector<std::vector<Offset>> offsets = stencils.offsets;
  if (corrects)
    for (auto& ofHeading : offsets)
      for (std::size_t i = 0, n = ofHeading.size(); i < n; ++i)
        ofHeading.push_back({2 * ofHeading[i][0], 2 * ofHeading[i][1], 2 * ofHeading[i][2]});
  return offsets;
}

/// Returns the bytes of a vector of vectors.
template <class Vectors>
std::size_t bytesOf(const Vectors& vectors) {
  std::size_t bytes = 0;
  for (const auto& v : vectors) bytes += v.capacity() * sizeof v[0];
  return bytes;
}

} // namespace

SectorSystem::SectorSystem(const Problem& p, const Discretisation& d, int planes, execution::RoundPool& pool)
    : problem(p), planeCount(planes), own(ownPointsOf(p)), corrects(p.accuracy == Accuracy::SecondOrder),
      units(d.units), walls(d.walls), stencils(d.stencils()), planar(readOffsets(stencils, corrects)),
      sectors(
          layOutSectors(p.grid, stencils.offsets, overlapOf(p, d.turningRadius, d.curvatureShift), planes)) {
  checkReach();
  allocatePlanes(pool);
  arrangeFields(pool);
  for (int o = 0; walls.any() && o < 2; ++o)
    visibility[o] = std::make_unique<WallVisibility>(walls, p.grid.nx, p.grid.ny, o, planar, pool);
  for (int s = 0; s < sectorCount; ++s) buildSector(s);
  for (int s = 0; s < sectorCount; ++s) connect(s);
}

void SectorSystem::checkReach() const {
  const int reach = planar.reach() / (corrects ? 2 : 1);
  if (reach < blockWidth) return;
  fail("the stencils reach ", reach, " pixels, at most ", blockWidth - 1,
       " are supported: raise the relaxation (now ", std::to_string(problem.relaxation),
       ") or the number of headings");
}

void SectorSystem::allocatePlanes(execution::RoundPool& pool) {
  std::size_t bytes = 0;
  for (int o = 0; o < 2; ++o) {
    std::vector<char> copies; // number of planes per heading
    for (int k = 0; k < planeCount; ++k) {
      const Sector &a = sectors[o], &b = sectors[o + 2];
      copies.push_back((a.holds[k] | b.holds[k]) + (a.copies[k] | b.copies[k]));
    }
    const std::vector<char> bordered = borderedPlanes(o);
    planesOf[o] = std::make_unique<SectorPlanes>(problem.grid, o, copies, planar.reach(), bordered,
                                                 blockWidth << stripShift[o], borderReach[o]);
    if (corrects) before[o] = std::make_unique<SectorPlanes>(problem.grid, o, priorPlanes(o), planar.reach());
    bytes += planesOf[o]->bytes() + (corrects ? before[o]->bytes() : 0);
  }
  requireHostMemory(bytes, "the travel times of " + std::to_string(problem.grid.nx) + " x " +
                               std::to_string(problem.grid.ny) + " points x " +
                               std::to_string(problem.grid.headings) + " headings");
  for (int o = 0; o < 2; ++o) {
    planesOf[o]->fillWithInfinity(pool);
    if (corrects) before[o]->fillWithInfinity(pool);
  }
}

/// Returns the planes whose previous values the sectors of an orientation read, once each.
std::vector<char> SectorSystem::priorPlanes(int o) const {
  std::vector<char> needed(planeCount, 0);
  for (int s = o; s < sectorCount; s += 2)
    for (const int k : sectors[s].headings) {
      needed[k] = 1;
      for (const Offset& e : stencils.offsets[k]) needed[wrap(k + e[2])] = needed[wrap(k + 2 * e[2])] = 1;
    }
  return needed;
}

/// Returns the planes of an orientation that have borders (SectorPlane::borders), and finds the reach of
/// these and the width of the strips.
std::vector<char> SectorSystem::borderedPlanes(int o) {
  std::vector<char> bordered(planeCount, 0);
  int reach = 0;
  for (int s = o; s < sectorCount; s += 2)
    for (const int k : sectors[s].headings)
      for (const Offset& e : stencils.offsets[k])
        if (readsAlongRow(s, k, e, false)) {
          bordered[wrap(k + e[2])] = 1;
          reach = std::max(reach, std::abs(e[1 - o]));
        }
  borderReach[o] = reach;
  // Each border of strips costs updates if many planes are read along rows (EXPERIMENTS.md).
  if (3 * std::ranges::count(bordered, 1) >= planeCount) stripShift[o] = 1;
  return bordered;
}

SectorSystem::Arranged SectorSystem::arrange(const Field& field, int orientation, double factor, bool invert,
                                             execution::RoundPool& pool) const {
  const auto convert = [=](double v) { return float(invert ? factor / v : factor * v); };
  const StateGrid& grid = problem.grid;
  const int layers = field.isPerState(grid) ? planeCount : 1;
  const SectorPlanes& planes = *planesOf[orientation];
  Arranged out;
  out.arrays.resize(layers);
  for (int s = orientation; s < sectorCount; s += 2)
    for (const int k : sectors[s].headings) out.arrays[layers == 1 ? 0 : k].resize(planes.arrangedSize());
  constexpr std::int64_t share = 32; // rows of a task
  const std::int64_t shares = (planes.rows - 1) / share + 1;
  pool.run(int(layers * shares), [&](int task, int) {
    const int k = int(task / shares);
    if (out.arrays[k].empty()) return; // no sector of this orientation sweeps the heading
    const auto value = [&](std::int64_t i, std::int64_t j) {
      if (field.values.empty()) return convert(field.constant);
      // Values in wall pixels are never used and may be anything.
      return walls.isWall(i, j) ? 1.f : convert(field.values[grid.index(i, j, k)]);
    };
    const std::int64_t first = task % shares * share;
    for (std::int64_t r = first; r < std::min<std::int64_t>(first + share, planes.rows); ++r) {
      float* to = out.arrays[k].data() + r * planes.arrangedRow();
      for (std::int64_t c = 0; c < planes.columns; ++c) to[c] = orientation ? value(c, r) : value(r, c);
      std::fill(to + planes.columns, to + planes.arrangedRow(), 1.f); // lanes beyond the edge
    }
  });
  return out;
}

void SectorSystem::arrangeFields(execution::RoundPool& pool) {
  for (int o = 0; o < 2; ++o) {
    cost[o] = arrange(problem.cost, o, 1 / units.cost, false, pool);
    if (!stencils.varying) continue;
    inverseRadius[o] = arrange(problem.turningRadius, o, units.length, true, pool);
    shift[o] = arrange(problem.curvatureShift, o, units.length, false, pool);
    findBounds(o);
  }
}

void SectorSystem::findBounds(int o) {
  const SectorPlanes& planes = *planesOf[o];
  const std::size_t layers = std::max(inverseRadius[o].arrays.size(), shift[o].arrays.size());
  bounds[o].arrays.resize(layers);
  for (std::size_t k = 0; k < layers; ++k) {
    const float *r = inverseRadius[o].of(int(k)), *f = shift[o].of(int(k));
    if (!r || !f) continue;
    for (std::int64_t row = 0; row < planes.rows; ++row)
      for (std::int64_t b = 0; b < planes.blocks; ++b) {
        const std::int64_t at = (row * planes.blocks + b) * blockWidth;
        const int lanes = int(std::min<std::int64_t>(blockWidth, planes.columns - b * blockWidth));
        const auto [rLo, rHi] = std::minmax_element(r + at, r + at + lanes);
        const auto [fLo, fHi] = std::minmax_element(f + at, f + at + lanes);
        bounds[o].arrays[k].insert(bounds[o].arrays[k].end(), {*rLo, *rHi, *fLo, *fHi});
      }
  }
}

void SectorSystem::buildHeading(int s, int i) {
  const int o = orientationOf(s), k = sectors[s].headings[i];
  HeadingParts& h = parts[s].headings[i];
  SectorHeading& out = parts[s].heading[i];
  const bool uniform = !stencils.varying || onlyTurnsVary(k);
  if (uniform)
    buildUniformSchemes(s, k, h);
  else
    buildVaryingSchemes(s, k, h);
  out.value = planesOf[o]->plane(k);
  out.transposed = planesOf[1 - o]->plane(k);
  out.cost = cost[o].of(k);
  out.inverseRadius = stencils.varying ? inverseRadius[o].of(k) : nullptr;
  out.shift = stencils.varying ? shift[o].of(k) : nullptr;
  out.bounds = stencils.varying ? bounds[o].of(k) : nullptr;
  out.schemeCount = int(uniform ? h.uniform.size() : h.varying.size());
  out.uniform = uniform ? h.uniform.data() : nullptr;
  out.varying = uniform ? nullptr : h.varying.data();
  out.plane = k;
  out.correctionLimit = correctionLimit(problem);
  out.stopsLeaks = stopsLeaks(problem);
  out.readsAlongRow = std::ranges::any_of(stencils.offsets[k],
                                          [&](const Offset& e) { return readsAlongRow(s, k, e, false); });
}

void SectorSystem::addReaders(int s, int i) {
  const int o = orientationOf(s), k = sectors[s].headings[i];
  // Comparing before marking pays where few changes lower the reader: turns on the spot.
  const bool looks = turnsOnTheSpot(problem.model);
  for (const Offset& e : stencils.offsets[k]) {
    const int from = wrap(k + e[2]), row = e[o], column = e[1 - o];
    parts[s].planeReaders[from].add(i, row, column);
    const auto swept = std::find(sectors[s].headings.begin(), sectors[s].headings.end(), from);
    if (swept == sectors[s].headings.end()) continue;
    HeadingParts& writer = parts[s].headings[swept - sectors[s].headings.begin()];
    if (looks && e[0] == 0 && e[1] == 0)
      writer.turnReaders.push_back({i, planesOf[o]->plane(k)});
    else
      writer.readers.add(i, row, column);
  }
}

void SectorSystem::buildSector(int s) {
  const int o = orientationOf(s), n = int(sectors[s].headings.size());
  SectorParts& p = parts[s];
  SectorPlanes& planes = *planesOf[o];
  p.headings.resize(n), p.heading.resize(n);
  p.planeReaders.resize(planeCount);
  p.pending.resize(planeCount), p.pendingBorders.resize(planeCount);
  for (int i = 0; i < n; ++i) buildHeading(s, i);
  for (int i = 0; i < n; ++i) addReaders(s, i);
  const std::size_t size = std::size_t((planes.rows - 1) / 32 + 1) * planes.blocks;
  for (int k = 0; k < planeCount; ++k) {
    if (sectors[s].holds[k]) p.pending[k].assign(size, 0);
    if (sectors[s].sweeps[k] && planes.borders(k)) p.pendingBorders[k].assign(size, 0);
  }
}

/// Describes the sets of dirty headings and of readers.
void SectorSystem::layOutSets(int s) {
  const int o = orientationOf(s);
  SectorView& v = view[s];
  int rowsBefore = 0, rowsAfter = 0; // of readers, from a change
  for (const int k : sectors[s].headings)
    for (const Offset& e : stencils.offsets[k]) {
      rowsBefore = std::max(rowsBefore, e[o]), rowsAfter = std::max(rowsAfter, -e[o]);
      v.columnReach = std::max(v.columnReach, std::abs(e[1 - o]));
    }
  v.words = (v.headings - 1) / wordHeadings + 1;
  const auto wordsOf = [&](int rows) {
    return (rows * v.words + setAlignment - 1) / setAlignment * setAlignment;
  };
  v.wordsBefore = wordsOf(rowsBefore), v.wordsAfter = wordsOf(rowsAfter);
  v.dirtyPitch = v.wordsBefore + std::int64_t(v.rows) * v.words + v.wordsAfter;
  parts[s].dirty.assign(std::size_t(v.blocks + 2) * 3 * v.dirtyPitch, 0);
  v.dirty = parts[s].dirty.data() + 3 * v.dirtyPitch + v.wordsBefore;
}

void SectorSystem::connect(int s) {
  const int o = orientationOf(s);
  SectorParts& p = parts[s];
  SectorPlanes& planes = *planesOf[o];
  SectorView& v = view[s];
  v.ascending = s < 2;
  v.bothWays = problem.model == Model::ReedsShepp;
  v.rows = planes.rows, v.blocks = planes.blocks;
  v.firstRow = int(own.low[o]), v.endRow = int(own.high[o]);
  v.firstColumn = int(own.low[1 - o]), v.endColumn = int(own.high[1 - o]);
  v.firstBlock = v.firstColumn / blockWidth, v.endBlock = (v.endColumn + blockWidth - 1) / blockWidth;
  v.pitch = planes.pitch, v.otherPitch = planesOf[1 - o]->pitch;
  v.headings = int(p.heading.size()), v.heading = p.heading.data();
  layOutSets(s);
  for (std::size_t i = 0; i < p.heading.size(); ++i) {
    HeadingParts& h = p.headings[i];
    SectorHeading& out = p.heading[i];
    for (int other = 0; other < sectorCount; ++other)
      if (other != s && sectors[other].holds[out.plane]) h.others.push_back(other);
    out.readers = h.readers.makeSets(v);
    out.turnReaders = h.turnReaders.data(), out.turnReaderCount = int(h.turnReaders.size());
    out.others = h.others.data(), out.otherCount = int(h.others.size());
  }
  for (int k = 0; k < planeCount; ++k) {
    const bool bordered = !p.pendingBorders[k].empty();
    p.planes.push_back({planes.plane(k), sectors[s].copies[k] ? planes.copy(k) : nullptr,
                        bordered ? planes.borders(k) : nullptr,
                        p.pending[k].empty() ? nullptr : p.pending[k].data(),
                        bordered ? p.pendingBorders[k].data() : nullptr,
                        sectors[s].holds[k] ? p.planeReaders[k].makeSets(v) : Readers{}});
  }
  v.stripShift = stripShift[o];
  v.borderReach = borderReach[o];
  v.borderPitch = planes.borderPitch;
  v.walls = visibility[o] ? visibility[o]->view() : SectorWalls{};
  v.planes = p.planes.data();
}

void SectorSystem::lower(int heading, std::int64_t i, std::int64_t j, float value) {
  const int k = wrap(heading);
  for (int o = 0; o < 2; ++o)
    if (planesOf[o]->has(k)) planesOf[o]->at(k, i, j) = value;
  for (int s = 0; s < sectorCount; ++s) {
    std::uint32_t* pending = view[s].planes[k].pending;
    if (!pending) continue;
    const std::int64_t row = orientationOf(s) ? j : i, block = (orientationOf(s) ? i : j) / blockWidth;
    pending[row / 32 * view[s].blocks + block] |= 1u << (row % 32);
  }
}

void SectorSystem::correctDifferences(execution::RoundPool& pool) {
  pool.run(2 * planeCount, [&](int task, int) {
    const int o = task % 2, k = task / 2;
    if (!before[o]->has(k)) return;
    if (planesOf[o]->has(k)) {
      std::copy_n(planesOf[o]->plane(k), planesOf[o]->rows * planesOf[o]->pitch, before[o]->plane(k));
      return;
    }
    for (std::int64_t j = 0; j < problem.grid.ny; ++j)
      for (std::int64_t i = 0; i < problem.grid.nx; ++i)
        before[o]->at(k, i, j) = planesOf[1 - o]->at(k, i, j);
  });
  for (int o = 0; o < 2; ++o) planesOf[o]->fillWithInfinity(pool);
  for (int s = 0; s < sectorCount; ++s)
    for (SectorHeading& h : parts[s].heading) h.before = before[orientationOf(s)]->plane(h.plane);
}

float SectorSystem::value(int heading, std::int64_t i, std::int64_t j) const {
  const int k = wrap(heading);
  return planesOf[planesOf[1]->has(k)]->at(k, i, j);
}

void SectorSystem::gather(double scale, double offset, execution::RoundPool& pool,
                          std::span<float> travelTime) const {
  constexpr std::int64_t tile = 32; // keeps a tile of both source and target in cache
  const StateGrid& grid = problem.grid;
  pool.forEach(grid.headings, [&](std::int64_t heading) {
    const int k = wrap(int(heading));
    const bool alongRows = planesOf[1]->has(k);
    SectorPlanes& planes = *planesOf[alongRows];
    const float* from = planes.plane(k);
    float* to = &travelTime[grid.index(0, 0, int(heading))];
    const auto copy = [&](std::int64_t i, std::int64_t j, std::int64_t at) {
      to[i + grid.nx * j] = float(offset + scale * from[at]);
    };
    if (alongRows) {
      for (std::int64_t j = 0; j < grid.ny; ++j)
        for (std::int64_t i = 0; i < grid.nx; ++i) copy(i, j, j * planes.pitch + i);
      return;
    }
    for (std::int64_t j0 = 0; j0 < grid.ny; j0 += tile)
      for (std::int64_t i0 = 0; i0 < grid.nx; i0 += tile)
        for (std::int64_t j = j0; j < std::min(j0 + tile, grid.ny); ++j)
          for (std::int64_t i = i0; i < std::min(i0 + tile, grid.nx); ++i) copy(i, j, i * planes.pitch + j);
  });
}

std::size_t SectorSystem::bytes() const {
  std::size_t bytes = 0;
  for (int o = 0; o < 2; ++o) {
    bytes += planesOf[o]->bytes() + (corrects ? before[o]->bytes() : 0) +
             (visibility[o] ? visibility[o]->bytes() : 0);
    for (const Arranged* a : {&cost[o], &inverseRadius[o], &shift[o], &bounds[o]})
      bytes += bytesOf(a->arrays);
  }
  for (const SectorParts& p : parts) {
    bytes += p.dirty.size() * sizeof p.dirty[0] + bytesOf(p.pending) + bytesOf(p.pendingBorders);
    for (const ReaderList& list : p.planeReaders) bytes += list.bytes();
    for (const HeadingParts& h : p.headings)
      bytes += h.readers.bytes() + h.uniform.size() * sizeof(UniformScheme) + bytesOf(h.pieces);
  }
  return bytes;
}

} // namespace isochrone::curvature
