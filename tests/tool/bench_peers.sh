#!/usr/bin/env bash
# bench_peers.sh - the peers of clsort-bench sort correctly or report what they do not support, and peers that are not
# built in report the package that they need
#
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

# True speeds of copies take longer to measure than the sorts of this test.
export CLSORT_BENCH_COPY_BYTES=1048576

# The margin prevents line breaks.
export ARGP_HELP_FMT=rmargin=1000
expect 0 clsort-bench --help
mapfile -t built < <(sed -nE 's/^ +(\S+) \((one core|all cores|device|CUDA device)\)$/\1/p' out)
mapfile -t absent < <(sed -nE 's/^ +(\S+) \(not built in: needs (\S+)\)$/\1 \2/p' out)
((${#built[@]} + ${#absent[@]} == 27 && ${#built[@]} >= 8)) || fail "not all peers are listed: $(cat out)"

# By default all peers that are built in take part, except those of other operations.
others=" std::merge std-argsort std::partial_sort std::nth_element std-sort-each std-sort-each-all loop"
others+=" std-lexsort std::unique_copy std::is_sorted_until cub-segmented cub-full-sort cub-topk"
others+=" cub-unique cub-decomposer cub-int128 cub-gather "
expect 0 clsort-bench --n=100 --runs=1 --json=-
for name in "${built[@]}"; do
    grep -qF "\"$name\":" out || fail "no version of $name: $(cat out)"
    if [[ $others == *" $name "* ]]; then
        [[ $(<out) != *"\"who\":\"$name\""* && $(<err) != *"$name does not"* ]] ||
            fail "$name takes part in a sort: $(cat out err)"
    elif [[ $name == cub* ]]; then # reports if there is no CUDA device
        [[ $(<out) == *"\"who\":\"$name\""* ]] || contains err "$name does not take part: "
    elif [[ $name != std::stable_sort ]]; then
        contains out "\"who\":\"$name\""
    fi
done
sorts=()
for name in "${built[@]}"; do
    [[ $others == *" $name "* ]] || sorts+=("$name")
done
for peer in "${absent[@]}"; do
    read -r name package <<<"$peer"
    [[ $(<err) != *"$name"* ]] || fail "a message about $name, which was not requested: $(cat err)"
    expect 0 clsort-bench --n=100 --runs=1 --peers="$name"
    contains err "$name does not take part: it was not built in; it needs $package"
done

# sort OPTION...: each peer sorts correctly or reports why it does not take part.
sort() {
    local name
    expect 0 clsort-bench --runs=1 --json=- "$@"
    for name in "${sorts[@]}"; do
        [[ $(<err) == *"$name does not take part: "* ]] || contains out "\"who\":\"$name\""
    done
    [[ $(<out) != *'"verified":false'* ]] || fail "$*: $(cat out)"
}

# The large count is enough for all cores, and for pairs with equal keys.
for type in "${all_types[@]}"; do
    sort --type="$type" --dist=special --n=1,2,31,1000,70000
done
for type in u8 u64 i32; do
    sort --type="$type" --dist=few --op=custom --n=1000
done
for type in u8 u64 i32 f64; do
    sort --type="$type" --dist=few --op=pairs --value-size=16 --n=1000
done
# Sorts of pairs find permutations.
sort --op=argsort --dist=few --n=31,1000,70000
sort --op=argsort --type=f64 --dist=special --n=31,1000,70000
for bytes in 4 8; do
    for dist in few zipf; do
        sort --type="u$((8 * bytes))" --dist=$dist --op=pairs --value-size=$bytes --n=31,33,1000,70000
    done
    sort --type="u$((8 * bytes))" --op=pairs --value-size=$bytes --n=31,33,1000,70000 --batch=3 --device-time
done
sort --n=31,33,1000,70000 --batch=3 --device-time
# Peers that sort on the device support batches and device times.
for name in "${sorts[@]}"; do
    case $name in
    Boost.Compute | cub*)
        [[ $(<err) == *"$name does not take part: "* ]] ||
            [[ $(grep -cE "\"who\":\"$name\".*\"batch\":3,.*\"device_median_s\":" out) -eq 4 ]] ||
            fail "$name has no batches: $(cat out)"
        ;;
    esac
done

# Peers sort as many elements as the maximum of a count in device memory.
sort --n=1,31,1000,70000 --dist=few --count-share=50
sort --n=31,70000 --op=pairs --dist=zipf --count-share=100

# Peers of other operations are right or report why they do not take part.
while read -r op options; do
    # shellcheck disable=SC2086
    expect 0 clsort-bench --op="$op" --runs=1 --json=- --n=31,1000,70000 ${options//,/ }
    [[ $(<out) != *'"verified":false'* ]] || fail "$op: $(cat out)"
    case $op in
    segments) names=(std-sort-each std-sort-each-all cub-segmented) ;;
    top) names=(std::partial_sort std::nth_element cub-full-sort cub-topk) ;;
    nth) names=(std::nth_element cub-full-sort) ;;
    unique) names=(std::unique_copy cub-unique) ;;
    check) names=(std::is_sorted_until) ;;
    columns) names=(std-lexsort cub-decomposer) ;;
    strings) names=(qsort std::sort cub-int128) ;;
    records) names=(qsort std::sort std::stable_sort cub-gather) ;;
    particles) names=(qsort std::sort std::stable_sort) ;;
    esac
    for name in "${names[@]}"; do
        [[ " ${built[*]} " != *" $name "* || $(<err) == *"$name does not take part: "* ]] ||
            contains out "\"who\":\"$name\""
    done
