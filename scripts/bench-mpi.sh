#!/usr/bin/env bash
# bench-mpi.sh - measures sorts over MPI ranks: bench-mpi.sh MPSORT [FILE [RUNS [COUNT]]]
#
# MPSORT is a folder with the sources of MP-sort (github.com/rainwoodman/MP-sort). The script builds clsort-bench-mpi
# for Open MPI and for MPICH, sorts COUNT u64 keys (default: 2^24) on each of two ranks, which are bound to a core each,
# and writes the results of RUNS runs (default: 21) to FILE (default: docs/benchmarks/mpi.jsonl). It takes a quarter of
# an hour, and needs the Debian packages libopenmpi-dev, openmpi-bin, libmpich-dev and mpich besides those of the bench.
set -euo pipefail

usage() {
    sed -n '2,7s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
    exit 2
}

[[ $# -ge 1 && $# -le 4 ]] || usage
mpsort=$(realpath "$1")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
file=$(realpath -m "${2:-$root/docs/benchmarks/mpi.jsonl}")
cd "$root"
part=$(mktemp)
trap 'rm -f "$part" "$part.all"' EXIT

# build MPI: builds clsort-bench-mpi in build/bench-MPI.
build() {
    cmake --preset bench -B "build/bench-$1" -DCLSORT_BUILD_MPI=ON "-DMPI_C_COMPILER=mpicc.$1" \
        "-DMPIEXEC_EXECUTABLE=$(command -v "mpirun.$1")" "-DCLSORT_MPSORT=$mpsort"
    cmake --build "build/bench-$1" --target clsort-bench-mpi
}

# launch MPI: sorts on two ranks.
launch() {
    local launcher=("mpirun.$1" -n 2)
    case $1 in
    openmpi) launcher+=(--bind-to core --mca btl "self,vader" -q) ;;
    mpich) launcher+=(-bind-to core) ;;
    esac
    [[ $1 != openmpi || $EUID -ne 0 ]] || launcher+=(--allow-run-as-root)
    "${launcher[@]}" "build/bench-$1/bench/mpi/clsort-bench-mpi" -n "$count" -r "$runs" -j "$part"
}

runs=${3:-21} count=${4:-2^24}
for mpi in openmpi mpich; do
    build "$mpi" >&2
done
: >"$part.all"
for mpi in openmpi mpich; do
    uptime
    launch "$mpi"
    uptime
    # The line about the machine is that of the first part.
    [[ -s $part.all ]] && sed -i 1d "$part"
    cat "$part" >>"$part.all"
done
cp "$part.all" "$file"
