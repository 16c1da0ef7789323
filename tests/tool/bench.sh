#!/usr/bin/env bash
# bench.sh - clsort-bench: its results as JSON and as a table, and its error messages
#
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

once=(--n=1000 --runs=1)

# has LINE KEY...: the line is a JSON object with these keys.
has() {
    local line=$1 key
    shift
    [[ $line == "{"*"}" ]] || fail "not a JSON object: $line"
    for key in "$@"; do
        [[ $line == *"\"$key\":"* ]] || fail "the key $key is missing: $line"
    done
}

# results FILE COUNT: the file has a line about the machine and COUNT lines of results, which are verified and complete.
results() {
    local line
    [[ $(wc -l <"$1") -eq $((1 + $2)) ]] || fail "$1 does not have 1 + $2 lines: $(cat "$1")"
    {
        read -r line
        has "$line" machine date cpu cores kernel device driver platform clsort compiler peers qsort
        while read -r line; do
            has "$line" who op type value_size n dist device algorithm asked unstable no_scratch host runs batch \
                median_s min_s mkeys_s
            [[ $line == *'"verified":true'* ]] || fail "not verified: $line"
            # Only operations of clsort between device buffers, out of place, are compared with the speed of copies.
            if [[ $line =~ \"who\":\"clsort(-counted)?\" && $line == *'"no_scratch":false'* ]]; then
                has "$line" copy_gb_s model_bytes_key model_fraction
            else
                [[ $line != *model_* ]] || fail "unexpected roofline: $line"
            fi
        done
    } <"$1"
}

# measure COUNT TEXT OPTION...: measures once. The output has COUNT results and contains the text.
measure() {
    local count=$1 text=$2
    shift 2
    expect 0 clsort-bench "${once[@]}" --json=- "$@"
    results out "$count"
    contains out "$text"
}

# Only this run measures the speed of copies as users do, which takes longer than the sorts of these tests.
measure 1 '"copy_gb_s":' --peers=none
export CLSORT_BENCH_COPY_BYTES=1048576

# -- JSON --
ways=3
clsort-bench "${once[@]}" --host --enqueue --peers=none 2>&1 >/dev/null | grep -q 'memory of its own' && ways=2
measure $ways '"who":"clsort_host-fresh"' --peers=none --host --enqueue --op=pairs
[[ $ways -eq 2 ]] || contains out '"who":"clsort_enqueue"'
expect 2 clsort-bench "${once[@]}" --enqueue

# -- groups of devices --
measure 2 '"who":"clsort_group_host"' --peers=none --host --group=0 --n=100000
contains out '"device":"group"'
contains out '"group":"1 devices"'
measure 3 '"who":"clsort_group_host"' --peers=std::sort --host --group=0,0 --n=200000 --op=pairs --dist=few
[[ $(nproc) -eq 1 ]] || measure 2 '"group":"2 sub-devices"' --peers=none --host --sub-devices=2 --n=200000 --type=u64
for option in group=0 sub-devices=1; do
    expect_error "--${option%=*} requires --host" clsort-bench --$option
done
expect_error "--group excludes --sub-devices" clsort-bench --host --group=0 --sub-devices=1
for list in x '0,' 0,,0 0,x; do
    expect_error "--group: '$list' is not a list of 1 to 64 indexes" clsort-bench --host --group=$list
done
for count in 0 65 x; do
    expect_error "--sub-devices: '$count' is not a number from 1 to 64" clsort-bench --host --sub-devices=$count
done
expect_error '--group: there is no device "60"' clsort-bench --host --group=0,60
[[ $(nproc) -ge 64 ]] || expect_error "--sub-devices: 64: the device has" clsort-bench --host --sub-devices=64
for type in u8 f64; do
    for option in "" --host; do
        # shellcheck disable=SC2086
        {
            measure 1 "\"op\":\"keys\",\"type\":\"$type\",\"value_size\":0,\"n\":1000,\"dist\":\"uniform\"" \
                --peers=none --type=$type $option
            measure 1 "\"op\":\"pairs\",\"type\":\"$type\",\"value_size\":8,\"n\":1000" \
                --peers=none --type=$type $option --op=pairs --value-size=8
        }
    done
done
measure 2 '"n":300,"dist":"zipf"' --peers=none --n=100,300 --dist=zipf
measure 3 '"who":"std::sort"' --peers=qsort,std::sort
measure 4 '"who":"std::stable_sort"' --peers=qsort,std::sort,std::stable_sort --op=pairs
measure 2 '"device":"one core","algorithm":null' --peers=qsort
if command -v python3 >/dev/null; then
    python3 -c '
import json, sys
for line in sys.stdin:
    result = json.loads(line)
    if "machine" in result:
        assert result["machine"]["cores"] >= 1 and result["machine"]["device"]
        continue
    assert 0 < result["min_s"] <= result["median_s"] < 600
    assert abs(result["mkeys_s"] * result["median_s"] - 1e-3) < 1e-9
    if result["who"] == "clsort":
        max_mkeys_s = result["copy_gb_s"] * 1e3 / result["model_bytes_key"]
        assert abs(result["model_fraction"] * max_mkeys_s / result["mkeys_s"] - 1) < 1e-9
        assert result["copy_gb_s"] > 0.1 and result["model_bytes_key"] >= 8' <out || fail "JSON: $(cat out)"
fi

# -- batches, and times by the device's clock --
# median FILE: prints the median of the only result, in ns.
median() {
    sed -nE 's/.*"median_s":([0-9.e-]+),"min_s".*/\1/p' "$1" | awk '{printf "%d", $1 * 1e9}'
}

# alike A B: two times of the same sort differ by less than a factor of 16, which allows for a busy machine.
alike() {
    (($1 > 0 && $2 > 0 && $1 < 16 * $2 && $2 < 16 * $1)) || fail "times of the same sort differ too much: $1 and $2 ns"
}

measure 1 '"runs":1,"batch":1,' --peers=none --n=2000000
[[ $(<out) != *device_median_s* ]] || fail "device times that were not requested: $(cat out)"
alone=$(median out)
measure 1 '"runs":1,"batch":30,' --peers=none --n=2000000 --batch=30 --device-time
alike "$alone" "$(median out)"
alike "$(sed -nE 's/.*"device_median_s":([0-9.e-]+).*/\1/p' out | awk '{printf "%d", $1 * 1e9}')" "$(median out)"
measure 1 '"batch":100,' --peers=none --batch=auto
measure 1 '"batch":33,' --peers=none --batch=auto --n=2000000
for sort in --op=keys "--op=pairs --value-size=8 --dist=few" "--op=custom --type=u64"; do
    # shellcheck disable=SC2086
    measure 1 '"batch":5,' --peers=none --batch=5 --device-time $sort
    contains out '"device_median_s":'
done
# Sorts in place have no batches, and sorts on the host have no device times.
for option in --peers=qsort --host; do
    measure "$([[ $option == --host ]] && echo 1 || echo 2)" '"batch":1,' --batch=5 --device-time --peers=none "$option"
    [[ $(grep '"batch":1,' out) != *device_median_s* ]] || fail "unexpected device time: $(cat out)"
done

# -- counts in device memory --
for op in keys pairs custom argsort gather; do
    for share in 1 33 100; do
        measure 2 "\"n\":$((10 * share)),\"max_n\":1000,\"dist\":\"uniform\"" --op=$op --count-share=$share --peers=none
        contains out '"who":"clsort-counted"'
    done
done
measure 2 '"n":1,"max_n":1,' --op=pairs --count-share=1 --n=1 --peers=none
measure 2 '"batch":3,' --count-share=50 --batch=3 --device-time --peers=none --dist=few --op=pairs --value-size=16
for op in merge top nth segments; do
    expect_error "--count-share requires --op keys, pairs, custom, argsort or gather" \
        clsort-bench --op=$op --count-share=1
done
for option in --host "--no-scratch --unstable"; do
    # shellcheck disable=SC2086
    expect_error "--count-share excludes --host and --no-scratch" clsort-bench $option --count-share=1
done
for share in 0 101 x; do
    expect_error "--count-share: '$share' is not a number from 1 to 100" clsort-bench --count-share=$share
done

# -- unstable sorts --
measure 2 '"unstable":true' --peers=std::stable_sort --op=pairs --dist=few --unstable
measure 1 '"unstable":true' --peers=none --op=pairs --dist=few --unstable --host
measure 1 '"asked":"auto","unstable":false' --peers=none

# -- merges --
# The number of results is that of the pairs of counts, for clsort and std::merge.
measure 8 '"op":"merge","type":"u32","value_size":0,"n":1000,"second":7,"dist":"uniform"' \
    --op=merge --n=1,1000 --second=7,1000
contains out '"who":"std::merge"'
lacks out '"who":"std::sort"'
measure 2 '"n":1000,"second":1000,' --op=merge --batch=3 --device-time
contains out '"device_median_s":'
for type in u8 f64; do
    measure 4 '"value_size":0,' --op=merge --type=$type --dist=special --second=1,300
    measure 4 '"value_size":16,' --op=merge --type=$type --dist=few --second=1,300 --value-size=16
done
for dist in sorted equal; do
    measure 4 "\"dist\":\"$dist\"" --op=merge --dist=$dist --second=1,300 --value-size=4
done
# Sizes that std::merge does not support, and inputs that both are too large for the calling thread.
measure 1 '"value_size":3,' --op=merge --value-size=3
contains err "std::merge does not take part: on the host, it supports values of 1, 2, 4, 8 or 16 bytes only"
measure 2 '"n":300000,"second":300001,' --op=merge --n=300000 --second=300001 --value-size=4 --dist=zipf
# Rates are those of the elements of both inputs.
if command -v python3 >/dev/null; then
    python3 -c '
import json, sys
for line in sys.stdin:
    result = json.loads(line)
    if "machine" not in result:
        assert abs(result["mkeys_s"] * result["median_s"] - 0.600001) < 1e-9' <out || fail "JSON: $(cat out)"
fi
for name in std::sort std::merge; do
    op=$([[ $name == std::sort ]] && echo merge || echo keys)
    measure 1 "\"op\":\"$op\"" --op="$op" --peers=$name
    contains err "$name does not take part: it "
done

# -- argsorts, gathers and selections --
measure 2 '"op":"argsort","type":"u32","value_size":4,"n":1000,' --op=argsort --peers=std-argsort
contains out '"who":"std-argsort","op":"argsort"'
measure 3 '"who":"std::stable_sort","op":"argsort"' --op=argsort --dist=few --peers=std-argsort,std::stable_sort
for type in u8 i64 f16; do
    measure 4 '"op":"argsort"' --op=argsort --type=$type --dist=special --n=1,70000 --peers=std-argsort
done
measure 1 '"unstable":true' --op=argsort --dist=equal --unstable --peers=none
for size in 1 2 8 16 100; do
    measure 4 "\"op\":\"gather\",\"type\":\"u32\",\"value_size\":$size,\"n\":1," \
        --op=gather --value-size=$size --n=1,70000
    contains out '"who":"loop"'
done
measure 2 '"type":"u64","value_size":4,"n":1000,"dist":"uniform"' --op=gather --type=u64
measure 4 '"n":50,"k":50,"input_order":false,' --op=top --n=50,1000 # the default k is 100, or all
contains out '"who":"std::partial_sort"'
contains out '"n":1000,"k":100,'
contains err "std::nth_element does not take part: it does not sort the keys that it selects"
measure 2 '"k":7,"input_order":true,' --op=top --k=7 --input-order
contains out '"who":"std::nth_element"'
contains err "std::partial_sort does not take part: it sorts the keys that it selects"
measure 4 '"n":3,"k":1,' --op=nth --n=3,1000 # the default k is half of the count
contains out '"n":1000,"k":500,'
contains out '"who":"std::nth_element"'
lacks out '"input_order":true'
measure 4 '"value_size":0,' --op=top --no-indexes --n=50,70000 --k=40 --peers=std::partial_sort
measure 2 '"input_order":true,' --op=top --no-indexes --k=7 --input-order
measure 2 '"value_size":0,' --op=nth --no-indexes --n=3 --k=1
for type in u8 i64 f16; do
    measure 4 '"k":60,' --op=top --type=$type --dist=special --n=60,70000 --k=60
    measure 4 '"input_order":true' --op=top --type=$type --dist=few --n=60,70000 --k=60 --input-order
    measure 4 '"k":59,' --op=nth --type=$type --dist=special --n=60,70000 --k=59
done
measure 3 '"segments":"equal","segment_length":256,"segment_count":4,' --op=segments \
    --peers=std-sort-each,std-sort-each-all
for segments in equal uniform zipf mixed; do
    for type in u8 i64 f32; do
        measure 4 "\"segments\":\"$segments\"" --op=segments --type=$type --dist=special --n=1,70000 \
            --segments=$segments --segment-length=37 --peers=std-sort-each
    done
done
measure 3 '"value_size":8,' --op=segments --value-size=8 --dist=few --segments=zipf --segment-length=9 \
    --peers=std-sort-each,std-sort-each-all
for op in unique check; do
    peer=$([[ $op == unique ]] && echo std::unique_copy || echo std::is_sorted_until)
    for type in u8 i64 f16 f32; do
        measure 6 "\"op\":\"$op\",\"type\":\"$type\",\"value_size\":0,\"n\":1," --op=$op --type=$type \
            --dist=special --n=1,2,70000
        contains out "\"who\":\"$peer\""
    done
    measure 2 "\"op\":\"$op\"" --op=$op --dist=equal
done
for dist in uniform few shared-prefix; do
    measure 2 "\"op\":\"columns\",\"type\":\"u32-f64-u8\",\"value_size\":4,\"n\":70000,\"dist\":\"$dist\"" \
        --op=columns --dist=$dist --n=70000
    measure 3 '"op":"strings","type":"bytes16"' --op=strings --dist=$dist --n=70000
    measure 4 '"op":"records","type":"bytes10"' --op=records --dist=$dist --n=70000
    measure 4 '"op":"particles","type":"f32"' --op=particles --dist=$dist --n=70000
    measure 2 '"op":"strings","type":"bytes41"' --op=strings --key-size=41 --dist=$dist --n=1,70000 --peers=none
done
for op in columns strings records particles; do
    expect_error "--op $op excludes --type" clsort-bench --op=$op --type=u32
    expect_error "--op $op excludes --host" clsort-bench --op=$op --host
done
expect_error "--key-size requires --op strings" clsort-bench --op=records --key-size=16
for size in 0 257 x; do
    expect_error "--key-size: '$size' is not a number from 1 to 256" clsort-bench --op=strings --key-size=$size
done
for op in argsort gather top nth segments unique check columns strings records particles; do
    measure 1 '"batch":3,' --op=$op --batch=3 --device-time --peers=none
    contains out '"device_median_s":'
    expect_error "--second requires --op merge" clsort-bench --op=$op --second=5
done
measure 1 '"op":"keys"' --peers=std-argsort,std::partial_sort,std::nth_element,loop
for name in std-argsort std::partial_sort std::nth_element loop; do
    contains err "$name does not take part: it does not sort"
done

# -- sorts without scratch memory --
for type in u8 f64; do
    measure 2 '"who":"std::sort"' --no-scratch --type=$type --peers=std::sort
    measure 2 '"unstable":true,"no_scratch":true' --no-scratch --unstable --type=$type --dist=few \
        --op=pairs --value-size=16 --peers=std::sort
done
measure 1 '"unstable":true,"no_scratch":true' --no-scratch --unstable --op=custom --type=u64 --peers=none
measure 1 '"host":true' --no-scratch --unstable --host --op=pairs --peers=none
# Each run needs a copy of the input, so that there are no batches.
measure 1 '"batch":1,' --no-scratch --batch=5 --peers=none --n=2000000

# Small sorts have more runs.
measure 1 '"host":false,"runs":8' --peers=none
measure 1 '"host":true,"runs":1' --peers=none --host --n=524289

# The results name the algorithm that ran, not the one that was requested.
measure 1 '"device":"one core","algorithm":"host"' --peers=none --host
measure 1 '"algorithm":"radix"' --peers=none --host --algorithm=radix
measure 1 '"algorithm":"radix"' --peers=none --algorithm=radix:bits=4
contains out '"model_bytes_key":96,'
measure 1 '"algorithm":"' --peers=none
[[ ! $(<out) =~ \"algorithm\":\"(auto|host)?\" ]] ||
    fail "the result does not name the algorithm: $(cat out)"

# -- the table --
row='device +1000( +[0-9]+\.[0-9]+){4}$'
expect 0 clsort-bench "${once[@]}" --peers=qsort --json=results
results results 2
grep -qE '^who +where +n +median ms +min ms +Mkeys/s +ratio$' out || fail "no table head: $(cat out)"
grep -qE "^clsort +$row" out || fail "no row of clsort: $(cat out)"
roofline='^roofline: copies move [0-9.]+ GB/s; [a-z]+ moves [0-9.]+ bytes a key: [0-9]+ Mkeys/s at best,'
roofline+=' [0-9.e-]+ of it reached$'
[[ $(grep -A1 '^clsort  ' out | tail -n 1) =~ $roofline ]] || fail "no roofline after clsort's row: $(cat out)"
grep -qE "^qsort +${row/device/one core}" out || fail "no row of qsort: $(cat out)"
contains out "u32 keys, uniform, runs: 1; ratio"
expect 0 clsort-bench "${once[@]}" --peers=qsort --device-time --batch=2 --unstable
grep -qE '^who +where .* ratio +device ms$' out || fail "no column of device times: $(cat out)"
grep -qE "^clsort +${row/4/5}" out || fail "no device time of clsort: $(cat out)"
grep -qE "^qsort +${row/device/one core}" out || fail "no row of qsort: $(cat out)"
contains out "u32 keys, unstable, uniform, runs: 1, batches of 2; ratio"
expect 0 clsort-bench "${once[@]}" --peers=none --host --op=pairs
grep -qE "^clsort_host +${row/device/one core}" out || fail "no row of clsort_host on one core: $(cat out)"
[[ $(<out) != *roofline* ]] || fail "unexpected roofline for host arrays: $(cat out)"
contains out "with values of 4 bytes"
expect 0 clsort-bench "${once[@]}" --op=merge --second=20 --value-size=8
grep -qE '^who +where +n +second +median ms +min ms +Mkeys/s +ratio$' out || fail "no table head: $(cat out)"
grep -qE "^clsort +${row/1000/1000 +20}" out || fail "no row of clsort: $(cat out)"
grep -qE "^std::merge +one core +1000 +20 " out || fail "no row of std::merge: $(cat out)"
contains out "u32 merges with values of 8 bytes, uniform, runs: 1; ratio"
expect 0 clsort-bench "${once[@]}" --op=nth --peers=none
grep -qE '^who +where +n +k +median ms +min ms +Mkeys/s +ratio$' out || fail "no table head: $(cat out)"
grep -qE "^clsort +${row/1000/1000 +500}" out || fail "no row of clsort: $(cat out)"
contains out "u32 selections of the k-th with indexes of 4 bytes, uniform, runs: 1; ratio"
expect 0 clsort-bench "${once[@]}" --op=top --input-order --peers=none
contains out "u32 selections of the first k with indexes of 4 bytes, in input order, uniform, runs: 1; ratio"
expect 0 clsort-bench "${once[@]}" --peers=none --no-scratch --unstable
grep -qE "^clsort +$row" out || fail "no row of clsort: $(cat out)"
[[ $(<out) != *roofline* ]] || fail "unexpected roofline for a sort in place: $(cat out)"
contains out "u32 keys, unstable, no scratch, uniform, runs: 1; ratio"
expect 0 clsort-bench "${once[@]}" --peers=none --count-share=5
grep -qE "^clsort-counted +${row/1000/50}" out || fail "no row of clsort-counted: $(cat out)"
contains out "u32 keys, uniform, runs: 1, counts in device memory: 5 % of the maximum; ratio"
expect 0 clsort-bench --n=262145 --runs=1 --peers=none --host # more are never sorted in the calling thread
grep -qE "^clsort_host +device +262145 " out || fail "no row of clsort_host on the device: $(cat out)"

# -- errors --
expect_error "unrecognized option '--fast'" clsort-bench --fast
expect_error "unexpected argument 'data'" clsort-bench data
expect_error "--type: 'u33' is unknown; see --help" clsort-bench --type=u33
expect_error "--op: 'sort' is unknown; see --help" clsort-bench --op=sort
expect_error "--dist: 'odd' is unknown; see --help" clsort-bench --dist=odd
expect_error "--peers: 'nobody' is unknown; see --help" clsort-bench --peers=nobody
expect_error "--n: '0' is not a list" clsort-bench --n=0
for number in 9x 16m 1e6; do
    expect_error "--n: '$number' is not a list of 1 to 64 numbers of elements; the suffixes are K, M, G and T, in" \
        clsort-bench --n=$number
done
expect_error "--runs: '0' is not a number from 1 to 1000" clsort-bench --runs=0
for batch in 0 1001 many; do
    expect_error "--batch: '$batch' is neither auto nor a number from 1 to 1000" clsort-bench --batch=$batch
done
expect_error "< is not an order of floats" clsort-bench --op=custom --type=f32
expect_error "--value-size requires --op pairs, merge, gather or segments" clsort-bench --value-size=8
expect_error "--value-size requires --op pairs, merge, gather or segments" clsort-bench --op=argsort --value-size=8
expect_error "--second requires --op merge" clsort-bench --second=8
expect_error "--second: '0' is not a list of 1 to 64 numbers of elements" clsort-bench --op=merge --second=0
for op in merge argsort gather top nth segments unique check; do
    expect_error "--op $op excludes --host: clsort_host does not support it" clsort-bench --host --op=$op
    expect_error "--no-scratch requires --op keys, pairs or custom" clsort-bench --no-scratch --op=$op
done
expect_error "--op gather, --type f32: indexes are u32 or u64" clsort-bench --op=gather --type=f32
expect_error "--op gather excludes --unstable: it has no keys" clsort-bench --op=gather --unstable
expect_error "--op gather excludes --dist: it has no keys" clsort-bench --op=gather --dist=few
expect_error "--k requires --op top or --op nth" clsort-bench --op=argsort --k=3
expect_error "--k: 'x' is not a number" clsort-bench --op=top --k=x
expect_error "--k: 0: --op top selects at least one key" clsort-bench --op=top --k=0
expect_error "--k: 9: at most 8 for 8 elements" clsort-bench --op=top --k=9 --n=9,8
expect_error "--k: 8: at most 7 for 8 elements" clsort-bench --op=nth --k=8 --n=9,8
expect_error "--segments: 'long' is unknown; see --help" clsort-bench --op=segments --segments=long
expect_error "--segment-length: '0' is not a number, 1 or more" clsort-bench --op=segments --segment-length=0
expect_error "--segments and --segment-length require --op segments" clsort-bench --segments=zipf
expect_error "--input-order requires --op top" clsort-bench --op=nth --input-order
expect_error "--no-indexes requires --op top or --op nth" clsort-bench --op=argsort --no-indexes
# The library refuses plans without scratch memory for stable sorts of pairs, and for wide values.
expect_error "quick, bitonic: the algorithm is not stable, which requires CLSORT_UNSTABLE" \
    clsort-bench "${once[@]}" --json=- --no-scratch --op=pairs
expect_error "no algorithm supports this sort" \
    clsort-bench "${once[@]}" --json=- --no-scratch --unstable --op=pairs --value-size=17
expect_error "out of memory" clsort-bench --json=- --op=merge --n=17179869183G --second=17179869183G
expect_error "no-such-device: no device's name contains" clsort-bench --device=no-such-device
for option in "" --host; do
    # shellcheck disable=SC2086
    expect_error 'algorithm "fast": unknown' \
        clsort-bench "${once[@]}" --peers=none --json=- --algorithm=fast $option
done
expect_error "none/results: No such file or directory" clsort-bench "${once[@]}" --json=none/results
expect_error "the results could not be written" eval "clsort-bench ${once[*]} --peers=none >/dev/full"

# -- help --
expect 0 clsort-bench --help
for word in --device --op --type --value-size --n --dist --algorithm --peers --runs --batch --device-time \
    --unstable --no-scratch --second --k --input-order --host --json "std::merge (one core)" \
    "u8 u16 u32 u64 i8 i16 i32 i64 f16 f32 f64" zipf radix "std::sort (one core)" roofline "Exit status"; do
    contains out "$word"
done

finish
