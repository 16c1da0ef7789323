#!/usr/bin/env python3
"""npy_segments.py - sorts rows and segments of random .npy files by clsort, selects from them, and compares with NumPy

npy_segments.py CASES SEED: runs in an empty folder, with clsort in PATH.
"""
import subprocess
import sys

import numpy

TYPES = ["u1", "i2", "u4", ">i4", "i8", "f4", "f8"]
OFFSET_TYPES = ["u4", "i4", "u8", "i8", ">u4", ">i8"]


def random_offsets(random, count):
    """Returns offsets of segments, many of them empty; some elements may be in none."""
    number = int(random.integers(1, 1 + min(count + 2, 5000)))
    return numpy.sort(random.integers(0, count + 1, number))


def by_numpy(array, offsets, argsort):
    """Returns the array whose segments are sorted, or the indexes in the whole array."""
    result = numpy.arange(len(array)) if argsort else array.copy()
    for begin, end in zip(offsets[:-1], offsets[1:]):
        part = array[begin:end]
        result[begin:end] = begin + numpy.argsort(part, kind="stable") if argsort else numpy.sort(part)
    return result


def first_by_numpy(array, offsets, k, argsort):
    """Returns the k smallest elements of each segment, or their indexes in the whole array."""
    order = by_numpy(array, offsets, True)
    first = [order[begin:min(begin + k, end)] for begin, end in zip(offsets[:-1], offsets[1:])]
    indexes = numpy.concatenate(first) if first else numpy.empty(0, "i8")
    return indexes if argsort else array[indexes]


def run(*arguments):
    return subprocess.run(["clsort", *arguments], capture_output=True, text=True, check=False)


def refused(offsets, text):
    """Checks that clsort refuses the offsets of the last case."""
    numpy.save("offsets.npy", offsets)
    done = run("--segments=offsets.npy", "case.npy")
    assert done.returncode == 2 and text in done.stderr, (text, done.stderr)


def main():
    random = numpy.random.default_rng(int(sys.argv[2]))
    for case in range(int(sys.argv[1])):
        dtype = random.choice(TYPES)
        length = int(random.integers(1, 300))
        rows = int(random.choice([0, 1, 3, 200, 1000]))
        flat = random.integers(0, 100, rows * length).astype(dtype)
        numpy.save("case.npy", flat)
        offsets = random_offsets(random, len(flat))
        numpy.save("offsets.npy", offsets.astype(random.choice(OFFSET_TYPES)))
        for argsort in (False, True):
            extra = ["--numeric"] * (dtype[0] == "f") + ["--argsort"] * argsort + ["-o", "sorted.npy", "case.npy"]
            matrix = flat.reshape(rows, length)
            sorted_rows = numpy.argsort(matrix, kind="stable") if argsort else numpy.sort(matrix)
            k = int(random.integers(0, length + 1))
            kinds = {(f"--rows={length}",): sorted_rows,
                     (f"--rows={length}", f"--bottom={k}"): sorted_rows[:, :k],
                     ("--segments=offsets.npy",): by_numpy(flat, offsets, argsort),
                     ("--segments=offsets.npy", f"--bottom={k}"): first_by_numpy(flat, offsets, k, argsort)}
            for options, expected in kinds.items():
                done = run(*options, *extra)
                found = numpy.load("sorted.npy") if done.returncode == 0 else numpy.empty(0)
                if done.returncode or found.dtype != expected.dtype or not numpy.array_equal(found, expected):
                    sys.exit(f"case {case}: {options} {extra} of {rows} x {length} {dtype}: {done.stderr}")
    numpy.save("case.npy", numpy.arange(10, dtype="u4"))
    refused(numpy.array([0, -1]), "offset 1 is outside the keys")
    refused(numpy.array([0.0, 1.0]), "the dtype is <f8")
    refused(numpy.array([0, 1], "u2"), "the dtype is <u2")
    refused(numpy.array([[0, 1]]), "need one dimension")
    numpy.save("case.npy", numpy.zeros((3, 4)))
    refused(numpy.array([0, 1]), "--segments divides an array of one dimension, but this one has 2")
    numpy.save("case.npy", numpy.zeros((3, 4), order="F"))
    done = run("--rows=6", "case.npy")
    assert done.returncode == 2 and "Fortran order" in done.stderr, done.stderr


main()
