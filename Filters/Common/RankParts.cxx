// Checks whether the parts of a dataset on different ranks fit together.
#include "Common/Ranks.h"
#include "Error.h"

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkDataSet.h>
#include <vtkDataSetAttributes.h>
#include <vtkImageData.h>
#include <vtkMatrix3x3.h>
#include <vtkPointData.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <sstream>

namespace isochrone::filters {

namespace {

/// Tolerance for rounding in files and filters: relative for spacing and origin, absolute for directions.
constexpr double rounding = 1e-6;

/// Readable descriptions of arrays by name, as in "the point array 'a'".
using Arrays = std::map<std::string, std::string>;

/// Geometry of an image. `flat` axes have a single point, and their spacing has no meaning.
struct Geometry {
  std::array<double, 3> origin{}, spacing{};
  std::array<double, 9> direction{};
  std::array<bool, 3> flat{};
};

void add(vtkDataSetAttributes* attributes, vtkIdType tuples, const std::string& place, Arrays& arrays) {
  for (int a = 0; a < attributes->GetNumberOfArrays(); ++a) {
    vtkAbstractArray* array = attributes->GetAbstractArray(a);
    if (!array || !array->GetName()) continue;
    const std::string name = array->GetName();
    if (name == vtkDataSetAttributes::GhostArrayName()) continue;
    std::ostringstream text;
    text << array->GetNumberOfComponents() << (array->IsNumeric() ? " numbers" : " words") << " per "
         << place;
    if (array->GetNumberOfTuples() != tuples)
      text << " and " << array->GetNumberOfTuples() << " values for " << tuples << ' ' << place << 's';
    arrays["the " + place + " array '" + name + "'"] = text.str();
  }
}

std::string joined(const Arrays& arrays) {
  std::string bytes;
  for (const auto& [name, text] : arrays) (bytes += name + '\0') += text + '\0';
  return bytes;
}

Arrays parted(const std::vector<char>& bytes) {
  Arrays arrays;
  std::istringstream in(std::string(bytes.begin(), bytes.end()));
  for (std::string name, text; std::getline(in, name, '\0') && std::getline(in, text, '\0');)
    arrays[name] = text;
  return arrays;
}

Geometry geometryOf(vtkImageData* image) {
  Geometry g;
  std::copy_n(image->GetOrigin(), 3, g.origin.begin());
  std::copy_n(image->GetSpacing(), 3, g.spacing.begin());
  std::copy_n(image->GetDirectionMatrix()->GetData(), 9, g.direction.begin());
  const int* extent = image->GetExtent();
  for (int a = 0; a < 3; ++a) g.flat[a] = extent[2 * a] == extent[2 * a + 1];
  return g;
}

template <std::size_t n>
std::string text(const std::array<double, n>& values) {
  std::ostringstream out;
  for (std::size_t i = 0; i < n; ++i) out << (i ? ", " : "(") << values[i];
  return out.str() + ")";
}

/// Returns a message such as "the spacing is (1, 1, 1) on rank 0 and (2, 1, 1) on rank 1". Empty if both are
/// equal.
std::string difference(const Geometry& a, int rankA, const Geometry& b, int rankB) {
  const auto differ = [](double x, double y, double size) { return !(std::abs(x - y) <= rounding * size); };
  const auto name = [&](const char* what, const auto& x, const auto& y) {
    return std::string("the ") + what + " of the image is " + text(x) + " on rank " + std::to_string(rankA) +
           " and " + text(y) + " on rank " + std::to_string(rankB);
  };
  for (int i = 0; i < 3; ++i) {
    const double size = std::max(std::abs(a.spacing[i]), std::abs(b.spacing[i]));
    if (!(a.flat[i] && b.flat[i]) && differ(a.spacing[i], b.spacing[i], size))
      return name("spacing", a.spacing, b.spacing);
    if (differ(a.origin[i], b.origin[i], size + std::abs(a.origin[i])))
      return name("origin", a.origin, b.origin);
  }
  for (int i = 0; i < 9; ++i)
    if (differ(a.direction[i], b.direction[i], 1)) return name("direction matrix", a.direction, b.direction);
  return {};
}

std::string difference(const Arrays& a, int rankA, const Arrays& b, int rankB) {
  const auto missing = [](const std::string& name, int there, int here) {
    return name + " is on rank " + std::to_string(there) + ", but not on rank " + std::to_string(here);
  };
  for (const auto& [name, what] : a) {
    const auto other = b.find(name);
    if (other == b.end()) return missing(name, rankA, rankB);
    if (other->second != what)
      return name + " has " + what + " on rank " + std::to_string(rankA) + ", but " + other->second +
             " on rank " + std::to_string(rankB);
  }
  for (const auto& [name, what] : b)
    if (!a.count(name)) return missing(name, rankB, rankA);
  return {};
}

} // namespace

void Ranks::requireSame(vtkDataSet* part, const std::string& role) const {
  if (number == 1) return;
  const bool some = part->GetNumberOfPoints() > 0;
  Arrays local;
  if (some) {
    add(part->GetPointData(), part->GetNumberOfPoints(), "point", local);
    add(part->GetCellData(), part->GetNumberOfCells(), "cell", local);
  }
  std::vector<Geometry> geometry;
  auto* image = vtkImageData::SafeDownCast(part);
  if (some && image) geometry.push_back(geometryOf(image));
  const char has = some;
  const auto having = gather<char>({&has, 1});
  const auto geometries = gather<Geometry>(geometry);
  const std::string bytes = joined(local);
  const auto arrays = gather<char>({bytes.data(), bytes.size()});

  // Every rank finds the same first difference among the gathered descriptions.
  std::optional<int> first;
  for (int r = 0; r < number; ++r) {
    if (!having[r][0]) continue;
    if (!first) first = r;
    std::string found = difference(parted(arrays[*first]), *first, parted(arrays[r]), r);
    if (found.empty() && !geometries[r].empty() && !geometries[*first].empty())
      found = difference(geometries[*first][0], *first, geometries[r][0], r);
    if (!found.empty())
      throw Error("the parts of the " + role + " do not fit together: " + found +
                  "; make them consistent in the reader, source or filter before this one");
  }
}

} // namespace isochrone::filters
