#!/usr/bin/env bash
# progress.sh - the line of progress appears on a terminal after 2 s, and nowhere else
#
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

command -v script >/dev/null || skip "script (util-linux) is not installed"
clsort-gen -n 100000 -o data >/dev/null
clsort -t u32 data >sorted
mkfifo input

# slow OPTION...: sorts input that takes 3 s to arrive. Standard error is a terminal, whose text is in the file out.
slow() {
    { head -c 300000 data && sleep 3 && tail -c +300001 data; } >input &
    script -qec "clsort -t u32 -o result $* input" /dev/null </dev/null >out || fail "clsort $* failed: $(cat out)"
    wait
    same result sorted
}

slow
grep -qE $'\r''reading 293.0 KiB, [0-9.]+ KiB/s' out || fail "no progress: $(od -c out | head -n 40)"
others=$(tr '\r' '\n' <out | sed '/^ *$/d' | grep -Ev '^(reading|compiling|sorting|writing|waiting)')
[[ -z $others ]] || fail "other lines: $others"
[[ $(tr '\r' '\n' <out | tail -n 1) =~ ^\ *$ ]] ||
    fail "the line is not erased: $(od -c out | tail)"
slow --quiet
[[ ! -s out ]] || fail "--quiet shows progress: $(cat out)"

# Without a terminal.
{ head -c 300000 data && sleep 3 && tail -c +300001 data; } >input &
expect 0 clsort -t u32 -o result input
[[ ! -s err ]] || fail "progress without a terminal: $(cat err)"

# An error message comes after the line is erased.
{ head -c 300001 data && sleep 3; } >input &
script -qec "clsort -t u32 -o result input" /dev/null </dev/null >out && fail "the size was accepted"
message=$(tr '\r' '\n' <out | grep clsort)
[[ $message == "clsort: input: size of 300001 bytes is not a multiple of 4, the size of u32" ]] ||
    fail "the message is garbled: $(od -c out)"

no_leftovers
finish
