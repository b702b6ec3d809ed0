// Every operation of Execution/Simd.h, SimdPair.h and Scalar.h gives the bits of plain scalar code, on every
// instruction set of this processor.
#include "Execution/IsaDispatch.h"
#include "Execution/Scalar.h"
#include "Execution/SimdTable.h"

#include <gtest/gtest.h>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace isochrone::test {

#define ISOCHRONE_DECLARE(isa)                                                                               \
  namespace isa {                                                                                            \
  SimdTables simdTables();                                                                                   \
  }
ISOCHRONE_FOR_EACH_ISA(ISOCHRONE_DECLARE)

namespace {

struct NamedTables {
  std::string name;
  SimdTables tables;
};

/// Returns the tables of each instruction set that this processor has.
std::vector<NamedTables> allTables() {
  std::vector<NamedTables> all;
  const char* variable = "ISOCHRONE_HOST_ISA";
  const std::string before = std::getenv(variable) ? std::getenv(variable) : "";
#define ISOCHRONE_ADD(isa)                                                                                   \
  setenv(variable, #isa, 1);                                                                                 \
  if (execution::chooseHostIsa() == execution::HostIsa::isa)                                                 \
    all.push_back({#isa, isa::simdTables()});                                                                \
  else                                                                                                       \
    std::cout << #isa << ": not on this processor, not checked\n";
  ISOCHRONE_FOR_EACH_ISA(ISOCHRONE_ADD)
  before.empty() ? unsetenv(variable) : setenv(variable, before.c_str(), 1);
  return all;
}

/// The scalar twin as vectors of one number.
template <class T>
struct Single : execution::ScalarOf<T> {
  static constexpr int width = 1;
  static T load(const T* p) { return *p; }
  static void store(T* p, T v) { *p = v; }
};

/// Calls f(table) for the vectors of all numbers on all instruction sets.
template <class F>
void forEachTable(F&& f) {
  for (const auto& [name, t] : allTables()) {
    const auto call = [&](const char* kind, const auto& table) {
      SCOPED_TRACE(name + ", " + kind);
      f(table);
    };
    call("float", t.floats), call("pair", t.pair), call("eight floats", t.six), call("double", t.doubles);
    call("int32", t.ints), call("uint16", t.shorts), call("uint8", t.bytes);
  }
  SCOPED_TRACE("Scalar");
  f(SimdCalls<Single<float>, float>::table());
  f(SimdCalls<Single<double>, double>::table());
}

constexpr int maxLanes = 64, maxRoom = 16 * 16; // of a transposed block
constexpr unsigned char guard = 0xa5;

/// Numbers at an address that is `shift` numbers after an aligned one. Guards lie before and after them.
template <class T>
struct Row {
  alignas(64) T all[maxLanes + maxRoom + maxLanes];
  T* at;
  explicit Row(int shift) : at(all + maxLanes / int(sizeof(T)) + shift) {
    std::memset(static_cast<void*>(all), guard, sizeof all);
  }
  /// Returns whether only the first `count` numbers were written.
  bool isIntact(int count) const {
    const auto* bytes = reinterpret_cast<const unsigned char*>(all);
    for (std::size_t i = 0; i < sizeof all; ++i) {
      const T* number = all + i / sizeof(T);
      if ((number < at || number >= at + count) && bytes[i] != guard) return false;
    }
    return true;
  }
};
constexpr int shifts[] = {0, 1, 3};

/// The operands of a call; all hold 0 at first.
template <class T>
struct Call {
  Row<T> a, b, c, d, m, n, to;
  Operands<T> in{a.at, b.at, c.at, d.at, m.at, n.at, 0, 0, nullptr, nullptr};
  explicit Call(int shift) : a(shift), b(shift), c(shift), d(shift), m(shift), n(shift), to(shift) {}

  void set(Row<T>& row, int lanes, const std::function<T(int)>& value) {
    for (int l = 0; l < lanes; ++l) row.at[l] = value(l);
  }
  /// Expects lane l of the result to have the bits of expected(l); any NaN for a NaN unless `bitsOfNan`.
  template <class F>
  void expect(const char* name, typename SimdTable<T>::ToLanes run, int lanes, F&& expected,
              bool bitsOfNan = true) {
    run(in, to.at);
    for (int l = 0; l < lanes; ++l) {
      const T expectedValue = expected(l), actual = to.at[l];
      const bool same = std::memcmp(&expectedValue, &actual, sizeof(T)) == 0;
      if (!same && (bitsOfNan || !(expectedValue != expectedValue && actual != actual)))
        ADD_FAILURE() << name << ", lane " << l << ": " << +actual << " instead of " << +expectedValue
                      << "; a = " << +a.at[l] << ", b = " << +b.at[l];
    }
    if (!to.isIntact(lanes)) ADD_FAILURE() << name << " writes past its result";
  }
};

/// Numbers that operations may treat specially.
template <class T>
std::vector<T> specialNumbers() {
  using Limits = std::numeric_limits<T>;
  if constexpr (Limits::is_integer)
    return {0,
            1,
            2,
            100,
            Limits::min(),
            T(Limits::min() + 1),
            Limits::max(),
            T(Limits::max() - 1),
            T(Limits::max() / 2),
            T(Limits::max() / 2 + 1),
            T(-7)};
  else
    return {0,
            T(-0.),
            1,
            -1,
            T(1.5),
            T(-2.75),
            Limits::denorm_min(),
            -Limits::denorm_min(),
            Limits::min(),
            Limits::max(),
            Limits::lowest(),
            Limits::infinity(),
            -Limits::infinity(),
            Limits::quiet_NaN(),
            -Limits::quiet_NaN(),
            T(1e-5),
            T(1 + Limits::epsilon())};
}

/// Calls f(call) with all pairs of special numbers as a and b, in every lane and at several addresses.
template <class T, class F>
void forEachPair(const SimdTable<T>& t, F&& f) {
  const auto values = specialNumbers<T>();
  const int n = int(values.size());
  for (const int shift : shifts)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        Call<T> call(shift);
        call.set(call.a, t.width, [&](int l) { return values[(i + l) % n]; });
        call.set(call.b, t.width, [&](int l) { return values[(j + l) % n]; });
        f(call);
      }
}

/// None, all, single, all but a single, alternating.
std::vector<std::vector<bool>> masks(int lanes) {
  std::vector<std::vector<bool>> all;
  for (const bool rest : {false, true}) {
    all.emplace_back(lanes, rest);
    for (int l = 0; l < lanes; ++l) {
      all.emplace_back(lanes, rest);
      all.back()[l] = !rest;
    }
    all.emplace_back(lanes);
    for (int l = 0; l < lanes; ++l) all.back()[l] = l % 2 == int(rest);
  }
  return all;
}
std::uint32_t bitsOf(const std::vector<bool>& mask) {
  std::uint32_t bits = 0;
  for (std::size_t l = 0; l < mask.size(); ++l) bits |= (mask[l] ? 1u : 0u) << l;
  return bits;
}
/// Calls f(bits) for the masks above, and for random ones.
template <class F>
void forEachBits(int lanes, F&& f) {
  for (const auto& mask : masks(lanes)) f(bitsOf(mask));
  std::mt19937 random(5);
  for (int i = 0; i < 1000; ++i) f(std::uint32_t(random()) & ((1u << lanes) - 1));
}

} // namespace

TEST(Simd, LoadsAndStoresAtAnyAddress) {
  forEachTable([]<class T>(const SimdTable<T>& t) {
    forEachPair(t, [&](Call<T>& call) {
      call.expect("load", t.load, t.width, [&](int l) { return call.a.at[l]; });
      call.expect("broadcast", t.broadcast, t.width, [&](int) { return call.a.at[0]; });
    });
  });
}

TEST(Simd, CalculatesAsScalarsDo) {
  forEachTable([]<class T>(const SimdTable<T>& t) {
    if constexpr (std::is_signed_v<T> && std::is_integral_v<T>) return; // overflow is undefined
    forEachPair(t, [&](Call<T>& call) {
      const T *a = call.a.at, *b = call.b.at;
      call.expect(
          "add", t.add, t.width, [&](int l) { return T(a[l] + b[l]); }, false);
      call.expect(
          "subtract", t.subtract, t.width, [&](int l) { return T(a[l] - b[l]); }, false);
      call.expect(
          "multiply", t.multiply, t.width, [&](int l) { return T(a[l] * b[l]); }, false);
      if (t.divide)
        call.expect(
            "divide", t.divide, t.width, [&](int l) { return T(a[l] / b[l]); }, false);
      if (t.sqrt)
        call.expect(
            "sqrt", t.sqrt, t.width, [&](int l) { return T(std::sqrt(a[l])); }, false);
    });
    EXPECT_EQ(t.divide != nullptr, std::is_floating_point_v<T>);
    EXPECT_EQ(t.sqrt != nullptr, std::is_floating_point_v<T>);
  });
}

TEST(Simd, MinimumAndMaximumReturnTheSecondOperandForNanAndZeros) {
  forEachTable([]<class T>(const SimdTable<T>& t) {
    forEachPair(t, [&](Call<T>& call) {
      const T *a = call.a.at, *b = call.b.at;
      call.expect("min", t.min, t.width, [&](int l) { return a[l] < b[l] ? a[l] : b[l]; });
      call.expect("max", t.max, t.width, [&](int l) { return a[l] > b[l] ? a[l] : b[l]; });
    });
  });
}

TEST(Simd, ComparesAsScalarsDo) {
  forEachTable([]<class T>(const SimdTable<T>& t) {
    forEachPair(t, [&](Call<T>& call) {
      const T *a = call.a.at, *b = call.b.at;
      call.expect("greater", t.greater, t.width, [&](int l) { return T(a[l] > b[l]); });
      if (t.less) call.expect("less", t.less, t.width, [&](int l) { return T(a[l] < b[l]); });
      if (t.equal) call.expect("equal", t.equal, t.width, [&](int l) { return T(a[l] == b[l]); });
      if (t.anyGreater) {
        bool any = false;
        for (int l = 0; l < t.width; ++l) any = any || a[l] > b[l];
        EXPECT_EQ(t.anyGreater(call.in), any);
      }
    });
  });
}

TEST(Simd, AnyGreaterFindsEachLane) {
  for (const auto& [name, tables] : allTables()) {
    SCOPED_TRACE(name);
    const SimdTable<std::uint16_t>& t = tables.shorts;
    for (int lane = 0; lane < t.width; ++lane)
      for (const int above : {-1, 0, 1}) {
        Call<std::uint16_t> call(1);
        call.set(call.a, t.width, [&](int l) { return std::uint16_t(l == lane ? 40000 + above : 7); });
        call.set(call.b, t.width, [](int) { return std::uint16_t(40000); });
        EXPECT_EQ(t.anyGreater(call.in), std::uint32_t(above > 0)) << lane << " by " << above;
      }
  }
}

TEST(Simd, SelectsByMask) {
  forEachTable([]<class T>(const SimdTable<T>& t) {
    const auto patterns = masks(t.width);
    std::size_t next = 0;
    forEachPair(t, [&](Call<T>& call) {
      for (int i = 0; i < 7; ++i) {
        const auto& mask = patterns[next++ % patterns.size()];
        call.set(call.m, t.width, [&](int l) { return T(mask[l]); });
        call.expect("select", t.select, t.width,
                    [&](int l) { return mask[l] ? call.a.at[l] : call.b.at[l]; });
      }
    });
  });
}

TEST(Simd, LoadsTheLanesOfAMaskOnly) {
  // The numbers end at a page that must not be read.
  const std::size_t page = std::size_t(sysconf(_SC_PAGESIZE));
  void* const pages = mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(pages, MAP_FAILED);
  ASSERT_EQ(mprotect(static_cast<char*>(pages) + page, page, PROT_NONE), 0);
  int checked = 0;
  forEachTable([&]<class T>(const SimdTable<T>& t) {
    if (!t.loadWhere) return;
    ++checked;
    Call<T> call(1);
    call.set(call.b, t.width, [](int l) { return T(-1 - l); });
    for (int count = 0; count <= t.width; ++count) {
      T* const from = reinterpret_cast<T*>(static_cast<char*>(pages) + page) - count;
      for (int l = 0; l < count; ++l) from[l] = T(1 + l);
      call.in.a = from;
      for (const auto& mask : masks(t.width)) {
        const auto takes = [&](int l) { return l < count && mask[l]; };
        call.set(call.m, t.width, [&](int l) { return T(takes(l)); });
        call.expect("loadWhere", t.loadWhere, t.width,
                    [&](int l) { return takes(l) ? from[l] : call.b.at[l]; });
      }
    }
  });
  EXPECT_GE(checked, 2);
  munmap(pages, 2 * page);
}

TEST(Simd, CombinesMasks) {
  forEachTable([]<class T>(const SimdTable<T>& t) {
    for (const auto& m : masks(t.width))
      for (const auto& n : masks(t.width)) {
        Call<T> call(1);
        call.set(call.m, t.width, [&](int l) { return T(m[l]); });
        call.set(call.n, t.width, [&](int l) { return T(n[l]); });
        call.expect("both", t.both, t.width, [&](int l) { return T(m[l] && n[l]); });
        if (t.either) call.expect("either", t.either, t.width, [&](int l) { return T(m[l] || n[l]); });
        if (t.without) call.expect("without", t.without, t.width, [&](int l) { return T(m[l] && !n[l]); });
      }
  });
}

TEST(Simd, ConvertsMasksToBitsAndBack) {
  forEachTable([]<class T>(const SimdTable<T>& t) {
    for (const auto& mask : masks(t.width)) {
      Call<T> call(1);
      call.set(call.m, t.width, [&](int l) { return T(mask[l]); });
      bool any = false;
      for (const bool lane : mask) any = any || lane;
      EXPECT_EQ(t.any(call.in), std::uint32_t(any));
      if (t.width == 64) continue; // bytes have no bits
      const std::uint32_t bits = bitsOf(mask);
      if (t.bits) EXPECT_EQ(t.bits(call.in), bits);
      if (!t.fromBits) continue;
      for (const std::uint32_t beyond : {0u, t.width < 32 ? ~0u << t.width : 0u}) { // ignored
        call.in.bits = bits | beyond;
        call.expect("fromBits", t.fromBits, t.width, [&](int l) { return T(mask[l]); });
      }
    }
    EXPECT_EQ(t.fromBits != nullptr, std::is_floating_point_v<T> && t.width > 1);
  });
}

TEST(Simd, FoldsAllLanes) {
  forEachTable([]<class T>(const SimdTable<T>& t) {
    if (!t.sum) return;
    for (int lane = 0; lane < t.width; ++lane) {
      Call<T> call(1);
      call.set(call.a, t.width, [&](int l) { return T(l == lane ? 1 : 3); });
      call.expect("sum", t.sum, 1, [&](int) { return T(3 * t.width - 2); });
      call.expect("minimum", t.minimum, 1, [&](int) { return T(1); });
    }
  });
}

TEST(Simd, CountsLanes) {
  forEachTable([]<class T>(const SimdTable<T>& t) {
    for (const int first : {0, 5, 100, std::is_unsigned_v<T> ? 0 : -3}) {
      Call<T> call(1);
      call.a.at[0] = T(first);
      if (t.iota) call.expect("iota", t.iota, t.width, [&](int l) { return T(first + l); });
      if (!t.firstLanes) continue;
      call.set(call.a, t.width, [](int l) { return T(l + 1); });
      for (int count = -t.width; count <= 2 * t.width; ++count) {
        call.in.count = count;
        call.expect("firstLanes", t.firstLanes, t.width, [&](int l) { return T(l < count ? l + 1 : 0); });
      }
    }
  });
}

TEST(Simd, LoadsHalvesAndFloats) {
  for (const auto& [name, tables] : allTables()) {
    SCOPED_TRACE(name);
    forEachPair(tables.floats, [&t = tables.floats](Call<float>& call) {
      const int half = t.width / 2;
      call.expect("loadHalves", t.loadHalves, t.width,
                  [&](int l) { return l < half ? call.a.at[l] : call.b.at[l - half]; });
    });
    const SimdTable<double>& t = tables.doubles;
    const auto numbers = specialNumbers<float>();
    for (std::size_t first = 0; first < numbers.size(); ++first) {
      Row<float> from(1);
      for (int l = 0; l < t.width; ++l) from.at[l] = numbers[(first + l) % numbers.size()];
      Call<double> call(1);
      call.in.floats = from.at;
      call.expect("fromFloats", t.fromFloats, t.width, [&](int l) { return double(from.at[l]); });
    }
  }
}

TEST(Simd, ShiftsAndTransposes) {
  for (const auto& [name, tables] : allTables()) {
    SCOPED_TRACE(name);
    const SimdTable<std::int32_t>& t = tables.ints;
    Call<std::int32_t> call(1);
    call.set(call.a, t.width, [](int l) { return l + 1; });
    call.set(call.b, t.width, [](int l) { return -l - 1; });
    for (int power = 0; power < 4; ++power) {
      const int k = 1 << power, w = t.width;
      ASSERT_EQ(t.up[power] != nullptr, k < w);
      if (k >= w) continue;
      call.expect("shifted up", t.up[power], w, [&](int l) { return l < k ? k - w - l - 1 : l - k + 1; });
      call.expect("shifted down", t.down[power], w,
                  [&](int l) { return l + k < w ? l + k + 1 : w - l - k - 1; });
    }
    const auto transposes = []<class T>(const SimdTable<T>& table) {
      const int w = table.width;
      Call<T> block(3);
      block.set(block.a, w * w, [](int i) { return T(i); });
      block.expect("transpose", table.transpose, w * w, [&](int i) { return T(i % w * w + i / w); });
    };
    transposes(tables.floats);
    transposes(tables.ints);
  }
}

TEST(Simd, CompressesAndSpreadsByBits) {
  for (const auto& [name, tables] : allTables()) {
    SCOPED_TRACE(name);
    const auto check = []<class T>(const SimdTable<T>& t) {
      Call<T> call(1);
      call.set(call.a, t.width + 1, [](int l) { return T(10 + l); });
      forEachBits(t.width, [&](std::uint32_t bits) {
        call.in.bits = bits;
        std::vector<T> marked, counted;
        int before = 0;
        for (int l = 0; l < t.width; ++l) {
          if (bits >> l & 1) ++before, marked.push_back(T(10 + l));
          counted.push_back(T(10 + before));
        }
        call.expect("spread", t.spread, t.width, [&](int l) { return counted[l]; });
        t.compress(call.in, call.to.at);
        EXPECT_TRUE(std::equal(marked.begin(), marked.end(), call.to.at)) << "compress " << bits;
        EXPECT_TRUE(call.to.isIntact(t.width));
        Row<std::uint8_t> bytes(1);
        for (int l = 0; l < t.width; ++l) bytes.at[l] = bits >> l & 1;
        call.in.bytes = bytes.at;
        EXPECT_EQ(t.bitsOfBytes(call.in), bits);
      });
    };
    check(tables.ints);
    check(tables.doubles);
  }
}

TEST(Simd, ComparesProductsExactly) {
  for (const auto& [name, tables] : allTables()) {
    SCOPED_TRACE(name);
    const auto check = []<class T>(const SimdTable<T>& t) {
      using Wide = std::conditional_t<std::is_integral_v<T>, std::int64_t, double>;
      const auto values = specialNumbers<T>();
      const int n = int(values.size());
      forEachPair(t, [&](Call<T>& call) {
        for (int i = 0; i < n; ++i) {
          call.set(call.c, t.width, [&](int l) { return values[(i + 3 * l) % n]; });
          call.set(call.d, t.width, [&](int l) { return T(call.b.at[l] + (std::is_integral_v<T> ? 0 : 1)); });
          std::uint32_t bits = 0;
          for (int l = 0; l < t.width; ++l)
            bits |=
                (Wide(call.a.at[l]) * Wide(call.b.at[l]) < Wide(call.c.at[l]) * Wide(call.d.at[l]) ? 1u : 0u)
                << l;
          EXPECT_EQ(t.bitsOfLessProduct(call.in), bits);
        }
      });
    };
    check(tables.ints);
    check(tables.doubles);
  }
}

} // namespace isochrone::test
