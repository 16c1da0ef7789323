#!/usr/bin/env bash
# external_select.sh - selections, rows and --unique of files that exceed the memory limit give the same bytes as in
# memory
#
# CLSORT_EXTERNAL_MEMORY lowers the memory of the buffers, so that small files have many runs. CLSORT_FAIL_CALLS and
# CLSORT_TRUNCATE_AT_READ name the libraries fail_calls.c and truncate_at_read.c.
#
# shellcheck disable=SC2034 # for lib.sh
in_memory=1
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

export CLSORT_DEVICE=host
small=400000 # bytes of the buffers
# shellcheck disable=SC2317 # called through expect
small() { CLSORT_EXTERNAL_MEMORY=$small "$@"; }
# shellcheck disable=SC2317 # called through expect
piped() { small clsort -S 1K "$@" < <(cat data) >result; }

# agrees OPTION...: the file `data` gives the same result externally, from a pipe and into a pipe.
agrees() {
    expect 0 clsort "$@" -o sorted data
    expect 0 small clsort -S 1K "$@" -o result data
    same result sorted
    expect 0 piped "$@"
    same result sorted
    no_leftovers
}

# selections COUNT OPTION...: agrees for numbers of elements up to COUNT, that of the file.
selections() {
    local count=$1 k
    shift
    for k in 0 1 $((count / 40)) $((count / 2)) "$count"; do
        agrees "$@" --bottom "$k"
        agrees "$@" --top "$k"
        ((k == count)) || agrees "$@" --nth "$k"
        ((k == 0)) || agrees "$@" --nth $((k - 1)) -r
    done
}

# -- every type and order, with many equal keys --

for type in "${all_types[@]}"; do
    clsort-gen -n 60000 -t "$type" -d special -o data >/dev/null
    [[ $type == ?8 ]] && small=600000 || small=400000 # the host takes 8 bytes for each key
    selections 60000 -t "$type"
    [[ $type != f* ]] || small=800000 selections 60000 -t "$type" --numeric
    [[ $type != ?8 && $type != ?16 ]] || small=8000000 selections 60000 -t "$type"
done

# -- distributions: every element precedes those before it, or none does, or all are equal --

for dist in sorted reversed equal few organ-pipe; do
    clsort-gen -n 50000 -t u64 -d $dist -o data >sum
    for k in 3 1000 20000; do
        agrees -t u64 --top $k
        agrees -t u64 --bottom $k
        agrees -t u64 --nth $k
    done
    expect 0 small clsort -S 1K -t u64 --sum --top 3 -o result data
    same out sum
    expect 0 eval 'small clsort -S 1K -t u64 --sum --nth 25000 data >result'
    same err sum
done

# -- sizes around chunks of 1/8 of the memory, and both ways of input and output --

for count in 12499 12500 12501 24999 25000 25001 31250 37501; do
    clsort-gen -n $count -t u32 -s $count -o data >/dev/null
    for backend in threads uring; do
        export CLSORT_EXTERNAL_IO=$backend
        agrees -t u32 --bottom 100
        agrees -t u32 --nth $((RANDOM % count))
        agrees -t u32 --top $((RANDOM % count))
    done
    unset CLSORT_EXTERNAL_IO
done

clsort-gen -n 1000000 -t u16 -o data >/dev/null
for k in 500000 900000; do # too many to be selected in this memory, so that keys are counted
    small=8000000 agrees -t u16 --nth $k
    small=8000000 agrees -t u16 --top $k
done
expect 0 env CLSORT_EXTERNAL_MEMORY=8000000 clsort -S 1K -t u16 --nth 500000 --explain data
contains out "external counts keys"
grep -qx 'bytes    2000002 to read and write at most' out || fail "--explain: $(cat out)"

# -- input that becomes shorter, and system calls that fail --

# unchanged WHAT: the run that failed has not changed the output.
unchanged() {
    [[ $(cat result) == before ]] || fail "$*: the output has changed"
    no_leftovers
}

