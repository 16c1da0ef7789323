"""numpy_sort.py - measures NumPy on the keys of clsort-bench, with results in the same format

    numpy_sort.py --gen build/bench/tools/clsort-gen --type u32 --n 1024,1048576
    numpy_sort.py --gen build/bench/tools/clsort-gen --op top --k 100 --type f32 --n 1048576

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
from typing import Callable, NamedTuple

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


# -- operations --------------------------------------------------------------------------------------------------------
#
# Each has a function that may change the keys and returns the result, and one that returns a check of results.


def sort(keys, k):
    keys.sort()
    return keys


def check_sort(keys, k):
    expected = checksum(keys)
    return lambda result: in_order(result) and checksum(result) == expected


def argsort(keys, k):
    return numpy.argsort(keys, kind="stable")


def check_argsort(keys, k):
    def is_right(result):
        if not (numpy.bincount(result, minlength=len(keys)) == 1).all():
            return False
        ordered = keys[result]
        is_tie = ordered[:-1] == ordered[1:]
        return in_order(ordered) and bool((result[:-1] < result[1:])[is_tie].all())

    return is_right


def top(keys, k):
    keys.partition(k - 1)
    first = keys[:k]
    first.sort()
    return first


def check_top(keys, k):
    expected = numpy.sort(keys)[:k]
    return lambda result: numpy.array_equal(result, expected, equal_nan=True)


def nth(keys, k):
    keys.partition(k)
    return keys[k : k + 1]


def check_nth(keys, k):
    expected = numpy.sort(keys)[k : k + 1]
    return lambda result: numpy.array_equal(result, expected, equal_nan=True)


class Operation(NamedTuple):
    who: str
    run: Callable
    make_check: Callable
    value_size: int  # of an index of the result


OPERATIONS = {
    "keys": Operation("np.sort", sort, check_sort, 0),
    "argsort": Operation("np.argsort", argsort, check_argsort, 8),
    "top": Operation("np.partition", top, check_top, 0),
    "nth": Operation("np.partition", nth, check_nth, 0),
}


def choose_k(options, count):
    """Returns the k of a selection, by default that of clsort-bench."""
    if options.k is not None:
        return options.k
    return min(100, count) if options.op == "top" else count // 2


# -- measurement -------------------------------------------------------------------------------------------------------


def run_timed(run, keys, k):
    """Runs the operation on a copy of the keys, which is not timed. Returns the result and the seconds."""
    copy = keys.copy()
    start = time.perf_counter()
    result = run(copy, k)
    return result, time.perf_counter() - start


def stable_seconds(keys):
    """Returns the seconds of a sort that is not vectorized."""
    return run_timed(lambda copy, k: copy.sort(kind="stable"), keys, 0)[1]


def is_suspect(seconds, keys):
    """Returns whether np.sort is so slow that it cannot be vectorized, and prints a warning."""
    speedup = stable_seconds(keys) / seconds
    if speedup >= MIN_SPEEDUP:
        return False
    print(
        f'numpy_sort.py: np.sort is only {speedup:.2f} times as fast as with kind="stable". Its time says little about '
        "NumPy; the usual cause is an old version, or AVX-512 on an AMD CPU whose compress-stores are slow",
        file=sys.stderr,
    )
    return True


def measure(operation, keys, k, runs):
    """Returns the seconds of each run, and whether all results are correct."""
    is_right = operation.make_check(keys, k)
    seconds = []
    verified = True
    for run in range(-1, runs):  # the first is the warm-up
        result, taken = run_timed(operation.run, keys, k)
        verified = verified and is_right(result)
        if run >= 0:
            seconds.append(taken)
        if len(seconds) >= ENOUGH_RUNS and sum(seconds) > ENOUGH_S:
            break
    return seconds, verified


def report(options, count):
    operation, k = OPERATIONS[options.op], choose_k(options, count)
    keys = make_keys(options.gen, options.type, options.dist, count)
    seconds, verified = measure(operation, keys, k, options.runs * 8 if count <= MAX_SMALL else options.runs)
    median = statistics.median(seconds)
    is_judged = (options.op, options.type, options.dist) == ("keys", "u32", "uniform") and count >= MIN_JUDGED
    suspect = {"suspect": True} if is_judged and is_suspect(median, keys) else {}
    selection = {"k": k, "input_order": False} if options.op in ("top", "nth") else {}
    print(
        json.dumps(
            {
                "who": operation.who,
                "op": options.op,
                "type": options.type,
                "value_size": operation.value_size,
                "n": count,
                **selection,
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
    parser = argparse.ArgumentParser(description="Measures NumPy on the keys of clsort-bench.")
    parser.add_argument("--gen", required=True, help="the program clsort-gen")
    parser.add_argument("--op", default="keys", choices=OPERATIONS, help="the operation, as for clsort-bench")
    parser.add_argument("--k", type=int, help="the keys, or the key, to select, as for clsort-bench")
    parser.add_argument("--type", default="u32", help="type of the keys")
    parser.add_argument("--dist", default="uniform", help="distribution of the keys")
    parser.add_argument("--n", default="1048576", help="numbers of elements, separated by commas")
    parser.add_argument("--host", action="store_true", help="the results are compared with those of clsort-bench --host")
    parser.add_argument("--runs", type=int, default=7, help="timed runs, as for clsort-bench")
    options = parser.parse_args()
    versions = {OPERATIONS[options.op].who: f"NumPy {numpy.__version__}, Python {platform.python_version()}"}
    print(json.dumps({"machine": {"peers": versions}}, separators=(",", ":")))
    results = [report(options, int(count)) for count in options.n.split(",")]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
