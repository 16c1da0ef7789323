"""numpy_sort.py - measures NumPy's sort on the keys of clsort-bench, with results in the same format

    numpy_sort.py --gen build/bench/tools/clsort-gen --type u32 --n 1024,1048576

The rules are those of clsort-bench: there is a warm-up, the number of runs is the same, and every result is verified.
NumPy does not alternate with the other contestants, because it runs in another process. With many uniform u32 keys,
the script also sorts once by kind="stable", which is not vectorized, and warns if np.sort is hardly faster.
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time

import numpy

SEED = 1  # same as in bench/job.c
MAX_SMALL = 1 << 19  # this and the next two: same as in bench/contest.c
ENOUGH_S = 10
ENOUGH_RUNS = 3
BLOCK = 1 << 20
MIN_SPEEDUP = 3  # of a vectorized np.sort over kind="stable", with at least MIN_JUDGED uniform u32 keys
MIN_JUDGED = 1 << 20


def make_keys(gen, key_type, dist, count):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "keys")
        subprocess.run(
            [gen, "--count", str(count), "--type", key_type, "--dist", dist, "--seed", str(SEED), "--output", path],
            check=True,
            stdout=subprocess.DEVNULL,  # the summary is not needed
        )
        return numpy.fromfile(path, dtype=f"{key_type[0]}{int(key_type[1:]) // 8}")


def checksum(keys):
    """Returns a checksum that does not depend on the order. NaNs are only counted: NumPy treats all as equal."""
    total = 0
    for start in range(0, len(keys), BLOCK):
        block = keys[start : start + BLOCK]
        if keys.dtype.kind == "f":
            block = block[~numpy.isnan(block)] + block.dtype.type(0)  # -0 and +0 are equal
        word = block.view(f"u{keys.itemsize}").astype(numpy.uint64)
        word = (word ^ (word >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
        word = (word ^ (word >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
        word ^= word >> numpy.uint64(31)
        total += int(word.sum(dtype=numpy.uint64)) + len(block)
    return total % 2**64


def in_order(keys):
    """Returns whether keys are in the order of NumPy, in which NaNs are last."""
    for start in range(0, len(keys), BLOCK):
        block = keys[start : start + BLOCK + 1]
        good = block[:-1] <= block[1:]
        if keys.dtype.kind == "f":
            good |= numpy.isnan(block[1:])
        if not good.all():
            return False
    return True


def sort_timed(keys, kind=None):
    """Sorts a copy of the keys. Returns it and the seconds."""
    result = keys.copy()
    start = time.perf_counter()
    result.sort(kind=kind)
    return result, time.perf_counter() - start


def is_suspect(seconds, stable_seconds):
    """Returns whether np.sort is so slow that it cannot be vectorized, and prints a warning."""
    speedup = stable_seconds / seconds
    if speedup >= MIN_SPEEDUP:
        return False
    print(
        f'numpy_sort.py: np.sort is only {speedup:.2f} times as fast as with kind="stable". Its time says little about '
        "NumPy; the usual cause is an old version, or AVX-512 on an AMD CPU whose compress-stores are slow",
        file=sys.stderr,
    )
    return True


def measure(keys, runs):
    """Returns the seconds of each run, and whether all results are correct."""
    expected = checksum(keys)
    seconds = []
    verified = True
    for run in range(-1, runs):  # the first is the warm-up
        result, taken = sort_timed(keys)
        verified = verified and in_order(result) and checksum(result) == expected
        if run >= 0:
            seconds.append(taken)
        if len(seconds) >= ENOUGH_RUNS and sum(seconds) > ENOUGH_S:
            break
    return seconds, verified


def report(options, count):
    keys = make_keys(options.gen, options.type, options.dist, count)
    seconds, verified = measure(keys, options.runs * 8 if count <= MAX_SMALL else options.runs)
    median = statistics.median(seconds)
    is_judged = options.type == "u32" and options.dist == "uniform" and count >= MIN_JUDGED
    suspect = {"suspect": True} if is_judged and is_suspect(median, sort_timed(keys, "stable")[1]) else {}
    print(
        json.dumps(
            {
                "who": "np.sort",
                "op": "keys",
                "type": options.type,
                "value_size": 0,
                "n": count,
                "dist": options.dist,
                "device": "one core",
                "algorithm": None,
                "asked": None,
                "unstable": False,
                "host": options.host,
                "runs": len(seconds),
                "batch": 1,
                "median_s": median,
                "min_s": min(seconds),
                "mkeys_s": count / median / 1e6,
                "verified": verified,
                **suspect,
            },
            separators=(",", ":"),
        ),
        flush=True,
    )
    return verified


def main():
    parser = argparse.ArgumentParser(description="Measures NumPy's sort on the keys of clsort-bench.")
    parser.add_argument("--gen", required=True, help="the program clsort-gen")
    parser.add_argument("--type", default="u32", help="type of the keys")
    parser.add_argument("--dist", default="uniform", help="distribution of the keys")
    parser.add_argument("--n", default="1048576", help="numbers of elements, separated by commas")
    parser.add_argument("--host", action="store_true", help="the results are compared with those of clsort-bench --host")
    parser.add_argument("--runs", type=int, default=7, help="timed runs, as for clsort-bench")
    options = parser.parse_args()
    versions = {"np.sort": f"NumPy {numpy.__version__}, Python {platform.python_version()}"}
    print(json.dumps({"machine": {"peers": versions}}, separators=(",", ":")))
    results = [report(options, int(count)) for count in options.n.split(",")]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
