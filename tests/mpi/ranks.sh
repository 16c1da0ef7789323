#!/usr/bin/env bash
# ranks.sh - starts a program on several ranks: ranks.sh RANKS COMMAND...
#
# CTest sets CLSORT_MPIEXEC to the launcher, and CLSORT_TEST_YIELD to the library of yield.c. There may be more ranks
# than cores: a rank that waits yields.
set -euo pipefail

launcher=("$CLSORT_MPIEXEC" -n "${1:?usage: ranks.sh RANKS COMMAND...}")
if "$CLSORT_MPIEXEC" --version 2>&1 | grep -q 'Open MPI\|OpenRTE'; then
    launcher+=(-q --oversubscribe --allow-run-as-root --mca mpi_yield_when_idle 1 --mca btl "self,vader")
else
    launcher+=(-genv LD_PRELOAD "$CLSORT_TEST_YIELD")
fi
exec timeout 300 "${launcher[@]}" "${@:2}"
