#!/usr/bin/env bash
# figures.sh - the figures in texts and the charts agree with the committed results, and a difference is found
#
# Run in the source folder.
set -euo pipefail

python3 -c '' 2>/dev/null || { echo "skipped: no python3 here" && exit 77; }
export PYTHONDONTWRITEBYTECODE=1
python3 scripts/figures.py --check

# A copy in which a figure of a table differs
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -r README.md docs bench "$copy"
export CLSORT_ROOT=$copy
sed -i '/figure: h200-strongest/,/\/figure/ { /^| u32 keys/ s/\.[0-9] us;/.99 us;/ }' "$copy/README.md"
if cmp -s README.md "$copy/README.md"; then
    echo "figures.sh: the table to edit is not in README.md" >&2
    exit 1
fi
if python3 scripts/figures.py --check >"$copy/found"; then
    echo "figures.sh: a changed figure in README.md was not found" >&2
    exit 1
fi
grep -q 'README.md:.*h200-strongest' "$copy/found"

# A copy in which CUB took a second in the run of a named algorithm: only the ratio to this algorithm differs.
cp README.md "$copy"
awk '/"who":"clsort"/ { named = /"asked":"radix"/ }
    named && /"who":"cub(-64)?"/ { sub(/"median_s":[^,]*/, "\"median_s\":1") }
    { print }' docs/benchmarks/h200-results.jsonl >"$copy/docs/benchmarks/h200-results.jsonl"
if python3 scripts/figures.py --check >"$copy/found" || [[ $(grep -o ': h200-[a-z0-9-]*:' "$copy/found") != \
    ': h200-algorithms:' ]] || grep -q svg "$copy/found"; then
    echo "figures.sh: a ratio to a named algorithm is not from the run of that algorithm: $(cat "$copy/found")" >&2
    exit 1
fi

# Copies in which the slower one of two variants of CUB takes ten times as long, or one of them takes no time. Only
# results that are faster change a ratio.
scale_slower='
import json, sys
rows = [json.loads(line) for line in sys.stdin]
for row, other in zip(rows, rows[1:]):
    if (row.get("who"), other.get("who")) == ("cub", "cub-64") and row["n"] == other["n"]:
        max(row, other, key=lambda r: r["median_s"])["median_s"] *= 10
print("\n".join(json.dumps(row) for row in rows))'
python3 -c "$scale_slower" <docs/benchmarks/h200-results.jsonl >"$copy/docs/benchmarks/h200-results.jsonl"
python3 scripts/figures.py --check
sed '/"who":"cub-64"/ s/"median_s":[^,]*/"median_s":1e-6/' docs/benchmarks/h200-results.jsonl \
    >"$copy/docs/benchmarks/h200-results.jsonl"
if python3 scripts/figures.py --check >"$copy/found" || ! grep -q 'README.md:.*h200-strongest' "$copy/found"; then
    echo "figures.sh: the faster one of two variants of CUB was not found: $(cat "$copy/found")" >&2
    exit 1
fi

# A copy in which the distributions are in the same file as the sizes.
key_dists=docs/benchmarks/h200-key-dists.jsonl
{
    cat docs/benchmarks/h200-results.jsonl
    grep -v '"machine"' "$key_dists"
} >"$copy/docs/benchmarks/h200-results.jsonl"
rm "$copy/$key_dists"
python3 scripts/figures.py --check
cp "$key_dists" "$copy/$key_dists"

# Results of host arrays on another device are in the texts and have a chart.
cp docs/benchmarks/h200-results.jsonl "$copy/docs/benchmarks"
sed 's/"n":16,/"n":65536,/' docs/benchmarks/2-cores-avx2/host.jsonl >"$copy/docs/benchmarks/h100-host.jsonl"
if python3 scripts/figures.py --check >"$copy/found"; then
    echo "figures.sh: new results of host arrays were not found" >&2
    exit 1
fi
for found in README.md:.*host-arrays benchmarks/host-arrays.md:.*host-counts h100-u32-host.svg; do
    grep -q "$found" "$copy/found" || { echo "figures.sh: no difference at $found" >&2 && exit 1; }
done
