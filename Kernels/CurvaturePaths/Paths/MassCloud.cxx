#include "CurvaturePaths/Paths/MassCloud.h"

#include <tuple>

namespace isochrone::curvature {

bool StateKey::operator<(const StateKey& o) const {
  return std::tie(o.value, state.j, state.i, state.k) < std::tie(value, o.state.j, o.state.i, o.state.k);
}

void Moments::add(double m, const GridState& q) {
  const double v[3] = {q.i - origin.x, q.j - origin.y, q.k - origin.k};
  mass += m;
  for (int a = 0; a < 3; ++a) {
    first[a] += m * v[a];
    for (int b = 0; b <= a; ++b) second[a][b] += m * v[a] * v[b];
  }
}

Sample Moments::centre() const {
  return {origin.x + first[0] / mass, origin.y + first[1] / mass, origin.k + first[2] / mass};
}

double Moments::spread() const {
  const auto c = [&](int a, int b) { return second[a][b] / mass - first[a] * first[b] / (mass * mass); };
  const double xx = c(0, 0), yy = c(1, 1), zz = c(2, 2), xy = c(1, 0), xz = c(2, 0), yz = c(2, 1);
  return xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
}

MassCloud::MassCloud(const DescentFlow& flow, const GridState& tip) : last(sampleAt(tip)), moments{last} {
  masses[{flow.value(tip), tip}] = 1;
  moments.add(1, tip);
}

} // namespace isochrone::curvature
