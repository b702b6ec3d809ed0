// PointMarkers.h - balls with numbers at seeds and tips, of one size and colour wherever they are shown.
#pragma once

#include <vtkNew.h>
#include <vtkType.h>

#include <array>
#include <compare>
#include <vector>

class vtkActor;
class vtkActor2D;
class vtkPolyData;

namespace isochrone::display {

enum class Role { Seed, Tip };

/// Returns the colour of a seed or a tip: red, green and blue from 0 to 1. Both stand out on the colour maps
/// of times and distances, on the colour of the paths and on grey images.
std::array<double, 3> colourOf(Role role);

/// A numbered point; a negative number is not written.
struct Marker {
  Role role;
  vtkIdType number;
  std::array<double, 3> position; // world coordinates
  auto operator<=>(const Marker&) const = default;
};

/// Draws markers in a view: the balls are part of the scene, the numbers lie above it.
class PointMarkers {
public:
  PointMarkers();
  ~PointMarkers();

  /// Replaces the markers. More than 100 get no numbers, because these could not be read.
  void set(const std::vector<Marker>& markers);

  void setVisibility(bool visible);
  vtkActor* balls() { return this->Balls; }
  vtkActor2D* numbers() { return this->Numbers; }

private:
  vtkNew<vtkPolyData> BallData, NumberData;
  vtkNew<vtkActor> Balls;
  vtkNew<vtkActor2D> Numbers;
};

} // namespace isochrone::display