done <<'END'
segments --segments=zipf,--segment-length=30
segments --type=u64,--dist=few,--batch=3,--device-time
top --type=f32
top --dist=few,--k=30
top --type=u64,--dist=zipf,--input-order
nth --type=i16,--dist=few
unique --type=f64,--dist=special
unique --type=u8
unique --type=u32,--dist=two-dups,--batch=3,--device-time
unique --type=u64,--dist=equal
check --type=i8
columns --dist=few
columns --dist=special,--batch=3,--device-time
strings --dist=shared-prefix
strings --batch=3,--device-time
records --batch=3,--device-time
records --dist=zipf
particles --dist=special
END

# cub-gather compares only a part of the keys. It takes part in all sorts in which this part differs, and in no others.
if [[ " ${built[*]} " == *" cub-gather "* ]]; then
    expect 0 clsort-bench --op=records --peers=cub-gather --runs=1 --n=1000
    if [[ $(<err) != *"cub-gather does not take part: "* ]]; then
        expect 0 clsort-bench --op=records --dist=equal --peers=cub-gather --runs=1 --n=1,1000 --json=-
        contains err "cub-gather does not take part: n = 1000: some keys have the same first 8 bytes"
        [[ $(grep -c '"who":"cub-gather"' out) -eq 1 ]] || fail "cub-gather sorts other keys: $(cat out)"
    fi
fi

# Sorts that the peers do not support.
while read -r name options reason; do
    if [[ " ${built[*]} " == *" $name "* ]]; then
        # shellcheck disable=SC2086
        expect 0 clsort-bench --n=100 --runs=1 --peers="$name" ${options//,/ }
        contains err "$name does not take part: $reason"
    fi
done <<'END'
qsort --op=merge it does not merge
std::merge --op=keys it does not sort
std::merge --op=argsort it does not sort indexes
qsort --op=gather it does not gather
qsort --op=top it does not select the first k
qsort --op=nth it does not select the k-th
std::unique_copy --op=check it does not check the order
std::is_sorted_until --op=unique it does not drop repeats
std-lexsort --op=argsort it does not sort indexes
std-argsort --op=columns it does not sort by columns
spreadsort --op=strings it does not sort byte strings
vqsort --op=records it does not sort records
qsort --op=strings,--key-size=17 it is built for strings of
std::stable_sort --op=strings stability matters for pairs
loop --op=top it does not select the first k
std::partial_sort --op=nth it does not select the k-th
std::stable_sort --op=gather it does not gather
tbb::parallel_sort --op=argsort,--type=f32 it supports pairs of
std::merge --op=merge,--value-size=3 on the host, it supports values of
qsort --op=pairs,--value-size=3 on the host, it supports values of
std::stable_sort --op=keys stability matters for pairs
spreadsort --op=custom it does not support custom orders
vqsort --op=custom it does not support custom orders
spreadsort --op=pairs,--value-size=16 it supports pairs of
vqsort --type=i8 it supports keys of 2, 4 or 8 bytes only
vqsort --op=pairs,--value-size=8 it supports pairs of
Boost.Compute --op=custom it does not support custom orders
block_indirect_sort --op=pairs,--type=f32 it supports pairs of
tbb::parallel_sort --op=pairs,--value-size=1 it supports pairs of
Boost.Compute --type=i16 it supports keys of 4 or 8 bytes only
Boost.Compute --type=f16 it compares floats by <
Boost.Compute --op=pairs,--type=u64 it supports pairs of
cub --op=pairs,--value-size=2 it is built for pairs of
cub --op=pairs,--type=i32 it is built for pairs of
cub --op=custom,--type=u16 it is built for custom orders of
cub-64 --type=i32 it is built for keys of
cub-64 --op=pairs,--value-size=8 it is built for keys of
cub-64 --op=custom it is not built for custom orders
cub-segmented --op=keys it does not sort
cub-segmented --op=segments,--type=f32 it is built for keys of
cub-segmented --op=segments,--value-size=4 it is built for keys of
cub-full-sort --op=segments it does not sort segments
cub-topk --op=nth it does not select the k-th
cub-topk --op=top,--type=i16 it is built for keys of
cub-unique --op=check it does not check the order
cub-unique --op=keys it does not sort
cub-decomposer --op=argsort it does not sort indexes
cub-decomposer --op=records it does not sort records
cub-gather --op=particles it does not sort records
cub-gather --op=strings it does not sort byte strings
cub-int128 --op=keys it does not sort
cub-int128 --op=strings,--key-size=17 it is built for strings of
END
finish
