#!/usr/bin/env bash
# tool_runs.sh - clsort-mpi sorts what exceeds the memory of the ranks in runs
#
# shellcheck source=tests/mpi/tool_lib.sh
source "$(dirname "$0")/tool_lib.sh"

# Keys: several runs of each rank, all equal, in order already, and of few values, so that equal keys are divided.
clsort-gen -t u64 -n 300007 -s 3 -o data >/dev/null
in_runs 3 -t u64 data
in_runs 1 -t u64 -r data
clsort -t u64 -o ordered data
in_runs 2 -t u64 ordered
clsort-gen -t f32 -n 500009 -d equal -o data >/dev/null
in_runs 7 -t f32 data
clsort-gen -t f16 -n 500009 -d special -o data >/dev/null
in_runs 3 -t f16 --numeric data

# Few elements are on some ranks only.
clsort-gen -t u32 -n 3 -o few >/dev/null
memory=600000 in_runs 7 -t u32 few

# Records with few keys: the sort is stable.
clsort-gen --record=100 -n 30011 -d few -o records >/dev/null
in_runs 3 --record 100 -k 0:bytes10 records
in_runs 2 --record 100 -k 0:bytes10 --argsort records

# Indexes and selections: the parts of some ranks are no part of the output.
clsort-gen -t u32 -n 300007 -d few -o data32 >/dev/null
in_runs 3 -t u32 --argsort data32
in_runs 3 -t u32 --top 250000 data32
in_runs 3 -t u32 --argsort --nth 150000 data32

# Several files, and folders of temporary files.
mkdir one two
in_runs 3 -t f16 -T one -T two data few

# The part of each rank is about as large as the others, whatever the keys are.
clsort-gen -t u32 -n 400000 -d equal -o data >sum
CLSORT_EXTERNAL_MEMORY=600000 expect 0 ranks 4 clsort-mpi -t u32 -S 20M --sum --stats=json -o sorted data
same out sum
written=$(grep -o '"phase":"merging[^}]*' err | grep -o '"written_bytes":[0-9]*' | tail -n 1 | cut -d : -f 2)
[[ -n $written && $written -lt 450000 ]] || fail "rank 0 has written $written of 1600000 bytes"

# The progress is that of rank 0: each phase at its end, and all of its bytes.
shows() {
    expect 0 ranks 3 clsort-mpi -t u32 --progress=json -S "$1" -o sorted data
    sed -nE 's/^\{"phase":"([^"]*)",.*"bytes":([0-9]+),"total_bytes":\2,.*/\1/p' err >phases
    [[ $(paste -s -d , phases) == "$2,waiting for the disk" ]] || fail "--progress=json: $(cat err)"
}
shows 1G 'reading,sorting,writing'
CLSORT_EXTERNAL_MEMORY=600000 shows 20M 'forming runs,exchanging,merging'
expect 0 ranks 2 clsort-mpi -t u32 --check --progress sorted
[[ $(cat err) == 'checking: 781.2 KiB of 781.2 KiB (100%)'* ]] || fail "--progress: $(cat err)"
expect 0 ranks 2 clsort-mpi -t u32 -q -o sorted data
[[ ! -s err ]] || fail "--quiet: $(cat err)"

# Too little memory is an error before anything is read.
refuses 2 "data: out of memory: each of 2 ranks needs " -t u32 -S 1M -o sorted data
export CLSORT_EXTERNAL_MEMORY=600000
refuses 2 "data: out of memory: each of 2 ranks needs " -t u32 --unique -S 20M -o sorted data
contains err "--unique keeps all keys in memory"
clsort-gen -t u8 -n 32M -o bytes >/dev/null
refuses 2 "bytes: out of memory: each of 2 ranks needs " -t u8 --unique -S 160M -o sorted bytes
contains err " ranks with as much suffice"
rm bytes

# One rank has no folder for temporary files, or no space there: all fail, and the message names it.
echo before >sorted
command=(clsort-mpi -t u32 -S 20M -o sorted data)
expect 2 ranks 1 "${command[@]}" : -n 1 env TMPDIR=missing "${command[@]}"
says_once "clsort-mpi: rank 1 on $(uname -n): missing: No such file or directory"
[[ $(cat sorted) == before ]] || fail "the output has changed after an error"
no_leftovers
finish
