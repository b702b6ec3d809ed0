#include "vtkIsochroneFrontFilter.h"

#include "Common/PropertyLists.h"

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

void vtkIsochroneFrontFilter::SetNumberOfSeedCoordinates(int number) {
  resize(this, this->SeedCoordinates, number, 0.0);
}
void vtkIsochroneFrontFilter::SetSeedCoordinate(int index, double value) {
  assign(this, this->SeedCoordinates, index, value);
}

void vtkIsochroneFrontFilter::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "SeedCoordinates: " << this->SeedCoordinates.size() << '\n';
}
