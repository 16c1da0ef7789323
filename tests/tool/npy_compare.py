#!/usr/bin/env python3
"""npy_compare.py - sorts .npy files of random shapes, types, axes and layouts by clsort and compares with NumPy

npy_compare.py CASES SEED [--argsort]: runs in an empty folder, with clsort in PATH.
"""
import subprocess
import sys

import numpy

INTEGERS = [kind + size for kind in "ui" for size in "1248"]
TYPES = INTEGERS + ["f2", "f4", "f8", "b1", "M8", "M8[ns]", "M8[25s]", "m8[D]", "m8[us]"]
SHAPES = [(1,), (0,), (7,), (300,), (40000,), (4, 0, 3), (1, 1, 1), (5, 6), (6, 1, 5), (3, 40, 17), (70000, 2),
          (2, 3, 40000), (9, 130, 1), (200, 33), (2, 3, 4, 5, 6), (1, 33000, 3), (700, 300)]


def random_array(random, dtype, shape):
    """Returns elements of random bits, among them equal ones, zeros, NaN and NaT."""
    count = int(numpy.prod(shape))
    if dtype == "b1":
        flat = random.integers(0, 2, count).astype(bool)
    else:
        bits = random.integers(0, 256, count * int(dtype[1]), dtype=numpy.uint8)
        flat = bits.view(dtype).copy()
    if count > 0:
        specials = {"f": [numpy.nan, 0.0, -0.0], "b": [], "M": ["NaT"], "m": ["NaT"]}.get(dtype[0], [0])
        for special in [flat[0], *specials]:
            flat[random.integers(0, count, 1 + count // 10)] = special
    return flat.reshape(shape)


def sort_by_numpy(array, axis, reverse):
    """Returns the array as clsort must sort it: in either direction, NaN and NaT are last."""
    if axis == "none":
        array, axis = array.flatten(), -1
    result = numpy.sort(array, axis=axis)
    if not reverse:
        return result
    result = numpy.flip(result, axis)
    if array.dtype.kind not in "fmM":
        return result
    missing = (numpy.isnan if array.dtype.kind == "f" else numpy.isnat)(result)
    # A stable sort by "is missing" moves the missing elements from the start to the end.
    return numpy.take_along_axis(result, numpy.argsort(missing, axis=axis, kind="stable"), axis)


def equal(a, b):
    """Compares values, so that -0 equals +0 and all NaN are equal."""
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    return numpy.array_equal(a, b, equal_nan=a.dtype.kind in "fmM")


def run(arguments):
    return subprocess.run(["clsort"] + arguments, capture_output=True, text=True, check=False)


def argsort_by_numpy(array, axis, reverse):
    """Returns the permutation that clsort must find: in either direction, it is stable, and NaN and NaT are last."""
    if axis == "none":
        array, axis = array.flatten(), -1
    if not reverse:
        return numpy.argsort(array, axis=axis, kind="stable")
    # In the reversed array, a stable ascending sort puts the last one of equal elements first.
    last = array.shape[axis] - 1
    result = last - numpy.flip(numpy.argsort(numpy.flip(array, axis), axis=axis, kind="stable"), axis)
    if array.dtype.kind not in "fmM":
        return result
    missing = (numpy.isnan if array.dtype.kind == "f" else numpy.isnat)(numpy.take_along_axis(array, result, axis))
    return numpy.take_along_axis(result, numpy.argsort(missing, axis=axis, kind="stable"), axis)


def test_sort(array, axis, reverse, options):
    """Sorts the array, which is in case.npy. Returns the messages of clsort, or None if the results are right."""
    sort = run(options + ["-o", "sorted.npy", "case.npy"])
    check = run(options + ["--check", "sorted.npy"]) if axis != "none" else sort
    expected = sort_by_numpy(array, axis, reverse)
    before = run(options + ["--check", "case.npy"]) if axis != "none" else sort
    is_sorted = equal(array, expected) if axis != "none" else before.returncode == 0
    if sort.returncode or check.returncode or not equal(numpy.load("sorted.npy"), expected) or \
            (before.returncode == 0) != is_sorted:
        return sort.stderr + check.stderr
    return None


def test_argsort(array, axis, reverse, options):
    """The same for --argsort."""
    argsort = run(options + ["--argsort", "-o", "indexes.npy", "case.npy"])
    if argsort.returncode or not equal(numpy.load("indexes.npy"), argsort_by_numpy(array, axis, reverse)):
        return argsort.stderr
    return None


def test_select(array, axis, reverse, options, random):
    """The same for --top, --bottom and --nth, of keys or indexes; the largest elements are those of --reverse."""
    length = array.size if axis == "none" else array.shape[axis]
    kind = random.choice(["bottom", "top", "nth"]) if not reverse else "nth"
    if kind == "nth" and length == 0:
        kind = "bottom"
        options = [option for option in options if option != "--reverse"]
        reverse = 0
    k = random.integers(length + (kind != "nth"))
    order = argsort_by_numpy(array, axis, reverse or kind == "top")
    if axis == "none":
        array, axis = array.flatten(), -1
    order = numpy.take(order, [k] if kind == "nth" else range(k), axis=axis).astype(numpy.int64)
    for extra, expected in ([], numpy.take_along_axis(array, order, axis)), (["--argsort"], order):
        select = run(options + extra + [f"--{kind}={k}", "-o", "selected.npy", "case.npy"])
        if select.returncode or not equal(numpy.load("selected.npy"), expected):
            return f"--{kind}={k} {extra}: {select.stderr}"
    return None


def main(cases, seed, test):
    random = numpy.random.default_rng(seed)
    numpy.seterr(all="ignore")  # casts of random bits
    failures = 0
    for case in range(cases):
        dtype, shape = TYPES[case % len(TYPES)], SHAPES[random.integers(len(SHAPES))]
        array = random_array(random, dtype, shape).astype(random.choice(["<", ">"]) + dtype)
        fortran, reverse = random.integers(2, size=2)
        axis = ["none", *range(-len(shape), len(shape))][random.integers(2 * len(shape) + 1)]
        if test is not test_sort and axis == "none":
            fortran = 0  # refused
        numpy.save("case.npy", numpy.asfortranarray(array) if fortran else array)
        options = [f"--axis={axis}"] if axis != -1 else []
        options += ["--numeric"] if dtype[0] == "f" else []
        options += ["--reverse"] if reverse else []
        extra = (random,) if test is test_select else ()
        messages = test(array, axis, reverse, options, *extra)
        if messages is not None:
            print(f"case {case}: {array.dtype.str} {shape} fortran {fortran} {options}: {messages}", file=sys.stderr)
            failures += 1
    return failures > 0


if __name__ == "__main__":
    tests = {"--argsort": test_argsort, "--select": test_select}
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]), tests[sys.argv[3]] if len(sys.argv) > 3 else test_sort))
