#!/usr/bin/env bash
# oclgrind.sh - tests under Oclgrind fail on what it reports: oclgrind.sh MISDEED, the program of misdeed.c
set -euo pipefail

program=$1
on_device=$(dirname "${BASH_SOURCE[0]}")/../support/on_device.sh
out=$(mktemp)
trap 'rm -f "$out"' EXIT
failures=0

# commit NAME: runs the misdeed; what is said goes to out.
commit() {
    bash "$on_device" oclgrind "$program" "$1" >"$out" 2>&1
}

status=0
commit none || status=$?
if ((status != 0)); then
    cat "$out"
    exit "$status" # 77 where there is no Oclgrind
fi

# caught NAME TEXT: the misdeed fails the test, and the text is why.
caught() {
    if commit "$1"; then
        echo "$1: not noticed"
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
