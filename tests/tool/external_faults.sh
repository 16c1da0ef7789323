#!/usr/bin/env bash
# external_faults.sh - an external sort whose system calls fail leaves the input and the old output intact, and no file
#
# CLSORT_FAIL_CALLS names the library fail_calls.c.
#
# shellcheck disable=SC2034 # for lib.sh
in_memory=1
# shellcheck source=tests/tool/lib.sh
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

# faulty BACKEND "CALL N ERROR": sorts while this call fails. Sets status, and is_reached if there was such a call.
faulty() {
    cp old result
    LD_PRELOAD=$CLSORT_FAIL_CALLS CLSORT_EXTERNAL_IO=$1 CLSORT_FAIL_CALL="$2" \
        clsort -S 1K -t u64 --compress="$compress" -o result data >out 2>err
    status=$?
    if grep -qx reached err; then is_reached=1; else is_reached=0; fi
    sed -i '/^reached$/d' err
}

# sweep BACKEND CALL ERROR [recovers]: each call of this kind fails, in steps that grow. recovers: without consequences.
sweep() {
    local n reached=0
    for ((n = 1; n < 100000; n = n < 16 ? n + 1 : n * 4 / 3)); do
        faulty "$1" "$2 $n $3"
        ((is_reached)) || break
        reached=$n
        judge $status "call $n of $2 fails with error $3 ($1)"
        [[ -z ${4:-} || $status == 0 ]] || fail "call $n of $2 fails with error $3 ($1): $(cat err)"
    done
    ((reached > 0)) || fail "no call of $2"
    ((status == 0)) || fail "without a failure of $2: $(cat err)"
    same result sorted
}

# lasts BACKEND "CALL N+ ERROR" STATUS [TEXT]: what a call that always fails leads to, and the message.
lasts() {
    faulty "$1" "$2"
    ((is_reached)) || fail "no call ($2)"
    judge $status "$2 ($1)"
    [[ $status == "$3" ]] || fail "$2 ($1): exit status $status instead of $3: $(cat err)"
    [[ -z ${4:-} ]] || contains err "$4"
}

EPERM=1 EIO=5 EBADF=9 EAGAIN=11 EACCES=13 EBUSY=16 EINVAL=22 ENOSPC=28 ENOSYS=38

# The threads of a sanitizer use these calls, too, and its library has to be loaded first.
if [[ -n ${CLSORT_FAIL_CALLS:-} ]] && LD_PRELOAD=$CLSORT_FAIL_CALLS clsort --version >/dev/null 2>&1; then
    compress=none
    sweep threads pread $EIO
    sweep threads pread $EAGAIN recovers
    sweep threads pread $EINVAL recovers
    sweep threads pwrite $ENOSPC
    sweep threads pwrite $EINVAL recovers
    sweep threads fallocate $ENOSPC
    sweep threads ftruncate $EIO
    sweep threads fsync $EIO
    sweep threads open $EACCES
    lasts threads "pread 20+ $EAGAIN" 2 "Resource temporarily unavailable"
    lasts threads "pwrite 20+ $EINVAL" 2 "Invalid argument"
    faulty threads "direct 1+ $EINVAL" # direct transfers are refused when they begin, if they can be opened
    judge $status "direct transfers are refused"
    ((status == 0)) || fail "direct transfers are refused: $(cat err)"

    compress=auto
    sweep threads pread $EIO
    sweep threads pwrite $ENOSPC
    compress=none

    faulty uring "completion 1 $EIO"
    if ((is_reached)); then
        sweep uring completion $EIO
        sweep uring completion $ENOSPC
        sweep uring completion $EAGAIN recovers
        sweep uring completion $EINVAL recovers
        sweep uring submit $EPERM
        sweep uring submit $EBUSY recovers
        sweep uring wait $EAGAIN recovers
        sweep uring wait $EBADF
        lasts uring "completion 20+ $EAGAIN" 2 "Resource temporarily unavailable"
        lasts uring "submit 20+ $EAGAIN" 2 "Resource temporarily unavailable"
        lasts uring "wait 20+ $EBADF" 2 "Bad file descriptor"
        lasts uring "setup 1+ $ENOSYS" 0 # threads take over
        lasts uring "enter 1+ $EPERM" 0
        faulty uring "direct 1+ $EINVAL"
        judge $status "direct transfers are refused (uring)"
        ((status == 0)) || fail "direct transfers are refused (uring): $(cat err)"
    else
        echo "there is no io_uring here"
    fi
else
    echo "system calls cannot be made to fail here"
fi
finish
