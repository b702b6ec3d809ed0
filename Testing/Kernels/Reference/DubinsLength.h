// DubinsLength.h - the shortest path of bounded curvature between two poses: the shortest of Dubins' six
// words.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

namespace isochrone::reference {

/// A position and a heading in radians.
struct Pose {
  double x = 0, y = 0, heading = 0;
};

/// Three arcs: turn +1 left, -1 right, 0 straight. Lengths in turning radii.
struct DubinsWord {
  std::array<int, 3> turn{};
  std::array<double, 3> length{};

  double total() const { return length[0] + length[1] + length[2]; }
};

/// Returns the pose after `length` (turning radii) along a word from the origin with heading 0; radius 1.
inline Pose follow(const DubinsWord& word, double length) {
  Pose pose;
  for (int arc = 0; arc < 3; ++arc) {
    const double part = std::min(length, word.length[arc]), before = pose.heading;
    const int turn = word.turn[arc];
    pose.heading += turn * part;
    pose.x += turn ? turn * (std::sin(pose.heading) - std::sin(before)) : part * std::cos(before);
    pose.y -= turn ? turn * (std::cos(pose.heading) - std::cos(before)) : -part * std::sin(before);
    length -= part;
  }
  return pose;
}

/// Returns the shortest word from the origin with heading 0 to `goal`, with turning radius 1.
inline DubinsWord shortestDubinsWord(const Pose& goal) {
  using Complex = std::complex<double>;
  constexpr double pi = std::numbers::pi;
  const auto positive = [](double angle) { // in [0, 2 pi); a rounding error below zero becomes zero
    angle = std::fmod(angle, 2 * pi);
    if (angle < 0) angle += 2 * pi;
    return angle > 2 * pi - 1e-10 ? 0 : angle;
  };

  DubinsWord best{{0, 0, 0}, {std::numeric_limits<double>::infinity(), 0, 0}};
  for (const int mirror : {1, -1}) { // words that begin to the left, then their mirror images
    const auto offer = [&](const DubinsWord& word) {
      if (word.total() < best.total())
        best = {{mirror * word.turn[0], mirror * word.turn[1], mirror * word.turn[2]}, word.length};
    };
    const double end = mirror * goal.heading;
    const Complex at(goal.x, mirror * goal.y), normal = Complex(0, 1) * std::polar(1., end);
    const Complex first(0, 1); // centre of the left circle at the start
    const Complex toLeft = at + normal - first,
                  toRight = at - normal - first; // to the end's left and right circle

    // Left, straight, left: along the line of the centres.
    const double along = std::abs(toLeft) > 1e-12 ? std::arg(toLeft) : 0;
    offer({{1, 0, 1}, {positive(along), std::abs(toLeft), positive(end - along)}});

    // Left, straight, right: along the inner tangent.
    if (std::abs(toRight) >= 2) {
      const double straight = std::sqrt(std::norm(toRight) - 4),
                   heading = std::arg(toRight) + std::atan2(2, straight);
      offer({{1, 0, -1}, {positive(heading), straight, positive(heading - end)}});
    }

    // Left, right, left: the middle circle touches both left circles, on one side or the other.
    if (std::abs(toLeft) <= 4 && std::abs(toLeft) > 1e-12)
      for (const int side : {1, -1}) {
        const Complex half = toLeft / 2.;
        const double height = std::sqrt(std::max(0., 4 - std::norm(half)));
        const Complex middle =
            half + side * height * Complex(0, 1) * half / std::abs(half); // relative to `first`
        const double h1 = std::arg(-middle) - pi / 2, h2 = std::arg(toLeft - middle) - pi / 2;
        offer({{1, -1, 1}, {positive(h1), positive(h1 - h2), positive(end - h2)}});
      }
  }
  return best;
}

/// Returns the length of the shortest path from the origin with heading 0 to `goal`, in the unit of `radius`
/// and `goal`.
inline double dubinsLength(const Pose& goal, double radius) {
  return radius * shortestDubinsWord({goal.x / radius, goal.y / radius, goal.heading}).total();
}

} // namespace isochrone::reference
