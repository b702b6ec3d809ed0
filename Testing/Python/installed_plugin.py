"""Checks an installed plugin: pvpython installed_plugin.py CMAKE BUILD_FOLDER PREFIX PLUGIN_FOLDER

Installs the build below PREFIX. The plugin must load from PREFIX/PLUGIN_FOLDER automatically, without messages of VTK and without
CUDA's driver, and must report whether it used the CPU or the GPU.
"""
import os
import shutil
import subprocess
import sys

FILTER = """
from paraview.simple import *
proxy = IsochroneCurvaturePaths(Input=Wavelet(WholeExtent=[-10, 10, -8, 8, 0, 0]), NumberOfHeadings=8)
proxy.UpdatePipeline()
assert proxy.PointData["TravelTime"].GetRange(0)[1] > 10
assert proxy.BackendUsed == "Host" and proxy.BackendReason, proxy.BackendUsed
"""
CUDA = """
from paraview.simple import *
proxy = IsochroneCurvaturePaths(Input=Wavelet(WholeExtent=[-10, 10, -8, 8, 0, 0]), NumberOfHeadings=8, Backend='CUDA')
proxy.UpdatePipeline()
assert proxy.GetDataInformation().GetNumberOfPoints() == 0
"""
LOAD = """
import sys
from paraview import simple
simple.LoadPlugin(sys.argv[1], remote=False, ns=vars(simple))
assert simple.IsochroneCurvaturePaths
"""


def run(python, program="pvpython", **variables):
    """Returns the output and errors of `python` in a new process that sees no GPU. The rest of the run must succeed."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PV_PLUGIN", "PMIX_", "OMPI_MCA_", "PRTE_MCA_"))}
    environment.update(variables, CUDA_VISIBLE_DEVICES="")
    script = os.path.join(prefix, "script.py")
    with open(script, "w") as file:
        file.write(python)
    done = subprocess.run([programs[program], script], env=environment, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=60)
    assert done.returncode == 0, done.stdout
    return done.stdout


cmake, build, prefix, plugin_folder = sys.argv[1:]
programs = {name: shutil.which(name) or os.path.join(os.path.dirname(sys.executable), name) for name in ("pvpython", "pvbatch")}
shutil.rmtree(prefix, ignore_errors=True)
subprocess.run([cmake, "--install", build, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
plugins = os.path.join(prefix, plugin_folder)
plugin = os.path.join(plugins, "Isochrone", "Isochrone.so")

needed = subprocess.run(["ldd", plugin], check=True, text=True, stdout=subprocess.PIPE).stdout
assert "libcuda.so" not in needed and "not found" not in needed, needed
if not os.path.exists(os.path.join(build, "cuda-on-host")):  # which replaces the runtime
    assert "libcudart" not in needed, needed

for text in (run(FILTER, PV_PLUGIN_PATH=plugins), run(FILTER, "pvbatch", PV_PLUGIN_PATH=plugins), run(LOAD.replace("sys.argv[1]", repr(plugin)))):
    assert "ERR|" not in text and "WARN|" not in text, text  # in containers MPI may print messages of its own
refusal = run(CUDA, PV_PLUGIN_PATH=plugins)
assert "ERR" in refusal and "CUDA" in refusal and "Host" in refusal, refusal
print("passed")
