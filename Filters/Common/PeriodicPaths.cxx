#include "Common/PeriodicPaths.h"

#include "Common/ImageFrame.h"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>

#include <algorithm>
#include <cmath>

namespace isochrone::filters {

namespace {

using Vector = std::array<double, 3>;

/// The lines in the image, as they are built.
class Pieces {
public:
  Pieces(vtkPolyData* lines, const ImageFrame& imageFrame, const std::array<bool, 3>& periodicAxes,
         bool cells)
      : from(lines), frame(imageFrame) {
    points->SetDataTypeToDouble();
    data->CopyAllOn(), data->InterpolateAllocate(from->GetPointData());
    lineData->CopyAllOn(), lineData->CopyAllocate(from->GetCellData());
    for (int a = 0; a < 3; ++a) {
      periodic[a] = periodicAxes[a] && frame.size(a) > 1; // nothing moves along an axis of one point
      if (!periodic[a]) continue;
      low[a] = cells ? 0 : frame.seam(a);
      period[a] = cells ? double(frame.size(a) - 1) * frame.spacing(a) : frame.period(a);
    }
  }

  void add(vtkIdType line) {
    vtkNew<vtkIdList> ids;
    from->GetCellPoints(line, ids);
    Vector turns{};
    for (vtkIdType n = 0; n < ids->GetNumberOfIds(); ++n) {
      const Vector here = at(ids->GetId(n));
      if (n == 0)
        turns = turnsOf(here);
      else
        cross(line, ids->GetId(n - 1), ids->GetId(n), turns);
      data->CopyData(from->GetPointData(), ids->GetId(n), addPoint(here, turns));
    }
    end(line);
  }

  void finish() {
    from->SetPoints(points);
    from->SetLines(polylines);
    from->GetPointData()->ShallowCopy(data);
    from->GetCellData()->ShallowCopy(lineData);
  }

private:
  vtkPolyData* const from;
  const ImageFrame& frame;
  std::array<bool, 3> periodic{};
  Vector low{}, period{};
  vtkNew<vtkPoints> points;
  vtkNew<vtkCellArray> polylines;
  vtkNew<vtkPointData> data;
  vtkNew<vtkCellData> lineData;
  vtkNew<vtkIdList> piece; ///< the points of the present one

  Vector at(vtkIdType point) const {
    Vector world;
    from->GetPoint(point, world.data());
    return frame.toGridInTurn(world);
  }
  /// Returns how many periods a position lies beyond the image on each axis.
  Vector turnsOf(const Vector& p) const {
    Vector turns{};
    for (int a = 0; a < 3; ++a)
      if (periodic[a]) turns[a] = std::floor((p[a] - low[a]) / period[a]);
    return turns;
  }
  vtkIdType addPoint(Vector p, const Vector& turns) {
    for (int a = 0; a < 3; ++a) p[a] -= turns[a] * period[a];
    return piece->InsertNextId(points->InsertNextPoint(frame.toWorld(p).data())),
           points->GetNumberOfPoints() - 1;
  }
  void end(vtkIdType line) {
    if (piece->GetNumberOfIds() > 1)
      lineData->CopyData(from->GetCellData(), line, polylines->InsertNextCell(piece));
    piece->Reset();
  }

  /// Ends pieces at the borders between two points, and begins others.
  void cross(vtkIdType line, vtkIdType first, vtkIdType second, Vector& turns) {
    const Vector a = at(first), b = at(second), last = turnsOf(b);
    while (turns != last) {
      double share = 2;
      int axis = 0;
      for (int c = 0; c < 3; ++c) {
        if (turns[c] == last[c]) continue;
        const double border = (turns[c] + (last[c] > turns[c])) * period[c] + low[c];
        if (const double t = (border - a[c]) / (b[c] - a[c]); t < share) share = t, axis = c;
      }
      share = std::clamp(share, 0., 1.);
      Vector middle;
      for (int c = 0; c < 3; ++c) middle[c] = a[c] + share * (b[c] - a[c]);
      const auto add = [&] {
        data->InterpolateEdge(from->GetPointData(), addPoint(middle, turns), first, second, share);
      };
      if (share > 0) add(); // else it is the last point
      end(line);
      turns[axis] += last[axis] > turns[axis] ? 1 : -1;
      if (share < 1) add(); // else it is the next point
    }
  }
};

} // namespace

void cutAtBorders(vtkPolyData* lines, const ImageFrame& frame, const std::array<bool, 3>& periodic,
                  bool cells) {
  Pieces pieces(lines, frame, periodic, cells);
  for (vtkIdType line = 0; line < lines->GetNumberOfLines(); ++line) pieces.add(line);
  pieces.finish();
}

} // namespace isochrone::filters
