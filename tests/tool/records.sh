#!/usr/bin/env bash
# records.sh - --record and --key: orders compared with Python, indexes, repeats, checks, inputs and refusals
#
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

find_python struct || skip "Python is missing"

# A record has 21 bytes: i8, bytes2, u32, u8, f64 (big-endian), bytes5. `reference` sorts records by its copy of the
# orders, for which floats and bytes have few values.
cat >reference.py <<'END'
import random
import struct
import sys

LAYOUT = ">b2sx4sd5s" # the u32 is native
ORDERS = {
    "number": lambda r: struct.unpack_from("=I", r, 4)[0],
    "mixed": lambda r: (-struct.unpack_from(">d", r, 8)[0], r[1:3], -struct.unpack_from("b", r, 0)[0]),
    "bytes": lambda r: r[16:21],
    "backward": lambda r: tuple(-byte for byte in r[16:21]),
    "total": lambda r: (struct.unpack_from(">d", r, 8)[0], str(struct.unpack_from(">d", r, 8)[0])[0] != "-"),
}


def generate(count):
    source = random.Random(count)
    for _ in range(count):
        fields = (source.randrange(-3, 4), source.choice([b"ab", b"a\xff", b"b\0"]),
                  struct.pack("=I", source.randrange(1 << 32) if count > 1000 else source.randrange(9)),
                  source.choice([-1.5, -0.0, 0.0, 2e300]),
                  bytes(source.choice(b"\0a\xff") for _ in range(5)))
        sys.stdout.buffer.write(struct.pack(LAYOUT, *fields))


def order(name, output, path):
    data = open(path, "rb").read()
    records = [data[i:i + 21] for i in range(0, len(data), 21)]
    indexes = sorted(range(len(records)), key=lambda i: ORDERS[name](records[i]))
    written = []
    for i, index in enumerate(indexes):
        if output == "unique" and i > 0 and ORDERS[name](records[indexes[i - 1]]) == ORDERS[name](records[index]):
            continue
        written.append(struct.pack("=Q", index) if output == "indexes" else records[index])
    sys.stdout.buffer.write(b"".join(written))


if sys.argv[1] == "generate":
    generate(int(sys.argv[2]))
else:
    order(*sys.argv[1:])
END
reference() {
    "$python" reference.py "$@" || fail "reference.py $*"
}

declare -A keys=(
    [number]="-k 4:u32"
    [mixed]="-k 8:f64:r:be:n --key=1:bytes2 -k 0:i8:r"
    [bytes]="-k 16:bytes5"
    [backward]="-k 16:bytes5:r"
    [total]="-t f64 -k 8:be"
)

# -- orders, indexes, repeats and checks --

for count in 0 1 2 300 40000; do
    reference generate $count >data
    for order in "${!keys[@]}"; do
        read -ra by <<<"${keys[$order]}"
        reference "$order" records data >expected
        expect 0 clsort --record 21 "${by[@]}" -o result data
        same result expected
        expect 0 clsort --record 21 "${by[@]}" --check result
        reference "$order" indexes data >expected
        expect 0 clsort --record 21 "${by[@]}" --argsort -o result data
        same result expected
        reference "$order" unique data >expected
        expect 0 clsort --record 21 "${by[@]}" --device=host -u -o result data
        same result expected
    done
done
expect 1 clsort --record 21 -k 4:u32 -c data
contains err "record "
contains err "in the order of --key"
[[ ! -s out ]] || fail "--check wrote: $(cat out)"

# In pieces, which the library merges: each has fewer records than the file.
for output in records indexes; do
    reference mixed $output data >expected
    read -ra by <<<"${keys[mixed]}"
    [[ $output == records ]] || by+=(--argsort)
    CLSORT_MAX_ALLOC=200000 expect 0 clsort --record 21 "${by[@]}" --device=0 -o result data
    same result expected
done
CLSORT_MAX_ALLOC=200000 expect 0 clsort --record 21 "${by[@]}" --device=0 --explain data
contains out "records  40000 of 21 bytes"
contains out "merged on the host"

# -- inputs and outputs --

reference number records data >expected
expect 0 clsort --record 21 -k 4:u32 <data
same out expected
cp data copy
expect 0 clsort --record 21 -k 4:u32 --stats -o copy copy
same copy expected
contains err "elements   40000 records"
contains err "size       840000 bytes"
expect 0 clsort --record 21 -k 4:u32 --explain data
contains out "by u32 at 4"
expect 0 clsort --record 21 -k 4:u32 -u --explain data
contains out "output   each record once"

