#!/usr/bin/env bash
# tune.sh - clsort-tune: the file that it writes and clsort reads; a failed run leaves an old file unchanged
#
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

# clsort-tune allocates a fraction of the device's memory, which on PoCL is the machine's. With 1 GiB that is fast.
export POCL_MEMORY_LIMIT=1
export CLSORT_CONFIG_DIR=$work/config/deep # does not exist yet
unset XDG_CONFIG_HOME
export HOME=$work/home

# Measures u32 keys. A limit on buffers makes 2^4 the only count.
short=(env CLSORT_MAX_ALLOC=1000 clsort-tune --kind=keys4)
too_short=(clsort-tune -t 0.01)

# the_file FOLDER: prints the path of the only file in the folder.
the_file() {
    local files
    mapfile -t files < <(find "$1" -mindepth 1)
    [[ ${#files[@]} -eq 1 && -f ${files[0]} && ${files[0]} == *.tune ]] ||
        fail "$1 does not contain exactly one file: ${files[*]}"
    echo "${files[0]}"
}

# is_tuning FILE KIND...: the file is for this version and device, and has the ladders of exactly these kinds, which
# clsort-tune printed to err.
is_tuning() {
    local kind
    [[ $(sed -n 1p "$1") == "clsort-tune $version" ]] || fail "its first line: $(head -n 1 "$1")"
    [[ $(sed -n 2p "$1") == "device $device" ]] || fail "its second line: $(sed -n 2p "$1")"
    for kind in "${@:2}"; do
        contains err "$(grep "^$kind: " "$1") (up to 2^"
    done
    [[ $(grep -cvE '^(clsort-tune|device|#)' "$1") -eq $(($# - 1)) ]] || fail "not exactly ${*:2}: $(cat "$1")"
}

# chosen COUNT LADDER: prints the algorithm of the ladder for this count.
chosen() {
    local count=$1 step name max
    while read -r -d ';' step; do
        read -r name max <<<"$step"
        if ((count <= ${max:-count})); then
            echo "$name"
            return
        fi
    done <<<"$2;"
}

# explained ALGORITHM OPTION...: clsort would use the algorithm because the file selects it.
explained() {
    local algorithm=$1
    shift
    expect 0 clsort --explain "$@"
    grep -qE "^plan +$algorithm .*: measured on this device by clsort-tune" out ||
        fail "the plan is not '$algorithm' by clsort-tune: $(cat out)"
}

clsort-gen -n 100001 -o more >/dev/null
head -c 400000 more >data
expect 0 clsort -t u32 --explain data
device=$(sed -n 's/^device *//p' out)
version=$(clsort-tune --version | sed 's/^clsort-tune //')
[[ -n $device && $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "version '$version', device '$device'"
grep -q "clsort-tune" out && fail "the explanation names a file that does not exist"

# -- clsort uses the file --
expect 0 "${short[@]}"
[[ ! -s out ]] || fail "clsort-tune wrote to standard output: $(cat out)"
file=$(the_file config/deep)
contains err "written to $work/$file"
is_tuning "$file" "keys 4"
explained "$(chosen 100000 "$(sed -n 's/^keys 4: //p' "$file")")" -t u32 data
expect 0 clsort --explain -t u64 data
grep -q "clsort-tune" out && fail "keys of 8 bytes were not measured: $(cat out)"
# Replaces the ladder of u32 keys. The first lines of the file are valid.
sed -i '/^keys 4: /d' "$file"
echo "keys 4: merge 100000; radix" >>"$file"
explained merge -t u32 data
explained radix -t u32 more
expect 0 clsort -t u32 -o sorted more
expect 0 clsort -t u32 -c sorted
sed -i 's/^device /device not /' "$file"
expect 0 clsort -t u32 --explain data
grep -q "clsort-tune" out && fail "another device's file was read: $(cat out)"

# -- the path of the file --
expect 0 "${short[@]}" -o -
mv out here
is_tuning here "keys 4"
contains "$file" "device not $device" # the run did not change it
(umask 027 && "${short[@]}" --output=here 2>err >out) # replaces the old file
is_tuning here "keys 4"
[[ ! -s out ]] || fail "clsort-tune wrote to standard output: $(cat out)"
expect 0 "${short[@]}" # replaces the old file here, too
is_tuning "$(the_file config/deep)" "keys 4"
# The folder is created before the measurement.
CLSORT_CONFIG_DIR=relative/folder expect 2 "${too_short[@]}"
XDG_CONFIG_HOME=$work/xdg expect 2 env -u CLSORT_CONFIG_DIR "${too_short[@]}"
expect 2 env -u CLSORT_CONFIG_DIR "${too_short[@]}"
for folder in relative/folder xdg/clsort home/.config/clsort; do
    [[ -d $folder ]] || fail "no folder $folder"
done
no_leftovers

# -- ladders that this run does not measure stay, unless the old file is invalid, or with --output --
file=$(the_file config/deep)
sed -i '3,$d' "$file"
printf 'pairs 1: merge\n# as before\n' >>"$file"
expect 0 "${short[@]}"
grep -q '^keys 4: ' "$file" || fail "not measured: $(cat "$file")"
[[ $(tail -n 2 "$file") == $'pairs 1: merge\n# as before' ]] || fail "lost: $(cat "$file")"
cp "$file" valid
expect 0 "${short[@]}" -o here
is_tuning here "keys 4"
expect 0 "${short[@]}" --kind=pairs1
is_tuning "$file" "keys 4" "pairs 1"

# -- too little time --
# seconds: those in which the first kind is measured. All kinds take longer.
seconds=0.25
while
    CLSORT_MAX_ALLOC=1000 expect_error "clsort-tune: $seconds s is too little: the measurement takes about " \
        clsort-tune -t "$seconds" -o partial
    ! grep -q '^keys 4: ' err
do
    seconds=$(awk "BEGIN { print 2 * $seconds }")
    ((${seconds%.*} < 300)) || break
done
contains err " s; set --time, or measure fewer kinds of sorts by --kind"
[[ ! -e partial ]] || fail "a measurement that is not complete was written"
needed=$(sed -nE 's/.* takes about ([0-9]+) s;.*/\1/p' err)
awk "BEGIN { exit !($needed > $seconds) }" || fail "$needed s should suffice, but $seconds s do not"

# -- errors: nothing is written --
rm -rf config home xdg relative here
before=$(find . | sort)
for time in 0 -1 x 5x inf nan 1e999; do
    expect_error "--time=$time: not a positive number of seconds" clsort-tune --time="$time"
done
for kind in keys keys3 "keys 4" keys44 pair4; do
    expect_error "--kind=$kind: unknown kind; the kinds are keys1, keys2, " clsort-tune --kind="$kind"
done
expect_error "unrecognized option '--fast'" clsort-tune --fast
expect_error "unexpected argument 'data'" clsort-tune data
expect_error "clsort-tune: --device: no device's name contains \"no-such-device\"" clsort-tune --device=no-such-device
expect_error "clsort-tune: CLSORT_DEVICE: no device's name contains \"no-such-device\"" \
    env CLSORT_DEVICE=no-such-device clsort-tune
expect_error "--output: required, because there is no configuration folder" env CLSORT_CONFIG_DIR= clsort-tune
expect_error "--output: required, because there is no configuration folder" env -u CLSORT_CONFIG_DIR -u HOME clsort-tune
CLSORT_CONFIG_DIR=data/folder expect_error ": Not a directory" clsort-tune
CLSORT_CONFIG_DIR=/proc/clsort expect_error ": No such file or directory" clsort-tune
expect_error "none/here: No such file or directory" clsort-tune -o none/here
mkdir folder
expect_error "folder: Is a directory" clsort-tune -o folder
rmdir folder
[[ $(find . | sort) == "$before" ]] || fail "files were added or removed: $(find .)"

# -- a failed run leaves the old file unchanged --
export CLSORT_CONFIG_DIR=$work/config
mkdir config
file=config/${file##*/}
sed '3,$d' valid >"$file"
echo "keys 4: merge 100000; radix" >>"$file"
cp "$file" old
expect 2 "${short[@]}" -o /dev/full
contains err "/dev/full: No space left on device"
for option in "" --output=new --output=-; do
    # shellcheck disable=SC2086
    expect_error "clsort-tune: 0.01 s is too little: the measurement takes about " "${too_short[@]}" $option
done
[[ ! -e new ]] || fail "a run that measured nothing wrote a file: $(cat new)"
same "$file" old
no_leftovers

# -- so does a killed run --
for signal in INT TERM HUP KILL; do
    # Background jobs ignore SIGINT, and a program inherits that.
    env --default-signal clsort-tune 2>/dev/null &
    job=$!
    (cd config && await_temporary -e $job)
    kill -$signal $job
    wait $job 2>/dev/null
    status=$?
    [[ $status -eq $((128 + $(kill -l $signal))) ]] || fail "SIG$signal: status $status"
    same "$file" old
    if [[ $signal == KILL ]] && ! supports_unnamed; then
        rm -f config/.clsort-*
    fi
    no_leftovers
done
explained merge -t u32 data

# -- help --
expect 0 clsort-tune --help
for word in --device --kind --time --output CLSORT_DEVICE CLSORT_CACHE_DIR CLSORT_CONFIG_DIR XDG_CONFIG_HOME \
    "Exit status"; do
    contains out "$word"
done

finish
