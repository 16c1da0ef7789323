#!/usr/bin/env bash
# bad_input.sh - errors of clsort: exit status 2, and a message with the file or option and the reason
#
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

clsort-gen -n 1000 -o data >/dev/null
cp data original

# -- input --
mkdir folder
head -c 1001 data >odd
for mode in "-o new" --check --explain; do
    # shellcheck disable=SC2086
    {
        expect_error "clsort: missing: No such file or directory" clsort -t u32 $mode missing
        expect_error "clsort: folder: Is a directory" clsort -t u32 $mode folder
        expect_error "clsort: data/x: Not a directory" clsort -t u32 $mode data/x
        expect_error "clsort: odd: size of 1001 bytes is not a multiple of 4, the size of u32" \
            clsort -t u32 $mode odd
        expect_error "clsort: data: --axis=0 requires a .npy file: raw files have no axes" \
            clsort -t u32 $mode --axis=0 data
        expect_error "clsort: data: --numeric supports floats only (the key type is u32)" \
            clsort -t u32 $mode --numeric data
    }
done
expect_error "standard input: size of 1001 bytes is not a multiple of 8, the size of f64" \
    eval 'clsort -t f64 <odd'
expect_error "standard input: size of 1001 bytes is not a multiple of 2, the size of i16" \
    eval 'cat odd | clsort -t i16'
expect_error "standard input: Is a directory" eval 'clsort -t u32 <folder'
expect_error "standard input: Bad file descriptor" eval 'clsort -t u32 <&-'

# -- usage --
for type in u33 int32 float U32; do
    expect_error "clsort: --type=$type: unknown type; the types are ${all_types[*]}, by their number of bits" \
        clsort --type=$type data
done
expect_error "--warm=f8:4: unknown type; the types are ${all_types[*]}, by" clsort --warm=f8:4
expect_error "several inputs cannot be combined with --check" clsort -c -t u32 data data
expect_error "clsort: unrecognized option '--fast'" clsort -t u32 --fast data
contains err "Try 'clsort --help' for more information."
expect_error "clsort: unrecognized option '-x'" clsort -t u32 -qx data
expect_error "clsort: option '--s' is ambiguous: --segments or --sum" clsort -t u32 --s data
expect_error "clsort: --quiet takes no argument: '--quiet=yes'" clsort -t u32 --quiet=yes data
for option in -t --type --ty; do
    expect_error "clsort: --type requires an argument: TYPE" clsort data $option
done
expect_error "clsort-gen: unexpected argument 'data'" clsort-gen -n 1 data
expect_error "clsort: --output: its argument FILE is empty" clsort -t u32 -o "" data
expect_error "clsort: the name of the input file is empty" clsort -t u32 ""
for tool in "clsort -t u32 data" clsort-tune; do
    # shellcheck disable=SC2086
    expect_error "${tool%% *}: --device: its argument DEVICE is empty" $tool --device ""
done
expect_error "--stats=xml: unknown form; use text or json" clsort -t u32 --stats=xml data
expect_error "--sum cannot be combined with --explain" clsort -t u32 --sum --explain data
expect_error "only one of --check, --explain, --warm and --list-devices can be given" \
    clsort -t u32 --check --explain data
for argument in data - --device=0; do
    expect_error "--list-devices cannot be combined with INPUT or --device: it lists all devices" \
        clsort --list-devices $argument
done
expect_error "--output cannot be combined with --check, --explain, --warm or --list-devices" \
    clsort -t u32 --check -o new data
expect_error "--stats cannot be combined with --check, --explain, --warm or --list-devices" \
    clsort -t u32 --explain --stats data

