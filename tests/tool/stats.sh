#!/usr/bin/env bash
# stats.sh - the phases of --stats: what each reads and writes, in memory and in runs, with both backends
#
# shellcheck disable=SC2034 # for lib.sh
in_memory=1
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

export CLSORT_DEVICE=host
# shellcheck disable=SC2317 # called through expect
external() { CLSORT_EXTERNAL_MEMORY=380000 clsort -S 1K "$@"; }
command -v python3 >/dev/null && has_python=yes

# phases EXPRESSION TITLE...: the statistics are JSON, with these phases. The expression holds, in Python, of the
# statistics `s`, the phases `p`, and the sums `read` and `written`.
phases() {
    [[ -n ${has_python:-} ]] || return
    python3 -c '
import json, sys
s = json.loads(sys.stdin.read())
p = s["phases"]
title = lambda x: x["phase"] + (" %d/%d" % (x["pass"], x["passes"]) if "pass" in x else "")
assert [title(x) for x in p] == sys.argv[2:], [title(x) for x in p]
for x in p:
    moved = x["read_bytes"] + x["written_bytes"]
    assert abs(x["bytes_per_s"] * x["seconds"] - moved) <= 1e-6 * moved, x
    assert ("wait_s" in x) == ("io" in s), x
    assert 0 <= x.get("wait_s", 0) <= x["seconds"] <= s["total_s"], x
assert sum(x["seconds"] for x in p) <= s["total_s"] + 1e-6
assert ("io" in s) == ("runs" in s) == ("passes" in s) == ("temporary_bytes" in s)
read = sum(x["read_bytes"] for x in p)
written = sum(x["written_bytes"] for x in p)
assert eval("(" + sys.argv[1] + ")"), (read, written)' "$@" <err || fail "phases: $(cat err)"
}

clsort-gen -n 60000 -t u64 -o data >/dev/null
clsort -t u64 -o sorted data

# -- in memory --

expect 0 clsort -t u64 --stats=json -o result data
phases 'read == written == 480000' reading sorting writing "waiting for the disk"
expect 0 clsort -t u64 --top=100 --stats=json -o result data
phases 'read == 480000 and written == 800' reading selecting writing "waiting for the disk"
expect 0 clsort -t u64 --argsort --stats=json -o result data
phases 'read == written == 480000' reading sorting writing "waiting for the disk"
expect 0 eval 'head -c 80000 data | clsort -t u64 --stats=json -o result'
phases 'read == written == 80000' reading sorting writing "waiting for the disk"
expect 0 clsort -t u64 --stats -o result data
contains err "phase                      bytes read  bytes written            s      MB/s"
grep -Eq '^reading +480000 +0 +[0-9.]+ +[0-9.]+$' err || fail "no phase of reading: $(cat err)"
grep -Eq '^writing +0 +480000 +[0-9.]+ +[0-9.]+$' err || fail "no phase of writing: $(cat err)"
for word in io runs passes temporary; do
    ! grep -q "^$word " err || fail "$word in memory: $(cat err)"
done

# -- in runs --

# Blocks and transfers are multiples of 4096 bytes, so that more is transferred than the elements have.
for backend in uring threads; do
    export CLSORT_EXTERNAL_IO=$backend
    expect 0 external -t u64 --stats=json -o result data
    same result sorted
    phases 's["runs"] == 10 and s["passes"] == 3 and 480000 <= s["temporary_bytes"] <= 1.05 * 480000 + 8192
            and 960000 + p[1]["read_bytes"] <= read <= 1.05 * 1440000
            and 960000 + p[1]["written_bytes"] <= written <= 1.05 * 1440000' \
        "forming runs" "merging 1/2" "merging 2/2" "waiting for the disk"
    phases 's["io"] in ("threads", "'$backend'")' "forming runs" "merging 1/2" "merging 2/2" "waiting for the disk"
    expect 0 eval 'external -t u64 -u --stats=json data >result'
    phases 'p[2]["written_bytes"] == 480000' "forming runs" "merging 1/2" "merging 2/2" "waiting for the disk"
    expect 0 external -t u64 --stats=json -o result sorted
    phases 's["runs"] == s["passes"] == 1 and s["temporary_bytes"] == 0 and read == 480000 and written < 500000' \
        "forming runs" "waiting for the disk"
    expect 0 env CLSORT_EXTERNAL_MEMORY=8000000 clsort -S 1K -t u16 --stats=json -o result data
    phases 's["runs"] == 0 and s["passes"] == 1 and read == 480000 and written < 500000' \
        "counting keys" "waiting for the disk"
    expect 0 external -t u64 --stats -o result data
    for row in 'runs +10 of the input' 'passes +3 over the data' 'temporary +[0-9]+ bytes at most' \
        "io +(threads|$backend)" \
        'phase +bytes read +bytes written +s +s of waits +MB/s' 'forming runs +480000 +[0-9]+( +[0-9.]+){3}' \
        'merging, pass 1 of 2 +[0-9]+ +[0-9]+( +[0-9.]+){3}' 'waiting for the disk +0 +0( +[0-9.]+){3}'; do
        grep -Eq "^$row$" err || fail "no row '$row': $(cat err)"
    done
done

# Pipes, and merges of sorted files, whose last elements of blocks are read first.
expect 0 eval 'external -t u64 --stats=json -o result < <(cat data)'
phases 's["pieces"] == s["runs"] > 8 and p[0]["read_bytes"] == 480000' \
    "forming runs" "merging 1/2" "merging 2/2" "waiting for the disk"
expect 0 external -m -t u64 --stats=json -o result sorted sorted
phases 's["pieces"] == s["runs"] == 2 and s["passes"] == 1 and p[0]["read_bytes"] > 0
        and p[1]["read_bytes"] >= 960000 and written < 1000000' "listing runs" "merging 1/1" "waiting for the disk"

# Two folders share the temporary files.
mkdir one two
expect 0 external -t u64 -T one -T two --stats=json -o result data
phases '480000 <= s["temporary_bytes"] <= 1.05 * 480000 + 16384' \
    "forming runs" "merging 1/2" "merging 2/2" "waiting for the disk"

no_leftovers
finish
