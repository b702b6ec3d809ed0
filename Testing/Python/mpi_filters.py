"""The tests of the filters on several ranks, in one session: mpirun -np N pvbatch --sym mpi_filters.py FOLDER FILTER...

Runs mpi_FILTER.py for each filter, with a folder of its own below FOLDER. With `write` after FOLDER, one process writes what the
ranks are compared with; see mpi_comparison.py.
"""
import importlib
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
folder, *filters = sys.argv[1:]
mode = filters[:1] if filters[0] == "write" else []
for name in filters[len(mode):]:
    print(name, flush=True)
    sys.argv[1:] = [os.path.join(folder, name), *mode]
    importlib.import_module(f"mpi_{name}")  # exits if a rank fails
