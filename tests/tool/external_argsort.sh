#!/usr/bin/env bash
# external_argsort.sh - indexes of files that exceed the memory limit are the same as in memory
#
# CLSORT_EXTERNAL_MEMORY lowers the memory of the buffers, so that small files have many runs and passes.
#
# shellcheck disable=SC2034 # for lib.sh
in_memory=1
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

export CLSORT_DEVICE=host
small=700000 # bytes of the buffers
# shellcheck disable=SC2317 # called through expect
small() { CLSORT_EXTERNAL_MEMORY=$small "$@"; }
# shellcheck disable=SC2317 # called through expect
piped() { small clsort -S 1K --argsort "$@" < <(cat data) >result; }

# agrees OPTION...: the file `data` gives the same indexes externally, from a pipe and into a pipe.
agrees() {
    expect 0 clsort --argsort "$@" -o sorted data
    expect 0 small clsort -S 1K --argsort "$@" -o result data
    same result sorted
    expect 0 piped "$@"
    same result sorted
    no_leftovers
}

# -- every type and order, with many equal keys --

for type in "${all_types[@]}"; do
    clsort-gen -n 60000 -t "$type" -d special -o data >sum
    agrees -t "$type"
    agrees -t "$type" -r
    [[ $type != f* ]] || agrees -t "$type" --numeric -r
    agrees -t "$type" --top 100
    agrees -t "$type" --bottom 20000
    agrees -t "$type" --nth 30000 -r
    agrees -t "$type" --top 50000
    expect 0 small clsort -S 1K -t "$type" --argsort --sum -o result data
    same out sum
done

# -- sizes around blocks and runs, several passes, ties at their borders --

for type in u8 u32 f64; do
    clsort-gen -n 40000 -t $type -d few -o data >/dev/null
    expect 0 env CLSORT_EXTERNAL_MEMORY=560000 clsort -S 1K -t $type --argsort --explain data
    contains out "output   indexes of 8 bytes"
    run=$(sed -n 's/^external .* runs of \([0-9]*\) elements.*/\1/p' out)
    fan_in=$(sed -n 's/^external .* merged up to \([0-9]*\) at.*/\1/p' out)
    [[ -n $run ]] || fail "--explain: $(cat out)"
    for count in 1 512 $((run - 1)) "$run" $((run + 1)) $((2 * run)) $((fan_in * run)) $((fan_in * run + 1)); do
        for dist in few sorted reversed random-runs; do
            clsort-gen -n "$count" -t $type -d $dist -o data >/dev/null
            clsort -t $type --argsort -o sorted data
            expect 0 env CLSORT_EXTERNAL_MEMORY=560000 clsort -S 1 -t $type --argsort -o result data
            same result sorted
        done
    done
done
clsort-gen -n 400000 -t u32 -d few -o data >/dev/null
expect 0 env CLSORT_EXTERNAL_MEMORY=450000 clsort -S 1K -t u32 --argsort --explain data
grep -Eq ': ([4-9]|[1-9][0-9]) passes$' out || fail "--explain: $(cat out)"
small=450000 agrees -t u32
for backend in threads uring; do
    expect 0 env CLSORT_EXTERNAL_IO=$backend CLSORT_EXTERNAL_MEMORY=900000 \
        clsort -S 1K -t u32 --argsort --no-verify --compress=auto --sum --stats=json -o result data
    same result sorted
    contains err '"algorithm":"host u64 asc'
done
expect 1 clsort -t u32 -c --sum data
mv out sum
expect 0 env CLSORT_EXTERNAL_MEMORY=900000 clsort -S 1K -t u32 --argsort --no-verify --sum -o result data
same out sum
expect 0 env CLSORT_EXTERNAL_MEMORY=900000 clsort -S 1K -t u32 --argsort --progress=json -o result data
grep -q '"phase":"merging"' err || fail "--progress: $(cat err)"

# -- records, of which only the columns are sorted --

clsort-gen -n 20000 --record 100 -d few -o data >sum
agrees --record 100 -k 0:bytes10
agrees --record 100 -k 4:u16:r -k 90:u8
agrees --record 100 -k 3:f32:n -k 50:u64:be
expect 0 small clsort -S 1K --record 100 -k 0:bytes10 --argsort --sum -o result data
same out sum
head -c 999999 data >odd && mv odd data
agrees --record 333 -k 1:u8
small=9000000 agrees --record 111111 -k 77:u32:be

# -- rows --

clsort-gen -n 60000 -t i16 -d few -o data >/dev/null
for rows in 1 3 2500 10000; do
    expect 0 clsort -t i16 --rows $rows --argsort -r -o sorted data
    expect 0 small clsort -S 1K -t i16 --rows $rows --argsort -r -o result data
    same result sorted
done

# -- .npy files --

if find_python numpy; then
    "$python" -c '
import numpy
keys = numpy.random.default_rng(1).standard_normal(60000)
numpy.save("f8", keys)
numpy.save("swapped", keys.astype(">f4"))
numpy.save("times", (keys * 9).astype("i8").view("datetime64[s]"))
numpy.save("bytes", (keys * 9).astype("i1"))
numpy.save("matrix", keys.reshape(200, 300))
records = numpy.zeros(20000, dtype=[("a", "<u2"), ("b", ">f4"), ("c", "S3")])
records["a"] = numpy.arange(20000) % 7
records["b"] = keys[:20000]
numpy.save("records", records)'
    for name in f8 swapped times bytes; do
        cp $name.npy data
        agrees
        agrees -r
        agrees --top 40
    done
    expect 0 small clsort -S 1K --argsort -o result times.npy
    "$python" -c '
import numpy
expected = numpy.argsort(numpy.load("times.npy"), kind="stable")
result = numpy.load("result")
assert result.dtype == expected.dtype and (result == expected).all()' || fail "NumPy has other indexes"
    cp records.npy data
    agrees -k a -k b:r
    agrees -k c -k a
    cp matrix.npy data
    agrees --axis=none
    for options in "" -r --axis=1 --rows=50; do
        # shellcheck disable=SC2086 # several options
        expect 0 clsort --argsort $options -o sorted data
        # shellcheck disable=SC2086
        expect 0 small clsort -S 1K --argsort $options -o result data
        same result sorted
    done
fi

# -- what is refused --

clsort-gen -n 100000 -t u32 -o data >/dev/null
expect_error "--argsort by a named algorithm keeps all keys and indexes in memory" \
    clsort -S 1K -t u32 --argsort --algorithm=onesweep -o result data
expect_error "the input file is also that of --output" small clsort -S 1K -t u32 --argsort -o data data
finish
