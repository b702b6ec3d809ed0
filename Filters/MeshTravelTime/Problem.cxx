#include "MeshTravelTime/Problem.h"

#include "Common/TensorBridge.h"
#include "Error.h"

#include <vtkAOSDataArrayTemplate.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkDoubleArray.h>
#include <vtkFloatArray.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>

namespace isochrone::filters {

namespace {

using mesh::Numbers;
using mesh::SpeedType;

std::string at(const double (&x)[3]) {
  std::ostringstream text;
  text << " at (" << x[0] << ", " << x[1] << ", " << x[2] << ')';
  return text.str();
}

std::string nameOfPoint(vtkUnstructuredGrid* grid, std::int64_t point) {
  double x[3];
  grid->GetPoint(point, x);
  return "point " + std::to_string(point) + at(x);
}

std::string nameOfCell(vtkUnstructuredGrid* grid, std::int64_t cell) {
  double bounds[6];
  grid->GetCellBounds(cell, bounds);
  return "cell " + std::to_string(cell) +
         at({(bounds[0] + bounds[1]) / 2, (bounds[2] + bounds[3]) / 2, (bounds[4] + bounds[5]) / 2});
}

/// Views an array of contiguous floats or doubles, or converts it to doubles.
Numbers numbersOf(vtkDataArray* array, bool ofVertices, MeshProblem& out) {
  Numbers numbers;
  numbers.components = array->GetNumberOfComponents();
  numbers.ofVertices = ofVertices;
  const auto size = std::size_t(array->GetNumberOfValues());
  if (auto* floats = vtkFloatArray::FastDownCast(array))
    numbers.single = {floats->GetPointer(0), size};
  else if (auto* doubles = vtkDoubleArray::FastDownCast(array))
    numbers.precise = {doubles->GetPointer(0), size};
  else
    numbers.precise = out.converted.emplace_back(toDoubles(array));
  return numbers;
}

/// Returns a point or cell array that has one of the given numbers of components.
Numbers chosen(const ArrayChoice& choice, const std::string& role, const std::vector<int>& components,
               MeshProblem& out) {
  if (!choice.chosen())
    throw Error("the Speed Type requires the " + role +
                " array, but none is chosen: choose one of the input");
  vtkDataArray* array = choice.onCells
                            ? cellTuples(out.grid, choice, role, "choose it among the point arrays")
                            : pointTuples(out.grid, choice, role, "choose it among the cell arrays");
  if (std::find(components.begin(), components.end(), array->GetNumberOfComponents()) == components.end()) {
    std::string wanted;
    for (const int c : components)
      wanted += (wanted.empty() ? "" : c == components.back() ? " or " : ", ") + std::to_string(c);
    throw Error("the " + role + " array '" + choice.name + "' has " +
                std::to_string(array->GetNumberOfComponents()) + " components, but " + wanted +
                " are needed: choose another array or Speed Type");
  }
  return numbersOf(array, !choice.onCells, out);
}

/// Converts tensors with nine components to six.
Numbers symmetric(const Numbers& nine, MeshProblem& out) {
  const std::size_t count = nine.size() / 9;
  std::vector<double>& six = out.converted.emplace_back(6 * count);
  for (std::size_t i = 0; i < count; ++i) {
    std::array<double, 9> tuple;
    for (int c = 0; c < 9; ++c) tuple[c] = nine[9 * i + c];
    const image::Matrix3 m = matrixOf(tuple, 9);
    if (!image::isSymmetric(m))
      throw Error(
          "the tensor at " +
          (nine.ofVertices ? nameOfPoint(out.grid, std::int64_t(i)) : nameOfCell(out.grid, std::int64_t(i))) +
          " is not symmetric: only symmetric tensors define a speed, compute the symmetric part first");
    const double values[6] = {m[0][0], m[1][1], m[2][2], m[0][1], m[1][2], m[0][2]};
    std::copy_n(values, 6, &six[6 * i]);
  }
  Numbers numbers;
  numbers.precise = six;
  numbers.components = 6;
  numbers.ofVertices = nine.ofVertices;
  return numbers;
}

/// Sets the inputs of the speed type only, so that unused settings do not cause a new solve.
void setMedium(const MeshSettings& s, MeshProblem& out) {
  mesh::Problem& p = out.problem;
  p.speedType = s.speedType;
  switch (s.speedType) {
  case SpeedType::Constant:
    p.constantSpeed = s.constantSpeed;
    return;
  case SpeedType::Scalar:
    if (!s.speedArray.chosen()) {
      p.speedType = SpeedType::Constant;
      p.constantSpeed = s.constantSpeed;
      return;
    }
    p.speed = chosen(s.speedArray, "speed", {1}, out);
    return;
  case SpeedType::Fibres:
  case SpeedType::Conductivities:
    p.fibre = chosen(s.fibreArray, "fibre", {3}, out);
    if (s.sheetArray.chosen()) p.sheet = chosen(s.sheetArray, "sheet", {3}, out);
    if (s.speedArray.chosen())
      p.speed = chosen(s.speedArray, "speed",
                       s.sheetArray.chosen() ? std::vector{1, 3} : std::vector{1, 2, 3}, out);
    if (p.speed.components == 1) p.velocities = s.velocities;
    if (p.sheet.empty()) p.velocities[2] = p.velocities[1];
    if (s.speedType == SpeedType::Conductivities) p.velocityScale = s.velocityScale;
    return;
  case SpeedType::Tensor:
    p.tensor = chosen(s.tensorArray, "tensor", {6, 9}, out);
    if (p.tensor.components == 9) p.tensor = symmetric(p.tensor, out);
    return;
  }
}

/// Checks that cells have the number of points of their type, and that these points exist. All later code
/// relies on it.
void requireCells(vtkUnstructuredGrid* grid) {
  const vtkIdType points = grid->GetNumberOfPoints();
  for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
    vtkIdType size;
    const vtkIdType* ids;
    grid->GetCells()->GetCellAtId(c, size, ids);
    const vtkIdType wanted = grid->GetCellType(c) == VTK_TETRA ? 4 : 3;
    if (size != wanted)
      throw Error("cell " + std::to_string(c) + " must have " + std::to_string(wanted) + " points, got " +
                  std::to_string(size) + ": repair its file");
    for (vtkIdType i = 0; i < size; ++i)
      if (ids[i] < 0 || ids[i] >= points)
        throw Error("cell " + std::to_string(c) + " has point " + std::to_string(ids[i]) +
                    ", but points are 0 to " + std::to_string(points - 1) + ": repair its file");
  }
}

void setCells(MeshProblem& out) {
  vtkCellArray* from = out.grid->GetCells();
  const vtkIdType count = out.grid->GetNumberOfCells();
  requireCells(out.grid);
  using Ids = vtkAOSDataArrayTemplate<vtkTypeInt64>;
  Ids* const connectivity = from ? Ids::FastDownCast(from->GetConnectivityArray()) : nullptr;
  bool tetrahedra = connectivity;
  for (vtkIdType c = 0; c < count && tetrahedra; ++c) tetrahedra = out.grid->GetCellType(c) == VTK_TETRA;
  if (tetrahedra) {
    // VTK's 64-bit integer may be a different type than std::int64_t.
    const auto* ids = reinterpret_cast<const std::int64_t*>(connectivity->GetPointer(0));
    out.problem.cells = {ids, std::size_t(4 * count)};
    return;
  }
  out.cells.assign(std::size_t(4 * count), -1);
  for (vtkIdType c = 0; c < count; ++c) {
    vtkIdType size;
    const vtkIdType* ids;
    from->GetCellAtId(c, size, ids);
    std::copy_n(ids, size, &out.cells[std::size_t(4 * c)]);
  }
  out.problem.cells = out.cells;
}

/// Marks hidden cells and cells with a hidden point.
void setHidden(MeshProblem& out) {
  vtkUnsignedCharArray *cells = out.grid->GetCellGhostArray(), *points = out.grid->GetPointGhostArray();
  if (!cells && !points) return;
  const std::size_t count = out.problem.cells.size() / 4;
  out.hidden.assign(count, 0);
  for (std::size_t c = 0; c < count; ++c) {
    bool hidden = cells && (cells->GetValue(vtkIdType(c)) & vtkDataSetAttributes::HIDDENCELL);
    for (int k = 0; points && k < 4; ++k) {
      const std::int64_t v = out.problem.cells[4 * c + k];
      hidden = hidden || (v >= 0 && (points->GetValue(v) & vtkDataSetAttributes::HIDDENPOINT));
    }
    out.hidden[c] = hidden;
  }
  if (std::count(out.hidden.begin(), out.hidden.end(), 0) < std::ptrdiff_t(count))
    out.problem.hidden = out.hidden;
}

/// Two multiplicative hashes at memory speed. Any change of one word changes both.
class Key {
public:
  template <class T>
  void add(std::span<const T> values) {
    addBytes(values.data(), values.size_bytes());
  }
  void add(double value) { addBytes(&value, sizeof value); }
  void add(const Numbers& n) {
    add(double(n.components));
    add(double(n.ofVertices));
    add(n.single);
    add(n.precise);
  }
  std::array<std::uint64_t, 2> value() const { return state; }

private:
  void addBytes(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    mix(size);
    for (; size >= 8; bytes += 8, size -= 8) {
      std::uint64_t word;
      std::memcpy(&word, bytes, 8);
      mix(word);
    }
    std::uint64_t rest = 0;
    std::memcpy(&rest, bytes, size);
    mix(rest);
  }
  void mix(std::uint64_t word) {
    state[0] = (state[0] ^ word) * 0x9e3779b97f4a7c15u;
    state[0] ^= state[0] >> 29;
    state[1] = (state[1] + word) * 0xd1b54a32d192ed03u;
    state[1] ^= state[1] >> 32;
  }
  std::array<std::uint64_t, 2> state{1, 2};
};

} // namespace

