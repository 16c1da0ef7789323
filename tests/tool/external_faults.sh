#!/usr/bin/env bash
# external_faults.sh - an external sort whose system calls fail, that is killed, or that is interrupted leaves the input
# and the old output intact, and no file
#
# CLSORT_FAIL_CALLS names the library fail_calls.c.
#
# shellcheck source=tests/tool/lib.sh
[[ ! -w /dev/shm ]] || export TMPDIR=/dev/shm # each sort waits for the disk elsewhere
source "$(dirname "$0")/lib.sh"

export CLSORT_DEVICE=host CLSORT_EXTERNAL_MEMORY=262144

clsort-gen -n 40000 -t u64 -o data >/dev/null
clsort -t u64 -o sorted data
cp data original
echo before >old

# judge STATUS SUCCESS: checks the files after a run that exited with this status.
judge() {
    if (($1 == 0)); then
        same result sorted
    elif (($1 == 2)); then
        # The fsync of the folder follows the replacement of the output.
        [[ $2 == *fsync* ]] && cmp -s result sorted && return
        same result old
        [[ $(grep -c '^clsort: ' err) == 1 ]] || fail "$2: not one message: $(cat err)"
    else
        fail "$2: exit status $1: $(cat err)"
    fi
    same data original
    no_leftovers
}

# -- system calls: the N-th fails in turn. All transfers are short or interrupted at times. --

# The threads of a sanitizer use these calls, too, and its library has to be loaded first.
if [[ -n ${CLSORT_FAIL_CALLS:-} ]] && LD_PRELOAD=$CLSORT_FAIL_CALLS clsort --version >/dev/null 2>&1; then
    for call in "pread 5" "pwrite 28" "fallocate 28" "ftruncate 5" "fsync 5" "open 13" \
        "pread 5 --compress=auto" "pwrite 28 --compress=auto"; do
        read -r name error options <<<"$call"
        reached=0
        for ((n = 1; n < 100000; n = n < 24 ? n + 1 : n * 3 / 2)); do
            cp old result
            # shellcheck disable=SC2086 # there may be none
            LD_PRELOAD=$CLSORT_FAIL_CALLS CLSORT_EXTERNAL_IO=threads CLSORT_FAIL_CALL="$name $n $error" \
                clsort -S 1K -t u64 $options -o result data >out 2>err
            status=$?
            grep -qx reached err || break
            sed -i '/^reached$/d' err
            reached=$n
            judge $status "call $n of $name fails"
        done
        ((reached > 0)) || fail "no call of $name"
        ((status == 0)) || fail "without a failure of $name: $(cat err)"
        same result sorted
    done
else
    echo "system calls cannot be made to fail here"
fi

# -- signals at random times --

clsort-gen -n 1M -t u64 -o data >/dev/null
cp data original
clsort -t u64 -o sorted data
start=${EPOCHREALTIME/./}
CLSORT_EXTERNAL_MEMORY=1048576 clsort -S 1K -t u64 -o result data
duration=$((${EPOCHREALTIME/./} - start))
caught=0
for ((i = 0; i < 24; i++)); do
    signals=(KILL TERM INT HUP)
    cp old result
    CLSORT_EXTERNAL_MEMORY=1048576 clsort -S 1K -t u64 -o result data 2>err &
    sleep "$(awk -v d=$duration -v i=$i 'BEGIN { print d * i / 24 / 1e6 }')"
    kill -"${signals[i % 4]}" $! 2>/dev/null
    wait $! 2>/dev/null
    if cmp -s result old; then caught=$((caught + 1)); else same result sorted; fi
    same data original
    if supports_unnamed; then no_leftovers; fi
    rm -f .clsort-*
done
((caught > 0)) || fail "no signal came before the end"

# -- two sorts with the same output --

cp old result
CLSORT_EXTERNAL_MEMORY=1048576 clsort -S 1K -t u64 -o result data &
expect 0 env CLSORT_EXTERNAL_MEMORY=1048576 clsort -S 1K -t u64 -o result data
wait $! || fail "the other sort fails"
same result sorted
no_leftovers
finish