# Text is refused as numbers, not as records.
printf 'b 1 the second\na 2 the  first\nb 0 first  of b\n' >text
printf 'a 2 the  first\nb 1 the second\nb 0 first  of b\n' >expected
expect_error "size of 46 bytes is not a multiple of 15, the size of records" clsort --record 15 -k 0:bytes1 text
printf 'b 1 the second\na 2 the  first\nb 0 first of b\n' >text
printf 'a 2 the  first\nb 1 the second\nb 0 first of b\n' >expected
expect 0 clsort --record 15 -k 0:bytes1 text
same out expected

# -- memory --

if can_limit; then
    head -c $((21 * 40000)) data >records
    reference number records records >sorted
    for kib in 8000 20000 60000 200000; do
        sorts_or_refuses $kib sorted clsort --record 21 -k 4:u32 records
    done
fi

# -- refusals, which leave the output as it is --

refuses() {
    local text=$1
    shift
    echo before >result
    expect_error "$text" clsort "$@" -o result data
    [[ $(cat result) == before ]] || fail "$*: the output has changed"
}
refuses "--key requires --record" -k 0:u32
refuses "--record requires --key" --record 21
refuses "--record=0: the size of records" --record 0 -k 0:u8
refuses "--record=1x: the size of records" --record 1x -k 0:u8
refuses "--record=1073741825: the size" --record 1073741825 -k 0:u8
refuses "not a multiple of 23, the size of records" --record 23 -k 0:u8
refuses "--key=18:u32: 4 bytes at offset 18 are outside of the record of 21 bytes" --record 21 -k 18:u32
refuses "--key=18446744073709551615:u8: 1 bytes at offset" --record 21 -k 18446744073709551615:u8
refuses "--key=12:bytes10: 10 bytes at offset 12 are outside" --record 21 -k 12:bytes10
refuses "--key=0: the type is missing" --record 21 -k 0
refuses "--key=0:q9: 'q9' is no type" --record 21 -k 0:q9
refuses "'bytes0' is no type" --record 21 -k 0:bytes0
refuses "'bytes257' is no type" --record 300 -k 0:bytes257
refuses "'bytes' is no type" --record 21 -k 0:bytes
refuses "'' is no type" --record 21 -k 0:
refuses "--key=0:u32:x: 'x' is not r" --record 21 -k 0:u32:x
refuses "--key=0:r:u32: 'u32' is not r" --record 21 -k 0:r:u32
refuses "--key=0:u32:r:r: 'r' is given twice" --record 21 -k 0:u32:r:r
refuses "--key=0:u32:n: n is for floats only" --record 21 -k 0:u32:n
refuses "--key=0:bytes4:n: n is for floats only" --record 21 -k 0:bytes4:n
refuses "--key=0:bytes4:be: be is for numbers only" --record 21 -k 0:bytes4:be
refuses "--key=depth:r: names are those of the fields of a .npy file" --record 21 -k depth:r
refuses "--key=depth: names are those of the fields" -t u32 -k depth
refuses "--key=0: names of fields and offsets cannot be combined" --record 21 -k depth -k 0
refuses "--key=depth:u32: 'u32' is not r" -k depth:u32
refuses "--key names fields, which only .npy files have" -k depth:r
refuses "--key=:u32: begins with no offset" --record 21 -k :u32
many=()
for ((i = 0; i < 17; i++)); do many+=(-k "$i:u8"); done
refuses "--key can be given at most 16 times" --record 21 "${many[@]}"
expect 0 clsort --record 21 "${many[@]:2}" -o result data
for other in --top=1 --bottom=1 --nth=1 --rows=1 --segments=data --axis=0 --reverse --numeric --algorithm=radix; do
    refuses "--record and --key cannot be combined with --" --record 21 -k 0:u8 "$other"
done
expect_error "cannot be combined with --warm" clsort --record 21 -k 0:u8 --warm u32
expect_error "cannot be combined with --list-devices" clsort --record 21 -k 0:u8 --list-devices
clsort-gen -n 21 --npy -o data >/dev/null
refuses "--record sorts raw files, but this is a .npy file" --record 21 -k 0:u8
refuses "--key names fields, but the elements of the .npy file are numbers" -k depth
no_leftovers

