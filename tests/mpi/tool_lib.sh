#!/usr/bin/env bash
# tool_lib.sh - functions of the tests of clsort-mpi: starts ranks under the MPI of the build
#
# The tests source this file. CTest sets CLSORT_TOOLS as for the other tools, and CLSORT_MPIEXEC to the launcher.
# shellcheck disable=SC2034 # for tests/tool/lib.sh
in_memory=1
tests=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/tool/lib.sh
source "$tests/../tool/lib.sh"

# The host sorts, so that no kernels are compiled.
export CLSORT_DEVICE=host

"$CLSORT_MPIEXEC" --version 2>&1 | grep -q 'Open MPI\|OpenRTE' && is_open_mpi=1

# ranks N COMMAND...: runs the command on N ranks.
# shellcheck disable=SC2317 # called through expect
ranks() {
    bash "$tests/ranks.sh" "$@"
}

# says_once TEXT: standard error has the text in one line only.
says_once() {
    [[ $(grep -cF -- "$1" err) == 1 ]] || fail "'$1' is not once in standard error: $(cat err)"
}

# refuses RANKS TEXT ARGUMENT...: clsort-mpi fails with status 2, and a message that one rank prints. No file is left.
refuses() {
    local count=$1 text=$2
    shift 2
    expect 2 ranks "$count" clsort-mpi "$@"
    says_once "clsort-mpi: $text"
    no_leftovers
}

# sorts RANKS ARGUMENT...: clsort-mpi with these arguments writes the file that clsort writes.
sorts() {
    local count=$1
    shift
    expect 0 clsort "$@" -o expected
    expect 0 ranks "$count" clsort-mpi "$@" -o sorted
    cmp sorted expected >&2 || fail "clsort-mpi $* on $count ranks differs from clsort"
    rm -f sorted
}

# in_runs RANKS ARGUMENT...: the same for a sort in runs.
in_runs() {
    CLSORT_EXTERNAL_MEMORY=${memory:-600000} sorts "$@" -S 20M --stats
    grep -Eq '^passes' err || fail "clsort-mpi $* did not sort in runs: $(cat err)"
    no_leftovers
}
