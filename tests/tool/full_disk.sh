#!/usr/bin/env bash
# full_disk.sh - if the disk is full, the old file is unchanged and no new file is left
#
# The test needs the right to mount a small tmpfs, as root or in a user namespace.
#
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

if [[ ${1:-} != mounted ]]; then
    for options in -m -rm; do
        if unshare $options mount -t tmpfs tmpfs "$work" 2>/dev/null; then
            unshare $options bash "$0" mounted
            exit
        fi
    done
    skip "no tmpfs can be mounted here"
fi

mkdir disk
mount -t tmpfs -o size=6m tmpfs disk || skip "no tmpfs can be mounted here"
clsort-gen -n 1M -o disk/data >/dev/null # 4 MiB; a second file does not fit
cp disk/data original

expect_error "clsort: disk/data: No space left on device" clsort -t u32 -o disk/data disk/data
same disk/data original
no_leftovers
expect_error "clsort: disk/new: No space left on device" clsort -t u32 -o disk/new original
[[ ! -e disk/new ]] || fail "an incomplete output is left"
expect_error "clsort: standard output: No space left on device" eval 'clsort -t u32 original >disk/new'
rm disk/new
expect_error "clsort-gen: disk/data: No space left on device" clsort-gen -n 2M -o disk/data
same disk/data original
no_leftovers

head -c 1M original >disk/data # now both files fit
expect 0 clsort -t u32 -o disk/data disk/data
expect 0 clsort -t u32 -c disk/data

# Sorts succeed if the program cache is on a full disk.
mkdir -m 700 disk/cache
for free in 0 4 64; do # KiB
    rm -f disk/data disk/fill
    head -c $((free * 1024)) original >disk/free
    head -c 10M /dev/zero >disk/fill 2>/dev/null && fail "the disk is not full"
    rm disk/free
    CLSORT_DEVICE=0 CLSORT_CACHE_DIR=disk/cache expect 0 clsort -t u32 -o sorted original
    expect 0 clsort -t u32 -c sorted
    [[ -z $(find disk/cache -name "new-*") ]] || fail "an incomplete program is left with $free KiB free"
done
rm disk/fill
CLSORT_DEVICE=0 CLSORT_CACHE_DIR=disk/cache expect 0 clsort -t u32 -o sorted original
[[ -n $(ls disk/cache) ]] || fail "the cache is empty although the disk has free space"

mkdir other
mount -t tmpfs tmpfs other

# Sorts in runs: output and temporary files together take 1.05 times the data, and what is missing is known before.
# The space that compressed files do not need is there for the output.
export CLSORT_DEVICE=host CLSORT_EXTERNAL_MEMORY=400000
rm -rf disk/cache disk/data sorted
mount -o remount,size=$((8 * 600 * 105 / 100))k disk
for dist in few uniform; do
    clsort-gen -n 600K -t u64 -d $dist -o data >/dev/null # 4800 KiB
    clsort -t u64 -o sorted data
    for method in none auto; do
        expect 0 clsort -S 1K -t u64 --compress=$method -o disk/result data
        same disk/result sorted
        rm -f disk/result
    done
done
echo before >disk/result
mount -o remount,size=4700k disk
expect_error "disk: the output needs 4915200 bytes, but" clsort -S 1K -t u64 -o disk/result data
contains err "are free; write it to a file system with more space"
expect_error "disk: sorting in runs needs" clsort -S 1K -t u64 -T disk -o result data
contains err "are free; name a folder with more space by --temporary-directory"
expect_error "disk: the output needs 4915200 bytes, but" clsort -S 1K -t u64 -o disk/result sorted
clsort-gen -n 600K -t u64 -d few -o few >/dev/null
expect 0 clsort -S 1K -t u64 -u -T other -o disk/result few # its size is not known before
# Merges of files in several passes succeed, or are refused before they write.
merged=0 refused=0
for count in 20 200; do
    rm -f piece-*
    split -a 3 -b $(((4915200 / 8 / count + 1) * 8)) sorted piece-
    for ((percent = 98; percent <= 114; percent += 2)); do
        rm -f disk/result
        mount -o remount,size=$((8 * 600 * percent / 100))k disk
        if clsort -m -t u64 -T disk -o disk/result piece-* 2>err; then
            same disk/result sorted
            merged=$((merged + 1))
        else
            contains err " are free; "
            refused=$((refused + 1))
        fi
    done
    [[ -f disk/result ]] || fail "a merge of $count files needs more than 1.14 times the data"
done
((merged > 0 && refused > 0)) || fail "$merged merges, and $refused that were refused"
rm -f piece-*
# The output has exactly the space that it needs.
rm -f disk/result
mount -o remount,size=4800k disk
expect 0 clsort -S 1K -t u64 -T other -o disk/result data
same disk/result sorted
expect 0 clsort -S 1K -t u64 -c disk/result

clsort-gen -n 4M -t u64 -o data >/dev/null # 32 MiB
clsort -t u64 -o sorted data

# On ext4, an allocation that fails keeps what it could get. The output is not allocated at once if it does not fit, so
# that other programs never find the disk full. Only root can mount an image.
truncate -s 56M image
mkdir ext4
if mkfs.ext4 -q image 2>/dev/null && mount -o loop image ext4 2>/dev/null; then
    min=$((1 << 40))
    CLSORT_EXTERNAL_MEMORY=1000000 clsort -S 1K -t u64 -o ext4/result data 2>err &
    while kill -0 $! 2>/dev/null; do
        free=$(stat -f -c %a ext4)
        min=$((free < min ? free : min))
    done
    wait $! || fail "an output in place of the temporary files: $(cat err)"
    same ext4/result sorted
    ((min > 0)) || fail "the disk was full during the sort"
    umount ext4
fi

# The disk is filled while runs are formed or merged. No space is allocated before for a pipe, whose size is unknown.
mount -o remount,size=36m disk
mkdir disk/temporary
unset CLSORT_EXTERNAL_MEMORY
filled=0
for ((i = 0; i < 6; i++)); do
    echo before >disk/result
    if ((i % 2 == 0)); then
        CLSORT_EXTERNAL_MEMORY=1000000 clsort -S 1K -t u64 -T disk/temporary -o disk/result data 2>err &
    else
        CLSORT_EXTERNAL_MEMORY=1000000 clsort -S 1K -t u64 -T disk/temporary -o disk/result < <(cat data) 2>err &
    fi
    (cd disk/temporary && await_temporary -s $!)
    sleep 0.0$i
    kill -STOP $! 2>/dev/null
    await_stopped $!
    head -c 36M /dev/zero >disk/fill 2>/dev/null
    kill -CONT $! 2>/dev/null
    wait $!
    status=$?
    rm disk/fill
    if ((status == 2)); then
        grep -Eq 'No space left on device|are free' err || fail "the message is: $(cat err)"
        [[ $(cat disk/result) == before ]] || fail "the output has changed"
        filled=$((filled + 1))
    else
        ((status == 0)) || fail "exit status $status on a disk that is filled: $(cat err)"
        same disk/result sorted
    fi
    no_leftovers
done
((filled > 0)) || fail "the disk was never full during a sort"
umount disk other
finish
