#!/usr/bin/env bash
# external.sh - files that exceed the memory limit give the same bytes as files that are sorted in memory
#
# CLSORT_EXTERNAL_MEMORY lowers the memory of the buffers, so that small files have many runs and passes.
#
# shellcheck disable=SC2034 # for lib.sh
in_memory=1
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

export CLSORT_DEVICE=host
small=380000 # bytes of the buffers
small() { CLSORT_EXTERNAL_MEMORY=$small "$@"; }

# agrees [OPTION...]: the file `data` gives the same result externally, in place, and into a pipe.
agrees() {
    expect 0 clsort "$@" -o sorted data
    expect 0 small clsort -S 1K "$@" -o result data
    same result sorted
    small clsort -S 1K "$@" data 2>err | cmp - sorted || fail "$*, into a pipe: $(cat err)"
    cp data result
    expect 0 small clsort -S 1K "$@" -o result result
    same result sorted
    no_leftovers
}

# -- every type and order --

for type in "${all_types[@]}"; do
    clsort-gen -n 60000 -t "$type" -d special -o data >/dev/null
    [[ $type == ?8 ]] && small=600000 || small=380000 # the host takes 8 bytes for each key
    agrees -t "$type"
    agrees -t "$type" -r
    agrees -t "$type" -u
    [[ $type != f* ]] || small=700000 agrees -t "$type" --numeric -r
    [[ $type != ?8 && $type != ?16 ]] || small=8000000 agrees -t "$type" # counted
done

# -- distributions, and the checksum --

for dist in sorted reversed equal few organ-pipe nearly-sorted random-runs; do
    clsort-gen -n 50000 -t u64 -d $dist -o data >sum
    agrees -t u64
    expect 0 small clsort -S 1K -t u64 --sum -o result data
    same out sum
    expect 0 clsort -t u64 --sum -o result data
    same out sum
    expect 0 eval 'small clsort -S 1K -t u64 --sum data >result'
    same err sum
done

# -- records: every field, stability, sizes that do not divide blocks --

clsort-gen -n 10000 --record 100 -d few -o data >/dev/null
agrees --record 100 -k 0:bytes10
agrees --record 100 -k 4:u16:r -k 90:u8
agrees --record 100 -k 0:bytes10 -u
head -c 999999 data >odd && mv odd data
small=700000 agrees --record 333 -k 1:u8
small=9000000 agrees --record 111111 -k 77:u32:be

# -- .npy files --

if find_python numpy; then
    "$python" -c '
import numpy
keys = numpy.random.default_rng(1).standard_normal(60000)
numpy.save("f8", keys)
numpy.save("swapped", keys.astype(">f4"))
numpy.save("times", keys.view("datetime64[s]"))
numpy.save("matrix", keys.reshape(200, 300))
records = numpy.zeros(20000, dtype=[("a", "<u2"), ("b", ">f4"), ("c", "S3")])
records["a"] = numpy.arange(20000) % 7
records["b"] = keys[:20000]
numpy.save("records", records)'
    for name in f8 swapped times; do
        cp $name.npy data
        agrees
        agrees -r
    done
    cp records.npy data
    agrees -k a -k b:r
    cp matrix.npy data
    agrees --axis=none
fi

# -- standard input that is a file, from its position on --

clsort-gen -n 100000 -t u32 -o data >/dev/null
tail -c +401 data >rest
clsort -t u32 -o sorted rest
expect 0 eval '(head -c 0; dd bs=400 count=1 status=none of=skipped; small clsort -S 1K -t u32 -o result) <data'
same result sorted

# -- temporary folders --

clsort-gen -n 100000 -t u32 -o data >/dev/null
clsort -t u32 -o sorted data
mkdir one two
expect 0 small clsort -S 1K -t u32 -T one -T two -o result data
same result sorted
[[ -z $(find one two -type f) ]] || fail "files are left in the temporary folders"
expect_error "clsort: missing: No such file or directory" small clsort -S 1K -t u32 -T missing -o result data
expect_error "clsort: missing: No such file or directory" \
    env TMPDIR=missing CLSORT_EXTERNAL_MEMORY=$small clsort -S 1K -t u32 data
for backend in threads uring; do
    expect 0 env CLSORT_EXTERNAL_IO=$backend CLSORT_EXTERNAL_MEMORY=$small clsort -S 1K -t u32 -o result data
    same result sorted
done
expect 0 small clsort -S 1K -t u32 --no-verify -o result data
same result sorted

# -- --check: the same messages as in memory, at borders of chunks, too --

clsort-gen -n 3M -t f64 -d sorted -o data >sum # 24 MiB
expect 0 clsort -S 1K -t f64 -c --sum data
same out sum
for at in 5 1048576 1048577 3000000; do
    cp data wrong
    printf '\0\0\0\0\0\0\0\377' | dd of=wrong bs=8 seek=$at conv=notrunc status=none
    expect 1 clsort -t f64 -c --sum wrong
    mv err message
    mv out sum
    expect 1 clsort -S 1K -t f64 -c --sum wrong
    same err message
    same out sum
    expect 1 clsort -S 1K -t f64 -c wrong
    same err message
done
clsort-gen -n 100000 --record 100 -o data >/dev/null
expect 1 clsort --record 100 -k 0:bytes10 -c --sum data
mv err message
mv out sum
expect 1 clsort -S 1K --record 100 -k 0:bytes10 -c --sum data
same err message
same out sum

# -- what is refused or not needed --

clsort-gen -n 100000 -t u32 -o data >/dev/null
expect 0 small clsort -S 1K -t u32 --explain data
contains out "external "
contains out " passes"
grep -Eq '^bytes +[0-9]+ to read and write at most$' out || fail "--explain: $(cat out)"
expect 0 clsort -S 1G -t u32 --explain data
lacks out "external "
printf '\0\0\0\0\0\0\0\0' >offsets
expect_error "in memory, which would exceed the 1024 bytes of --buffer-size; give at least 4 times the size" \
    clsort -S 1K -t u32 --segments offsets -o result data
expect 0 clsort -S 1600000 -t u32 --segments offsets -o result data
expect_error "out of memory: sorting in runs needs a --buffer-size of about " clsort -S 1K -t u32 data
expect_error "not a size in bytes" clsort -S 1X -t u32 data

# -- limits: the message says which one suffices; the host sorts with little memory; more than there is is not taken --

clsort-gen -n 2M -t u64 -o data >/dev/null
expect_error "a --buffer-size of about " clsort -S 1M -t u64 data
enough=$((2 * $(sed -n 's/.*a --buffer-size of about \([0-9]*\)M$/\1/p' err))) # a sanitizer takes more later
expect 0 clsort -S "${enough}M" -t u64 -o result data
expect 0 clsort -t u64 -o sorted data
same result sorted
expect 0 env -u CLSORT_DEVICE clsort -S "${enough}M" -t u64 --explain data
contains out "external "
contains out "plan     host u64 asc: without OpenCL, because memory is limited"
expect 0 clsort -S 1024T -t u64 -o result data
same result sorted

expect_error "can be given at most 16 times" clsort -t u32 -T{1..17} data
finish
