// Isochrones.h - lines and surfaces of equal time or distance.
#pragma once

#include <vtkSmartPointer.h>

class vtkDataSet;
class vtkPolyData;

namespace isochrone::filters {

class Ranks;

/// Returns lines, in a volume surfaces, of equal value of a field. The values divide the range of the field
/// over all ranks into `number` + 1 equal parts. Cells with an unreached point have no line. Next to the
/// seeds in the field data (TravelTimeSeeds.h) they are round. Collective.
/// @param field  image or mesh, in MPI the piece of this rank, with the point array `Reached`
/// @param name   point array with one value per point, NaN where it is not reached
/// @param number  number of values, at least 1
vtkSmartPointer<vtkPolyData> isochrones(vtkDataSet* field, const char* name, int number, const Ranks& ranks);

} // namespace isochrone::filters
