// Claims about the benchmarks' output: valid JSON for any strings and numbers.
#include "Table.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

using namespace isochrone::benchmark;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity(),
                 nan = std::numeric_limits<double>::quiet_NaN();

struct Output {
  std::string screen, file;
};

/// Returns the output of a table with these rows.
Output output(const Table::About& about, const std::vector<std::vector<Table::Value>>& rows) {
  const std::string file = testing::TempDir() + "TestTable.json";
  testing::internal::CaptureStdout();
  {
    Table table(file, about, {{"case", "case", -6}, {"value", "value", 7, 2}});
    for (const auto& row : rows) table.row(row);
  }
  std::ifstream in(file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  std::remove(file.c_str());
  return {testing::internal::GetCapturedStdout(), text};
}

TEST(Json, EscapesQuotesBackslashesAndControls) {
  EXPECT_EQ(jsonText(""), R"("")");
  EXPECT_EQ(jsonText("a \"b\" c:\\d"), R"("a \"b\" c:\\d")");
  EXPECT_EQ(jsonText("a\nb\tc\x01\x1f"), R"("a\u000ab\u0009c\u0001\u001f")");
  EXPECT_EQ(jsonText("Grüße \x7f"), "\"Grüße \x7f\"");
  EXPECT_EQ(jsonText(std::string("a\0b", 3)), R"("a\u0000b")");
}

TEST(Json, HasNullForNumbersThatAreNotFinite) {
  for (const double value : {infinity, -infinity, nan}) {
    EXPECT_EQ(jsonNumber(value), "null");
    EXPECT_EQ(jsonNumber(value, 4), "null");
  }
}

TEST(Json, HasSixDigitsOrTheRequestedDecimals) {
  EXPECT_EQ(jsonNumber(3), "3");
  EXPECT_EQ(jsonNumber(-2.0 / 3), "-0.666667");
  EXPECT_EQ(jsonNumber(1.5e-300), "1.5e-300");
  EXPECT_EQ(jsonNumber(24576000), "2.4576e+07");
  EXPECT_EQ(jsonNumber(24576000.25, 0), "24576000");
  EXPECT_EQ(jsonNumber(2.0 / 3, 4), "0.6667");
  EXPECT_EQ(jsonNumber(std::numeric_limits<double>::max(), 0).size(), 309u);
}

TEST(Table, PrintsAndWritesTheSameRows) {
  const Output out = output({{"machine", "big"}, {"cores", 2.}}, {{"one", 1.25}, {"two", 1e9}});
  EXPECT_EQ(out.screen, "machine big, cores 2\ncase     value\none       1.25\ntwo    1000000000.00\n");
  EXPECT_EQ(out.file, "{\"machine\": \"big\", \"cores\": 2, \"runs\": [\n"
                      "{\"case\": \"one\", \"value\": 1.25},\n{\"case\": \"two\", \"value\": 1e+09}\n]}\n");
}

TEST(Table, WritesValidJsonForAnyStringAndNumber) {
  const Output out = output({{"compiler", "g\"c\\c\n12"}}, {{"inf", infinity}, {"a\"b", nan}, {"-", "\\"}});
  EXPECT_EQ(out.file, R"({"compiler": "g\"c\\c\u000a12", "runs": [
{"case": "inf", "value": null},
{"case": "a\"b", "value": null},
{"case": "-", "value": "\\"}
]}
)");
}

TEST(Table, IsValidWithoutRows) {
  EXPECT_EQ(output({{"cores", 2.}}, {}).file, "{\"cores\": 2, \"runs\": [\n]}\n");
  const Output nothing = output({}, {});
  EXPECT_EQ(nothing.file, "{\"runs\": [\n]}\n");
  EXPECT_EQ(nothing.screen, "\n");
}

TEST(Table, RefusesAFileThatCannotBeWritten) {
  EXPECT_THROW(Table("/no such folder/rows.json", {}, {}), isochrone::Error);
}

TEST(Machine, HasAddedEntriesBeforeTheCompiler) {
  const Table::About about = machine({{"instruction_set", "best"}});
  ASSERT_EQ(about.size(), 4u);
  EXPECT_EQ(about[0], (std::pair<const char*, Table::Value>{about[0].first, processor()}));
  EXPECT_STREQ(about[2].first, "instruction_set");
  EXPECT_STREQ(about[3].first, "compiler");
}

struct Image {
  int nx, ny, nz;
};
struct States {
  long nx, ny;
  int headings;
};

TEST(SizeText, HasThePointsOfEveryAxis) {
  EXPECT_EQ(sizeText(Image{3, 4, 1}), "3x4x1");
  EXPECT_EQ(sizeText(States{300, 200, 96}), "300x200x96");
}

} // namespace
