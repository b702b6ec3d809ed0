#include "Quantities.h"

#include "Common/Fields.h"

#include <vtkPVArrayInformation.h>
#include <vtkPVDataInformation.h>
#include <vtkPVDataSetAttributesInformation.h>

namespace isochrone::display {
namespace {

enum class Unit { None, Time, Length, SquaredLength };
/// Colours: those of ParaView, a sequential map, or the same in bands, whose edges are isochrones.
enum class Map { ParaView, Smooth, Bands };

struct Quantity {
  const char *array, *title;
  Unit unit;
  Map map;
};

constexpr Quantity quantities[] = {
    {"TravelTime", "Travel time", Unit::Time, Map::Bands},
    {"TimeFromTargets", "Travel time from the targets", Unit::Time, Map::Bands},
    {"TwoWayTime", "Travel time of the path through the point", Unit::Time, Map::Bands},
    {"ReflectedTravelTime", "Travel time after the reflection", Unit::Time, Map::Bands},
    {"Distance", "Distance", Unit::Length, Map::Bands},
    {"SquaredDistance", "Squared distance", Unit::SquaredLength, Map::Bands},
    {"SeedDistance", "Distance from the seed", Unit::Length, Map::Bands},
    {"ArcLength", "Distance along the path", Unit::Length, Map::ParaView},
    {"Length", "Length of the path", Unit::Length, Map::ParaView},
    {"SeedId", "Nearest seed", Unit::None, Map::ParaView},
    {"NearestSite", "Nearest site", Unit::None, Map::ParaView},
    {"NearestLabel", "Nearest label", Unit::None, Map::ParaView},
    {"PathProbability", "Probability of a path through the point", Unit::None, Map::Smooth},
    {"LeastCost", "Minimum cost over the headings", Unit::None, Map::Smooth},
    {"Cost", "Cost", Unit::None, Map::Smooth},
};

/// Returns the unit that an array of the field data names, or an empty string.
std::string unitIn(vtkPVDataInformation* data, const char* array) {
  vtkPVArrayInformation* info = data ? data->GetFieldDataInformation()->GetArrayInformation(array) : nullptr;
  return info && info->GetNumberOfStringValues() > 0 ? info->GetStringValue(0) : "";
}

} // namespace

std::string legendTitle(const std::string& array, vtkPVDataInformation* data) {
  for (const Quantity& quantity : quantities) {
    if (array != quantity.array) continue;
    std::string unit;
    if (quantity.unit == Unit::Time) unit = unitIn(data, filters::timeUnitArray);
    if (quantity.unit == Unit::Length || quantity.unit == Unit::SquaredLength)
      unit = unitIn(data, filters::lengthUnitArray);
    if (!unit.empty() && quantity.unit == Unit::SquaredLength) unit += "^2";
    return unit.empty() ? quantity.title : std::string(quantity.title) + " (" + unit + ")";
  }
  return {};
}

std::string colourMapSettings(const std::string& preset) {
  // Unreached points (NaN) are light grey. The range follows
  // each change (AutomaticRescaleRangeMode 2, "Update on 'Apply'"); ParaView's default only extends it.
  std::string presets, maps;
  for (const Quantity& quantity : quantities) {
    if (quantity.map == Map::ParaView) continue;
    const std::string key = std::string(presets.empty() ? "" : ", ") + '"' + quantity.array + "\": ";
    presets += key + '"' + preset + '"';
    maps += key + R"({"PVLookupTable": {"NanColor": [0.8, 0.8, 0.8], "AutomaticRescaleRangeMode": 2)" +
            (quantity.map == Map::Bands ? R"(, "NumberOfTableValues": 16}})" : "}}");
  }
  return R"({"standard_presets": {)" + presets + R"(}, "array_lookup_tables": {)" + maps + "}}";
}

} // namespace isochrone::display
