#!/usr/bin/env bash
# unique.sh - --unique writes each key once, the first of equal ones: types, orders, .npy, refusals
#
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

# as_text BYTES FILE: prints a line for each key.
as_text() {
    od -An -v -tx1 -w"$1" "$2"
}

# uniques TYPE OPTIONS...: the output for the file data has the lines of a sort without repeats.
uniques() {
    local type=$1 bytes=$((${1:1} / 8))
    shift
    expect 0 clsort -t "$type" "$@" -o sorted data
    expect 0 clsort -t "$type" "$@" --unique data
    as_text $bytes sorted | uniq >expected
    as_text $bytes out >found
    same found expected
}

# -- types and orders --

for type in "${all_types[@]}"; do
    for dist in few special equal; do
        clsort-gen -t "$type" -n 5003 -d $dist -s 5 -o data >/dev/null
        uniques "$type" --device=host
        uniques "$type" --device=host -r
    done
done
for count in 0 1; do
    clsort-gen -n $count -o data >/dev/null
    uniques u32
done
clsort-gen -n 300007 -d root-dups -o data >/dev/null
uniques u32

# The first of equal keys: -0 precedes +0 in the input, and one NaN another NaN.
printf '\0\0\300\177\0\0\0\200\0\0\200\77\0\0\0\0\1\0\300\177' >data # NaN -0 1 +0 NaN
expect 0 clsort -t f32 --numeric -u data
printf '\0\0\0\200\0\0\200\77\0\0\300\177' >expected
same out expected
expect 0 clsort -t f32 -u data
[[ $(wc -c <out) -eq 20 ]] || fail "total order: $(as_text 4 out)"

# -- inputs, outputs and modes --

clsort-gen -n 5003 -d few -o data >/dev/null
expect 0 clsort -t u32 -u data
mv out expected
expect 0 clsort -t u32 -u <data
same out expected
expect 0 clsort -t u32 -u --axis=none --algorithm=radix --stats -o result data
same result expected
contains err "elements   5003 u32"
expect 0 clsort -t u32 -u --explain data
contains out "output   each key once"
cp data copy
expect 0 clsort -t u32 -u -o copy copy
same copy expected

# -- refusals --

for other in --check --list-devices --warm=u32 --argsort --top=1 --bottom=1 --nth=1 --segments=data --rows=1; do
    name=${other%%=*}
    [[ $name != --bottom && $name != --nth ]] || name=--top
    options=(-t u32 data)
    [[ $other != --list-devices && $other != --warm* ]] || options=()
    expect_error "--unique cannot be combined with $name" clsort --unique "$other" "${options[@]}"
done
expect_error "--unique cannot be combined with --axis: the rows" clsort --unique --axis=0 data.npy

# -- .npy files --

if find_python numpy; then
    "$python" - <<'END' || fail "NumPy disagrees"
import subprocess
import numpy

random = numpy.random.default_rng(1)
for dtype in "u1 i2 u4 i8 f4 f8 M8[s]".split():
    for shape in (0,), (1,), (300,), (30, 40), (3, 0), (5, 6, 7):
        for fortran in False, True:
            array = random.integers(0, 50, shape).astype(dtype)
            if dtype[0] == "f" and array.size:
                array.flat[::7] = numpy.nan
                array.flat[::5] = -0.0
            if dtype[0] == "M" and array.size:
                array.flat[::7] = "NaT"
            numpy.save("data.npy", numpy.asfortranarray(array) if fortran else array)
            numeric = ["--numeric"] if dtype[0] == "f" else []
            subprocess.run(["clsort", "-u", "-o", "unique.npy", "data.npy"] + numeric, check=True)
            found, expected = numpy.load("unique.npy"), numpy.unique(array)
            assert found.dtype == expected.dtype and found.shape == expected.shape, (dtype, shape, found.shape)
            assert numpy.array_equal(found, expected, equal_nan=dtype[0] != "u" and dtype[0] != "i"), (dtype, shape)
END
fi

finish
