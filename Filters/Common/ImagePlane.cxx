#include "Common/ImagePlane.h"

#include "Error.h"

#include <vtkImageData.h>
#include <vtkMath.h>

#include <algorithm>
#include <sstream>
#include <string>

namespace isochrone::filters {

ImagePlane::ImagePlane(vtkImageData* data) : image(data) {
  if (image.dimension() == 2) return;
  int n[3];
  data->GetDimensions(n);
  std::ostringstream message;
  message << "the input has " << n[0] << " x " << n[1] << " x " << n[2]
          << " points, but a 2D image is needed: "
          << (image.dimension() == 3 ? "extract one plane of the volume with Extract Subset first"
                                     : "at least 2 points are needed along two of its axes");
  throw Error(message.str());
}

double ImagePlane::smallerExtent() const {
  return std::min(double(nx() - 1) * hx(), double(ny() - 1) * hy());
}

vtkSmartPointer<vtkImageData> ImagePlane::stateSpace(int headings, double height) const {
  // VTK 9.3 and later keep a coordinate for each plane of an image.
  if (headings > 1 << 24)
    throw Error(std::to_string(headings) + " headings need too much memory: use at most 16777216");
  auto space = vtkSmartPointer<vtkImageData>::New();
  const int i = image.start(0), j = image.start(1);
  space->SetExtent(i, i + int(nx()) - 1, j, j + int(ny()) - 1, 0, headings - 1);
  space->SetSpacing(hx(), hy(), height / headings);
  double normal[3];
  vtkMath::Cross(image.direction(0).data(), image.direction(1).data(), normal);
  std::array<double, 9> rows{};
  for (int c = 0; c < 3; ++c) {
    rows[3 * c] = image.direction(0)[c];
    rows[3 * c + 1] = image.direction(1)[c];
    rows[3 * c + 2] = normal[c];
  }
  space->SetDirectionMatrix(rows.data());
  // The image need not contain index (0, 0), since its extent may start anywhere.
  const auto origin = image.toWorld({-i * hx(), -j * hy(), 0});
  space->SetOrigin(origin.data());
  return space;
}

} // namespace isochrone::filters
