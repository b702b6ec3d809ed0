// Claims about the benchmarks' command line: assignments, refusals and their words.
#include "Arguments.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

using namespace isochrone::benchmark;

namespace {

using Words = std::vector<std::string>;

/// A program with one argument of every kind.
struct Program {
  int size = 7;
  double ratio = 1;
  std::uint64_t seed = 0;
  bool quick = false;
  std::vector<int> threads{1, 2};
  Words methods;
  std::string file, shape = "cube", first, second = "none";

  Arguments arguments() {
    return Arguments("Does something.")
        .text("FIRST", "a word", first)
        .text("[SECOND]", "another word", second)
        .number("--size N", "points", size, 1, 100)
        .number("--ratio R", "of speeds", ratio, 1)
        .number("--seed N", "of the problem", seed, 0, 0x1p64)
        .number("--threads N,...", "of the runs", threads, 1)
        .text("--methods NAME,...", "solvers", methods, {"heap", "queue"})
        .text("--shape NAME", "the mesh", shape, {"cube", "wall"})
        .text("--json FILE", "the rows", file)
        .flag("--quick", "small", quick);
  }

  /// Returns the error in the line, empty if there is none.
  std::string problem(const Words& line) {
    try {
      arguments().read(line);
      return "";
    } catch (const BadArguments& error) {
      return error.what();
    }
  }

  /// Returns the exit status.
  int run(Words line, const std::function<int()>& program) {
    line.insert(line.begin(), "Program");
    std::vector<char*> pointers;
    for (std::string& word : line) pointers.push_back(word.data());
    return arguments().run(int(pointers.size()), pointers.data(), program);
  }
};

TEST(Arguments, AssignOptionsInAnyOrderAndWordsByPosition) {
  Program p;
  ASSERT_EQ(
      p.problem({"--quick", "one", "--size", "100", "--threads", "3", "--methods", "queue,heap", "two",
                 "--json", "a b", "--ratio", "2.5", "--seed", "18446744073709551615", "--shape", "wall"}),
      "");
  EXPECT_TRUE(p.quick);
  EXPECT_EQ(p.size, 100);
  EXPECT_EQ(p.ratio, 2.5);
  EXPECT_EQ(p.seed, UINT64_MAX);
  EXPECT_EQ(p.threads, std::vector<int>{3});
  EXPECT_EQ(p.methods, (Words{"queue", "heap"}));
  EXPECT_EQ(p.file + p.shape + p.first + p.second, "a bwallonetwo");
}

TEST(Arguments, KeepDefaultsOfMissingArguments) {
  Program p;
  ASSERT_EQ(p.problem({"one"}), "");
  EXPECT_FALSE(p.quick);
  EXPECT_EQ(p.size, 7);
  EXPECT_EQ(p.threads, (std::vector<int>{1, 2}));
  EXPECT_EQ(p.second, "none");
}

TEST(Arguments, TakeTheLastOfRepeatedOptions) {
  Program p;
  ASSERT_EQ(p.problem({"one", "--size", "3", "--threads", "1", "--size", "4", "--threads", "5,6"}), "");
  EXPECT_EQ(p.size, 4);
  EXPECT_EQ(p.threads, (std::vector<int>{5, 6}));
}

TEST(Arguments, RefuseALineWithTheReason) {
  const std::pair<Words, const char*> lines[] = {
      {{"one", "--fast"}, "unknown option --fast"},
      {{"one", "--size=3"}, "unknown option --size=3"},
      {{"one", "--size"}, "--size N: the value is missing"},
      {{"one", "--json", "--quick"}, "--json FILE: the value is missing"},
      {{"one", "--size", "x"}, "--size N: 'x' is not a valid number"},
      {{"one", "--size", "3x"}, "--size N: '3x' is not a valid number"},
      {{"one", "--size", "2.5"}, "--size N: '2.5' is not a valid number"},
      {{"one", "--size", ""}, "--size N: the value is missing"},
      {{"one", "--seed", "-1"}, "--seed N: '-1' is not a valid number"},
      {{"one", "--size", "0"}, "--size N: 0 is not between 1 and 100"},
      {{"one", "--size", "101"}, "--size N: 101 is not between 1 and 100"},
      {{"one", "--size", "99999999999"}, "--size N: 99999999999 is not between 1 and 100"},
      {{"one", "--ratio", "0.5"}, "--ratio R: 0.5 is not between 1 and 1e+09"},
      {{"one", "--ratio", "nan"}, "--ratio R: nan is not between 1 and 1e+09"},
      {{"one", "--ratio", "inf"}, "--ratio R: inf is not between 1 and 1e+09"},
      {{"one", "--threads", "1,,2"}, "--threads N,...: '' is not a valid number"},
      {{"one", "--threads", "1,0"}, "--threads N,...: 0 is not between 1 and 1e+09"},
      {{"one", "--methods", "heap,stack"}, "--methods NAME,...: 'stack' is none of heap, queue"},
      {{"one", "--shape", "ball"}, "--shape NAME: 'ball' is none of cube, wall"},
      {{"one", "--json", ""}, "--json FILE: the value is missing"},
      {{"one", "two", "three"}, "unexpected 'three'"},
      {{"--quick"}, "FIRST is missing"}};
  for (const auto& [line, why] : lines) EXPECT_EQ(Program().problem(line), why);
}

TEST(Arguments, RunTheProgramForItsStatus) {
  EXPECT_EQ(Program().run({"one"}, [] { return 3; }), 3);
}

TEST(Arguments, ExitWith2AndTheReasonBeforeTheProgramRuns) {
  bool ran = false;
  testing::internal::CaptureStderr();
  const int status = Program().run({"--size", "0"}, [&] { return ran = true, 0; });
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "Program: --size N: 0 is not between 1 and 100 (see --help)\n");
  EXPECT_EQ(status, 2);
  EXPECT_FALSE(ran);
}

TEST(Arguments, ExitWith2IfTheProgramRefusesThemAndWith1IfItFails) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(Program().run({"one"}, []() -> int { throw BadArguments("--size needs --json"); }), 2);
  EXPECT_EQ(Program().run({"one"}, []() -> int { throw std::runtime_error("no memory"); }), 1);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "Program: --size needs --json (see --help)\nno memory\n");
}

TEST(Arguments, PrintTheHelpOnly) {
  bool ran = false;
  testing::internal::CaptureStdout();
  EXPECT_EQ(Program().run({"--fast", "--help"}, [&] { return ran = true, 5; }), 0);
  const std::string help = testing::internal::GetCapturedStdout();
  EXPECT_FALSE(ran);
  EXPECT_EQ(help.substr(0, help.find("  ")), "usage: Program [OPTION...] FIRST [SECOND]\nDoes something.\n");
  for (const char* line :
       {"\n  [SECOND]             another word\n", "\n  --size N             points\n",
        "\n  --quick              small\n", "\n  --shape NAME         the mesh: cube, wall\n"})
    EXPECT_NE(help.find(line), help.npos) << line;
}

} // namespace
