// Claims about the decomposition of tensors one after the other.
#include "ImageTravelTime/Scheme/TensorStencil.h"

#include "Reference/TensorReference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

using namespace isochrone;
using namespace isochrone::image;

namespace {

/// Returns a tensor with a direction that turns, sometimes by a jump, and changing anisotropy; in the plane
/// without coupling to z.
grid::Symmetric3 tensorNumber(int n, bool plane) {
  const double angle = 0.02 * n + (n % 50 == 0 ? 1.3 : 0), rise = plane ? 0 : 0.7 * std::sin(0.013 * n);
  const double d[3] = {std::cos(rise) * std::cos(angle), std::cos(rise) * std::sin(angle), std::sin(rise)};
  const double across = 1 / std::pow(1 + n % 31, 2);
  const auto at = [&](int a, int b) { return (a == b ? across : 0) + (1 - across) * d[a] * d[b]; };
  return {at(0, 0), at(1, 1), plane ? 0.5 : at(2, 2), at(0, 1), plane ? 0 : at(1, 2), plane ? 0 : at(0, 2)};
}

using Offsets = std::vector<grid::Offset>;

Offsets offsetsOf(const TensorStencil& stencil) {
  Offsets offsets;
  for (const TensorTerm& term : stencil) offsets.push_back(term.offset);
  return offsets;
}

class TensorStencils : public testing::TestWithParam<bool> {};

} // namespace

TEST_P(TensorStencils, AddUpToTheTensor) {
  Decomposition decomposition(GetParam());
  for (int n = 0; n < 1000; ++n) {
    const grid::Symmetric3 d = tensorNumber(n, GetParam());
    decomposition.advance(d);
    grid::Symmetric3 sum{};
    for (const auto& [e, weight] : decomposition.stencil()) {
      EXPECT_GT(weight, 0);
      sum[0] += weight * e[0] * e[0], sum[1] += weight * e[1] * e[1], sum[2] += weight * e[2] * e[2];
      sum[3] += weight * e[0] * e[1], sum[4] += weight * e[1] * e[2], sum[5] += weight * e[0] * e[2];
    }
    for (int c = 0; c < 6; ++c)
      if (!GetParam() || c == 0 || c == 1 || c == 3) ASSERT_NEAR(sum[c], d[c], 1e-6) << n; // without noise
  }
}

TEST_P(TensorStencils, DoNotDependOnTheTensorsBefore) {
  Decomposition decomposition(GetParam());
  for (int n = 0; n < 1000; ++n) {
    const grid::Symmetric3 d = tensorNumber(n, GetParam());
    decomposition.advance(d);
    Decomposition fresh(GetParam());
    fresh.advance(d);
    const TensorStencil &one = decomposition.stencil(), &other = fresh.stencil();
    ASSERT_EQ(offsetsOf(one), offsetsOf(other)) << n;
    for (int r = 0; r < one.count; ++r) ASSERT_NEAR(one.term[r].weight, other.term[r].weight, 1e-13) << n;
  }
}

TEST_P(TensorStencils, AreThoseOfTheReference) {
  Decomposition decomposition(GetParam());
  for (int n = 0; n < 200; ++n) {
    const grid::Symmetric3 d = tensorNumber(n, GetParam());
    decomposition.advance(d);
    std::vector<reference::Difference> expected;
    for (const reference::Difference& term : reference::differencesOf(d))
      if (term.weight > 1e-6 && !(GetParam() && term.offset[2] != 0)) expected.push_back(term);
    int found = 0;
    for (const auto& [e, weight] : decomposition.stencil())
      for (const reference::Difference& term : expected) {
        if (e != term.offset && e != grid::Offset{-term.offset[0], -term.offset[1], -term.offset[2]})
          continue;
        ++found;
        EXPECT_NEAR(weight, term.weight, 1e-12) << n;
      }
    EXPECT_EQ(found, int(expected.size())) << n;
  }
}

TEST_P(TensorStencils, ReportWhetherTheOffsetsChange) {
  Decomposition decomposition(GetParam());
  Offsets before;
  int changes = 0;
  for (int n = 0; n < 1000; ++n) {
    const bool isNew = decomposition.advance(tensorNumber(n, GetParam()));
    const Offsets now = offsetsOf(decomposition.stencil());
    if (!isNew) ASSERT_EQ(now, before) << n;
    before = now;
    changes += isNew;
  }
  EXPECT_GT(changes, 50);
  EXPECT_LT(changes, 990);
}

INSTANTIATE_TEST_SUITE_P(In, TensorStencils, testing::Bool(),
                         [](const auto& info) { return info.param ? "Plane" : "Space"; });
