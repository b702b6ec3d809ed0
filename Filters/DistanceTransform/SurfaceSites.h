// SurfaceSites.h - the surface that distances are measured to, in place of sites.
#pragma once

#include "Common/Extents.h"
#include "DistanceTransform/Problem.h"
#include "DistanceTransform/Samples.h"
#include "Surface/Surface.h"

#include <vtkSmartPointer.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

class vtkDataObject;
class vtkDataSetAttributes;
class vtkPolyData;

namespace isochrone::filters {

class ImageFrame;
class Ranks;

/// An array to extend from the surface, and its components.
struct ExtendedArray {
  std::string name;
  int components = 1;
  bool operator==(const ExtendedArray&) const = default;
};

struct SurfaceSites {
  surface::Surface surface;          ///< complete on every rank that solves together with others
  Values<std::uint8_t> inside;       ///< per sample of this rank
  std::int64_t notANumber = 0;       ///< number of samples of this rank without a finite value
  bool isClosed = true;              ///< the surface has an inside
  std::vector<ExtendedArray> arrays; ///< whose components are the values of the surface, one after the other
};

/// Where the samples of a rank lie.
struct SurfacePlace {
  const ImageFrame& frame;          ///< of the samples of this rank
  const ImageFrame& wholeFrame;     ///< of all samples
  distance::Box box;                ///< the samples of this rank, among all samples
  std::vector<distance::Box> boxes; ///< of all ranks that solve together; empty: this rank solves alone
};

/// Returns the level set of the values; null if the monitor of a rank requests a stop. Collective.
std::shared_ptr<const SurfaceSites> levelSetSites(const Ranks& ranks, const SiteArray& array,
                                                  const SiteRule& rule, const SurfacePlace& place,
                                                  vtkDataSetAttributes* arrays,
                                                  const std::vector<std::string>& names, int threads,
                                                  const Monitor& monitor);

/// Returns the triangles, segments and points of an input.
/// @throws Error if the data is no polygonal data, or an array is missing
std::shared_ptr<const SurfaceSites> inputSites(vtkDataObject* data, const SurfacePlace& place,
                                               const std::vector<std::string>& names, int threads);

/// Returns the surface that all ranks give together; sources may give it to all of them or to each a part.
/// Collective.
vtkSmartPointer<vtkPolyData> gatherSurface(const Ranks& ranks, vtkDataObject* data);

/// A surface, kept while it is made from the same.
class KnownSurface {
public:
  /// Returns the surface of the inputs; null if the monitor of a rank requests a stop. Collective.
  /// @param names  of the arrays to extend
  std::shared_ptr<const SurfaceSites> update(const Ranks& ranks, const Inputs& in, const Samples& samples,
                                             const SiteRule& rule, const std::vector<std::string>& names,
                                             int threads, const Monitor& monitor);

private:
  /// What a surface was made from. Equal keys have equal surfaces.
  struct Key {
    SiteOrigin origin;
    std::vector<std::string> names; ///< of the arrays to extend
    vtkMTimeType time = 0;          ///< of these arrays, and of the input surface
    std::vector<double> geometry;   ///< of the samples

    bool equals(const Key& other) const;
  };

  Key key;
  std::shared_ptr<const SurfaceSites> sites;
};

/// Returns warnings: nothing is crossed, values are missing, or the surface has no inside. Collective.
std::vector<std::string> surfaceWarnings(const Ranks& ranks, const SiteArray& array, const SiteRule& rule,
                                         const SurfaceSites& sites, distance::Region region);

/// Makes the extended arrays, named Extended and the name of the array.
std::vector<vtkSmartPointer<vtkDataArray>> extendedArrays(const SurfaceSites& sites,
                                                          const distance::Problem& problem,
                                                          const distance::Result& result, int threads);

} // namespace isochrone::filters
