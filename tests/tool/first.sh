#!/usr/bin/env bash
# first.sh - clsort sorts on the host while kernels are not compiled and that is sooner, and reports it
#
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

export CLSORT_CACHE_DIR=$work/cache
host="algorithm  host u32 asc: without OpenCL, because compiling the kernels would take longer"
clsort-gen -n 100000 -o data >sum

# With an empty cache the host sorts, and no kernel is compiled.
expect 0 clsort -t u32 --stats -o sorted data
contains err "device     host"
contains err "$host"
# With AVX-512, opening the device compiles a short program.
grep -qw avx512f /proc/cpuinfo || grep -Eq '^build +0\.000000 s$' err || fail "programs were compiled: $(cat err)"
grep -Eq '^self-test +0\.000000 s$' err || fail "a self-test ran: $(cat err)"
expect 0 clsort -t u32 --check --sum sorted
same out sum

# Not if the user names a device or an algorithm.
expect 0 clsort -t u32 --stats -o sorted --algorithm=radix data
contains err "algorithm  radix u32"
CLSORT_DEVICE=0 expect 0 clsort -t u32 --stats -o sorted data
lacks err "$host"
grep -Eq '^build +0\.000000 s$' err && fail "no program was compiled: $(cat err)"
expect 0 clsort -t u32 --check --sum sorted
same out sum

# Once they are compiled, the device sorts.
expect 0 clsort -t u32 --stats=json -o sorted data
lacks err "host"
if command -v python3 >/dev/null; then
    python3 -c 'import json, sys
stats = json.load(sys.stdin)
parts = [stats[k] for k in ("platform_s", "build_s", "self_test_s")]
assert abs(sum(parts) - stats["setup_s"]) < 1e-6 and min(parts) >= 0 and stats["self_test_s"] == 0' <err ||
        fail "JSON: $(cat err)"
fi
finish
