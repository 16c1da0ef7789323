#!/usr/bin/env bash
# size_limit.sh - at a limit on the size of files, the old file is unchanged and no new file is left
#
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

clsort-gen -n 100000 -o data >/dev/null # 400 kB
clsort-gen -n 1000 -o small >/dev/null
cp data original
clsort -t u32 small >small_sorted

# limited COMMAND...: runs the command with files of at most 100 KiB and with the default action of SIGXFSZ, which
# kills. The host sorts, so that the limit does not affect the driver's compiler.
# shellcheck disable=SC2317 # called through expect and expect_error
limited() (
    ulimit -f 100
    CLSORT_DEVICE=host env --default-signal "$@"
)

expect_error "clsort: data: File too large" limited clsort -t u32 -o data data
same data original
expect_error "clsort: new: File too large" limited clsort -t u32 -o new data
[[ ! -e new ]] || fail "an incomplete output is left"
expect_error "clsort: standard output: File too large" eval 'limited clsort -t u32 data >new'
expect_error "clsort-gen: data: File too large" limited clsort-gen -n 200000 -o data
same data original
expect_error "clsort-gen: standard output: File too large" eval 'limited clsort-gen -n 200000 >new'

expect 0 limited clsort -t u32 -o small small # smaller than the limit
same small small_sorted
no_leftovers
finish
