"""Checks of the runs of single seeds and of the table of travel times, for every filter with seeds."""
import numpy as np

from pipelines import cell_array, column, output, port_of


def table_of(proxy):
    """Returns the columns of the output Travel Time Table; nothing if it is empty."""
    table = output(proxy, port_of(proxy, "Travel Time Table"))
    names = [table.GetColumnName(c) for c in range(table.GetNumberOfColumns())]
    assert names in ([], ["Seed", "Tip", "TravelTime", "Length", "Reached"])
    return {name: column(table, name) for name in names}


def numbers_of(proxy, tips):
    """Returns travel time and length of the path to each tip from the output Paths; NaN without a path."""
    lines = output(proxy, 1)
    numbers = np.full((tips, 2), np.nan)
    if lines.GetNumberOfCells():
        for tip, time, length in zip(*(cell_array(lines, name) for name in (name_of(lines, "TipId"), "TravelTime", "Length"))):
            numbers[tip] = time, length
    return numbers


def name_of(lines, name):
    """Returns the name of an array of ids, which Ray Tracing calls by its own words."""
    return name if lines.GetCellData().HasArray(name) else {"TipId": "ReceiverId", "SeedId": "SourceId"}[name]
