"""Places one problem differently in the world: mirrored, turned, scaled, moved, on other axes; and maps the results back.

A problem is defined in a reference frame, home: arrays indexed [i, j, k], positions relative to the first point along the
axes of the image, vectors and tensors along these axes. A View maps it to the world, and maps the results of a filter back.
"""
from dataclasses import dataclass

import numpy as np

from pipelines import add_arrays, image_data, source

IDENTITY = np.eye(3)
THIRD_TURN = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]])  # x to y, y to z, z to x
TILT = np.array([[2, -2, 1], [1, 2, 2], [-2, -1, 2]]) / 3  # a rotation along no axis


@dataclass
class View:
    """Placement of a problem in the world.

    Axis a of the image is axis order[a] of home, reversed if flip[a] is 1. Lengths are scale times those at home. The
    spacing of an axis is negative if sign is -1.
    """
    order: tuple = (0, 1, 2)
    flip: tuple = (0, 0, 0)
    scale: float = 1.0
    start: tuple = (0, 0, 0)
    origin: tuple = (0, 0, 0)
    direction: np.ndarray = None
    sign: tuple = (1, 1, 1)

    def of(self, shape, spacing):
        return Placed(self, shape, spacing)


class Placed:
    """A view of a problem of the given shape and spacing."""

    def __init__(self, view, shape, spacing):
        self.view, self.shape = view, tuple(shape)
        self.order, self.flipped = list(view.order), np.flatnonzero(view.flip)
        self.sizes = np.take(shape, self.order)
        self.steps = view.scale * np.take(spacing, self.order)
        self.scale = view.scale
        self.direction = IDENTITY if view.direction is None else view.direction
        way = np.where(view.flip, -1.0, 1.0)
        self.permutation = way[:, None] * np.eye(3)[self.order]  # from home to the axes of the image
        self.turn = (self.direction * view.sign) @ self.permutation  # of vectors, from home to the world
        corner = np.where(view.flip, (self.sizes - 1) * self.steps, 0)  # the first point of home
        first = np.asarray(view.origin, float) + self.direction @ (np.multiply(view.sign, self.steps) * view.start)
        self.home_corner = first + (self.direction * view.sign) @ corner
        flat = [axis for axis in range(3) if self.sizes[axis] == 1]
        self.in_plane = [axis for axis in range(3) if axis not in flat]

    # ------------------------------------------------------------------------------------------ from home to the world
    def values(self, home):
        """Returns an array [i, j, k] of home, with any number of components, in VTK order."""
        turned = np.flip(np.transpose(home, self.order + list(range(3, np.ndim(home)))), self.flipped)
        return np.swapaxes(turned, 0, 2).reshape(-1, *turned.shape[3:])

    def vectors(self, home):
        return self.values(home) @ self.turn.T

    def tensors(self, home):
        """Returns matrices of home as tuples of nine components in the world."""
        return np.einsum("ai,pij,bj->pab", self.turn, self.values(home), self.turn).reshape(-1, 9)

    def points(self, home):
        return self.home_corner + self.scale * np.atleast_2d(home) @ self.turn.T

    def angles(self, degrees):
        """Converts angles in the plane of home, from its first axis to the second, to angles in the plane of the image."""
        at = np.radians(degrees)
        home = np.stack([np.cos(at), np.sin(at), 0 * at], axis=-1)
        first, second = (home @ self.permutation.T)[..., self.in_plane].T
        return np.degrees(np.arctan2(second, first))

    @property
    def handed(self):
        """Returns -1 if a left turn at home is a right turn in the image, else 1."""
        plane = self.permutation[np.ix_(self.in_plane, [0, 1])]
        return int(round(np.linalg.det(plane)))

    def image(self, cells=None, **arrays):
        last = self.view.start + self.sizes - 1
        data = image_data(extent=np.c_[self.view.start, last].ravel(), spacing=self.steps * self.view.sign,
                          origin=self.view.origin, direction=self.direction.ravel().tolist(), **arrays)
        add_arrays(data.GetCellData(), cells or {})
        return source(data)

    # ------------------------------------------------------------------------------------------ from the world to home
    def home(self, flat, cells=False):
        sizes = self.sizes - (self.sizes > 1) if cells else self.sizes
        there = np.swapaxes(np.reshape(flat, (*sizes[::-1], *np.shape(flat)[1:])), 0, 2)
        return np.transpose(np.flip(there, self.flipped), np.argsort(self.order).tolist() + list(range(3, there.ndim)))

    def home_vectors(self, flat):
        return self.home(flat @ self.turn)

    def home_points(self, world):
        return (np.asarray(world) - self.home_corner) @ self.turn / self.scale

    def home_angles(self, degrees):
        at, plane = np.radians(degrees), np.zeros((*np.shape(degrees), 3))
        plane[..., self.in_plane[0]], plane[..., self.in_plane[1]] = np.cos(at), np.sin(at)
        home = plane @ self.permutation
        return np.degrees(np.arctan2(home[..., 1], home[..., 0]))

    def home_ids(self, ids, cells=False):
        """Converts point numbers of the image to numbers at home, first axis fastest; keeps -1."""
        shape = np.subtract(self.shape, np.greater(self.shape, 1)) if cells else self.shape
        numbers = np.arange(np.prod(shape)).reshape(shape[::-1]).T
        there = self.values(numbers)
        return np.where(ids < 0, -1, there[ids])


