"""Travel times, distances and shortest paths as VTK filters."""
from .IsochroneFilters import *
