#!/usr/bin/env bash
# tool_sort.sh - clsort-mpi writes the same files as clsort, on 1 to 7 ranks
#
# shellcheck source=tests/mpi/tool_lib.sh
source "$(dirname "$0")/tool_lib.sh"

# Types and orders. More ranks than elements, no elements, and parts of different sizes are among them.
counts=(1 2 3 7)
number=0
for type in "${all_types[@]}"; do
    clsort-gen -t "$type" -n 5003 -d special -s 5 -o data >/dev/null
    options=()
    ((number % 2)) && options+=(-r)
    [[ $type == f32 || $type == f64 ]] && options+=(--numeric)
    sorts "${counts[number % 4]}" -t "$type" "${options[@]}" data
    number=$((number + 1))
done
clsort-gen -t u64 -n 5 -o few >/dev/null
sorts 7 -t u64 few
: >empty
sorts 3 -t u64 empty
clsort-gen -t u32 -n 20001 -d equal -o equal >/dev/null
sorts 7 -t u32 equal
sorts 7 -t u32 --unique equal
clsort-gen -t u16 -n 90001 -d zipf -o data >/dev/null
sorts 3 -t u16 --unique data
sorts 3 -t u16 --unique few

# Records, whose order among equal keys shows that the sort is stable.
clsort-gen --record=100 -n 2003 -d few -o records >/dev/null
sorts 3 --record 100 -k 0:bytes10 records
sorts 2 --record 100 -k 0:u8:r -k 5:u16:be records
sorts 3 --record 100 -k 0:u8 --unique records

# Indexes: of keys that are packed with them, of others, and of records
sorts 3 --argsort -t u16 -r data
clsort-gen -t f64 -n 5003 -d special -o special >/dev/null
sorts 3 --argsort -t f64 --numeric special
sorts 3 --argsort --record 100 -k 0:u8:r records

# Selections of few keys, which each rank selects first, and of more. Equal keys show which ones are selected.
sorts 3 -t u16 --top 100 data
sorts 2 -t f64 --numeric --bottom 4000 special
sorts 3 -t u32 --argsort --bottom 30 equal
sorts 2 -t u32 --argsort --top 15000 equal
sorts 3 -t f64 --argsort --nth 20 -r special
sorts 7 -t u16 --nth 45000 data

# A .npy file, several files, and a list of them.
if find_python numpy; then
    "$python" -c 'import numpy; numpy.save("a.npy", numpy.random.default_rng(1).random(3001).astype(">f8"))'
    sorts 3 a.npy
    sorts 2 --unique a.npy
    sorts 3 --argsort a.npy
    sorts 2 --top 9 a.npy
    "$python" -c 'import numpy; numpy.save("times.npy", numpy.arange(35).reshape(5, 7).astype("<M8[s]")[::-1])'
    sorts 2 --axis=none times.npy
    sorts 3 --axis=none --argsort --bottom 9 times.npy
    cp a.npy b.npy
    sorts 3 a.npy b.npy
fi
sorts 3 -t u16 data empty few
printf '%s\0' few data >list
sorts 2 -t u16 --files0-from list

# In place, and a checksum.
clsort-gen -t i32 -n 9001 -o data >sum
expect 0 clsort -t i32 -o expected data
expect 0 ranks 3 clsort-mpi -t i32 --sum -o data data
same data expected
same out sum
no_leftovers

# What is printed on standard output is printed once.
expect 0 ranks 3 clsort-mpi --version
[[ $(wc -l <out) == 1 && ! -s err ]] || fail "--version: $(cat out)"
expect 0 ranks 2 clsort-mpi -t i32 --explain data
contains out "ranks    2"
contains out "part     4501 of each rank"
expect 0 ranks 2 clsort-mpi -t i32 --explain --argsort --top 3 data
contains out "output   indexes of 8 bytes of the 3 largest keys"
expect 0 ranks 2 clsort-mpi -t i32 --stats=json -o sorted data
contains err '"ranks":2'
[[ $(grep -c '"ranks"' err) == 1 ]] || fail "--stats=json: $(cat err)"
finish
