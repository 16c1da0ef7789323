#!/usr/bin/env bash
# layouts.sh - no struct that the host and kernels share has padding
#
# Compilers of kernels may pad differently, and rusticl refuses a struct as an argument if it ends with padding. Run in
# the source folder.
set -euo pipefail

command -v gcc >/dev/null || { echo "skipped: no gcc here"; exit 77; }

for layout in cl/*/layout.h; do
    printf '#include "%s"\n' "$layout"
done | gcc -x c -std=c11 -fsyntax-only -Icl -I. -Isrc -Wpadded -Werror -
