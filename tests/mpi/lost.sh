#!/usr/bin/env bash
# lost.sh - MPI's launcher ends all ranks in time if one is lost: lost.sh RANKS COMMAND...
set -euo pipefail

status=0
timeout 60 bash "$(dirname "$0")/ranks.sh" "$@" || status=$?
if ((status == 0 || status == 124)); then
    echo "lost.sh: status $status although a rank was lost" >&2
    exit 1
fi
