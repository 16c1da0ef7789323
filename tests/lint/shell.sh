#!/usr/bin/env bash
# shell.sh - shellcheck has nothing to say about the scripts
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
} | xargs -0 shellcheck --external-sources --source-path=SCRIPTDIR
