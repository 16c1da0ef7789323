#!/usr/bin/env bash
# oclgrind.sh - checks that tests fail if Oclgrind reports an error: oclgrind.sh PROGRAM (defect.c)
set -euo pipefail

program=$1
on_device=$(dirname "${BASH_SOURCE[0]}")/../support/on_device.sh
out=$(mktemp)
trap 'rm -f "$out"' EXIT
failures=0

# run NAME: runs the kernel of that name; writes the output to the file out.
run() {
    bash "$on_device" oclgrind "$program" "$1" >"$out" 2>&1
}

status=0
run none || status=$?
if ((status != 0)); then
    cat "$out"
    exit "$status" # 77 if Oclgrind is not installed
fi

# caught NAME TEXT: checks that the kernel fails the test, and that the report has the text.
caught() {
    if run "$1"; then
        echo "$1: not reported"
        failures=$((failures + 1))
    elif ! grep -q "Oclgrind reports" "$out" || ! grep -qi "$2" "$out"; then
        echo "$1: failed without '$2': $(cat "$out")"
        failures=$((failures + 1))
    fi
}
caught global_race "data race at global"
caught local_race "data race at local"
caught groups_race "data race at global"
caught bounds "invalid write"
caught divergence "divergence"
((failures == 0))
