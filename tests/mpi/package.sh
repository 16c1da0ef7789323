#!/usr/bin/env bash
# package.sh - an installed libclsort-mpi is found by CMake and by pkg-config: package.sh MPI_C_COMPILER
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
mpicc=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cmake -S "$root" -B "$folder/build" -DCMAKE_BUILD_TYPE=Debug -DCLSORT_BUILD_MPI=ON -DCLSORT_BUILD_TOOLS=OFF \
    -DCLSORT_BUILD_EXAMPLES=OFF -DMPI_C_COMPILER="$mpicc" -DCMAKE_INSTALL_LIBDIR=lib \
    -DCMAKE_INSTALL_PREFIX="$folder/first" >"$folder/log"
cmake --build "$folder/build" --parallel 2 --target install >>"$folder/log" || {
    tail -30 "$folder/log" >&2
    exit 1
}
mv "$folder/first" "$folder/prefix" # the package can be moved

example=$root/examples/12_mpi_ranks.c
cmake -S "$here/consumer" -B "$folder/consumer" -DCMAKE_PREFIX_PATH="$folder/prefix" -DMPI_C_COMPILER="$mpicc" \
    -DSOURCE="$example" >"$folder/log"
cmake --build "$folder/consumer" >>"$folder/log"
bash "$here/ranks.sh" 2 "$folder/consumer/consumer"

export PKG_CONFIG_PATH=$folder/prefix/lib/pkgconfig
read -ra words <<<"$(pkg-config --cflags --libs clsort-mpi)"
"$mpicc" -o "$folder/program" "$example" "${words[@]}" "-Wl,-rpath,$folder/prefix/lib"
bash "$here/ranks.sh" 2 "$folder/program"

# A component that does not exist is not found.
sed 's/COMPONENTS mpi/COMPONENTS other/' "$here/consumer/CMakeLists.txt" >"$folder/CMakeLists.txt"
if cmake -S "$folder" -B "$folder/other" -DCMAKE_PREFIX_PATH="$folder/prefix" >"$folder/log" 2>&1; then
    echo "package.sh: the component \"other\" was found" >&2
    exit 1
fi
