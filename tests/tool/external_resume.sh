#!/usr/bin/env bash
# external_resume.sh - a sort that is killed is continued by --resume, unless inputs, options or its files have changed
#
# CLSORT_FAIL_CALLS names the library fail_calls.c.
#
# shellcheck disable=SC2016,SC2034 # for eval and lib.sh
in_memory=1
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

export CLSORT_DEVICE=host CLSORT_EXTERNAL_MEMORY=600000
state=$PWD/state
sort_data=(clsort -S 1K -t u64 --resume state -o result data)

# runs: prints the number of runs of which the folder has a manifest.
runs() {
    local count
    count=$(grep -c '^run ' state/clsort-manifest 2>/dev/null)
    echo "${count:-0}"
}

# interrupted N COMMAND...: the command is killed once its manifest has N runs. Tries again if it ends before.
interrupted() {
    local n=$1 i
    shift
    for ((i = 0; i < 20; i++)); do
        rm -rf state
        "$@" 2>err &
        until (($(runs) >= n)) || ! kill -0 $! 2>/dev/null; do :; done
        kill -KILL $! 2>/dev/null
        wait $! 2>/dev/null
        (($(runs) >= n)) && return
    done
    fail "$*: no manifest with $n runs: $(cat err)"
}

# is_over: the result is right, and nothing is left.
is_over() {
    same result sorted
    [[ ! -e state ]] || fail "the folder is left: $(ls state)"
    no_leftovers
}

clsort-gen -n 500K -t u64 -o data >/dev/null # 4000 KiB
clsort -t u64 -o sorted data

# -- without an interruption, in three passes; the folder is removed if clsort has created it --

expect 0 clsort -S 1K -t u64 --resume state --explain data
contains out ": 3 passes"
grep -Eq '^disk +[0-9]+ bytes of temporary files, which are kept until the output is complete$' out ||
    fail "--explain: $(cat out)"
[[ ! -e state ]] || fail "--explain creates the folder"
start=${EPOCHREALTIME/./}
expect 0 "${sort_data[@]}"
duration=$((${EPOCHREALTIME/./} - start))
is_over
mkdir state
expect 0 "${sort_data[@]}"
rmdir state || fail "the folder has files: $(ls state)"
is_over
rm result
expect 0 eval '"${sort_data[@]:0:7}" data >result'
is_over

# -- SIGKILL at random times, until the sort succeeds --

# survives COMMAND...: the command is killed in each tenth of its duration, and continued each time.
continued=0
survives() {
    local i
    local is_unknown='' # that clsort has created the folder, because it was killed before it wrote a manifest
    rm -rf state result
    for i in {0..9}; do
        "$@" 2>err &
        sleep "$(awk -v d=$duration -v i="$i" -v r=$RANDOM 'BEGIN { print d * (i + r / 32768) / 10e6 }')"
        kill -KILL $! 2>/dev/null
        wait $! 2>/dev/null && break
        [[ ! -e result ]] || break # killed while it removed the folder
        (($(runs) > 0)) && continued=$((continued + 1))
        [[ ! -e state || -e state/clsort-manifest ]] || is_unknown=1
    done
    if [[ -e result ]]; then
        rm -rf state
    else
        expect 0 "$@"
    fi
    [[ -z $is_unknown || ! -e state ]] || rmdir state
    is_over
}

for ((round = 0; round < 3; round++)); do
    survives "${sort_data[@]}"
done
survives "${sort_data[@]}" --compress=auto
survives "${sort_data[@]}" --batch-size=2

clsort -t u64 -r -u -o sorted data data
survives clsort -S 1K -t u64 -r -u --resume state -o result data data
clsort-gen -n 60K --record 100 -d few -o records >/dev/null
clsort --record 100 -k 0:bytes10:r -k 90:u16 -o sorted records
survives clsort -S 1K --record 100 -k 0:bytes10:r -k 90:u16 --resume state -o result records

clsort --argsort -t u64 -o sorted data
survives clsort -S 1K --argsort -t u64 --resume state -o result data

# -- merges of files in order, and files with long parts in order --

for ((i = 0; i < 60; i++)); do
    clsort-gen -n $((4000 + 300 * i)) -t u64 -d sorted -s $i -o "part$i" >/dev/null
done
clsort -t u64 -o sorted part{0..59}
survives clsort -S 1K -m -t u64 --resume state -o result part{0..59}
clsort -t u64 -o ordered data
head -c 800000 data >some
cat ordered some ordered >mixed
clsort -t u64 -o sorted mixed
survives clsort -S 1K -t u64 --resume state -o result mixed

((continued > 5)) || fail "sorts were killed only $continued times between the first run and the end"

# -- a continued sort does not form complete runs again --

