# script-version: 2.0
"""In situ: runs every filter on the data of a simulation. Each rank of the simulation owns only its piece."""
import os
import sys

from paraview import catalyst, simple

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from catalyst_filters import FILTERS

simple.LoadPlugin(os.environ["ISOCHRONE_PLUGIN"], remote=False, ns=vars(simple))

grid = simple.TrivialProducer(registrationName="input")
for build in FILTERS:
    name, travel_time = build.__name__, build(grid)
    field_file = simple.CreateExtractor("VTI", travel_time, registrationName=f"{name}_field")
    field_file.Writer.FileName = name + "_field_{timestep}.pvti"
    path_file = simple.CreateExtractor("VTP", simple.OutputPort(travel_time, 1), registrationName=f"{name}_paths")
    path_file.Writer.FileName = name + "_paths_{timestep}.pvtp"

options = catalyst.Options()
options.ExtractsOutputDirectory = os.environ["ISOCHRONE_CATALYST_OUTPUT"]
