#!/usr/bin/env bash
# coverage.sh - which lines of src/ the tests on PoCL run, and which not: coverage.sh [CTEST OPTION]...
#
# Without fault.tool.*.alloc: in a program whose every allocation can fail, gcov's own do too, and it crashes.
# Ends with status 1 when a test fails, or less than 95 % of the lines are run.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/setup.sh coverage
find build/coverage -name '*.gcda' -delete
failed=0
ctest --preset coverage "$@" || failed=1
gcovr --root . --object-directory build/coverage --filter src/ --exclude-unreachable-branches \
    --fail-under-line 95 build/coverage/src || failed=1
exit "$failed"
