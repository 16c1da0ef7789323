#!/usr/bin/env bash
# lib.sh - functions of the tests of the tools: a temporary folder, assertions on exit status, output and files
#
# The tests source this file. CTest sets CLSORT_TOOLS to the folders of the programs under test. The test then runs in
# an empty folder, continues after failed assertions, and ends with `finish`. A test that has set in_memory works in a
# file system in memory, if there is a large one, because each sort waits for the disk elsewhere.
set -u

# has_memory_folder: whether /dev/shm has space for the files of a test.
has_memory_folder() {
    [[ -w /dev/shm && $(df --output=avail -B 1M /dev/shm | tail -n 1) -ge 1024 ]]
}

failures=0
if [[ -n ${in_memory:-} ]] && has_memory_folder; then
    export TMPDIR=/dev/shm
fi
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

# expect STATUS COMMAND...: the command exits with this status. Its output is in the files out and err.
expect() {
    local expected=$1 status
    shift
    "$@" >out 2>err
    status=$?
    if ((status != expected)); then
        fail "$* exited with status $status instead of $expected: $(cat err)"
    fi
}

# contains FILE TEXT: the file contains the text.
contains() {
    grep -qF -- "$2" "$1" || fail "'$2' is not in the file $1: $(cat "$1")"
}

# lacks FILE TEXT: the file does not contain the text.
lacks() {
    ! grep -qF -- "$2" "$1" || fail "'$2' is in the file $1: $(cat "$1")"
}

# expect_error TEXT COMMAND...: the command fails with status 2, no output, and a message that contains the text.
expect_error() {
    local text=$1
    shift
    expect 2 "$@"
    contains err "$text"
    [[ ! -s out ]] || fail "$* wrote to standard output: $(head -c 200 out)"
}

# same A B: the files are equal.
same() {
    cmp "$1" "$2" >&2 || fail "$1 and $2 differ"
}

# no_leftovers: the folder and its subfolders have no temporary files.
no_leftovers() {
    local found
    found=$(find . -name '.clsort-*')
    [[ -z $found ]] || fail "temporary files are left: $found"
}

# has_temporary -e|-s PID: a temporary file of this process exists (-s: and is not empty), named or not.
has_temporary() {
    local found
    test "$1" .clsort-* 2>/dev/null && return
    found=$(find "/proc/$2/fd" -lname "$(pwd -P)/#* (deleted)" 2>/dev/null)
    test "$1" "${found%%$'\n'*}"
}

# await_temporary -e|-s PID: waits until has_temporary, or until the process has exited.
await_temporary() {
    until has_temporary "$1" "$2" || ! kill -0 "$2" 2>/dev/null; do :; done
}

# await_stopped PID: waits until a signal has stopped the process, or until it has exited. A system call that has begun
# is completed first.
await_stopped() {
    local state
    until state=$(cut -d ' ' -f 3 "/proc/$1/stat" 2>/dev/null) && [[ -z $state || $state == [TZ] ]] ||
        ! kill -0 "$1" 2>/dev/null; do
        sleep 0.01
    done
}

# supports_unnamed: files without a name are supported here. Other file systems may support them too.
supports_unnamed() {
    [[ -z ${LD_PRELOAD:-} && $(stat -f -c %T .) =~ ^(ext2/ext3|xfs|btrfs|tmpfs)$ ]]
}

# find_python MODULE: sets python to an interpreter that has the module. Debian's modules belong to Debian's Python.
find_python() {
    for python in python3 /usr/bin/python3; do
        "$python" -c "import $1" 2>/dev/null && return
    done
    return 1
}

# in_limit KIB COMMAND...: runs the command with a limit on its address space.
# shellcheck disable=SC2317 # called through expect
in_limit() (
    ulimit -v "$1"
    shift
    "$@"
)

# can_limit: the tools work with a limit on the address space. Sanitizers reserve too much of it.
can_limit() {
    in_limit 1000000 clsort --version >out 2>err
}

# sorts_or_refuses KIB SORTED COMMAND...: the command replaces the file `result` by SORTED, or fails with
# status 2 and a message about memory and leaves it unchanged.
sorts_or_refuses() {
    local kib=$1 sorted=$2 status
    shift 2
    echo before >result
    in_limit "$kib" "$@" -o result >out 2>err
    status=$?
    if ((status == 0)); then
        cmp -s result "$sorted" || fail "$* with $kib KiB: the result is wrong"
    elif ((status == 2)); then
        grep -Eq 'needs [0-9]+ bytes, but [0-9]+ are available|needs more memory than|leaves [0-9]+ bytes' err ||
            fail "$* with $kib KiB: $(cat err)"
        [[ $(cat result) == before ]] || fail "$* with $kib KiB: the output has changed"
    else
        fail "$* with $kib KiB exited with status $status: $(cat err)"
    fi
    no_leftovers
}

# pieces KIB SORTED COMMAND...: the command succeeds with the contents of SORTED, and in several pieces.
pieces() {
    local kib=$1 sorted=$2
    shift 2
    expect 0 in_limit "$kib" "$@" --stats -o result
    same result "$sorted"
    grep -Eq '^pieces +([2-9]|[0-9]{2,}) per row$' err || fail "$*: not in pieces: $(cat err)"
    no_leftovers
}

# skip REASON: exits with CTest's status for skipped tests.
skip() {
    echo "skipped: $*"
    exit 77
}

finish() {
    ((failures == 0)) || exit 1
    exit 0
}
