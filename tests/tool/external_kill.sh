#!/usr/bin/env bash
# external_kill.sh - an external sort that a signal ends leaves the input and the old output intact, and no file; sorts
# with the same output do not disturb each other
#
# shellcheck disable=SC2034 # for lib.sh
in_memory=1
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

export CLSORT_DEVICE=host CLSORT_EXTERNAL_MEMORY=524288
mkdir temporary
sort_data=(clsort -S 1K -t u64 -T temporary -o result data)

clsort-gen -n 500K -t u64 -o data >/dev/null # 4000 KiB: three passes
cp data original
echo before >old
clsort -t u64 -o sorted data
start=${EPOCHREALTIME/./}
"${sort_data[@]}" || fail "a sort fails"
duration=$((${EPOCHREALTIME/./} - start))
same result sorted
expect 0 clsort -S 1K -t u64 --explain data
contains out ": 3 passes"

# -- signals, at times distributed over the whole sort --

# ends_at SIGNAL I N: sends the signal at a random time in part I of N of the sort, and checks the files.
ends_at() {
    cp old result
    env --default-signal=INT "${sort_data[@]}" 2>err & # since the shell ignores it for background commands
    sleep "$(awk -v d=$duration -v i="$2" -v n="$3" -v r=$RANDOM 'BEGIN { print d * (i + r / 32768) / n / 1e6 }')"
    kill -"$1" $! 2>/dev/null
    wait $! 2>/dev/null
    if cmp -s result old; then
        early=$((early + 1))
    else
        same result sorted
    fi
    same data original
    if supports_unnamed; then no_leftovers; fi
    find . -name '.clsort-*' -delete
}

for signal in KILL TERM INT HUP; do
    early=0
    parts=$([[ $signal == KILL ]] && echo 50 || echo 5)
    for ((i = 0; i < parts; i++)); do
        ends_at "$signal" "$i" "$parts"
    done
    ((early > 0)) || fail "no SIG$signal came before the end"
done

# -- where files have a name, the one of runs is removed at once, and signals wait for that --

if [[ -n ${CLSORT_NO_TMPFILE:-} ]] && LD_PRELOAD=$CLSORT_NO_TMPFILE clsort --version >/dev/null 2>&1; then
    LD_PRELOAD=$CLSORT_NO_TMPFILE expect 0 "${sort_data[@]}"
    same result sorted
    no_leftovers
    cp old result
    CLSORT_TEST_SIGNAL=15 LD_PRELOAD=$CLSORT_NO_TMPFILE expect $((128 + 15)) "${sort_data[@]}"
    same result old
    no_leftovers
fi

# -- sorts with the same output, two of which have the same input --

for ((i = 0; i < 5; i++)); do
    cp old result
    pids=()
    for input in data data sorted; do
        clsort -S 1K -t u64 -T temporary -o result $input 2>"err.${#pids[@]}" &
        pids+=($!)
    done
    for j in "${!pids[@]}"; do
        wait "${pids[j]}" || fail "sort $j of three fails: $(cat "err.$j")"
    done
    same result sorted
done
same data original
no_leftovers
finish
