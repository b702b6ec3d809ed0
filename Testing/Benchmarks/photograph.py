"""photograph.py NAME SIZE FILE: writes the sites of a photograph of python3-skimage, one byte per point: pixels darker than
Otsu's threshold (1979), mirrored at the edges to SIZE x SIZE points."""
import pathlib
import sys

import numpy as np
import skimage
from skimage import color, filters, io


def grey(image):
    if image.ndim == 3 and image.shape[2] == 4:  # composed on white
        image = color.rgba2rgb(image)
    return color.rgb2gray(image) if image.ndim == 3 else image


def main(name, size, file):
    image = grey(io.imread(pathlib.Path(skimage.data_dir) / f"{name}.png"))
    dark = (image < filters.threshold_otsu(image)).astype(np.uint8)
    for axis in (0, 1):
        dark = np.concatenate([dark, np.flip(dark, axis)], axis)
    repeats = [-(-int(size) // n) for n in dark.shape]
    np.tile(dark, repeats)[:int(size), :int(size)].tofile(file)


if __name__ == "__main__":
    main(*sys.argv[1:])