clsort-gen -n 60000 -t u32 -o original >/dev/null
if [[ -n ${CLSORT_FAIL_CALLS:-} ]] && LD_PRELOAD=$CLSORT_FAIL_CALLS clsort --version >/dev/null 2>&1; then
    for options in "--top 10" "--nth 30000" "--rows 100" "--rows 20000"; do
        echo before >result
        for size in 0 4096 120000 239996; do
            for backend in threads uring; do
                cp original data
                # shellcheck disable=SC2086 # several options
                expect 2 env CLSORT_TEST_FILE=data CLSORT_TEST_OFFSET=0 CLSORT_TEST_SIZE=$size \
                    LD_PRELOAD="$CLSORT_TRUNCATE_AT_READ" CLSORT_EXTERNAL_IO=$backend CLSORT_EXTERNAL_MEMORY=600000 \
                    clsort -S 1K -t u32 $options -o result data
                contains err "clsort: data: file became shorter while it was read; sort a copy of it"
                unchanged "$options, cut to $size"
            done
        done
        cp original data
        # shellcheck disable=SC2086
        clsort -t u32 $options -o sorted data
        for call in "pread 5" "pwrite 28" "ftruncate 5"; do
            reached=0
            for ((n = 1; n < 100000; n = n < 6 ? n + 1 : n * 2)); do
                echo before >result
                # shellcheck disable=SC2086
                LD_PRELOAD=$CLSORT_FAIL_CALLS CLSORT_EXTERNAL_IO=threads CLSORT_EXTERNAL_MEMORY=600000 \
                    CLSORT_FAIL_CALL="${call% *} $n ${call#* }" clsort -S 1K -t u32 $options -o result data 2>err
                status=$?
                grep -qx reached err || break
                reached=$n
                if ((status == 0)); then # nothing depends on the call that trims temporary files
                    [[ $call == ftruncate* ]] || fail "$options: status 0 after call $n of $call"
                    same result sorted
                else
                    ((status == 2)) || fail "$options: status $status after call $n of $call"
                    unchanged "$options, call $n of $call"
                fi
            done
            ((reached > 0)) || fail "$options: no call of $call"
            ((status == 0)) || fail "$options: $(cat err)"
            same result sorted
        done
    done
fi

# -- plans, and what is refused --

clsort-gen -n 1000000 -t u32 -o data >/dev/null
expect 0 small clsort -S 1K -t u32 --top 10 --explain data
contains out "output   the 10 largest keys"
grep -Eq '^external selects from [0-9]+ candidates at a time: 1 pass$' out || fail "--explain: $(cat out)"
grep -qx 'bytes    4000040 to read and write at most' out || fail "--explain: $(cat out)"
grep -Eq '^disk +0 bytes' out || fail "--explain: $(cat out)"
expect 0 env CLSORT_EXTERNAL_MEMORY=8000000 clsort -S 1K -t u32 --nth 500000 --explain data
contains out " runs of "
grep -qx 'bytes    12000004 to read and write at most' out || fail "--explain: $(cat out)"
expect_error "--top=1000001: the input has 1000000 keys" clsort -S 1K -t u32 --top 1000001 data
expect_error "--nth=1000000: the input has 1000000 keys, which are counted from 0" \
    clsort -S 1K -t u32 --nth 1000000 data
expect_error "--top=1000001: the input has 1000000 keys" \
    piped -t u32 --top 1000001
expect_error "--nth=18446744073709551615: the input has 1000000 keys" \
    piped -t u32 --nth 18446744073709551615
printf '\0\0\0\0\0\0\0\0' >offsets
expect_error "--segments keeps all segments in memory, which would exceed" \
    clsort -S 1K -t u32 --segments offsets -o result data

# -- rows --

expect 0 small clsort -S 1K -t u32 --rows 1000 --explain data
contains out "rows     1000 of 1000 keys"
grep -Eq '^external sorts [0-9]+ rows at a time: 1 pass$' out || fail "--explain: $(cat out)"
expect_error "--rows=999: the number of keys, 1000000, is not a multiple" clsort -S 1K -t u32 --rows 999 data
expect_error "sorting a row, of which at least one is in memory, needs " \
    small clsort -S 1K -t u32 --rows 500000 -o result data
for type in "${all_types[@]}"; do
    clsort-gen -n 60000 -t "$type" -d special -o data >/dev/null
    small=600000
    for rows in 1 3 2500 10000; do
        agrees -t "$type" --rows $rows -r
    done
    for options in "--rows 2 --top 1" "--rows 60 --bottom 60" "--rows 3000 --bottom 0" "--rows 10000 --top 7000" \
        "--rows 12 --nth 11 -r"; do
        # shellcheck disable=SC2086 # several options
        agrees -t "$type" $options
    done
