#!/usr/bin/env bash
# tool_errors.sh - clsort-mpi checks files, refuses bad input on all ranks, and leaves nothing behind
#
# shellcheck source=tests/mpi/tool_lib.sh
source "$(dirname "$0")/tool_lib.sh"

clsort-gen -t u64 -n 100003 -o data >/dev/null
clsort -t u64 -o ordered data
clsort -t u64 --check --sum ordered >sum

# The order is checked by all ranks, also where their parts meet. The message is that of clsort.
for count in 1 3 7; do
    expect 0 ranks "$count" clsort-mpi -t u64 --check --sum ordered
    same out sum
done
for at in 1 33334 33335 66668 100002; do
    cp ordered wrong
    dd if=/dev/zero of=wrong bs=8 seek=$at count=1 conv=notrunc status=none
    expect 1 clsort -t u64 --check wrong
    mv err message
    expect 1 ranks 3 clsort-mpi -t u64 --check wrong
    says_once "$(sed 's/^clsort:/clsort-mpi:/' message)"
done
clsort-gen --record=100 -n 2003 -o records >/dev/null
expect 1 ranks 2 clsort-mpi --record 100 -k 0:bytes10 --check records
says_once "clsort-mpi: records: record "

# Command lines and inputs.
refuses 3 "unrecognized option '--bogus'" --bogus
refuses 2 "no INPUT is given" -t u64 -o sorted
refuses 2 "--output is required" -t u64 data
refuses 2 "standard input is that of one rank" -t u64 -o sorted -
refuses 3 "missing: No such file or directory" -t u64 -o sorted missing
head -c 1003 data >odd
refuses 3 "odd: size of 1003 bytes is not a multiple of 8" -t u64 -o sorted odd
refuses 2 "data: the type of the keys is unknown" -o sorted data
refuses 2 "--less: the host cannot evaluate" --less 'a.u8[0] < b.u8[0]' --key-size 8 -o sorted data
refuses 3 "data: --top=100004: the input has 100003 keys" -t u64 --top 100004 -o sorted data
refuses 2 "data: the input file is also that of --output" -t u64 --argsort -o data data
refuses 2 "--algorithm cannot be combined with --argsort" -t u64 --argsort --algorithm radix -o sorted data
refuses 2 "--merge is not supported: files in order are merged by clsort" -t u64 -m -o sorted data data
refuses 2 "--rows is not supported: rows are sorted one by one" -t u64 --rows 3 -o sorted data
refuses 2 "--axis=1 is not supported: the rows of an array are sorted one by one" --axis 1 -o sorted two.npy
mkfifo pipe
exec 3<>pipe
head -c 800 data >&3 # which nobody reads
refuses 1 "pipe: this is no file, but a pipe" -t u64 -o sorted pipe
exec 3>&-
if find_python numpy; then
    "$python" -c 'import numpy; numpy.save("two.npy", numpy.zeros((3, 4)))'
    refuses 2 "two.npy: the array has 2 dimensions" -o sorted two.npy
fi

# Outputs.
refuses 3 "missing/sorted: No such file or directory" -t u64 -o missing/sorted data
refuses 2 "/dev/null: this is no regular file" -t u64 -o /dev/null data
mkdir folder
refuses 2 "folder: this is no regular file" -t u64 -o folder data

# A rank that is killed ends the others, and the output is unchanged, or complete if the sort was done before.
clsort-gen -t u64 -n 4M -o large >/dev/null
echo before >sorted
# How many seconds Open MPI gives the other ranks to end before it kills them, too: 1 is too few on a busy machine.
export OMPI_MCA_odls_base_sigkill_timeout=10
# shellcheck disable=SC2016 # each rank expands it
ranks 3 bash -c 'echo $$ >pid.${OMPI_COMM_WORLD_RANK:-$PMI_RANK}; exec clsort-mpi -t u64 -o sorted large' >out 2>err &
job=$!
until compgen -G '.clsort-*' >/dev/null || ! kill -0 $job 2>/dev/null; do :; done
kill -KILL "$(cat pid.1)" 2>/dev/null
wait $job && fail "mpirun succeeded although a rank was killed"
[[ $(head -c 6 sorted) == before ]] || fail "the output has changed after a rank was killed"
[[ -z ${is_open_mpi:-} ]] || no_leftovers # MPICH kills the other ranks by SIGKILL
finish
