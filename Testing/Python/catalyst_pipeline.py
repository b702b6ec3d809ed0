# script-version: 2.0
"""In situ: the travel time on a slice of what a simulation produces. Each rank of the simulation owns its piece only."""
import os

from paraview import catalyst, simple

simple.LoadPlugin(os.environ["ISOCHRONE_PLUGIN"], remote=False, ns=vars(simple))

grid = simple.TrivialProducer(registrationName="input")
plane = simple.ExtractSubset(Input=grid, VOI=[-10, 10, -10, 10, 0, 0])
travel_time = simple.IsochroneCurvaturePaths(
    registrationName="TravelTime", Input=plane, Model="Reeds-Shepp", TurningRadius=2, NumberOfHeadings=16,
    SeedPoints=[-8, -8, 0], TipPoints=[8, 8, 0])
paths = simple.OutputPort(travel_time, 1)

field_file = simple.CreateExtractor("VTI", travel_time, registrationName="field")
field_file.Writer.FileName = "field_{timestep}.pvti"
path_file = simple.CreateExtractor("VTP", paths, registrationName="paths")
path_file.Writer.FileName = "paths_{timestep}.pvtp"

options = catalyst.Options()
options.ExtractsOutputDirectory = os.environ["ISOCHRONE_CATALYST_OUTPUT"]
