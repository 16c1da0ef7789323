#!/usr/bin/env bash
# leftover.sh - what SIGKILL between linkat and rename leaves behind, and that the next run removes it
#
# CTest loads signal_at_rename.c into the programs.
#
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

supports_unnamed=$(LD_PRELOAD='' && supports_unnamed && echo yes)
[[ $supports_unnamed == yes ]] || skip "the file system may not support files without a name"

# leftovers: prints the temporary files.
leftovers() {
    find . -name '.clsort-*' | sort
}

# killed COMMAND...: runs a command that is killed before it renames its output.
killed() {
    CLSORT_TEST_SIGNAL_AT_RENAME=9 "$@" >out 2>err
    (($? == 128 + 9)) || fail "$* was not killed: $(cat err)"
}

clsort-gen -n 1000 -s 1 >data 2>/dev/null
clsort -t u32 data >sorted

# The result is complete, and the old file is unchanged.
cp data file
killed clsort -t u32 -o file file
same file data
left=$(leftovers)
[[ $(wc -l <<<"$left") -eq 1 ]] || fail "not exactly one temporary file: $left"
same "$left" sorted

# Runs for another output do not remove it. The next run for this one does, even if it fails.
expect 0 clsort -t u32 -o other data
[[ $(leftovers) == "$left" ]] || fail "another output: $(leftovers) instead of $left"
expect 2 clsort -t u32 -o ./file none
no_leftovers
same file data
killed clsort -t u32 -o file file
expect 0 clsort -t u32 -o file file
same file sorted
no_leftovers

# The same with a file that has no name yet: nothing is renamed, and nothing remains.
CLSORT_TEST_SIGNAL_AT_RENAME=9 expect 0 clsort -t u32 -o new data
same new sorted
no_leftovers

# A temporary file of a live process is not removed: one that is stopped between linkat and rename.
cp data file
CLSORT_TEST_SIGNAL_AT_RENAME=19 clsort -t u32 -o file data &
job=$!
await_stopped $job
live=$(leftovers)
[[ $(wc -l <<<"$live") -eq 1 && -n $live ]] || fail "the process was not stopped before rename: $live"
killed clsort -t u32 -r -o file data # leaves a second name behind
[[ $(leftovers | wc -l) -eq 2 ]] || fail "not exactly two temporary files: $(leftovers)"
expect 0 clsort -t u32 -r -o file data
[[ $(leftovers) == "$live" ]] || fail "$(leftovers) instead of $live"
kill -CONT $job
wait $job || fail "the stopped process failed"
same file sorted
no_leftovers

# The same with an external sort, which opens its output twice.
cp data file
clsort-gen -n 100000 >large 2>/dev/null
clsort -t u32 large >sorted_large
export CLSORT_EXTERNAL_MEMORY=400000
CLSORT_TEST_SIGNAL_AT_RENAME=19 clsort -S 1K -t u32 --device host -o file large &
job=$!
await_stopped $job
live=$(leftovers)
[[ $(wc -l <<<"$live") -eq 1 && -n $live ]] || fail "the process was not stopped before rename: $live"
expect 0 clsort -t u32 -r -o file data
[[ $(leftovers) == "$live" ]] || fail "$(leftovers) instead of $live"
kill -CONT $job
wait $job || fail "the stopped process failed"
same file sorted_large
no_leftovers

# Other things at the name stay, and the output gets another name.
cp data file
killed clsort -t u32 -o file data
left=$(leftovers)
rm "$left"
for make in mkfifo mkdir "ln -s none"; do
    $make "$left"
    expect 0 clsort -t u32 -o file data
    same file sorted
    [[ $(leftovers) == "$left" ]] || fail "$make: $(leftovers) instead of $left"
    rm -r "$left"
done

finish
