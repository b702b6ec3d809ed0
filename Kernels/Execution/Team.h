// Team.h - the execution layer: one team of lanes works on one tile.
//
// A tile kernel is a sequence of phases. A phase runs a function once per cell of a box and ends with a
// barrier. Two rules make a kernel correct on every executor:
//   1. in a phase a lane writes only its own slots (its PerLane values, cells of Shared, part of an array);
//   2. in a phase no lane reads a slot of Shared that another lane writes in that phase.
// The collectives (any, ballot, shuffle) are phases, too: call them from straight-line code, never from one
// lane.
//
// HostTeam runs the lanes of a phase as a vectorised loop, CudaTeam as the threads of one block.
// Testing/CudaOnHost runs lanes and blocks in any order and so detects kernels that break a rule.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#if defined(__CUDACC__)
#define TEAM_FN __host__ __device__ __forceinline__
#else
#define TEAM_FN inline __attribute__((always_inline))
#endif
#if defined(__clang__)
#define TEAM_SIMD _Pragma("clang loop vectorize(assume_safety)")
#else
#define TEAM_SIMD _Pragma("omp simd")
#endif

namespace isochrone::execution {

/// Accesses a value that one tile writes while another one reads it, in the same run. Each access is whole,
/// and the order of accesses is unspecified. (Volatile is relaxed in the memory model of CUDA.)
template <class T>
TEAM_FN T loadRelaxed(const T& from) {
#if defined(__CUDA_ARCH__)
  return *static_cast<const volatile T*>(&from);
#else
  T value;
  __atomic_load(&from, &value, __ATOMIC_RELAXED);
  return value;
#endif
}
template <class T>
TEAM_FN void storeRelaxed(T& to, T value) {
#if defined(__CUDA_ARCH__)
  *static_cast<volatile T*>(&to) = value;
#else
  __atomic_store(&to, &value, __ATOMIC_RELAXED);
#endif
}

/// Adds atomically to a value that lanes of other teams may add to. Returns the previous value.
template <class Integer>
TEAM_FN Integer fetchAdd(Integer& to, Integer number) {
#if defined(__CUDA_ARCH__)
  using Word = std::conditional_t<sizeof(Integer) == 8, unsigned long long, Integer>;
  return Integer(atomicAdd(reinterpret_cast<Word*>(&to), Word(number)));
#else
  return __atomic_fetch_add(&to, number, __ATOMIC_RELAXED);
#endif
}
/// Sets bits atomically where lanes of other teams may set others.
TEAM_FN void setBits(std::uint32_t& in, std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
  atomicOr(&in, bits);
#else
  __atomic_fetch_or(&in, bits, __ATOMIC_RELAXED);
#endif
}
/// Stores `number` atomically where lanes of other teams may store theirs. Returns the previous value.
TEAM_FN int exchange(int& at, int number) {
#if defined(__CUDA_ARCH__)
  return atomicExch(&at, number);
#else
  return __atomic_exchange_n(&at, number, __ATOMIC_RELAXED);
#endif
}
/// Lowers a value to `number` atomically, if `number` is less. Returns the previous value.
TEAM_FN int fetchMin(int& at, int number) {
#if defined(__CUDA_ARCH__)
  return atomicMin(&at, number);
#else
  int before = __atomic_load_n(&at, __ATOMIC_RELAXED);
  while (number < before &&
         !__atomic_compare_exchange_n(&at, &before, number, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return before;
#endif
}

/// Returns the 64-bit product. Without the assembly nvcc multiplies in 64 bits where a factor is constant in
/// a loop, with three instructions instead of one.
TEAM_FN std::uint64_t wholeProduct(std::uint32_t a, std::uint32_t b) {
#if defined(__CUDA_ARCH__)
  std::uint64_t product;
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(product) : "r"(a), "r"(b));
  return product;
#else
  return std::uint64_t(a) * b;
#endif
}

/// Returns `number`. On CUDA it stays in a register: nvcc would otherwise compute it again in each pass of a
/// loop.
TEAM_FN int inRegister(int number) {
#if defined(__CUDA_ARCH__)
  asm volatile("" : "+r"(number));
#endif
  return number;
}

/// Divides by a fixed number without the division of the device, which is slow: by the upper half of a
/// product and a shift. For dividends and divisors below 2^31 (Granlund and Montgomery 1994, section 4).
class Divisor {
public:
  explicit Divisor(int by = 1) {
    while ((std::uint64_t(1) << shift) < std::uint64_t(by)) ++shift;
    factor = std::uint32_t(((std::uint64_t(1) << (31 + shift)) + std::uint64_t(by) - 1) / std::uint64_t(by));
  }
  TEAM_FN int quotient(int n) const {
#if defined(__CUDA_ARCH__)
    return int(__umulhi(2 * unsigned(n), factor) >> shift);
#else
    return int((std::uint64_t(2 * std::uint32_t(n)) * factor >> 32) >> shift);
#endif
  }

private:
  std::uint32_t factor;
  int shift = 0;
};

/// A box of NX x NY x NZ cells, x fastest.
template <int NX, int NY, int NZ>
struct Box {
  static constexpr int nx = NX, ny = NY, nz = NZ, size = NX * NY * NZ;
};

/// A cell of a Box. In the box of the lanes, `index` is the lane number.
struct Cell {
  int x, y, z, index;
};

/// One value per lane, kept from phase to phase: a register on CUDA, an aligned array on the host.
template <class Team, class T>
using PerLane = typename Team::template Lanewise<T>;

/// One value per 32 lanes (a warp on CUDA), indexed by lane.
template <class Team, class T>
using PerWarp = typename Team::template Warpwise<T>;

inline constexpr int warpSize = 32;

/// A compile-time int that converts on host and device alike; std::integral_constant is host-only for nvcc.
template <int K>
struct Index {
  TEAM_FN constexpr operator int() const { return K; }
};

/// Calls f(Index<0>), ..., f(Index<N-1>). Index arrays local to a lane only in this form: they then live in
/// registers on CUDA and in vector registers on the host.
template <class F, int... K>
TEAM_FN void unroll(F&& f, std::integer_sequence<int, K...>) {
  (f(Index<K>{}), ...);
}
template <int N, class F>
TEAM_FN void unroll(F&& f) {
  unroll(f, std::make_integer_sequence<int, N>{});
}

/// Runs the lanes of `L` one after another; the compiler vectorises rows along x.
template <class L>
struct HostTeam {
  using Lanes = L;
  static constexpr int warps = (L::size + warpSize - 1) / warpSize;

  template <class T>
  struct Lanewise {
    alignas(64) T value[L::size];
    TEAM_FN T& operator[](Cell c) { return value[c.index]; }
    TEAM_FN const T& operator[](Cell c) const { return value[c.index]; }
  };
  template <class T>
  struct Warpwise {
    T value[warps];
    TEAM_FN T& operator[](Cell c) { return value[c.index / warpSize]; }
    TEAM_FN const T& operator[](Cell c) const { return value[c.index / warpSize]; }
  };

  /// Calls f(cell) for every cell of the box. Ends with a barrier.
  template <class B, class F>
  TEAM_FN void each(B, F&& f) const {
    for (int z = 0; z < B::nz; ++z)
      for (int y = 0; y < B::ny; ++y) {
        const int row = B::nx * (y + B::ny * z);
        TEAM_SIMD
        for (int x = 0; x < B::nx; ++x) f(Cell{x, y, z, row + x});
      }
  }

  /// Calls f() on one lane. Ends with a barrier.
  template <class F>
  TEAM_FN void once(F&& f) const {
    f();
  }

  /// Returns whether f(cell) is true on any lane.
  template <class F>
  TEAM_FN bool any(F&& f) const {
    Lanewise<std::int32_t> votes;
    each(L{}, [&](Cell c) { votes[c] = f(c) ? 1 : 0; });
    std::int32_t result = 0;
    for (int i = 0; i < L::size; ++i) result |= votes.value[i];
    return result != 0;
  }

  /// Returns one word per warp, whose bit i is f on lane i of the warp.
  template <class F>
  TEAM_FN Warpwise<std::uint32_t> ballot(F&& f) const {
    static_assert(L::size % warpSize == 0, "ballot needs whole warps");
    Lanewise<std::uint32_t> bits;
    each(L{}, [&](Cell c) { bits[c] = (f(c) ? 1u : 0u) << (c.index % warpSize); });
    Warpwise<std::uint32_t> result{};
    for (int i = 0; i < L::size; ++i) result.value[i / warpSize] |= bits.value[i];
    return result;
  }

  /// Returns the value of `v` on lane source(cell), modulo 32, of the same warp.
  template <class T, class F>
  TEAM_FN Lanewise<T> shuffle(const Lanewise<T>& v, F&& source) const {
    static_assert(L::size % warpSize == 0, "shuffle needs whole warps");
    Lanewise<T> result;
    each(L{},
         [&](Cell c) { result[c] = v.value[(c.index & ~(warpSize - 1)) + (source(c) & (warpSize - 1))]; });
    return result;
  }
};

#if defined(__CUDACC__)
/// One thread per lane, one block per team.
template <class L>
struct CudaTeam {
  using Lanes = L;
  template <class T>
  struct Lanewise {
    T value;
    __device__ __forceinline__ T& operator[](Cell) { return value; }
    __device__ __forceinline__ const T& operator[](Cell) const { return value; }
  };
  template <class T>
  using Warpwise = Lanewise<T>;

  template <class B>
  static __device__ __forceinline__ Cell cell(unsigned i) { // unsigned: shifts and masks
    const unsigned line = i / B::nx;
    if constexpr (B::nz == 1) return {int(i % B::nx), int(line), 0, int(i)};
    return {int(i % B::nx), int(line % B::ny), int(line / B::ny), int(i)};
  }

  template <class B, class F>
  __device__ __forceinline__ void each(B, F&& f) const {
    if constexpr (B::size == L::size)
      f(cell<B>(threadIdx.x)); // no loop: it would cost registers
    else
      for (unsigned i = threadIdx.x; i < B::size; i += L::size) f(cell<B>(i));
    barrier();
  }

  template <class F>
  __device__ __forceinline__ void once(F&& f) const {
    if (threadIdx.x == 0) f();
    barrier();
  }

  template <class F>
  __device__ __forceinline__ bool any(F&& f) const {
    const bool mine = f(cell<L>(threadIdx.x));
    if constexpr (L::size == warpSize) {
      const bool result = __any_sync(~0u, mine);
      barrier(); // a vote does not order memory accesses
      return result;
    } else {
      return __syncthreads_or(mine);
    }
  }

  template <class F>
  __device__ __forceinline__ Warpwise<std::uint32_t> ballot(F&& f) const {
    static_assert(L::size % warpSize == 0, "ballot needs whole warps");
    return {__ballot_sync(~0u, f(cell<L>(threadIdx.x)))};
  }

  template <class T, class F>
  __device__ __forceinline__ Lanewise<T> shuffle(const Lanewise<T>& v, F&& source) const {
    static_assert(L::size % warpSize == 0, "shuffle needs whole warps");
    return {__shfl_sync(~0u, v.value, source(cell<L>(threadIdx.x)))};
  }

private:
  static __device__ __forceinline__ void barrier() {
    if constexpr (L::size == warpSize)
      __syncwarp();
    else
      __syncthreads();
  }
};
#endif

} // namespace isochrone::execution
