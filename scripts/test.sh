#!/usr/bin/env bash
# test.sh - sets up, builds and tests: test.sh [--device NAME] [CTEST OPTION]...
#
# Without --device every test there is, on PoCL, rusticl and Oclgrind. With it the sort and api tests on one
# device, which clsort finds by that name ("gpu", "0", a part of its name), in a build of their own.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset=dev
if [[ ${1:-} == --device ]]; then
    preset=device
    export CLSORT_TEST_DEVICE=${2:?usage: test.sh --device NAME [CTEST OPTION]...}
    shift 2
fi
scripts/setup.sh "$preset"
exec ctest --preset "$preset" "$@"