done
clsort-gen -n 60000 -t f32 -d special -o data >sum
small=900000
expect 0 clsort -t f32 --rows 100 --numeric -o sorted data
expect 0 small clsort -S 1K -t f32 --rows 100 --numeric --sum -o result data
same result sorted
same out sum
expect 0 eval 'small clsort -S 1K -t f32 --rows 100 --numeric --sum --nth 50 data >result'
same err sum
expect 0 small clsort -S 1K -t f32 --rows 600 --nth 5 --explain data
contains out "output   key 5 in ascending order of each row"
grep -qx 'bytes    240400 to read and write at most' out || fail "--explain: $(cat out)"
for options in "--rows 7" "--rows 18446744073709551615" "--rows 50000"; do
    # shellcheck disable=SC2086 # several options
    expect 2 piped -t f32 $options
    [[ ! -s result ]] || [[ $options == "--rows 7" ]] || fail "$options: there is output"
    # shellcheck disable=SC2086
    expect 2 small clsort -S 1K -t f32 $options -o result data
done
expect_error "the number of elements, 60000, is not a multiple of 7, the length of a row" \
    eval 'small clsort -S 1K -t f32 --rows 7 -o result <(cat data)'
expect_error "--top=8: each row has 7 keys" piped -t f32 --rows 7 --top 8
if [[ ${CLSORT_TEST_NO_DEVICE:-} != 1 ]]; then # many short rows in one call
    for rows in 10 500; do
        clsort --device=host -t f32 --rows $rows -o sorted data
        expect 0 env CLSORT_DEVICE=0 CLSORT_EXTERNAL_MEMORY=300000 clsort -S 1K -t f32 --rows $rows -o result data
        same result sorted
    done
fi

# -- .npy files --

if find_python numpy; then
    "$python" -c '
import numpy
keys = numpy.random.default_rng(1).standard_normal(60000)
numpy.save("f8", keys)
numpy.save("swapped", (keys * 9).astype("i8").astype(">i4"))
numpy.save("times", (keys * 9).astype("i8").view("datetime64[s]"))
numpy.save("bytes", (keys * 9).astype("i1"))
numpy.save("cube", keys.reshape(20, 30, 100))
numpy.save("fortran", numpy.asfortranarray(keys.reshape(300, 200)))
for name in range(60, 80): # headers of sizes around a multiple of 64
    records = numpy.zeros(20000, dtype=[("x" * name, "<u2"), ("y", "u1")])
    records["y"] = numpy.arange(20000) % 7
    numpy.save("records%d" % name, records)'
    for name in f8 swapped times bytes; do
        cp $name.npy data
        agrees --top 12
        agrees --bottom 30000
        agrees --nth 50000
        for options in -u "-u -r"; do
            # shellcheck disable=SC2086 # several options
            expect 0 clsort $options -o sorted data
            # shellcheck disable=SC2086
            expect 0 small clsort -S 1K $options -o result data
            same result sorted
        done
    done
    expect 0 small clsort -S 1K -u -o result times.npy
    "$python" -c '
import numpy
assert (numpy.load("result") == numpy.unique(numpy.load("times.npy"))).all()' || fail "NumPy has other unique elements"
    cp cube.npy data
    expect 0 clsort -u -o sorted data
    expect 0 small clsort -S 1K -u -o result data
    same result sorted
    for file in records*.npy; do
        expect 0 clsort -k y -u -o sorted "$file"
        expect 0 small clsort -S 1K -k y -u -o result "$file"
        same result sorted
    done
    expect_error "--unique of a .npy file keeps all keys in memory, unless --output names a file" \
        clsort -S 1K -u f8.npy
    expect 0 small clsort -S 1K -u --explain f8.npy

    cp cube.npy data
    for options in "" -r --axis=2 --rows=50 "--top 3" "--axis=2 --nth 0" "--rows=50 --bottom 49"; do
        # shellcheck disable=SC2086 # several options
        agrees $options
    done
    expect_error "the keys of a row along this axis are not adjacent in the file" clsort -S 1K --axis=0 data
    cp fortran.npy data
    agrees --axis=0
    agrees --axis=0 --bottom 11
    expect_error "the keys of a row along this axis are not adjacent in the file" clsort -S 1K data
fi
finish
