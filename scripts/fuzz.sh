#!/usr/bin/env bash
# fuzz.sh - builds the preset fuzz and runs each target of tests/fuzz, two at a time: fuzz.sh [SECONDS]
#
# The runs start from the committed corpus and from inputs that earlier runs added to build/fuzz/corpus. If a target
# fails, the exit status is 1 and the input is in build/fuzz/found. Add it to tests/fuzz/corpus/TARGET with the fix.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
seconds=${1:-60}
scripts/setup.sh fuzz

# fuzz TARGET: runs a target. Prints one line, or the end of the log if it fails.
fuzz() {
    local target=$1 more=build/fuzz/corpus/$1 log=build/fuzz/$1.log
    mkdir -p "$more" build/fuzz/found
    if ! "build/fuzz/tests/fuzz/clsort-fuzz-$target" -max_total_time="$seconds" -max_len=4096 \
        -timeout=10 -artifact_prefix="build/fuzz/found/$target-" "$more" "tests/fuzz/corpus/$target" \
        >"$log" 2>&1; then
        tail -n 60 "$log"
        echo "fuzz.sh: $target failed; its input is in build/fuzz/found"
        return 1
    fi
    echo "$target: $(tail -n 1 "$log")"
}

failed=0
running=0
for folder in tests/fuzz/corpus/*/; do
    if ((running == 2)); then
        wait -n || failed=1
        running=1
    fi
    fuzz "$(basename "$folder")" &
    running=$((running + 1))
done
while ((running > 0)); do
    wait -n || failed=1
    running=$((running - 1))
done
exit "$failed"
