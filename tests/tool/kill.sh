#!/usr/bin/env bash
# kill.sh - a sort of a file onto itself that is killed leaves the file either unchanged or sorted
#
# The file has 64 MiB, and the disk holds three files of this size at a time.
#
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

(($(df --output=avail -k . | tail -n 1) > 3 * 64 * 1024)) || skip "less than 192 MiB of disk are free"
clsort-gen -n 16M -o original >/dev/null
export CLSORT_DEVICE=0         # even if the host would be done before the kernels are compiled
clsort -t u32 original >sorted # compiles, so that the time measured below is representative
expect 0 clsort -t u32 -c --sum sorted
mv out sum
start=${EPOCHREALTIME/./}
expect 0 clsort -t u32 -o data original
duration=$((${EPOCHREALTIME/./} - start))
same data sorted

# random_sleep FROM TO: sleeps for a random number of microseconds.
random_sleep() {
    sleep "$(awk -v from="$1" -v to="$2" -v r=$RANDOM \
        'BEGIN { print (from + (to - from) * r / 32768) / 1e6 }')"
}

# The file is a hard link to the original. The result replaces it.
start_sort() {
    ln -f original data
    clsort -t u32 -o data data &
    job=$!
}

unsorted=0
caught=0
kill_sort() {
    if has_temporary -s $job; then caught=$((caught + 1)); fi
    kill -9 $job 2>/dev/null
    wait $job 2>/dev/null
    if [[ data -ef original ]]; then
        unsorted=$((unsorted + 1))
    else
        same data sorted
    fi
    if supports_unnamed; then no_leftovers; fi
    rm -f .clsort-*
}

for ((i = 0; i < 15; i++)); do # at times distributed over the whole run
    start_sort
    random_sleep $((duration * i / 15)) $((duration * (i + 1) / 15))
    kill_sort
done
((unsorted > 0)) || fail "no kill came before the end"

for ((i = 0; i < 5; i++)); do # while the result is being written
    start_sort
    await_temporary -s $job
    # The first one stops at once; SIGKILL ends stopped processes, too.
    if ((i == 0)); then kill -STOP $job 2>/dev/null; else random_sleep 0 50000; fi
    kill_sort
done
((caught > 0)) || fail "no kill came during the writing"

expect 1 clsort -t u32 -c --sum original
same out sum

# A killed process does not disturb later sorts.
clsort -t u32 -o data original &
await_temporary -s $!
kill -9 $!
wait $! 2>/dev/null
expect 0 clsort -t u32 -o data original
same data sorted
finish
