"""includes.py SOURCE: fails on an #include against the direction of dependencies (CONTRIBUTING.md, "Modules")."""
import pathlib
import re
import sys

CUDA = re.compile(r"(cuda|cub/|thrust/|cooperative_groups|nvtx|nv/|curand)")
VTK = re.compile(r"(vtk|pq|pv|Q)[A-Z]")
SHARED_MODULES = {"Adjoint", "Execution", "Grid", "Paths", "Surface"}  # the other modules of Kernels hold one algorithm each
# The folders of an algorithm, and the other folders that each may include.
FOLDERS = {"Scheme": set(), "Seeds": {"Scheme"}, "Exact": {"Scheme", "Seeds"}, "Host": {"Scheme", "Seeds"}, "Tiles": {"Scheme", "Seeds"},
           "Paths": {"Scheme", "Seeds"}, "Tensors": {"Scheme", "Seeds"}, "Vehicles": {"Scheme", "Paths"},
           "Sensitivity": {"Scheme", "Seeds", "Paths", "Vehicles"}}
EXCEPTIONS = {("CurvaturePaths/Seeds/RefinedStarts.cxx", "CurvaturePaths/Host/SectorSolver.h"),
              ("RayTracing/Paths/Predecessors.cxx", "RayTracing/Host/PredecessorEdges.h")}


def resolve(root, file, name):
    """Returns the path, relative to the root, of the project file that `file` includes as `name`; None for other files."""
    for folder in (file.parent, root / "Kernels", root / "Filters", root / "ServerManager", root / "Gui", root):
        target = (folder / name).resolve()
        if target.is_file() and target.is_relative_to(root):
            return target.relative_to(root)
    return None


def public_for_filters(parts):
    """Returns whether filters may include the file: Kernels/Backend.h etc., Kernels/X/X.h and Reuse.h, paths, and parts of images."""
    return len(parts) == 2 or parts[2:] in ((f"{parts[1]}.h",), ("Reuse.h",)) or parts[1:] in (
        ("Paths", "Path.h"), ("Paths", "TimeMatrix.h"), ("Grid", "GridPart.h"), ("Grid", "OrthogonalGrid.h"), ("Grid", "ThomsenArrays.h"))


def folder_of(path):
    """Returns the folder of an algorithm that holds a file of Kernels; empty for files at the top of the algorithm."""
    return path.parts[2] if len(path.parts) > 3 else ""


def broken_folder_rule(file, target):
    """Returns the rule between folders of one algorithm that `file` breaks by including `target`, or None."""
    folder, to_folder = folder_of(file), folder_of(target)
    if folder and folder not in FOLDERS:
        return f"{folder} is not a known folder of an algorithm"
    exception = tuple(path.relative_to("Kernels").as_posix() for path in (file, target))
    if not folder or folder == to_folder or exception in EXCEPTIONS:
        return None
    if not to_folder:
        public = target.name in (f"{file.parts[1]}.h", "Reuse.h", "Validation.h")
        return None if public else "folders may include only the public headers of their algorithm, and Validation.h"
    return None if to_folder in FOLDERS[folder] else f"{folder} may not include {to_folder}"


def broken_rule(file, name, target):
    """Returns the rule that `file` breaks by including `name`, or None. Paths are relative to the root."""
    layer, module = file.parts[0], file.parts[1] if len(file.parts) > 2 else ""
    if layer == "Testing":
        return None
    if layer == "Kernels" and VTK.match(name):
        return "kernels include no header of VTK, ParaView or Qt"
    if CUDA.match(name) and not (layer == "Kernels" and (file.suffix == ".cu" or module == "Execution")):
        return "CUDA stays inside Kernels/Execution and .cu files"
    if target is None:
        return None
    to_layer, to_module = target.parts[0], target.parts[1] if len(target.parts) > 2 else ""
    allowed = {"Kernels": {"Kernels"}, "Filters": {"Filters", "Kernels"}, "ServerManager": {"ServerManager", "Filters"},
               "Plugin": {"Plugin", "ServerManager"}}
    if to_layer not in allowed.get(layer, {layer}):
        return f"{layer} may not include {to_layer}"
    if layer == "Filters" and to_layer == "Kernels" and not public_for_filters(target.parts):
        return "filters include public headers of Kernels only"
    if layer == to_layer == "Kernels":
        if module == "Execution" and to_module not in ("", "Execution"):
            return "Execution may not include another module"
        if to_module and to_module != module and to_module not in SHARED_MODULES:
            return "an algorithm may not include another algorithm"
        if module == to_module and module not in SHARED_MODULES:
            return broken_folder_rule(file, target)
    return None


def broken_includes(root):
    root = pathlib.Path(root).resolve()
    count = 0
    problems = []
    for layer in ("Kernels", "Filters", "ServerManager", "Gui", "Plugin"):
        for file in sorted((root / layer).rglob("*")):
            if file.suffix not in (".h", ".cxx", ".cu", ".cuh", ".in"):
                continue
            count += 1
            for number, line in enumerate(file.read_text().splitlines(), 1):
                match = re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', line)
                if match:
                    rule = broken_rule(file.relative_to(root), match[1], resolve(root, file, match[1]))
                    if rule:
                        problems.append(f"{file.relative_to(root)}:{number}: includes {match[1]}: {rule}")
    return count, problems


if __name__ == "__main__":
    count, problems = broken_includes(sys.argv[1])
    print("\n".join(problems))
    print(f"{count} files, {len(problems)} broken rules")
    sys.exit(1 if problems or count == 0 else 0)
