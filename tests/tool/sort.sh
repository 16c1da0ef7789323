#!/usr/bin/env bash
# sort.sh - clsort sorts every type and order, from and to files and pipes, and a file onto itself
#
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

# The device sorts, even if the kernels are not compiled yet.
[[ ${CLSORT_TEST_NO_DEVICE:-} == 1 ]] || export CLSORT_DEVICE=0

# numbers TYPE FILE: prints the integers of the file, one per line.
numbers() {
    local letter=${1:0:1} size=$((${1:1} / 8))
    od -An -v -w$size -t "${letter/i/d}$size" "$2" | tr -d ' '
}

# sorts TYPE OPTIONS: sorts the file data and checks the result, which is in the file out.
sorts() {
    # shellcheck disable=SC2086 # several options in one word
    expect 0 clsort -t "$1" $2 data
    mv out sorted
    # shellcheck disable=SC2086
    expect 0 clsort -t "$1" $2 --check --sum sorted
    same out sum
    mv sorted out
}

for type in "${all_types[@]}"; do
    for count in 0 1 5003 100003; do
        # Large arrays are sorted on the device, which compiles for each type and order. Three types suffice.
        [[ $count -gt 5003 && $type != @(u16|i32|f64) ]] && continue
        clsort-gen -t "$type" -n $count -d special -s 5 -o data >sum
        sorts "$type" ""
        if [[ $type != f* ]]; then
            numbers "$type" data | sort -n >expected
            numbers "$type" out | cmp - expected || fail "$count $type ascending"
        fi
        sorts "$type" --reverse
        if [[ $type != f* ]]; then
            numbers "$type" out | sort -n -r -c || fail "$count $type descending"
        else
            sorts "$type" --numeric
            sorts "$type" "--numeric -r"
        fi
    done
done

# Inputs and outputs.
clsort-gen -n 100000 -o data >/dev/null
expect 0 clsort -t u32 data
mv out sorted
cp data original

expect 0 clsort -t u32 <data
same out sorted
expect 0 clsort -t u32 - <data
same out sorted
clsort -t u32 < <(cat data) | cat >out || fail "from a pipe to a pipe"
same out sorted
{ head -c 5 data && sleep 0.1 && tail -c +6 data; } | clsort -t u32 >out || fail "from a slow pipe"
same out sorted
(dd bs=4 count=25000 of=/dev/null status=none && clsort -t u32) <data >out || fail "from the middle"
tail -c 300000 data | clsort -t u32 | cmp - out ||
    fail "the input from the middle of a file is not the rest of the file"
expect 0 clsort -t u32 -o new data
same new sorted
[[ ! -s out ]] || fail "-o FILE wrote to standard output"
expect 0 clsort -t u32 --output=- data
same out sorted
same data original
expect 0 clsort -t u32 -o data data
same data sorted
cp original data
# shellcheck disable=SC2094 # intended: clsort reads the whole input before it writes
expect 0 clsort -t u32 -o data <data
same data sorted

# Larger than the initial buffer for input from a pipe.
clsort-gen -n 3M -s 2 -o large >sum
clsort -t u32 <large >from_file || fail "3 Mi from a file"
clsort -t u32 < <(cat large) >from_pipe || fail "3 Mi from a pipe"
same from_file from_pipe
expect 0 clsort -t u32 -c --sum from_pipe
same out sum

# Nothing is printed when kernels are compiled, not even by PoCL. (A missing device is reported.)
POCL_CACHE_DIR=$PWD/empty_cache expect 0 clsort -t u32 -o new original
same new sorted
[[ ${CLSORT_TEST_NO_DEVICE:-} == 1 || ! -s err ]] || fail "the compilation of kernels printed $(cat err)"

# Without OpenCL the host sorts.
unset CLSORT_DEVICE
mkdir no_platforms
clsort-gen -t f32 -n 100003 -d special -s 5 -o data >sum
expect 0 clsort -t f32 --device=host data
mv out sorted
expect 0 env OCL_ICD_VENDORS="$PWD/no_platforms" OCL_ICD_FILENAMES= clsort -t f32 data
contains err "clsort: OpenCL: there is no device; the host sorts (clsort --list-devices says what to install)"
same out sorted
head -c 131072 data >small # 2^15 keys, which the host sorts with a device, too
expect 0 env OCL_ICD_VENDORS="$PWD/no_platforms" OCL_ICD_FILENAMES= clsort -t f32 small
[[ ! -s err ]] || fail "a message about a device that would not be used: $(cat err)"
expect 0 env OCL_ICD_VENDORS="$PWD/no_platforms" OCL_ICD_FILENAMES= clsort -t f32 --explain small
contains out "plan     host f32 asc: without OpenCL, because there is no device"
expect_error "the host does not run algorithms of OpenCL devices" \
    env OCL_ICD_VENDORS="$PWD/no_platforms" OCL_ICD_FILENAMES= clsort -t f32 --algorithm=radix small
contains err "clsort: OpenCL: there is no device; the host sorts"
expect 0 clsort -t f32 --check --sum sorted
same out sum
expect 0 clsort -t f32 --device=host --explain data
contains out "device   host"
contains out "plan     host f32 asc: without OpenCL, as requested"
expect 0 clsort -t f32 --device=host --stats data
contains err "algorithm  host f32 asc: without OpenCL, as requested"

no_leftovers

finish
