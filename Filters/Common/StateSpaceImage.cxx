#include "Common/StateSpaceImage.h"

#include "Common/Fields.h"
#include "Common/ImagePlane.h"

#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkImageData.h>
#include <vtkPointData.h>
#include <vtkStringArray.h>

#include <initializer_list>
#include <sstream>

namespace isochrone::filters {

void makeStateSpace(vtkDataArray* values, const ImagePlane& plane, int headings, double height,
                    const char* axis, vtkImageData* out) {
  out->CopyStructure(plane.stateSpace(headings, height));
  out->GetPointData()->SetScalars(values);

  auto worldLength = named<vtkDoubleArray>("StateSpaceHeight", 1); // of a full turn, world units
  worldLength->SetValue(0, height);
  auto step = named<vtkDoubleArray>("HeadingStep", 1); // degrees from plane to plane
  step->SetValue(0, 360.0 / headings);
  auto text = named<vtkStringArray>("ThirdAxis", 1);
  std::ostringstream sentence;
  sentence << axis << ", 360 degrees over " << height << " world units";
  text->SetValue(0, sentence.str());
  for (vtkAbstractArray* array : std::initializer_list<vtkAbstractArray*>{worldLength, step, text}) {
    out->GetFieldData()->AddArray(array);
  }
}

} // namespace isochrone::filters
