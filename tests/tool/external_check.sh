#!/usr/bin/env bash
# external_check.sh - --check of rows that exceed the memory limit: the same messages as in memory
#
# shellcheck disable=SC2034 # for lib.sh
in_memory=1
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

export CLSORT_DEVICE=host
# shellcheck disable=SC2317 # called through expect
piped() { clsort -S 1K "$@" < <(cat data); }

# agrees STATUS OPTION...: the file `data` gives this status, and the same messages, externally and from a pipe.
agrees() {
    local status=$1
    shift
    expect "$status" clsort "$@" -c --sum data
    mv err message
    mv out sum
    expect "$status" clsort -S 1K "$@" -c --sum data
    same err message
    same out sum
    expect "$status" clsort -S 1K "$@" -c data
    same err message
    sed -i 's/ data: / standard input: /' message
    expect "$status" piped "$@" -c --sum
    same err message
    same out sum
}

# -- rows of every length, around the borders of chunks of 64 KiB --

for type in u8 i16 u32 f64; do
    for rows in 1 2 7 1000 65536 70000; do
        clsort-gen -n $((rows * (210000 / rows))) -t $type -d special -o data >/dev/null
        [[ $rows == 1 ]] || agrees 1 -t $type --rows $rows
        expect 0 clsort -t $type --rows $rows -o data data
        agrees 0 -t $type --rows $rows
        [[ $rows == 1 ]] || agrees 1 -t $type --rows $rows -r
    done
done
clsort-gen -n 210000 -t f32 -d special -o data >/dev/null
expect 0 clsort -t f32 --rows 700 --numeric -r -o data data
agrees 0 -t f32 --rows 700 --numeric -r

# -- a key that is out of order, at borders of rows and chunks --

clsort-gen -n 70000 -t u32 -d few -o original >/dev/null
clsort -t u32 --rows 1000 -o original original
for at in 0 1 999 1000 1001 16383 16384 16385 32768 69999; do
    cp original data
    printf '\0\0\0\0' | dd of=data bs=4 seek=$at conv=notrunc status=none
    agrees $((at % 1000 > 0)) -t u32 --rows 1000
    printf '\377\377\377\377' | dd of=data bs=4 seek=$at conv=notrunc status=none
    agrees $((at % 1000 < 999)) -t u32 --rows 1000
done

# -- .npy files, and what is refused --

if find_python numpy; then
    "$python" -c '
import numpy
keys = numpy.random.default_rng(1).standard_normal((3, 20, 1000))
numpy.save("unsorted", keys)
keys.sort()
numpy.save("cube", keys)
keys[2, 7, 500] = 9
numpy.save("wrong", keys)
numpy.save("fortran", numpy.asfortranarray(numpy.sort(keys.reshape(300, 200), axis=0)))'
    for name in unsorted cube wrong; do
        cp $name.npy data
        agrees $((${#name} != 4))
        agrees 1 --rows 500 -r
    done
    cp fortran.npy data
    agrees 0 --axis=0
    agrees 1 --axis=0 -r
    expect_error "the keys of a row along this axis are not adjacent in the file" clsort -S 1K -c data
fi
clsort-gen -n 70000 -t u32 -d sorted -o data >/dev/null
expect_error "--rows=999: the number of keys, 70000, is not a multiple" clsort -S 1K -t u32 -c --rows 999 data
expect_error "--rows=999: the number of keys, 70000, is not a multiple" piped -t u32 -c --rows 999
printf '\0\0\0\0\0\0\0\0' >offsets
expect_error "--segments keeps all segments in memory, which would exceed" \
    clsort -S 1K -t u32 -c --segments offsets data
finish
