#!/usr/bin/env bash
# progress.sh - the line of progress appears on a terminal after 2 s; --progress prints lines and JSON elsewhere
#
# shellcheck disable=SC2034 # for lib.sh
in_memory=1
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
grep -qE $'\r''reading: 293.0 KiB, [0-9.]+ KiB/s' out || fail "no progress: $(od -c out | head -n 40)"
others=$(tr '\r' '\n' <out | sed '/^ *$/d' | grep -Ev '^(reading|compiling|sorting|writing|waiting)')
[[ -z $others ]] || fail "other lines: $others"
[[ $(tr '\r' '\n' <out | tail -n 1) =~ ^\ *$ ]] ||
    fail "the line is not erased: $(od -c out | tail)"
slow --quiet
[[ ! -s out ]] || fail "--quiet shows progress: $(cat out)"
slow --progress=never
[[ ! -s out ]] || fail "--progress=never shows progress: $(cat out)"

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

# -- lines without a terminal --

export CLSORT_DEVICE=host
# shellcheck disable=SC2317 # called through expect
external() { CLSORT_EXTERNAL_MEMORY=380000 clsort -S 1K "$@"; }

# prints TITLE...: standard error has lines of phases with these titles, in this order, some perhaps several times.
prints() {
    local number='[0-9.]+ [KMG]?i?B' titles form
    form="$number( of $number \([0-9]+%\))?, $number/s(, [0-9]+ s left)?|$number, [0-9]+ s|[0-9]+ s"
    titles=$(grep -v '^compiling' err | sed 's/: .*//' | uniq)
    [[ $titles == $(printf '%s\n' "$@") ]] || fail "other phases: $(cat err)"
    ! grep -v '^compiling' err | grep -vE "^[a-z0-9 ,]+: ($form)$" || fail "lines of another form: $(cat err)"
}

# ends TEXT: the last line ends with the text.
ends() {
    [[ $(tail -n 1 err) == *"$1" ]] || fail "the end is not '$1': $(cat err)"
}

clsort-gen -n 60000 -t u64 -o data >/dev/null
clsort -t u64 data >sorted
for option in --progress --progress=always; do
    expect 0 clsort -t u64 $option -o result data
    prints reading sorting writing "waiting for the disk"
    contains err "reading: 468.8 KiB of 468.8 KiB (100%), "
    contains err "writing: 468.8 KiB of 468.8 KiB (100%), "
    same result sorted
    expect 0 external -t u64 $option -o result data
    prints "forming runs" "merging, pass 1 of 2" "merging, pass 2 of 2" "waiting for the disk"
    grep -Eq '^merging, pass 2 of 2: ([0-9.]+ MiB) of \1 \(100%\), ' err || fail "the end is not reached: $(cat err)"
    same result sorted
done
lacks err $'\r'
expect 0 clsort -t u64 --progress -c sorted
prints reading checking
ends "/s, 0 s left"
expect 0 external -t u64 --progress -c sorted
prints checking
ends "/s, 0 s left"
for option in --progress=auto --progress=never --quiet "-q --progress=never"; do
    # shellcheck disable=SC2086
    expect 0 external -t u64 $option -o result data
    [[ ! -s err ]] || fail "$option: $(cat err)"
done

# A line each second, also while nothing happens. The size of a pipe is unknown.
{ head -c 240000 data && sleep 3 && tail -c +240001 data; } >input &
expect 0 clsort -t u64 --progress -o result input
prints reading sorting writing "waiting for the disk"
lines=$(grep -c '^reading: 234.4 KiB, [0-9.]* [KM]iB/s$' err)
((lines >= 2)) || fail "the line is not repeated: $(cat err)"

# An error ends the lines.
expect 2 clsort -t u64 --progress -o missing/result data
[[ $(cat err) == "clsort: missing/result: No such file or directory" ]] || fail "other lines: $(cat err)"
expect 2 external -t u64 --progress -T missing -o result data
ends "clsort: missing: No such file or directory"

# -- JSON --

# is_json PHASE...: standard error has objects of these phases, in this order. The bytes never decrease, and are all at
# the end. In memory each phase counts its own.
is_json() {
    python3 -c '
import itertools, json, sys
lines = [json.loads(line) for line in sys.stdin if "compiling" not in line]
keys = ["phase", "bytes", "total_bytes", "bytes_per_s", "eta_s", "elapsed_s"]
titles = []
for line in lines:
    title = line["phase"]
    if "pass" in line:
        title += " %d/%d" % (line.pop("pass"), line.pop("passes"))
    titles.append(title)
    assert list(line) == keys, line
    total = line["total_bytes"]
    assert 0 <= line["bytes"] and (line["bytes"] <= total if total else line["eta_s"] == None), line
    assert line["bytes_per_s"] >= 0, line
    is_waiting = line["phase"] == "waiting for the disk"
    assert line["eta_s"] == None if is_waiting else (line["eta_s"] or 0) >= 0, line
assert [title for title, _ in itertools.groupby(titles)] == sys.argv[1:], titles
for before, line in zip(lines, lines[1:]):
    assert line["elapsed_s"] >= before["elapsed_s"], line
    in_memory = "reading" in titles and before["phase"] != line["phase"]
    assert in_memory or line["bytes"] >= before["bytes"], line
assert lines[-1]["bytes"] == lines[-1]["total_bytes"] > 0, lines[-1]' "$@" <err || fail "JSON: $(cat err)"
}

if command -v python3 >/dev/null; then
    for order in "" -r -u; do
        expect 0 clsort -t u64 $order --progress=json -o result data
        is_json reading sorting writing "waiting for the disk"
        for CLSORT_EXTERNAL_IO in uring threads; do
            export CLSORT_EXTERNAL_IO
            expect 0 external -t u64 $order --progress=json -o result data
            is_json "forming runs" "merging 1/2" "merging 2/2" "waiting for the disk"
            # shellcheck disable=SC2016
            expect 0 eval 'external -t u64 $order --progress=json data >result'
            is_json "forming runs" "merging 1/2" "merging 2/2" "waiting for the disk"
        done
    done
    expect 0 external -t u64 --progress=json -o result sorted
    is_json "forming runs" "waiting for the disk"
    expect 0 env CLSORT_EXTERNAL_MEMORY=8000000 clsort -S 1K -t u16 --progress=json -o result data
    is_json "counting keys" "waiting for the disk"
    expect 0 env CLSORT_EXTERNAL_MEMORY=8000000 clsort -S 1K -t u64 --progress=json -o result data
    is_json sorting "waiting for the disk"
    expect 0 clsort -t u64 --top=10 --progress=json -o result data
    is_json reading selecting writing "waiting for the disk"
fi

# The size of a pipe is unknown until its end, so that no time left is shown, and no line if the phase is short.
if command -v python3 >/dev/null; then
    expect 0 eval '{ cat data; sleep 1.2; } | external -t u64 --progress=json -o result'
    is_json "forming runs" "merging 1/2" "merging 2/2" "waiting for the disk"
    ! grep '"forming runs"' err | grep -v '"total_bytes":null,.*"eta_s":null' || fail "a total of a pipe: $(cat err)"
    same result sorted
    expect 0 external -m -t u64 --progress=json -o result sorted sorted
    is_json "listing runs" "merging 1/1" "waiting for the disk"
fi

# -- what is refused --

expect_error "--progress=bar: use auto, always, never or json" clsort -t u64 --progress=bar data
expect_error "--quiet cannot be combined with --progress" clsort -t u64 -q --progress data
expect_error "--quiet cannot be combined with --progress" clsort -t u64 --progress=json --quiet data

no_leftovers
finish
