#include "DistanceTransform/SiteWarnings.h"

#include "Common/Ranks.h"

#include <vtkDataArray.h>

#include <cmath>
#include <iomanip>
#include <sstream>

namespace isochrone::filters {

namespace {

/// Returns "no point is a site: none has the Site Label 7, the values of 'label' range from 0 to 3".
std::string noSites(const SiteRule& rule, const std::string& array, const std::string& sample,
                    const std::array<double, 2>& values) {
  std::ostringstream text;
  text << std::setprecision(17) << "no " << sample << " is a site: ";
  if (values[0] > values[1]) {
    text << '\'' << array << "' has no finite value";
    return text.str();
  }
  if (rule.mode == SiteRule::Mode::Range)
    text << "none is in the Site Range " << rule.range[0] << " to " << rule.range[1];
  else if (rule.mode == SiteRule::Mode::Label)
    text << "none has the Site Label " << rule.label;
  else
    text << "none is nonzero";
  text << ", the values of '" << array << "' range from " << values[0] << " to " << values[1];
  return text.str();
}

/// Returns the number of NaN among the samples of this rank, without the planes of points that the next piece
/// also has.
std::int64_t notANumberIn(vtkDataArray* array, bool onCells, Extent box, const Part& part) {
  for (int a = 0; a < 3; ++a)
    if (!onCells && box[2 * a + 1] < part.whole[2 * a + 1]) --box[2 * a + 1];
  std::int64_t count = 0;
  for (int k = box[4]; k <= box[5]; ++k)
    for (int j = box[2]; j <= box[3]; ++j)
      for (int i = box[0]; i <= box[1]; ++i)
        count += std::isnan(array->GetTuple1(numberOf({i, j, k}, part.part)));
  return count;
}

} // namespace

std::array<double, 2> valuesOf(const Ranks& ranks, vtkDataArray* array) {
  double range[2];
  array->GetFiniteRange(range, 0);
  const std::vector<double> ends = ranks.allMax({-range[0], range[1]});
  return {-ends[0], ends[1]};
}

std::vector<std::string> siteWarnings(const Ranks& ranks, const SiteArray& array,
                                      const DistanceProblem& problem, distance::Region region,
                                      const Extent& owned) {
  const Sites& sites = *problem.sites;
  const bool some = ranks.any(sites.some), others = ranks.any(!sites.all);
  const std::string name = array.values->GetName(), sample = array.onCells ? "cell" : "point";
  std::vector<std::string> warnings;
  if (!some && region != distance::Region::Inside)
    warnings.push_back(noSites(problem.origin.rule, name, sample, valuesOf(ranks, array.values)) +
                       ": Distance is NaN");
  if (!others && region != distance::Region::Outside)
    warnings.push_back("every " + sample + " is a site: inside, Distance is NaN");
  if (ranks.any(sites.notANumber > 0)) {
    const auto count =
        problem.part.isWhole()
            ? sites.notANumber
            : std::int64_t(ranks.sum(double(notANumberIn(array.values, array.onCells, owned, problem.part))));
    warnings.push_back(std::to_string(count) + " values of '" + name + "' are NaN and never sites");
  }
  return warnings;
}

} // namespace isochrone::filters