# -- device and algorithm --
for mode in "-o new" --explain; do
    # shellcheck disable=SC2086
    {
        expect_error 'clsort: --device: no device'"'"'s name contains "no-such-device"; the devices are 0: ' \
            clsort -t u32 $mode --device=no-such-device data
        expect_error 'clsort: --device: there is no device "99"; the devices are 0: ' \
            clsort -t u32 $mode --device=99 data
        CLSORT_DEVICE=nowhere expect_error "clsort: CLSORT_DEVICE: no device's name contains \"nowhere\"" \
            clsort -t u32 $mode data
        expect_error 'clsort: --algorithm: algorithm "fast": unknown; the names are auto, radix, onesweep, ' \
            clsort -t u32 $mode --algorithm=fast data
        expect_error "clsort: --algorithm: radix: parameter bits is \"99\": 1 to 8" \
            clsort -t u32 $mode --algorithm=radix:bits=99 data
        expect_error \
            'clsort: --algorithm: radix: unknown parameter "speed"; the parameters are bits, items, scatter' \
            clsort -t u32 $mode --algorithm=radix:speed=9 data
        expect_error \
            "clsort: --algorithm: count: counting sort supports keys of 8 or 16 bits only (the key type is u32)" \
            clsort -t u32 $mode --algorithm=count data
    }
done
# The loader searches a folder for platforms. This one is empty.
mkdir no_platforms
for mode in "--device=gpu data" "--list-devices" "--device=cpu --explain data"; do
    # shellcheck disable=SC2086
    OCL_ICD_VENDORS=$PWD/no_platforms OCL_ICD_FILENAMES='' \
        expect_error ": the OpenCL loader finds no platform: install " clsort -t u32 $mode
done
expect_error "--algorithm: radix: the host does not run algorithms" clsort -t u32 --device=host --algorithm=radix data

# -- output --
expect_error "clsort: none/new: No such file or directory" clsort -t u32 -o none/new data
expect_error "clsort: folder: Is a directory" clsort -t u32 -o folder data
ln -s nowhere dangling
expect_error "clsort: dangling: No such file or directory" clsort -t u32 -o dangling data
# Output into the input: shells truncate the file first, except with >> and <>.
clsort-gen -n 10 --npy -o data.npy >/dev/null
# shellcheck disable=SC2094 # intended
for file in data data.npy; do
    for redirection in '>' '>>' '1<>'; do
        cp "$file" same
        expect 2 eval "clsort --type=u32 same $redirection same"
        contains err "clsort: same: the input file is also standard output; use --output to sort a file in place"
        [[ $redirection == '>' ]] || same same "$file"
        expect 2 eval "clsort --type=u32 <same $redirection same"
        contains err "clsort: standard input: the input file is also standard output"
    done
done
cp data same
expect 2 eval 'clsort -t u32 -o /dev/fd/5 same 5<>same'
contains err "clsort: same: the input file is also /dev/fd/5"
same same data
expect 0 clsort -t u32 -o same same
expect_error "clsort: /dev/full: No space left on device" clsort -t u32 -o /dev/full data
expect_error "clsort: standard output: No space left on device" eval 'clsort -t u32 data >/dev/full'
expect_error "clsort: standard output: Bad file descriptor" eval 'clsort -t u32 data 3>&1 >&-'
expect_error "clsort: standard output: No space left on device" eval 'clsort --list-devices >/dev/full'
expect_error "clsort: standard output: No space left on device" eval 'clsort --help >/dev/full'

# -- permissions: as root, clsort runs without the right to ignore them --
# shellcheck disable=SC2317 # called through expect_error
deny() {
    if ((EUID == 0)); then
        setpriv --bounding-set=-dac_override,-dac_read_search clsort -t u32 "$@"
    else
        clsort -t u32 "$@"
    fi
}
touch secret
chmod 0 secret
if cat secret 2>/dev/null && ! setpriv --bounding-set=-dac_override,-dac_read_search true; then
    echo "not tested: permissions do not apply to this user"
else
    expect_error "clsort: secret: Permission denied" deny secret
    expect_error "clsort: secret: Permission denied" deny -o secret data
    cp data read_only
    chmod 444 read_only
    expect_error "clsort: read_only: Permission denied" deny -o read_only data
    mkdir locked
    cp data locked/file
    chmod 555 locked
    expect_error "clsort: locked/new: Permission denied" deny -o locked/new data
    expect_error "clsort: locked/file: Permission denied" deny -o locked/file data
    same locked/file data
    chmod 755 locked
fi

[[ ! -e new ]] || fail "a failed sort created its output"
same data original
no_leftovers
finish
