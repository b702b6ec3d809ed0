"""test_checks.py: tests of the checks on planted faults. Uses only the standard library, so that it runs with any Python."""
import json
import pathlib
import tempfile
import unittest

import claims
import cuda_no_spills
import hardening
import includes
import isa_symbols
import sanitized
import slowest
import vectorised


class Includes(unittest.TestCase):
    HEADERS = ["Kernels/Error.h", "Kernels/Execution/Team.h", "Kernels/Grid/Tiles.h", "Kernels/Paths/Path.h",
               "Kernels/A/A.h", "Kernels/A/ATile.h", "Kernels/B/B.h", "Filters/vtkF.h", "Kernels/A/Validation.h",
               "Kernels/A/Scheme/S.h", "Kernels/A/Host/H.h", "Kernels/A/Vehicles/V.h"]

    def problems(self, file, include):
        with tempfile.TemporaryDirectory() as folder:
            for name in self.HEADERS + [file]:
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("")
            pathlib.Path(folder, file).write_text(f"// first line\n#include {include}\n")
            return includes.broken_includes(folder)[1]

    def test_accepts_what_the_rules_allow(self):
        for file, include in [("Kernels/A/A.cxx", '"Execution/Team.h"'), ("Kernels/A/A.cxx", '"ATile.h"'),
                              ("Kernels/A/A.cxx", "<vector>"), ("Kernels/A/A.cu", "<cub/cub.cuh>"),
                              ("Kernels/Execution/Cuda.cxx", "<cuda_runtime.h>"), ("Filters/vtkF.cxx", '"A/A.h"'),
                              ("Filters/vtkF.cxx", '"Paths/Path.h"'), ("Filters/vtkF.cxx", '"Error.h"'),
                              ("Filters/vtkF.cxx", "<vtkImageData.h>"), ("Kernels/Grid/Tiles.cxx", '"Error.h"')]:
            self.assertEqual(self.problems(file, include), [], f"{file} {include}")

    def test_finds_each_broken_rule(self):
        for file, include in [("Kernels/A/A.cxx", "<vtkImageData.h>"), ("Kernels/A/A.cxx", "<cuda_runtime.h>"),
                              ("Kernels/A/A.cxx", '"../../Filters/vtkF.h"'), ("Kernels/A/A.cxx", '"B/B.h"'),
                              ("Kernels/Execution/Team.cxx", '"Grid/Tiles.h"'), ("Kernels/Grid/Tiles.cxx", '"A/A.h"'),
                              ("Filters/vtkF.cxx", '"A/ATile.h"'), ("Filters/vtkF.cxx", '"Execution/Team.h"'),
                              ("Filters/vtkF.cxx", "<cub/cub.cuh>"), ("Plugin/p.cxx", '"Kernels/A/A.h"')]:
            self.assertEqual(len(self.problems(file, include)), 1, f"{file} {include}")

    def test_checks_includes_between_the_folders_of_an_algorithm(self):
        for file, include in [("Scheme/X.cxx", '"A/A.h"'), ("Scheme/X.cxx", '"A/Validation.h"'), ("Scheme/X.cxx", '"A/Scheme/S.h"'),
                              ("Host/X.cxx", '"A/Scheme/S.h"'), ("Sensitivity/X.cu", '"A/Vehicles/V.h"'), ("X.cxx", '"A/Host/H.h"')]:
            self.assertEqual(self.problems(f"Kernels/A/{file}", include), [], f"{file} {include}")
        for file, include in [("Scheme/X.cxx", '"A/Host/H.h"'), ("Tiles/X.cu", '"A/Host/H.h"'), ("Tiles/X.h", '"../Host/H.h"'),
                              ("Paths/X.cxx", '"A/Vehicles/V.h"'), ("Scheme/X.cxx", '"A/ATile.h"'), ("New/X.cxx", '"A/A.h"'),
                              ("Vehicles/X.cxx", '"A/Host/H.h"')]:
            self.assertEqual(len(self.problems(f"Kernels/A/{file}", include)), 1, f"{file} {include}")

    def test_finds_a_rule_broken_in_a_new_folder(self):
        self.assertEqual(len(self.problems("Kernels/New/New.cxx", '"B/B.h"')), 1)


