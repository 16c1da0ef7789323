#!/usr/bin/env bash
# test.sh - sets up, builds the preset dev and runs its tests on PoCL: test.sh [CTEST OPTION]...
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/setup.sh dev
exec ctest --preset dev "$@"
