#!/usr/bin/env bash
# truncated.sh - input that is truncated, or becomes shorter while it is read, is refused
#
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

clsort-gen -n 16M -o original >/dev/null
clsort-gen -n 16M --npy -o original.npy >/dev/null

# shorten FILE OFFSET SIZE: sorts the file onto itself. It is truncated to SIZE bytes before clsort reads for the first
# time at OFFSET or behind it. bash and other programs may belong to another C library than clsort, so the library is
# loaded into clsort only.
shorten() {
    CLSORT_TEST_FILE=$1 CLSORT_TEST_OFFSET=$2 CLSORT_TEST_SIZE=$3 LD_PRELOAD=$CLSORT_TRUNCATE_AT_READ \
        clsort -t u32 -o "$1" "$1" >out 2>err
}

# The file is truncated before the first key is read, and in the raw file also between the first keys and the others.
# The new size is a multiple of the key size, so that only the old size reveals the truncation.
header=$(($(stat -c %s original.npy) - (64 << 20)))
for from in "original 0" "original 1" "original.npy $header"; do
    read -r name offset <<<"$from"
    for size in 0 4096 $((32 << 20)) $(((64 << 20) - 4)); do
        cp "$name" data
        shorten data "$offset" $size
        status=$?
        ((status == 2)) || fail "$name cut to $size at $offset: status $status"
        contains err "clsort: data: file became shorter while it was read"
        [[ $(stat -c %s data) -eq $size ]] || fail "$name was not cut to $size at $offset"
        cmp -s <(head -c $size "$name") data || fail "$name cut to $size at $offset: the file was written"
        no_leftovers
    done
done

# -- pipes whose writer is killed --

mkfifo pipe
cp original data
# dying SIZE FILE: starts a process that writes SIZE bytes into the pipe and is then killed.
dying() {
    {
        head -c "$1" "$2"
        kill -9 $BASHPID
    } >pipe &
    disown # otherwise bash reports the kill
}
dying 1001 original
expect_error "clsort: pipe: size of 1001 bytes is not a multiple of 4, the size of u32" clsort -t u32 -o data pipe
dying 5000001 original
expect_error "clsort: pipe: size of 5000001 bytes is not a multiple of 4, the size of u32" \
    clsort -t u32 -o data pipe
dying 1001 original
expect_error "clsort: pipe: size of 1001 bytes is not a multiple of 8, the size of f64" \
    clsort -t f64 --check pipe
dying 7 original.npy
expect_error "clsort: pipe: .npy header is truncated" clsort -t u32 -o data pipe
dying 100 original.npy
expect_error "clsort: pipe: .npy header is truncated" clsort -t u32 -o data pipe
for size in 128 132 5000000 $((64 << 20)); do # the last lacks 128 bytes
    dying $size original.npy
    expect_error "clsort: pipe: .npy file is truncated" clsort -t u32 -o data pipe
    head -c $size original.npy >short.npy
    expect_error "clsort: short.npy: .npy file is truncated" clsort -t u32 -o data short.npy
    expect_error "clsort: short.npy: .npy file is truncated" clsort -t u32 -o short.npy short.npy
done
same data original
no_leftovers
finish
