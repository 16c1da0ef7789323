#!/usr/bin/env bash
# lib.sh - what the tests of the tools share: a folder of their own, running, and judging
#
# Sourced by the tests. CTest sets CLSORT_TOOLS to the folders of the programs under test. The rest of a
# test runs in an empty folder, and goes on after a failure; it ends with `finish`.
set -u

failures=0
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2

PATH=$CLSORT_TOOLS:$PATH

# shellcheck disable=SC2034 # for the tests
all_types=(u8 u16 u32 u64 i8 i16 i32 i64 f16 f32 f64)

fail() {
    echo "line ${BASH_LINENO[-2]}: $*" >&2
    failures=$((failures + 1))
}

# expect STATUS COMMAND...: the command ends with this status; its output is left in out and err.
expect() {
    local expected=$1 status
    shift
    "$@" >out 2>err
    status=$?
    if ((status != expected)); then
        fail "$* ended with $status, not $expected: $(cat err)"
    fi
}

# says FILE TEXT: the file contains the text.
says() {
    grep -qF -- "$2" "$1" || fail "'$2' is not in $1, which says: $(cat "$1")"
}

# trouble TEXT COMMAND...: the command fails as it should: status 2, nothing on standard output, and
# one message, which contains the text.
trouble() {
    local text=$1
    shift
    expect 2 "$@"
    says err "$text"
    [[ ! -s out ]] || fail "$* printed something: $(head -c 200 out)"
}

# same A B: the files are equal.
same() {
    cmp "$1" "$2" >&2 || fail "$1 and $2 differ"
}

# no_leftovers: no temporary file is here or below.
no_leftovers() {
    local found
    found=$(find . -name '.clsort-*')
    [[ -z $found ]] || fail "left behind: $found"
}

# await_temporary -e|-s PID: waits until a temporary file is here (-s: with something in it), or the
# program that would make it has ended.
await_temporary() {
    until test "$1" .clsort-* 2>/dev/null || ! kill -0 "$2" 2>/dev/null; do :; done
}

# skip REASON: gives up where the machine does not allow the test.
skip() {
    echo "skipped: $*"
    exit 77
}

finish() {
    ((failures == 0)) || exit 1
    exit 0
}
