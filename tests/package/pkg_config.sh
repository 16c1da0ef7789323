#!/usr/bin/env bash
# pkg_config.sh - builds a program against an installed clsort by pkg-config, and runs it
#
#   pkg_config.sh PREFIX shared|static PROGRAM COMPILER [FLAG]... SOURCE
set -euo pipefail

prefix=$1 kind=$2 program=$3
shift 3

export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
options=(--cflags --libs)
if [[ $kind == static ]]; then
    options+=(--static)
fi
words=$(pkg-config "${options[@]}" clsort)
read -ra words <<<"$words"
"$@" -o "$program" "${words[@]}" "-Wl,-rpath,$(pkg-config --variable=libdir clsort)"
"$program"
