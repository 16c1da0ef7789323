#!/usr/bin/env bash
# truncated.sh - input that is truncated, or becomes shorter while it is read, is refused
#
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

clsort-gen -n 16M -o original >/dev/null
clsort-gen -n 16M --npy -o original.npy >/dev/null
clsort -t u32 original >sorted # compiles

# position PID FILE: sets `at` to the process's offset in the file; empty if the file is not open. Creates no process,
# since the file is read in milliseconds.
position() {
    local fd name
    at=
    for fd in "/proc/$1/fd/"*; do
        if [[ $fd -ef $2 ]]; then
            { read -r name at <"/proc/$1/fdinfo/${fd##*/}"; } 2>/dev/null # the first line is "pos:", and the offset
            return
        fi
    done
}

# shorten FILE SIZE HEADER: sorts the file onto itself. When clsort has read the HEADER bytes of the header but not the
# whole file, stops it and truncates the file to SIZE bytes. Returns false if clsort was too fast.
shorten() {
    local whole at
    whole=$(stat -c %s "$1")
    clsort -t u32 -o "$1" "$1" 2>err &
    job=$!
    until position $job "$1" && [[ -n $at ]] && ((at >= $3)) || ! kill -0 $job 2>/dev/null; do :; done
    kill -STOP $job 2>/dev/null
    await_stopped $job
    position $job "$1"
    if [[ -z $at ]] || ((at == whole)); then
        kill -KILL $job 2>/dev/null
        wait $job 2>/dev/null
        rm -f .clsort-*
        return 1
    fi
    truncate -s "$2" "$1"
    kill -CONT $job
    wait $job
    status=$?
}

# The new size is a multiple of the key size, so that only the old size reveals the truncation.
for name in original original.npy; do
    header=$(($(stat -c %s $name) - (64 << 20)))
    for size in 0 4096 $((32 << 20)) $(((64 << 20) - 4)); do
        for ((attempt = 1; ; attempt++)); do
            cp "$name" data
            shorten data $size $header && break
            ((attempt < 10)) || fail "clsort was always too fast"
            ((attempt < 10)) || break 3
        done
        ((status == 2)) || fail "$name cut to $size: status $status"
        contains err "clsort: data: file became shorter while it was read"
        cmp -s <(head -c $size "$name") data || fail "$name cut to $size: the file was written"
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