# -- .npy files of records --

if find_python numpy; then
    "$python" - <<'END' || fail "NumPy disagrees"
import subprocess
import numpy

random = numpy.random.default_rng(2)
dtype = numpy.dtype({"names": ["depth", "name", "cell", "flag", "xyz", "text", "time"],
                     "formats": [">f4", "S7", "<i8", "?", ("<f8", (3,)), "<U2", "<M8[s]"],
                     "offsets": [0, 5, 16, 24, 25, 50, 60], "itemsize": 70})


def clsort(*options, status=0):
    done = subprocess.run(["clsort", "-o", "sorted.npy", "data.npy"] + list(options), stderr=subprocess.PIPE, text=True)
    assert done.returncode == status, (options, done.stderr)
    return done.stderr if status else open("sorted.npy", "rb").read()


for count in 0, 1, 500, 40000:
    array = numpy.zeros(count, dtype)
    array["depth"] = random.integers(-3, 4, count)
    array["name"] = [bytes(name) for name in random.integers(97, 99, (count, 6), dtype=numpy.uint8)]
    array["cell"] = random.integers(-5, 5, count)
    array["flag"] = random.integers(0, 2, count)
    array["xyz"] = random.random((count, 3))
    numpy.save("data.npy", array)
    header = open("data.npy", "rb").read()[:-70 * count or None]

    for keys, columns in [
        (["-k", "depth:r"], [-array["depth"]]),
        (["-k", "flag", "-k", "name", "--key=cell:r"], [-array["cell"], array["name"], array["flag"]]),
        (["-k", "depth:n:r", "-k", "cell"], [array["cell"], -array["depth"]]),
    ]:
        order = numpy.lexsort(columns) if count else numpy.zeros(0, int)
        assert clsort(*keys) == header + array[order].tobytes(), keys # the same header
        assert subprocess.run(["clsort", "--check", "sorted.npy"] + keys).returncode == 0
        clsort("--argsort", *keys)
        assert numpy.array_equal(numpy.load("sorted.npy"), order), keys
    clsort("-u", "-k", "flag")
    found = numpy.load("sorted.npy")
    assert found.dtype == dtype and found.shape == (len(numpy.unique(array["flag"])),)
    assert all(found == array[numpy.unique(array["flag"], return_index=True)[1]])

for key, text in [("other", "the file has no field with this name"), ("xyz", "neither numbers nor byte strings"),
                  ("text", "neither numbers nor byte strings"), ("time", "NaT would not be last"),
                  ("cell:n", "n is for floats only"), ("depth:be", "which state their byte order")]:
    assert "--key=%s: " % key in clsort("-k", key, status=2) and text in clsort("-k", key, status=2), key
numpy.save("data.npy", array[:6].reshape(2, 3))
assert "one dimension only" in clsort("-k", "cell", status=2)
numpy.save("data.npy", numpy.zeros(2, [("a", [("b", "<u4")])]))
assert "field 'a' is not supported: it consists of fields" in clsort("-k", "a", status=2)
END
fi

# npy DICTIONARY: writes a .npy file of two zeros of 4 bytes.
npy() {
    local length
    printf -v length '\\x%02x\\x%02x' $((${#1} % 256)) $((${#1} / 256))
    printf '\x93NUMPY\x01\x00%b%s\0\0\0\0\0\0\0\0' "$length" "$1" >data
}
rest="'fortran_order': False, 'shape': (2,)}"
npy "{'descr': [('a', '<u4'), ], $rest"
expect 0 clsort -k a data
same out data
npy "{'shape': (2,), 'descr': [('a', '<u2'), ('b', '<u1', (2,))], 'fortran_order': False}"
expect 0 clsort -k a data
same out data
while read -r list; do
    npy "{'descr': $list, $rest"
    refuses ".npy" -k a
done <<'END'
[]
[('a', '<u4'
[('a', '<u4')
[('a' '<u4')]
[('a', <u4)]
[('a', '<u4', 2)]
[('a', '<u4', (2)]
[('a', '<u4', (0,))]
[('a', '<u4', (99999999999,))]
[('a', '<u4', (1,2]
[('a', '|O')]
[('a', '<')]
[('a', '<u99999999999')]
[('a', '|V1073741824'), ('b', 'V1')]
['a', '<u4']
[('a', '<u4') ('b', '<u4')]
END
no_leftovers
finish
