#!/usr/bin/env bash
# warm.sh - clsort --warm compiles what later sorts need
#
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

export CLSORT_CACHE_DIR=$work/cache
expect 0 clsort --warm u16 --warm u16:4 --reverse
[[ ! -s out ]] || fail "--warm printed $(cat out)"
ls cache >before
[[ -s before ]] || fail "--warm left the cache empty"
for count in 1000 40000 300000 2000000; do
    clsort-gen -n $count -t u16 -o data >/dev/null
    expect 0 clsort -t u16 -r -o sorted data
    expect 0 clsort -t u16 -r -c sorted
done
ls cache >after
same before after
expect 0 clsort -t f64 --device 0 data # the cache is in use, so that other sorts add to it
ls cache >after
cmp -s before after && fail "another type adds nothing to the cache"

# Argsorts.
rm -r cache
expect 0 clsort --argsort --warm u16
ls cache >before
[[ -s before ]] || fail "--argsort --warm left the cache empty"
for count in 40000 2000000; do
    clsort-gen -n $count -t u16 -o data >/dev/null
    expect 0 clsort --argsort -t u16 --device 0 -o indexes data
done
ls cache >after
same before after

# -- errors --
expect_error "--warm=u33: unknown type" clsort --warm u33
expect_error "--warm cannot be combined with INPUT or --type" clsort --warm u16 data
expect_error "--warm cannot be combined with INPUT or --type" clsort --warm u16 -t u16
expect_error "only one of --check, --explain, --warm and --list-devices" clsort --warm u16 --check
expect_error "--output cannot be combined with" clsort --warm u16 -o new
expect_error "u16: --numeric supports floats only" clsort --warm u16 --numeric
expect_error '--algorithm: algorithm "fast": unknown' clsort --warm u16 --algorithm=fast
CLSORT_CACHE_DIR='' expect_error "--warm: CLSORT_CACHE_DIR is empty" clsort --warm u16
finish