class Claims(unittest.TestCase):
    RUNS = [{"case": "a", "on": "host 1", "seconds": 2.0}, {"case": "a", "on": "host 2", "seconds": 1.04},
            {"case": "b", "on": "host 2", "seconds": 3.0}]
    HEAD = "document,text,source,rows,over,by,value,scale,tolerance\n"

    def problems(self, readme, *lines, **others):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "Testing/Benchmarks/results").mkdir(parents=True)
            (root / "Testing/Checks").mkdir()
            (root / "Testing/Benchmarks/results/r.json").write_text(json.dumps({"runs": self.RUNS}))
            (root / "Testing/Checks/claims.csv").write_text(self.HEAD + "\n".join(lines))
            (root / "Testing/TestA.cxx").write_text("TEST(A, TakesTwoBytes)")
            (root / "README.md").write_text(readme)
            (root / "DESIGN.md").write_text("| a | 7.3 | 36 |\n")
            for name, text in others.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text)
            return claims.problems(root)[1]

    def test_accepts_figures_equal_to_the_results(self):
        self.assertEqual(self.problems("solves a in 1.0 s", "README.md,a in [1.0] s,r.json,case=a; on=host 2,,,seconds,,"), [])
        self.assertEqual(self.problems("1 to 3 s", "README.md,[1] to 3 s,r.json,on=host 2,,,min seconds,,",
                                       "README.md,1 to [3] s,r.json,on=host 2,,,max seconds,,"), [])
        self.assertEqual(self.problems("3000 ms", "README.md,[3000] ms,r.json,,,,max of min seconds by case,1000,"), [])
        self.assertEqual(self.problems("gains 1.9 times", "README.md,[1.9] times,r.json,on=host 1,on=host 2,case,seconds,,"), [])
        self.assertEqual(self.problems("2 bytes", "README.md,[2] bytes,test TakesTwoBytes,,,,,,"), [])
        self.assertEqual(self.problems("`in 7 s` on 512^3 points"), [])

    def test_finds_figures_that_differ_or_have_no_source(self):
        row = "README.md,a in [{}] s,r.json,case=a; on=host 2,,,seconds,,"
        self.assertIn("says 1.04", self.problems("a in 1.1 s", row.format("1.1"))[0])
        self.assertIn("not in the document", self.problems("", row.format("1.0"))[0])
        self.assertIn("no claim covers", self.problems("a in 1.0 s, b in 3 s", row.format("1.0"))[0])
        self.assertIn("no run matches", self.problems("a in 1.0 s", row.format("1.0").replace("=a", "=c"))[0])
        self.assertIn("no test is called", self.problems("2 bytes", "README.md,[2] bytes,test Missing,,,,,,")[0])

    def test_accepts_figures_from_tables_and_code(self):
        row = "README.md,by [{}] %,DESIGN.md,| a | [7.3],{},,,{},"
        self.assertEqual(self.problems("by 7 %", row.format("7", "", "")), [])
        self.assertEqual(self.problems("by 20 %", row.format("20", "| a | 7.3 | [36] |", "100")), [])
        self.assertIn("says 7.3", self.problems("by 8 %", row.format("8", "", ""))[0])
        self.assertIn("has no", self.problems("by 7 %", row.format("7", "", "").replace("7.3", "7.4"))[0])

    def test_finds_figures_without_a_source_in_user_documents(self):
        for name, text in {"Plugin/Documentation/f.html": "<p>Faster by\n<b>5</b> % or 10<sup>12</sup> times</p>",
                           "ServerManagerXML/f.xml": '<Entry value="5 %"/><Documentation>Takes 5 s of it.</Documentation>',
                           "Filters/vtkF.h": " * It is 5\n * times as fast.\nint times = 5;\n"}.items():
            self.assertEqual(len(self.problems("", **{name: text})), 1, name)
        self.assertEqual(self.problems("", "Filters/vtkF.h,is [7.3] times,DESIGN.md,| a | [7.3],,,,,",
                                       **{"Filters/vtkF.h": "  /// It is\n  /// 7.3 times as fast.\n"}), [])


class Vectorised(unittest.TestCase):
    def test_distinguishes_full_vectors_from_narrow_and_scalar_ones(self):
        text = "  1:\tvsqrtps %ymm0,%ymm1\n  2:\tvminps %xmm0,%xmm1,%xmm2\n  3:\tvdivss %xmm0,%xmm1,%xmm2\n"
        full, narrow, scalar = vectorised.judge("avx2", text)
        self.assertEqual([len(full), len(narrow), len(scalar)], [1, 1, 1])

    def test_refuses_narrow_vectors_scalar_roots_and_many_scalar_minima(self):
        full = ["vminps %zmm0"] * 40
        self.assertTrue(vectorised.good(full, [], ["vminss %xmm0"] * 2))
        self.assertFalse(vectorised.good(full, [], ["vminss %xmm0"] * 3))
        self.assertFalse(vectorised.good(full, [], ["vsqrtss %xmm0"]))
        self.assertFalse(vectorised.good(full, ["vminps %ymm0"], []))
        self.assertFalse(vectorised.good([], [], []))


class IsaSymbols(unittest.TestCase):
    def test_finds_a_template_of_the_standard_library(self):
        names = "00 W std::vector<int>::push_back(int&&)\n00 W iso::avx2::min(float)\n00 T iso::avx2::sweep()\n"
        self.assertEqual(len(isa_symbols.foreign_weak_symbols("avx2", names)), 1)


