// SimdTable.h - the operations of a kind of vectors as functions on arrays, so that TestSimd can call those
// of every instruction set.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

namespace isochrone::test {

/// Operands of one call: `width` numbers each, at any address.
template <class T>
struct Operands {
  const T *a, *b, *c, *d;
  const T *m, *n;            ///< masks: 1 where true, else 0
  std::uint32_t bits;        ///< a mask as bits
  int count;                 ///< of firstLanes
  const float* floats;       ///< of fromFloats
  const std::uint8_t* bytes; ///< of bitsOfBytes
};

/// Null where the vectors lack the operation.
template <class T>
struct SimdTable {
  using ToLanes = void (*)(const Operands<T>&, T* to);
  using ToBits = std::uint32_t (*)(const Operands<T>&);
  int width;
  ToLanes load, broadcast, iota;
  ToLanes add, subtract, multiply, divide, min, max, sqrt;
  ToLanes less, greater, equal, both, either, without, select, fromBits; ///< masks as 1 and 0
  ToLanes loadWhere;                                                     ///< of a, else b
  ToBits any, anyGreater, bits;
  ToLanes sum, minimum; ///< over the lanes, in to[0]
  ToLanes loadHalves, fromFloats, firstLanes, up[4], down[4], transpose, compress, spread;
  ToBits bitsOfLessProduct, bitsOfBytes;
};

/// The tables of one instruction set.
struct SimdTables {
  SimdTable<float> floats, pair, six;
  SimdTable<double> doubles;
  SimdTable<std::int32_t> ints;
  SimdTable<std::uint16_t> shorts;
  SimdTable<std::uint8_t> bytes;
};

/// Makes the table of the vectors V of numbers T.
template <class V, class T>
struct SimdCalls {
  using In = const Operands<T>&;
  using Vec = typename V::Vec;

  static auto mask(const T* m) { return V::greater(V::load(m), V::broadcast(0)); }
  static void storeMask(typename V::Mask m, T* to) {
    V::store(to, V::select(m, V::broadcast(1), V::broadcast(0)));
  }