MeshProblem makeMeshProblem(vtkUnstructuredGrid* grid, const MeshSettings& settings) {
  MeshProblem out;
  out.grid = grid;
  if (grid->GetNumberOfCells() > 0) { // without cells the arrays may be missing, too
    out.problem.points = numbersOf(grid->GetPoints()->GetData(), true, out);
    setCells(out);
    setHidden(out);
    setMedium(settings, out);
  }
  out.problem.vertexName = [grid](std::int64_t v) { return nameOfPoint(grid, v); };
  out.problem.cellName = [grid](std::int64_t c) { return nameOfCell(grid, c); };
  return out;
}

std::vector<double> onsetTimes(vtkUnstructuredGrid* grid, const ArrayChoice& choice) {
  if (grid->GetNumberOfCells() == 0) return {};
  std::vector<double> times = toDoubles(pointArray(grid, choice, "onset time"));
  for (std::size_t v = 0; v < times.size(); ++v) {
    if (std::isinf(times[v]) && times[v] > 0)
      throw Error("onset times must be finite (NaN or negative: no start), got inf at " +
                  nameOfPoint(grid, std::int64_t(v)));
    if (times[v] < 0) times[v] = std::numeric_limits<double>::quiet_NaN();
  }
  return times;
}

std::array<std::uint64_t, 2> keyOf(const mesh::Problem& p) {
  Key key;
  for (const Numbers* n : {&p.points, &p.speed, &p.fibre, &p.sheet, &p.tensor}) key.add(*n);
  key.add(p.cells);
  key.add(p.hidden);
  for (const double value : {double(p.speedType), double(p.accuracy), p.constantSpeed, p.velocities[0],
                             p.velocities[1], p.velocities[2], p.velocityScale, p.ballRadius, p.timeOrigin})
    key.add(value);
  for (const mesh::Seed& seed : p.seeds) {
    key.add(double(seed.vertex));
    key.add(double(seed.cell));
    key.add(std::span<const double>(seed.at));
    key.add(seed.startTime);
  }
  return key.value();
}

} // namespace isochrone::filters