HOME = View()

# Placements to which every image filter is invariant. Sizes differ between axes, so that mixed-up axes are detected.
MOVED = {
    "other extent": View(start=(5, -9, 100)),
    "moved": View(origin=(-7.5, 3.25, 11)),
    "far away": View(origin=(1e6, -2e6, 3e5)),
    "turned in the world": View(direction=THIRD_TURN, start=(1, 2, 3), origin=(4, 5, 6)),
    "tilted": View(direction=TILT, start=(-4, 0, 2), origin=(1, -2, 3)),
    "mirrored in the world": View(direction=np.diag([1.0, -1.0, 1.0]), origin=(2, 2, 2)),
    "tilted and mirrored": View(direction=TILT[:, ::-1], start=(3, -3, 8)),
    "negative spacing": View(sign=(-1, 1, 1), start=(2, 7, -1)),
}
SCALED = {f"{scale:g} times as large": View(scale=scale) for scale in (1024.0, 2.0**-20, 0.3, 1000.0)}
TURNED = {
    "mirror x": View(flip=(1, 0, 0)),
    "mirror y": View(flip=(0, 1, 0)),
    "half turn": View(flip=(1, 1, 0)),
    "transposed": View(order=(1, 0, 2)),
    "quarter turn": View(order=(1, 0, 2), flip=(1, 0, 0)),
    "quarter turn back": View(order=(1, 0, 2), flip=(0, 1, 0)),
}
PLANES = {
    "plane xz": View(order=(0, 2, 1), start=(2, 4, -6)),
    "plane yz": View(order=(2, 0, 1), start=(7, 0, 3)),
    "plane zx": View(order=(1, 2, 0)),
    "plane zy": View(order=(2, 1, 0), flip=(0, 0, 1)),
}
VOLUMES = {
    "mirror z": View(flip=(0, 0, 1)),
    "mirrored along all axes": View(flip=(1, 1, 1)),
    "axes yzx": View(order=(1, 2, 0)),
    "axes zxy": View(order=(2, 0, 1)),
    "axes zyx": View(order=(2, 1, 0)),
    "axes xzy": View(order=(0, 2, 1)),
    "quarter turn about x": View(order=(0, 2, 1), flip=(0, 1, 0)),
}
ALL = {"all at once": View(order=(1, 0, 2), flip=(0, 1, 0), scale=3.0, start=(5, 25, -4), origin=(10, -20, 5), direction=TILT)}
PLANAR_VIEWS = {**MOVED, **SCALED, **TURNED, **PLANES, **ALL}
VOLUME_VIEWS = {**MOVED, **SCALED, **TURNED, **VOLUMES, **ALL}


def along(points, count=41):
    """Returns points at equal fractions of the length of a polyline, whose own points depend on rounding."""
    length = np.r_[0, np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))]
    share = length / max(length[-1], 1e-300)
    return np.transpose([np.interp(np.linspace(0, 1, count), share, x) for x in np.transpose(points)])


def assert_quiet(messages, *expected):
    """Asserts no error, and no warning except those with one of the words."""
    assert "ERROR" not in messages, messages
    for warning in messages.split("Warning:")[1:]:
        assert any(words in warning for words in expected), warning
