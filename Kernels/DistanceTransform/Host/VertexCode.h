// VertexCode.h - the vertices of lower hulls as bytes, for messages between processes.
//
// Numbers are in base 128, the lowest digit first; the upper bit of a byte says that another one follows.
// A vertex takes the step from the one before it on its line and, if nearest sites are requested, the steps
// to its site along the axes of the earlier passes, from which its value follows; else its value. Most take 2
// to 4 bytes.
#pragma once

#include "DistanceTransform/DistanceTransform.h"
#include "DistanceTransform/Scheme/Units.h"

#include <cstdint>
#include <cstring>
#include <vector>

namespace isochrone::distance {

inline void putNumber(std::vector<char>& to, std::uint64_t number) {
  for (; number >= 128; number >>= 7) to.push_back(char(number | 128));
  to.push_back(char(number));
}

inline std::uint64_t getNumber(const char*& from) {
  std::uint64_t number = 0;
  for (int shift = 0;; shift += 7) {
    const auto byte = std::uint8_t(*from++);
    number |= std::uint64_t(byte & 127) << shift;
    if (byte < 128) return number;
  }
}

/// The value and the label of a vertex, in one pass.
template <class T>
class VertexCode {
public:
  struct Vertex {
    T value;
    std::int64_t label; ///< number of the nearest site in the whole image
  };

  /// @param strides  between points of the whole image
  /// @param earlier  axes of the passes before this one, in order
  VertexCode(const Measure& m, const GridIndex& strides, const std::vector<int>& earlier, bool withLabels)
      : measure(m), stride(strides), axes(earlier), labels(withLabels) {}

  /// @param point  of the vertex, in the whole image
  void put(std::vector<char>& to, const GridIndex& point, const Vertex& vertex) const {
    if (labels) {
      for (const int a : axes) putSigned(to, along(a, vertex.label) - point[a]);
    } else if (!axes.empty()) { // else the value is 0
      if constexpr (sizeof(T) == 4) {
        putNumber(to, std::uint64_t(vertex.value));
      } else {
        to.resize(to.size() + sizeof(T));
        std::memcpy(to.data() + to.size() - sizeof(T), &vertex.value, sizeof(T));
      }
    }
  }

  Vertex get(const char*& from, const GridIndex& point) const {
    Vertex vertex{T(0), -1};
    if (labels) {
      vertex.label = point[0] * stride[0] + point[1] * stride[1] + point[2] * stride[2];
      for (const int a : axes) {
        const std::int64_t steps = getSigned(from);
        vertex.label += steps * stride[a];
        vertex.value += weighted(T(steps) * T(steps), a); // rounded as in the passes
      }
    } else if (!axes.empty()) {
      if constexpr (sizeof(T) == 4) {
        vertex.value = T(getNumber(from));
      } else {
        std::memcpy(&vertex.value, from, sizeof(T));
        from += sizeof(T);
      }
    }
    return vertex;
  }

private:
  static void putSigned(std::vector<char>& to, std::int64_t number) {
    putNumber(to, std::uint64_t(number < 0 ? -2 * number - 1 : 2 * number));
  }
  static std::int64_t getSigned(const char*& from) {
    const std::uint64_t number = getNumber(from);
    return number % 2 ? -std::int64_t(number / 2) - 1 : std::int64_t(number / 2);
  }

  /// Returns the place of a point of the whole image on an axis.
  std::int64_t along(int a, std::int64_t point) const { return point / stride[a] % measure.axes[a].points; }

  T weighted(T square, int a) const {
    if constexpr (sizeof(T) == 4) return square;
    return T(measure.axes[a].weight) * square;
  }

  const Measure& measure;
  GridIndex stride;
  std::vector<int> axes;
  bool labels;
};

} // namespace isochrone::distance