  static SimdTable<T> table() {
    constexpr bool isFloat = std::is_floating_point_v<T>;
    SimdTable<T> t{};
    t.width = V::width;
    t.load = [](In in, T* to) { V::store(to, V::load(in.a)); };
    t.broadcast = [](In in, T* to) { V::store(to, V::broadcast(in.a[0])); };
    t.add = [](In in, T* to) { V::store(to, V::load(in.a) + V::load(in.b)); };
    t.subtract = [](In in, T* to) { V::store(to, V::load(in.a) - V::load(in.b)); };
    t.multiply = [](In in, T* to) { V::store(to, V::load(in.a) * V::load(in.b)); };
    t.min = [](In in, T* to) { V::store(to, V::min(V::load(in.a), V::load(in.b))); };
    t.max = [](In in, T* to) { V::store(to, V::max(V::load(in.a), V::load(in.b))); };
    t.greater = [](In in, T* to) { storeMask(V::greater(V::load(in.a), V::load(in.b)), to); };
    t.both = [](In in, T* to) { storeMask(V::both(mask(in.m), mask(in.n)), to); };
    t.select = [](In in, T* to) { V::store(to, V::select(mask(in.m), V::load(in.a), V::load(in.b))); };
    t.any = [](In in) { return std::uint32_t(V::any(mask(in.m))); };
    if constexpr (isFloat) {
      t.divide = [](In in, T* to) { V::store(to, V::load(in.a) / V::load(in.b)); };
      t.sqrt = [](In in, T* to) { V::store(to, V::sqrt(V::load(in.a))); };
    }
    if constexpr (requires { V::either; })
      t.either = [](In in, T* to) { storeMask(V::either(mask(in.m), mask(in.n)), to); };
    if constexpr (requires { V::without; })
      t.without = [](In in, T* to) { storeMask(V::without(mask(in.m), mask(in.n)), to); };
    if constexpr (requires { V::bits; } && sizeof(T) >= 4) t.bits = [](In in) { return V::bits(mask(in.m)); };
    if constexpr (requires { V::fromBits; } && isFloat)
      t.fromBits = [](In in, T* to) { storeMask(V::fromBits(in.bits), to); };
    if constexpr (requires { V::loadWhere; } && std::is_same_v<T, float>)
      t.loadWhere = [](In in, T* to) { V::store(to, V::loadWhere(mask(in.m), in.a, V::load(in.b))); };
    if constexpr (requires { V::less; }) {
      t.less = [](In in, T* to) { storeMask(V::less(V::load(in.a), V::load(in.b)), to); };
      t.equal = [](In in, T* to) { storeMask(V::equal(V::load(in.a), V::load(in.b)), to); };
    }
    if constexpr (requires { V::iota; }) {
      t.iota = [](In in, T* to) { V::store(to, V::iota(in.a[0])); };
      t.sum = [](In in, T* to) { *to = V::fold(V::load(in.a), [](Vec a, Vec b) { return a + b; }); };
      t.minimum = [](In in, T* to) { *to = V::fold(V::load(in.a), V::min); };
    }
    if constexpr (requires { V::loadHalves; }) addMoves(t);
    return t;
  }

private:
  /// Adds the operations that only Vector<T> has.
  static void addMoves(SimdTable<T>& t) {
    t.firstLanes = [](In in, T* to) { V::store(to, V::firstLanes(V::load(in.a), in.count)); };
    if constexpr (std::is_same_v<T, float>)
      t.loadHalves = [](In in, T* to) { V::store(to, V::loadHalves(in.a, in.b)); };
    if constexpr (std::is_same_v<T, std::uint16_t>)
      t.anyGreater = [](In in) { return std::uint32_t(V::anyGreater(V::load(in.a), V::load(in.b))); };
    if constexpr (std::is_same_v<T, std::int32_t>) addShifts(t, std::make_integer_sequence<int, 4>());
    if constexpr (std::is_same_v<T, std::int32_t> || std::is_same_v<T, float>)
      t.transpose = [](In in, T* to) {
        Vec rows[V::width];
        for (int r = 0; r < V::width; ++r) rows[r] = V::load(in.a + r * V::width);
        V::transpose(rows);
        for (int r = 0; r < V::width; ++r) V::store(to + r * V::width, rows[r]);
      };
    if constexpr (std::is_same_v<T, double>)
      t.fromFloats = [](In in, T* to) { V::store(to, V::fromFloats(in.floats)); };
    if constexpr (std::is_same_v<T, std::int32_t> || std::is_same_v<T, double>) {
      t.compress = [](In in, T* to) { V::compress(to, V::load(in.a), in.bits); };
      t.spread = [](In in, T* to) { V::store(to, V::spread(in.a, in.bits)); };
      t.bitsOfLessProduct = [](In in) {
        return V::bitsOfLessProduct(V::load(in.a), V::load(in.b), V::load(in.c), V::load(in.d));
      };
      t.bitsOfBytes = [](In in) { return V::bitsOfBytes(in.bytes); };
    }
  }
  /// Shifts by 1, 2, 4 and 8 lanes, as far as there are so many.
  template <int... power>
  static void addShifts(SimdTable<T>& t, std::integer_sequence<int, power...>) {
    const auto add = [&](auto k) {
      constexpr int lanes = 1 << decltype(k)::value;
      if constexpr (lanes < V::width) {
        t.up[k] = [](In in, T* to) {
          V::store(to, V::template shifted<lanes>(V::load(in.a), V::load(in.b)));
        };
        t.down[k] = [](In in, T* to) {
          V::store(to, V::template shifted<-lanes>(V::load(in.a), V::load(in.b)));
        };
      }
    };
    (add(std::integral_constant<int, power>()), ...);
  }
};

} // namespace isochrone::test
