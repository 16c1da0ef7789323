#!/usr/bin/env bash
# reuse.sh - every file has a copyright and a licence whose text is in LICENSES
#
# Run in the source folder. scripts/setup.sh installs the tool in build/reuse, because versions before 4, such as that
# of Debian 12, do not read REUSE.toml.
set -euo pipefail

tool=$(command -v build/reuse/bin/reuse || command -v reuse || true)
if [[ -z $tool || ! $("$tool" --version) =~ ([0-9]+)\.[0-9]+ || ${BASH_REMATCH[1]} -lt 4 ]]; then
    echo "skipped: no reuse 4 or later"
    exit 77
fi
"$tool" lint --lines >&2
