#!/usr/bin/env bash
# measure.sh - what bench.sh and gpu-bench.sh share: results that come together in one file, and charts of them
#
# Sourced by them. Before, they set root, the source folder, and bench, clsort-bench with options for all measurements.
: "${root:?}" "${bench:?}"

# begin_results FILE: the file begins anew. From then on wrong says whether anything was: 1 or 0.
begin_results() {
    results=$1
    wrong=0
    part=$(mktemp)
    trap 'rm -f "$part"' EXIT
    mkdir -p "$(dirname "$results")"
    : >"$results"
}

# keep STATUS: adds what the last program wrote to part; what is wrong in it is marked there.
keep() {
    cat "$part" >>"$results"
    # shellcheck disable=SC2034 # for the scripts
    (($1 == 0)) || wrong=1
}

# measure OPTION...: runs clsort-bench with these options too, and keeps its results.
measure() {
    local status=0
    : >"$part"
    "${bench[@]}" --json "$part" "$@" || status=$?
    keep "$status"
}

# draw_charts FOLDER [PREFIX]
draw_charts() {
    # Debian's matplotlib is for Debian's Python, which need not be the first that is found.
    local python=python3
    "$python" -c 'import matplotlib' 2>/dev/null || python=/usr/bin/python3
    if "$python" -c 'import matplotlib' 2>/dev/null; then
        "$python" "$root/bench/charts.py" "$results" "$@"
        echo "Results are in $results, and charts in $1"
    else
        echo "Results are in $results. There is no matplotlib here; where there is, draw charts by"
        echo "    python3 bench/charts.py $results $*"
    fi
}
