#!/usr/bin/env bash
# shell.sh - the scripts pass shellcheck
#
# Run in the source folder.
set -euo pipefail

if ! command -v shellcheck >/dev/null; then
    echo "skipped: no shellcheck"
    exit 77
fi
{
    printf '%s\0' .ci/run
    find scripts tests -name '*.sh' -print0
    find packaging/debian/tests -type f ! -name control -print0
} | xargs -0 shellcheck --external-sources --source-path=SCRIPTDIR
