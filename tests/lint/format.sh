#!/usr/bin/env bash
# format.sh - the sources are formatted by clang-format
#
# Run in the source folder. The output of clang-format depends on its version, so that version 14 is required.
set -euo pipefail

tool=$(command -v clang-format-14 || command -v clang-format || true)
if [[ -z $tool || $("$tool" --version) != *'version 14.'* ]]; then
    echo "skipped: no clang-format 14"
    exit 77
fi
find include src cl tests bench examples tools -regex '.*\.\(c\|h\|cl\|cpp\|hpp\)' -print0 |
    xargs -0 "$tool" --dry-run -Werror