clsort -t u64 -o sorted data
# formed: prints the bytes that the first pass of the last command has read.
formed() {
    awk '/^forming runs/ { bytes = $3 } END { print bytes + 0 }' err
}
expect 0 "${sort_data[@]}" --stats
(($(formed) >= 4096000)) || fail "a whole sort reads $(formed) bytes"
interrupted 6 "${sort_data[@]}"
run=$(awk '/^run / { print 8 * $5; exit }' state/clsort-manifest)
left=$((4096000 - $(runs) * run))
expect 0 "${sort_data[@]}" --stats
(($(formed) <= (left > 0 ? left : 0) + 8192)) || fail "$(formed) bytes are read, but $left are left"
is_over

# -- an output that fails is continued as well: the last merge only --

expect 2 eval '"${sort_data[@]:0:7}" data >/dev/full'
(($(runs) > 0)) || fail "a full disk leaves no manifest"
expect 0 "${sort_data[@]}" --stats
lacks err "forming runs"
is_over

# -- the space of a run that was interrupted is returned before the next attempt checks what is free --

expect 2 eval '"${sort_data[@]:0:7}" data >/dev/full'
head -c 32M /dev/zero >>state/clsort-runs
expect 0 "${sort_data[@]}" --stats
temporary=$(awk '/^temporary/ { print $2 }' err)
((temporary > 0 && temporary < 16 << 20)) || fail "$temporary bytes of temporary files"
is_over

# -- system calls that fail: the next attempt continues, whichever it was --

# The threads of a sanitizer use these calls, too, and its library has to be loaded first.
if [[ -n ${CLSORT_FAIL_CALLS:-} ]] && LD_PRELOAD=$CLSORT_FAIL_CALLS clsort --version >/dev/null 2>&1; then
    for call in "pwrite 28" "pread 5" "fallocate 28" "fdatasync 5" "fsync 5" "ftruncate 5"; do
        reached=0
        for ((n = 1; n < 100000; n = n < 5 ? n + 1 : n * 2)); do
            rm -f result
            LD_PRELOAD=$CLSORT_FAIL_CALLS CLSORT_EXTERNAL_IO=threads CLSORT_FAIL_CALL="${call% *} $n ${call#* }" \
                "${sort_data[@]}" 2>err
            status=$?
            grep -qx reached err || break
            reached=$n
            if ((status != 0)); then
                ((status == 2)) || fail "status $status after call $n of $call: $(cat err)"
                expect 0 "${sort_data[@]}"
            fi
            is_over
        done
        ((reached > 0)) || fail "no call of $call"
    done
    # A first attempt that fails before it has runs leaves nothing in a folder of the user.
    mkdir state
    LD_PRELOAD=$CLSORT_FAIL_CALLS CLSORT_FAIL_CALL="fallocate 1 28" expect 2 "${sort_data[@]}"
    rmdir state || fail "the folder has: $(ls state)"
fi

# -- what is refused: another sort, or files that are damaged. The output remains, and so does the folder. --

interrupted 4 "${sort_data[@]}"
cp -r state saved
echo old >result
cp result old