class CudaNoSpills(unittest.TestCase):
    REPORT = """ptxas info    : Compiling entry function '_Z1kPf' for 'sm_75'
ptxas info    : Function properties for _Z1kPf
    {stack} bytes stack frame, {stack} bytes spill stores, 4 bytes spill loads
ptxas info    : Used 12 registers, used 0 barriers, 360 bytes cmem[0]
"""

    def test_adds_the_spills_of_a_kernel(self):
        self.assertEqual(cuda_no_spills.kernels(self.REPORT.format(stack=8)), [("_Z1kPf", "sm_75", 12, 8, 12)])


class Hardening(unittest.TestCase):
    DYNAMIC = " (RUNPATH) Library runpath: [$ORIGIN:/usr/lib]\n (FLAGS) BIND_NOW\n"
    SEGMENTS = " GNU_STACK 0x0 0x0 0x0 0x0 0x0 RW 0x10\n GNU_RELRO 0x1 0x1 0x1 0x1 0x1 R 0x1\n"
    SYMBOLS = " UND __stack_chk_fail@GLIBC_2.4\n UND __memcpy_chk@GLIBC_2.3.4\n"

    def test_accepts_hardened_programs(self):
        self.assertEqual(hardening.problems(self.DYNAMIC, self.SEGMENTS, self.SYMBOLS), [])

    def test_finds_each_gap(self):
        for dynamic in (" (FLAGS) SYMBOLIC\n", " (RUNPATH) Library runpath: [:::]\n (FLAGS) BIND_NOW\n",
                        " (RUNPATH) Library runpath: [/usr/lib:lib]\n (FLAGS) BIND_NOW\n"):
            self.assertEqual(len(hardening.problems(dynamic, self.SEGMENTS, self.SYMBOLS)), 1, dynamic)
        for segments in (self.SEGMENTS.replace("RW ", "RWE "), self.SEGMENTS.replace("GNU_RELRO", "LOAD")):
            self.assertEqual(len(hardening.problems(self.DYNAMIC, segments, self.SYMBOLS)), 1, segments)
        for symbol in ("__stack_chk_fail", "__memcpy_chk"):
            self.assertEqual(len(hardening.problems(self.DYNAMIC, self.SEGMENTS, self.SYMBOLS.replace(symbol, "f"))), 1)


class Slowest(unittest.TestCase):
    def test_sorts_by_time(self):
        junit = "<testsuite>" + "".join(f'<testcase name="t{n}" time="{n}.5"/>' for n in (3, 12, 1)) + "</testsuite>"
        self.assertEqual(slowest.slowest(junit, 2), [("t12", 12.5), ("t3", 3.5)])


class Sanitized(unittest.TestCase):
    READ = ["Kernels/A/Scheme/S.cxx", "Kernels/A/A.h", "Kernels/CMakeLists.txt", "Testing/Kernels/A/TestA.cxx",
            "Testing/Kernels/Noise.h", "Testing/Fuzz/Seeds.txt", "Testing/Benchmarks/Arguments.h", "Testing/Checks/sanitizer.sh",
            "Testing/CMakeLists.txt", "CMakeLists.txt", "CMakePresets.json", "CMake/HostIsa.cmake"]
    NOT_READ = ["README.md", "Kernels/README.md", "Kernels/A/Tiles/S.cu", "Filters/vtkF.cxx", "Testing/Checks/claims.py",
                "Testing/Checks/sanitized.txt", "Testing/Python/test_a.py"]

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        for name in self.READ + self.NOT_READ:
            self.write(name, "a\n")
        self.write(sanitized.RECORDS, "")
        sanitized.record("asan", sanitized.digest(self.root), self.root)

    def write(self, name, text):
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text)

    def test_passed_holds_for_the_preset_and_the_sources_that_were_recorded(self):
        self.assertTrue(sanitized.passed("asan", self.root))
        self.assertFalse(sanitized.passed("tsan", self.root))
        for name in self.NOT_READ:
            if name != sanitized.RECORDS:
                self.write(name, "b\n")
                self.assertTrue(sanitized.passed("asan", self.root), name)

    def test_passed_ends_with_any_change_of_a_source(self):
        for name in self.READ:
            self.write(name, "b\n")
            self.assertFalse(sanitized.passed("asan", self.root), name)
            self.write(name, "a\n")
            self.assertTrue(sanitized.passed("asan", self.root), name)
        self.write("Kernels/B/B.h", "")
        self.assertFalse(sanitized.passed("asan", self.root))
        (self.root / "Kernels/B/B.h").unlink()
        (self.root / "Kernels/A/A.h").rename(self.root / "Kernels/A/B.h")
        self.assertFalse(sanitized.passed("asan", self.root))

    def test_a_record_replaces_the_one_of_its_preset_only(self):
        value = sanitized.digest(self.root)
        sanitized.record("tsan", value, self.root)
        sanitized.record("tsan", "0", self.root)
        self.assertEqual(sanitized.records(self.root), {"asan": value, "tsan": "0"})
        self.assertEqual((self.root / sanitized.RECORDS).read_text(), f"asan {value}\ntsan 0\n")


if __name__ == "__main__":
    unittest.main()
