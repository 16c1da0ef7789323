#!/usr/bin/env bash
# figures.sh - the figures in texts and the charts agree with the committed results, and a difference is found
#
# Run in the source folder.
set -euo pipefail

python3 -c '' 2>/dev/null || { echo "skipped: no python3 here" && exit 77; }
export PYTHONDONTWRITEBYTECODE=1
python3 scripts/figures.py --check

# A copy in which one digit of a table differs
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -r README.md docs bench "$copy"
sed -i '/<!-- figure: h200-strongest -->/,/<!-- \/figure -->/ s/46\.1 us/46.2 us/' "$copy/README.md"
if cmp -s README.md "$copy/README.md"; then
    echo "figures.sh: the table to edit is not in README.md" >&2
    exit 1
fi
if CLSORT_ROOT=$copy python3 scripts/figures.py --check >"$copy/found"; then
    echo "figures.sh: a changed digit in README.md was not found" >&2
    exit 1
fi
grep -q 'README.md:.*h200-strongest' "$copy/found"

# Results of host arrays on another device are in the texts and have a chart.
cp README.md "$copy"
sed 's/"n":16,/"n":65536,/' docs/benchmarks/host.jsonl >"$copy/docs/benchmarks/h200-host.jsonl"
if CLSORT_ROOT=$copy python3 scripts/figures.py --check >"$copy/found"; then
    echo "figures.sh: new results of host arrays were not found" >&2
    exit 1
fi
for found in README.md:.*host-arrays benchmarks/README.md:.*host-counts h200-u32-host.svg; do
    grep -q "$found" "$copy/found" || { echo "figures.sh: no difference at $found" >&2 && exit 1; }
done
