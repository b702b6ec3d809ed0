"""The steps of tutorial.md, up to the step in the environment variable STEP. Run by tutorial.sh in ParaView."""
import os

from paraview.simple import *

step = int(os.environ["STEP"])
view = GetActiveViewOrCreate("RenderView")
courtyard = OpenDataFile(os.path.abspath("../Testing/Data/courtyard.vtk"))
shown = Show(courtyard, view)
ColorBy(shown, ("POINTS", "cost"))
if step >= 2:
    Hide(courtyard, view)
    front = IsochroneImageTravelTime(Input=courtyard, BarrierArray=["POINTS", "walls"], SeedPoints=[0.1, 0.1, 0],
                                     TipPoints=[0.9, 0.6, 0])
    RenameSource("Front", front)
    times = Show(front, view)
    times.SetScalarBarVisibility(view, True)
    Show(OutputPort(front, 1), view)
if step >= 3:
    front.SeedPoints, front.TipPoints = [0.1, 0.1, 0, 0.9, 0.1, 0], [0.9, 0.6, 0, 0.5, 0.7, 0]
    front.Isochrones, front.TimeUnit = 15, "s"
    Show(OutputPort(front, 2), view)
    Render(view)
    times.RescaleTransferFunctionToDataRange(False)  # as Apply does
if step >= 4:
    for port in range(3):
        Hide(OutputPort(front, port), view)
    car = IsochroneCurvaturePaths(Input=courtyard, Model="Dubins", TurningRadius=0.08, CostArray=["POINTS", "cost"],
                                  WallArray=["POINTS", "walls"], SeedPoints=[0.1, 0.1, 0], SeedHeadings=[90],
                                  TipPoints=[0.9, 0.6, 0], TipHeadings=[0])
    RenameSource("Car", car)
    Show(car, view).SetScalarBarVisibility(view, True)
    Show(OutputPort(car, 1), view)
view.InteractionMode = "2D"
ResetCamera(view)
Render(view)
if "DONE" in os.environ:  # tutorial.sh waits for this file
    open(os.environ["DONE"], "w").close()
