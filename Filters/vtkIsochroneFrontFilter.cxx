#include "vtkIsochroneFrontFilter.h"

#include "Internal/PropertyLists.h"

#include <algorithm>
#include <limits>

using namespace isochrone::filters;

vtkIsochroneFrontFilter::vtkIsochroneFrontFilter() : Residual(std::numeric_limits<double>::quiet_NaN()) {
  this->SetNumberOfInputPorts(3);
}

void vtkIsochroneFrontFilter::SetSeedType(int type) {
  type = std::clamp(type, 0, this->LastSeedType);
  if (this->SeedType == type) return;
  this->SeedType = type;
  this->Modified();
}

void vtkIsochroneFrontFilter::SetNumberOfSeedPoints(int number) {
  resize(this, this->SeedPoints, number, {});
}
void vtkIsochroneFrontFilter::SetSeedPoint(int index, double x, double y, double z) {
  assign(this, this->SeedPoints, index, {x, y, z});
}

void vtkIsochroneFrontFilter::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "SeedPoints: " << this->SeedPoints.size() << '\n';
}