# refused TEXT [COMMAND...]: the sort, or this command, is refused.
refused() {
    local text=$1
    shift
    (($# > 0)) || set -- "${sort_data[@]}"
    expect_error "$text" "$@"
    same result old
    rm -rf state
    cp -r saved state
}

refused 'clsort: state: the interrupted sort has "reverse no", but this one has "reverse yes"' "${sort_data[@]}" -r
refused 'has "type u64", but this one has "type i64"' clsort -S 1K -t i64 --resume state -o result data
refused 'has "unique no", but' "${sort_data[@]}" -u
refused "--resume cannot be combined with --no-verify" "${sort_data[@]}" --no-verify
refused 'has "sum no", but this one has "sum yes"' "${sort_data[@]}" --sum
refused 'has "compress none", but' "${sort_data[@]}" --compress=auto
refused 'has "select all", but this one has "select top"' "${sort_data[@]}" --top 5
refused 'has "argsort no", but' "${sort_data[@]}" --argsort
refused 'has "rows 0", but this one has "rows 10"' "${sort_data[@]}" --rows 10
refused 'has "rows 0", but this one has "rows 10"' clsort -t u64 --rows 10 --resume state -o result data
refused 'has "segments ", but' clsort -t u64 --segments offsets --resume state -o result data
refused "the interrupted sort has 1 inputs, but this one has 2" "${sort_data[@]}" data
refused "bytes of memory for its buffers, but" env CLSORT_EXTERNAL_MEMORY=400000 "${sort_data[@]}"
head -c 4095992 data >shorter
changed="it is not the file that the interrupted sort has read, or has changed since; remove the folder state"
refused "clsort: shorter: $changed" clsort -S 1K -t u64 --resume state -o result shorter
cp --preserve=timestamps data original
refused "clsort: original: $changed" clsort -S 1K -t u64 --resume state -o result original
: >empty
refused "clsort: empty: $changed" clsort -S 1K -t u64 --resume state -o result empty
refused "standard input: --resume requires files" eval 'cat data | "${sort_data[@]:0:7}" -o result'

# Sorts that are possible in memory only
rm -rf state
clsort-gen --npy -n 500K -t u64 -o data.npy >/dev/null
interrupted 4 clsort -S 1K -u --resume state -o other data.npy
expect_error "clsort: state: the interrupted sort cannot be continued, because --unique of a .npy file" \
    eval 'clsort -u --resume state data.npy >other'
(($(runs) >= 4)) || fail "the runs are gone: $(ls state)"
rm -rf state
cp -r saved state

# damaged TEXT COMMAND...: after the command has changed the folder, the sort is refused.
damaged() {
    local text=$1
    shift
    "$@" || fail "$* fails"
    refused "$text"
}
manifest=state/clsort-manifest
damaged "it does not begin with a line of clsort; remove the folder" truncate -s 0 $manifest
damaged "cannot continue from clsort-manifest: it is truncated" truncate -s -1 $manifest
damaged "it is truncated or damaged" truncate -s 300 $manifest
damaged "it is truncated or damaged" sed -i 's/^input ./input 0/' $manifest
damaged "it has version 2, but this clsort reads version 1" sed -i '1s/1/2/' $manifest
damaged "it is no regular file" eval "rm $manifest; mkdir $manifest"
damaged "clsort-manifest: " eval "rm $manifest; ln -s ../saved/clsort-manifest $manifest"
damaged "clsort-runs: No such file or directory" rm state/clsort-runs
damaged "clsort-blocks: No such file or directory" rm state/clsort-blocks
damaged "cannot continue from clsort-runs: it has become shorter" truncate -s 100000 state/clsort-runs
damaged "cannot continue from clsort-blocks: it has become shorter" truncate -s 100 state/clsort-blocks
read -r _ _ _ first _ entry _ < <(grep '^run ' $manifest) # a block, of 512 keys, that is in use, and its entry
damaged "cannot continue from clsort-blocks: it is damaged" \
    dd if=/dev/urandom of=state/clsort-blocks bs=1 seek=$((24 * entry + 17)) count=5 conv=notrunc status=none
damaged "a block is not what was written" \
    dd if=/dev/zero of=state/clsort-runs bs=4096 seek="$first" count=2 conv=notrunc status=none
damaged "the checksum of the output" dd if=saved/clsort-runs of=state/clsort-runs bs=8 skip=$((512 * first + 100)) \
    seek=$((512 * first + 101)) count=1 conv=notrunc status=none

# -- and yet the saved state is continued, also by a link to the same file, on a file that has another name --

ln data name
expect 0 clsort -S 1K -t u64 --resume state/ -o result name
is_over

# -- a sort succeeds although the folder cannot be removed --

interrupted 4 "${sort_data[@]}"
expect 0 clsort -S 1K -t u64 --resume state/. -o result data
rmdir state || fail "the folder has: $(ls state)"
is_over

# -- other files in the folder remain --

mkdir state
echo text >state/text
expect 0 "${sort_data[@]}"
[[ $(ls state) == text ]] || fail "the folder has: $(ls state)"
rm -r state

# -- one sort at a time --

mkdir state
mkfifo blocked
"${sort_data[@]:0:7}" data >blocked 2>err.first &
exec 3<blocked
await() {
    until (($(runs) > 0)) || ! kill -0 $! 2>/dev/null; do :; done
}
await
expect_error "clsort: state: another sort is using this folder" "${sort_data[@]}"
cat <&3 >result
exec 3<&-
wait $! || fail "the first sort fails: $(cat err.first)"
rmdir state
is_over

# A sort in memory, which uses no files of the folder, leaves those of another sort.
mkdir state
clsort -t u64 --resume state data >blocked 2>err.first &
exec 3<blocked
head -c 8 <&3 >result # the folder was empty when it was opened
expect 2 eval '"${sort_data[@]:0:7}" data >/dev/full'
cat <&3 >>result
exec 3<&-
wait $! || fail "the first sort fails: $(cat err.first)"
same result sorted
(($(runs) > 0)) || fail "the files of the other sort are gone: $(ls state)"
expect 0 "${sort_data[@]}"
rmdir state
is_over

# -- places where no folder can be, and sorts that keep nothing --

expect_error "clsort: data/state: Not a directory" clsort -S 1K -t u64 --resume data/state -o result data
expect_error "clsort: missing/state: No such file or directory" \
    clsort -S 1K -t u64 --resume missing/state -o result data
[[ ! -w /proc ]] || expect_error "clsort: /proc/state: " clsort -S 1K -t u64 --resume /proc/state -o result data
expect_error "cannot be combined with --temporary-directory" "${sort_data[@]}" -T .
for mode in --check --list-devices --warm=u32; do
    expect_error "--resume cannot be combined with" clsort --resume state $mode
done
expect 0 clsort -t u64 --resume state -o result data # in memory
is_over
expect 0 clsort -S 1K -t u64 --resume state -o result sorted # in order already
is_over
finish
