#!/usr/bin/env bash
# test.sh - sets up, builds and tests: test.sh [--full | --part N | --device NAME] [CTEST OPTION]...
#
# Without options: a quick selection of the tests, which takes at most 8 minutes on 2 cores. With --full, every test,
# which takes more than an hour. With --part, the quick selection and a sixteenth of the other tests; N is from 1 to 16.
# All run on PoCL, rusticl and Oclgrind. CTest's options select among all tests: -R sort.matrix, -L rusticl.
#
# With --device: the sort and api tests on one device, in a build of their own. NAME is what clsort finds it by: "gpu",
# "0", or a part of its name.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset=dev
if [[ ${1:-} == --device ]]; then
    preset=device
    export CLSORT_TEST_DEVICE=${2:?usage: test.sh --device NAME [CTEST OPTION]...}
    shift 2
elif [[ ${1:-} == --full ]]; then
    shift
elif [[ ${1:-} == --part ]]; then
    [[ ${2:-} =~ ^([1-9]|1[0-6])$ ]] || { echo "usage: test.sh --part N, from 1 to 16" >&2; exit 2; }
    set -- "${@:3}" --label-regex "^(quick|part$2)\$"
elif (($# == 0)); then
    set -- --label-regex '^quick$'
fi
scripts/setup.sh "$preset"
# Compilers of kernels use one core per test.
cores=$(nproc)
exec ctest --preset "$preset" --parallel "$((cores < 2 ? 2 : cores > 8 ? 8 : cores))" "$@"
