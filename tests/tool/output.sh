#!/usr/bin/env bash
# output.sh - the output file: its mode, links, devices and pipes as outputs, and signals
#
# The test runs a second time with the library no_tmpfile.c in LD_PRELOAD, where temporary files have names.
#
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

clsort-gen -n 1000 -o data >/dev/null
clsort -t u32 data >sorted

# Modes: the umask determines the mode of a new file; an old file keeps its mode.
(umask 027 && clsort -t u32 -o new data)
[[ $(stat -c %a new) == 640 ]] || fail "mode of a new file: $(stat -c %a new)"
for mode in 600 666 751; do
    cp data old
    chmod $mode old
    (umask 077 && clsort -t u32 -o old old)
    same old sorted
    [[ $(stat -c %a old) == "$mode" ]] || fail "mode $mode became $(stat -c %a old)"
done
if ((EUID == 0)); then
    cp data old
    chown 65534:65534 old
    expect 0 clsort -t u32 -o old old
    [[ $(stat -c %u:%g old) == 65534:65534 ]] || fail "the owner became $(stat -c %u:%g old)"
fi

# If the writer cannot keep the group, nobody but the writer gets more rights: the group and others have the rights that
# both had. clsort-gen is copied, since an unprivileged user may not be able to reach the build folder.
if ((EUID == 0)); then
    chmod 711 .
    mkdir -m 777 open
    cp "$(type -P clsort-gen)" open/gen
    for modes in 642:600 660:600 666:666 647:644 664:644 626:622; do
        for groups in --clear-groups --groups=4321; do
            cp data open/old
            chown 0:4321 open/old
            chmod "${modes%:*}" open/old
            if ! (setpriv --reuid 1234 --regid 1234 "$groups" test -w open/old); then
                continue
            fi
            expect 0 setpriv --reuid 1234 --regid 1234 "$groups" open/gen -n 10 -o open/old
            expected="1234:1234 ${modes#*:}"
            [[ $groups == --clear-groups ]] || expected="1234:4321 ${modes%:*}"
            [[ $(stat -c '%u:%g %a' open/old) == "$expected" ]] ||
                fail "mode ${modes%:*}, $groups: $(stat -c '%u:%g %a' open/old) instead of $expected"
        done
    done
    rm -r open
fi

# If standard output or error is closed, messages do not go into the file.
clsort -t u32 --stats -o closed data 2>&-
same closed sorted
rm closed
(clsort-gen -n 1000 -o closed >&-) 2>/dev/null && fail "a closed standard output went unnoticed"
[[ ! -e closed || $(stat -c %s closed) == 4000 ]] || fail "the checksum went into the file"
rm -f closed

# Links: the target is replaced, and the links stay.
mkdir deep
cp data deep/file
ln -s file deep/inner
ln -s deep/inner outer
expect 0 clsort -t u32 -o outer outer
same deep/file sorted
[[ -L outer && -L deep/inner ]] || fail "a link was replaced"

# Devices and pipes are written to, not replaced.
expect 0 clsort -t u32 -o /dev/null data
[[ -c /dev/null ]] || fail "/dev/null was replaced"
mkfifo pipe
cat pipe >from_pipe &
expect 0 clsort -t u32 -o pipe data
wait
same from_pipe sorted
[[ -p pipe ]] || fail "a named pipe was replaced"
clsort -t u32 -o /dev/stdout data | cmp - sorted || fail "/dev/stdout"

# Inherited descriptors are written to, at their position, also if they are files.
cat sorted sorted >twice
ln -s /dev/stdout to_stdout
for path in /dev/stdout /dev/fd/1 /proc/self/fd/1 to_stdout; do
    cp sorted appended
    inode=$(stat -c %i appended)
    clsort -t u32 -o $path data >>appended || fail "$path: status $?"
    same appended twice
    [[ $(stat -c %i appended) == "$inode" ]] || fail "$path: the file was replaced"
done
{ cat sorted >&5 && clsort -t u32 -o /dev/fd/5 data; } 5>written
same written twice
expect_error "clsort: /dev/fd/5: Bad file descriptor" eval 'clsort -t u32 -o /dev/fd/5 data 5<written'
same written twice

# If the reader of a pipe exits, SIGPIPE kills clsort, as any filter.
clsort-gen -n 8M -o large >/dev/null
clsort -t u32 large | head -c 4 >/dev/null
[[ ${PIPESTATUS[0]} -eq $((128 + 13)) ]] || fail "no SIGPIPE: ${PIPESTATUS[0]}"
clsort-gen -n 8M 2>/dev/null | head -c 4 >/dev/null
[[ ${PIPESTATUS[0]} -eq $((128 + 13)) ]] || fail "clsort-gen: no SIGPIPE: ${PIPESTATUS[0]}"
head -c 4 pipe >/dev/null &
expect $((128 + 13)) clsort -t u32 -o pipe large

# If the signal is ignored, as some parent processes set it, the write fails.
# shellcheck disable=SC2317 # called through expect_error
to_no_reader() (
    trap '' PIPE
    "$@" | head -c 4 >/dev/null
    exit "${PIPESTATUS[0]}"
)
expect_error "clsort: standard output: Broken pipe" to_no_reader clsort -t u32 large
expect_error "clsort-gen: standard output: Broken pipe" to_no_reader clsort-gen -n 8M
head -c 4 pipe >/dev/null &
expect_error "clsort: pipe: Broken pipe" eval '(trap "" PIPE && clsort -t u32 -o pipe large)'
wait

# No temporary file is left if a signal kills clsort.
ulimit -c 0
killed_by() {
    [[ $2 -eq $((128 + $(kill -l "$1"))) ]] || fail "SIG$1: status $2"
    no_leftovers
}
mkfifo input
signals=(INT TERM HUP QUIT ABRT USR1 USR2 ALRM PIPE XCPU VTALRM PROF)
if supports_unnamed; then
    signals+=(KILL)
fi
for signal in "${signals[@]}"; do
    cp data old
    # Background jobs ignore SIGINT, and a program inherits that.
    env --default-signal clsort -t u32 -o old input 2>/dev/null &
    job=$!
    exec 3>input
    await_temporary -e $job
    kill -"$signal" $job
    wait $job 2>/dev/null
    status=$?
    exec 3>&-
    killed_by "$signal" $status
    same old data
done

# The same after the OpenCL compiler has run, which may install signal handlers. The signal arrives when a file with the
# result has a temporary name, and takes effect when the file has replaced the old one.
clsort -t u32 large >large_sorted
[[ ${CLSORT_TEST_NO_DEVICE:-} == 1 ]] || export CLSORT_DEVICE=0
for signal in INT TERM HUP; do
    cp large old
    CLSORT_CACHE_DIR='' POCL_CACHE_DIR=$PWD/pocl CLSORT_TEST_SIGNAL_AT_RENAME=$(kill -l "$signal") \
        LD_PRELOAD="${LD_PRELOAD:+$LD_PRELOAD:}$CLSORT_SIGNAL_AT_RENAME" clsort -t u32 -o old old
    killed_by "$signal" $?
    same old large_sorted
    rm -rf pocl
done
unset CLSORT_DEVICE

# A signal that the parent ignores stays ignored, as nohup requires.
(
    trap '' HUP
    exec clsort -t u32 -o old input
) &
job=$!
exec 3>input
await_temporary -e $job
kill -HUP $job
cat data >&3
exec 3>&-
wait $job || fail "SIGHUP was not ignored"
same old sorted

no_leftovers
finish
