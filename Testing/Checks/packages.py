"""packages.py CPACK BUILD FOLDER PVPYTHON: makes the packages of a build below FOLDER. They must hold the plugin and its example
states, and neither headers nor static libraries; the .deb depends on one version of ParaView and links the plugin to where
ParaView loads it; the plugin unpacked from the .tar.gz loads in ParaView."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile

LOADED = """
from paraview import simple
assert simple.IsochroneImageTravelTime
"""


def only(folder, pattern):
    found = sorted(folder.rglob(pattern))
    assert len(found) == 1, (pattern, found)
    return found[0]


def text_of(*command, **options):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, **options).stdout


cpack, build, folder, pvpython = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), sys.argv[4]
shutil.rmtree(folder, ignore_errors=True)
text_of(cpack, "-G", "DEB;TGZ", "-B", str(folder), "--config", os.path.join(build, "CPackConfig.cmake"))
shutil.rmtree(folder / "_CPack_Packages")  # the folder in which cpack worked
deb, archive = only(folder, "paraview-isochrone*.deb"), only(folder, "paraview-isochrone*.tar.gz")
unpacked, installed = folder / "unpacked", folder / "installed"
with tarfile.open(archive) as tar:
    tar.extractall(unpacked)
text_of("dpkg-deb", "-x", str(deb), str(installed))
for place in (unpacked, installed):
    plugin = only(place, "Isochrone.so")
    assert plugin.stat().st_size > 1e6 and only(place, "isochrone.plugins.xml").parent == plugin.parent.parent
    states = list(place.rglob("paraview-isochrone/examples/*.pvsm"))
    assert len(states) == 6 and only(place, "courtyard.vtk").parent == states[0].parent, states
    assert not [file for file in place.rglob("*") if file.suffix in (".a", ".h", ".cmake", ".cxx")]
assert (installed / "usr/bin/plugins/Isochrone").resolve() == only(installed, "Isochrone.so").parent.resolve()
depends = text_of("dpkg-deb", "-f", str(deb), "Depends")
assert re.search(r"paraview \(>= [0-9.]+\), paraview \(<< [0-9.]+~\)", depends), depends

environment = {**os.environ, "PV_PLUGIN_PATH": str(only(unpacked, "Isochrone.so").parent.parent)}
text_of(pvpython, "--force-offscreen-rendering", "-c", LOADED, env=environment)
print("passed")
