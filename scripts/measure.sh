#!/usr/bin/env bash
# measure.sh - functions of bench.sh and gpu-bench.sh: collect results in one file, and draw charts
#
# The scripts set two variables and then source this file. root: the source folder. bench: an array
# with clsort-bench and the options of all measurements.
: "${root:?}" "${bench:?}"

# begin_results FILE: empties the file and sets wrong to 0. wrong becomes 1 when a measurement fails.
begin_results() {
    results=$1
    wrong=0
    part=$(mktemp)
    trap 'rm -f "$part"' EXIT
    mkdir -p "$(dirname "$results")"
    : >"$results"
}

# keep STATUS: appends the output of the last program, in the file part, to the results. STATUS is its exit status.
keep() {
    cat "$part" >>"$results"
    # shellcheck disable=SC2034 # used by the scripts
    (($1 == 0)) || wrong=1
}

# measure OPTION...: runs clsort-bench with these additional options and keeps its results.
measure() {
    local status=0
    : >"$part"
    "${bench[@]}" --json "$part" "$@" || status=$?
    keep "$status"
}

# draw_charts FOLDER [PREFIX]: draws charts of the results, or prints the command if matplotlib is missing.
draw_charts() {
    # Debian's matplotlib belongs to Debian's Python, which may not be the first in PATH.
    local python=python3
    "$python" -c 'import matplotlib' 2>/dev/null || python=/usr/bin/python3
    if "$python" -c 'import matplotlib' 2>/dev/null; then
        "$python" "$root/bench/charts.py" "$results" "$@"
        echo "Results are in $results, and charts in $1"
    else
        echo "Results are in $results. matplotlib is missing; to draw charts on another machine, run"
        echo "    python3 bench/charts.py $results $*"
    fi
}
