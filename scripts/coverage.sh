#!/usr/bin/env bash
# coverage.sh - line coverage of src/ by the tests on PoCL: coverage.sh [CTEST OPTION]...
#
# The tests fault.tool.*.alloc are left out: they make allocations of gcov fail too, which crashes
# it. The exit status is 1 if a test fails or the coverage is less than 95 %.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/setup.sh coverage
find build/coverage -name '*.gcda' -delete
failed=0
ctest --preset coverage "$@" || failed=1
gcovr --root . --object-directory build/coverage --filter src/ --exclude-unreachable-branches \
    --fail-under-line 95 build/coverage/src || failed=1
exit "$failed"
