"""every_kernel_ran.py FILE: fails if a kernel of the CUDA tests was not launched by any test that wrote FILE.

FILE is the file that CUDA_ON_HOST_KERNELS names, with lines "has KERNEL" and "launched KERNEL".
"""
import pathlib
import subprocess
import sys


def main(path):
    lines = [line.split() for line in pathlib.Path(path).read_text().splitlines()]
    has, launched = ({kernel for word, kernel in lines if word == wanted} for wanted in ("has", "launched"))
    missing = sorted(kernel for kernel in has - launched if "EmptyKernel" not in kernel)  # CUB only queries its version
    print(f"{len(launched)} of {len(has)} kernels were launched")
    if missing:
        print("not launched:", subprocess.run(["c++filt", *missing], capture_output=True, text=True).stdout, sep="\n")
    return 1 if missing or not has else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
