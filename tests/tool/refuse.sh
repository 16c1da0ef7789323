#!/usr/bin/env bash
# refuse.sh - what clsort and clsort-gen refuse because it is probably a mistake, and --force
#
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

clsort-gen -n 1000 -o data >/dev/null

# -- raw files without a type --
for mode in "-o new" --check --explain; do
    # shellcheck disable=SC2086
    expect_error "clsort: data: the type of the keys is unknown; give it by --type, for example --type=u32" \
        clsort $mode data
done
expect_error "clsort: standard input: the type of the keys is unknown" eval 'cat data | clsort'
clsort-gen -n 10 --npy -o data.npy >/dev/null
expect 0 clsort data.npy

# -- text and other formats, from files and pipes --
# refused REASON FILE: the file is refused in every mode, also from a pipe, and sorted with --force.
refused() {
    local mode
    for mode in "-o new" --check --explain; do
        # shellcheck disable=SC2086
        expect_error "clsort: $2: $1" clsort -t u8 $mode "$2"
    done
    expect_error "clsort: standard input: $1" eval "cat $2 | clsort -t u8"
    expect 0 clsort -t u8 --force "$2"
    [[ $(stat -c %s out) == "$(stat -c %s "$2")" ]] || fail "--force does not sort all of $2"
}
text="is text, and clsort sorts binary numbers; GNU sort sorts text"
seq 100000 >numbers
refused "$text" numbers
head -c 4095 numbers | tr '\n' ' ' >one_line
expect 0 clsort -t u8 one_line
{ head -c 4095 numbers && printf 'é\n'; } >divided # the first 4 KiB end within a character
refused "$text" divided
printf 'größer, kleiner\n' >utf8
refused "$text" utf8
printf '12345678901234\n' >short # 15 bytes are not judged
expect 0 clsort -t u8 short
printf '123456789012345\n' >long_enough
refused "$text" long_enough
printf '12345678901\n3456\0' >with_nul
expect 0 clsort -t u8 with_nul
printf '12345678901\n3456\xff' >latin1
expect 0 clsort -t u8 latin1

# format REASON BYTES: a file that begins with these bytes, and has others after them, is refused.
format() {
    { printf '%b' "$2" && head -c 400 /dev/zero; } >file
    refused "$1" file
}
format "is a zip archive" 'PK\x03\x04'
format "is an empty zip archive" 'PK\x05\x06'
format "is compressed by gzip; unpack it first" '\x1f\x8b\x08'
format "is compressed by bzip2" 'BZh91AY&SY'
format "is compressed by xz" '\xfd7zXZ\0'
format "is compressed by zstd" '\x28\xb5\x2f\xfd'
format "is compressed by lz4" '\x04\x22\x4d\x18'
format "is a 7z archive" '7z\xbc\xaf\x27\x1c'
format "is a PDF document" '%PDF-'
format "is a PNG image" '\x89PNG\r\n\x1a\n'
format "is a JPEG image" '\xff\xd8\xff\xe0'
format "is an ELF program" '\x7fELF'
format "is an HDF5 file" '\x89HDF\r\n\x1a\n'
format "is a Parquet file" PAR1
format "is an Arrow file" ARROW1
format "is a Feather file" FEA1
format "is an SQLite database" 'SQLite format 3\0'
tar -cf file data
refused "is a tar archive" file
[[ ! -e new ]] || fail "a refused sort created its output"

# -- options that are given twice --
for pair in "-o x -o y" "--type=u8 --type=u16" "--device=0 --device=1" "--algorithm=local --algorithm=cpu" \
    "--stats --stats=json"; do
    # shellcheck disable=SC2086
    expect_error "is given twice, with different values: '" clsort $pair data
done
expect_error "--output is given twice, with different values: 'x' and 'y'" clsort -t u32 -o x --output=y data
expect 0 clsort -t u32 --type=u32 --stats --stats=text data
expect_error "--count is given twice, with different values: '1' and '2'" clsort-gen -n 1 -n 2
expect_error "--time is given twice, with different values: '1' and '2'" clsort-tune -t 1 -t 2

# -- numbers --
for number in " 5" +5 -5 "5 " 0x5 x; do
    expect_error "--count=$number: not a number of keys" clsort-gen -n "$number"
    expect_error "--seed=$number: not an unsigned integer" clsort-gen -n 1 -s "$number"
    expect_error "--warm=u8:$number: the size of values must be a number from 1 to 2^30" clsort --warm "u8:$number"
done
expect_error "--count: its argument COUNT is empty" clsort-gen -n ""
for number in " 5" +5 0x5 5e1 .; do
    expect_error "--time=$number: not a positive number of seconds" clsort-tune -t "$number"
done
expect 0 clsort-gen -n 2^3 -o eight
[[ $(stat -c %s eight) == 32 ]] || fail "2^3 keys have $(stat -c %s eight) bytes"

# -- help --
for tool in clsort clsort-gen clsort-tune; do
    expect 0 $tool --help
    mv out help
    expect 0 $tool -h
    same out help
done

# -- binary data to a terminal --
command -v script >/dev/null || skip "script (util-linux) is not installed; all other tests passed: $((failures == 0))"
# on_terminal COMMAND: runs the command on a terminal. Its output is in the file out.
on_terminal() {
    script -qec "$1" /dev/null </dev/null >out
}
for command in "clsort -t u32 data" "clsort -t u32 --output=- data" "clsort-gen -n 10"; do
    on_terminal "$command" && fail "$command wrote to a terminal"
    contains out "${command%% *}: standard output: binary data are not written to a terminal"
    on_terminal "$command --force" || fail "$command --force failed: $(cat out)"
done
on_terminal "clsort -t u32 -o new data" || fail "--output on a terminal failed: $(cat out)"

no_leftovers
finish
