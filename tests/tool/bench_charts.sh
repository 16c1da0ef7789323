#!/usr/bin/env bash
# bench_charts.sh - the other programs of scripts/bench.sh: numpy_sort.py, which measures NumPy, and charts.py
#
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

scripts=$(dirname "$0")/../../bench

export MPLCONFIGDIR=$work PYTHONDONTWRITEBYTECODE=1

# measure ARGUMENT...: appends results for two counts, since a line of a chart has at least two points.
measure() {
    expect 0 clsort-bench --n=100,1000 --runs=1 --json=part "$@"
    cat part >>results
}
measure --peers=qsort,std::sort
measure --peers=std::sort --dist=zipf
measure --peers=qsort --host
measure --op=pairs --peers=std::stable_sort
measure --op=pairs --peers=none --dist=zipf
measure --op=pairs --peers=std::sort --unstable
measure --op=custom --peers=none
measure --op=argsort --peers=std-argsort # has no chart
measure --op=nth --peers=std::nth_element
measure --peers=std::sort --algorithm=radix:bits=4
for length in 1 16 500; do
    measure --op=segments --peers=std-sort-each --segments=zipf --segment-length=$length
done
measure --op=segments --peers=std-sort-each # one length only
for k in 1 10 50; do
    measure --op=top --peers=std::partial_sort --type=f32 --k=$k
    measure --op=top --peers=std::nth_element --type=f32 --k=$k --input-order
done

if find_python numpy; then
    while read -r type dist; do
        expect 0 "$python" "$scripts/numpy_sort.py" --gen "$(command -v clsort-gen)" --type="$type" \
            --dist="$dist" --n=1,1000,600000 --runs=1
        [[ $(grep -cF '"verified":true' out) -eq 3 ]] || fail "$type, $dist: $(cat out)"
        contains out '"runs":8,'
        contains out '"runs":1,'
        contains out 'NumPy '
    done <<'END'
u8 uniform
i64 special
u32 uniform
f32 special
f64 special
END
    expect 0 "$python" "$scripts/numpy_sort.py" --gen "$(command -v clsort-gen)" --n=100,1000 --runs=1
    cat out >>results

    # operate OPTION...: measures another operation with three counts.
    operate() {
        expect 0 "$python" "$scripts/numpy_sort.py" --gen "$(command -v clsort-gen)" --runs=1 --n=64,1000,600000 "$@"
        [[ $(grep -cF '"verified":true' out) -eq 3 ]] || fail "$*: $(cat out)"
    }
    for keys in "--type=u8" "--type=f32 --dist=special" "--type=u64 --dist=few"; do
        # shellcheck disable=SC2086
        {
            operate --op=argsort $keys
            contains out '"who":"np.argsort","op":"argsort"'
            operate --op=top $keys
            contains out '"n":64,"k":64,'
            contains out '"n":1000,"k":100,'
            operate --op=nth $keys
            contains out '"who":"np.partition","op":"nth"'
            contains out '"n":1000,"k":500,'
            operate --op=nth --k=0 $keys
            contains out '"n":600000,"k":0,'
        }
    done

    # wrong OPERATION RESULT: the result, of the keys 3 1 1 2 and k = 2, is wrong.
    wrong() {
        PYTHONPATH=$scripts expect 0 "$python" -c "import numpy, numpy_sort
check = numpy_sort.OPERATIONS['$1'].make_check(numpy.array([3, 1, 1, 2], 'u4'), 2)
assert not check(numpy.array([$2]))"
    }
    wrong keys 1,1,3,2
    wrong argsort 2,1,3,0
    wrong argsort 1,1,3,0
    wrong argsort 0,1,2,3
    wrong top 1,2
    wrong nth 1

    # slow SPEEDUP: measures NumPy, of which this speedup is expected.
    slow() {
        PYTHONPATH=$scripts expect 0 "$python" -c "import numpy_sort
numpy_sort.MIN_SPEEDUP = $1
numpy_sort.main()" --gen "$(command -v clsort-gen)" --n=1000,1048576 --runs=1
    }
    slow 1e9
    contains err 'times as fast as with kind="stable"'
    [[ $(grep -cF '"suspect":true' out) -eq 1 ]] || fail "not exactly one result is suspect: $(cat out)"
    slow 0
    [[ ! -s err ]] || fail "an unexpected warning: $(cat err)"
    lacks out suspect
fi
if ! find_python matplotlib; then
    ((failures == 0)) || exit 1
    skip "no matplotlib"
fi

mkdir charts again
expect 0 "$python" "$scripts/charts.py" results charts
expect 0 "$python" "$scripts/charts.py" results again
for chart in u32 u32-host u32-distributions u32-pairs-4 u32-pairs-4-unstable; do
    [[ $(<charts/$chart.svg) == *"<svg"*"clsort"* ]] || fail "no chart $chart"
    contains charts/$chart.svg "elements per second, and ratio to clsort"
    contains charts/$chart.svg "measured on 20"
    contains charts/$chart.svg "data sha256:"
    same charts/$chart.svg again/$chart.svg
    [[ $(wc -c <charts/$chart.svg) -lt 100000 ]] || fail "$chart.svg has 100000 bytes or more"
done
for chart in u32-segments-zipf f32-top f32-top-input-order; do
    contains charts/$chart.svg "elements per second, and ratio to clsort"
    same charts/$chart.svg again/$chart.svg
done
contains charts/u32-segments-zipf.svg "mean length of a segment"
contains charts/u32-segments-zipf.svg "100 u32 keys in segments, lengths: zipf"
contains charts/u32-segments-zipf.svg std-sort-each
contains charts/f32-top.svg "100 f32 keys, first k"
contains charts/f32-top.svg "selected elements (k)"
[[ ! -e charts/u32-segments-equal.svg ]] || fail "a chart of one length compares nothing"
contains charts/u32.svg "clsort: device buffers, host peers: host arrays"
contains charts/u32.svg "std::sort"
contains charts/u32-host.svg "host arrays, transfers included"
contains charts/u32-distributions.svg zipf
contains charts/u32-pairs-4-distributions.svg "stable: elements per second, and ratio to uniform keys"
[[ ! -e charts/u32-custom.svg ]] || fail "a chart of clsort alone compares nothing"
lacks charts/u32.svg radix # a named algorithm is not in the charts

# File names get a prefix. Results of CUB are simulated here, since CUB requires a GPU.
sed 's/"who":"std::sort"/"who":"cub"/' results >with_cub
mkdir prefixed
expect 0 "$python" "$scripts/charts.py" with_cub prefixed gpu
same prefixed/gpu-u32-pairs-4.svg charts/u32-pairs-4.svg
contains prefixed/gpu-u32.svg cub
[[ -z $(find prefixed -not -name 'gpu-*' -type f) ]] || fail "charts without the prefix: $(ls prefixed)"

# Of CUB's variants for 32-bit and 64-bit counts, the faster one of each run is in the charts, whichever it is.
mkdir faster_32 faster_64
sed -E '/"who":"cub"/ { p; s/"cub"/"cub-64"/; s/("median_s":)[^,]*/\11/ }' with_cub >both
[[ $(grep -c '"who":"cub-64"' both) -ge 4 ]] || fail "no results of both variants"
expect 0 "$python" "$scripts/charts.py" both faster_32 gpu
sed -E '/"who":"cub"/ { h; s/("median_s":)[^,]*/\11/; p; g; s/"cub"/"cub-64"/ }' with_cub >both
expect 0 "$python" "$scripts/charts.py" both faster_64 gpu
for folder in faster_32 faster_64; do
    diff -r prefixed "$folder" >differences || fail "$folder does not show the faster variant: $(head differences)"
done

# Wrong results are in no chart.
sed 's/"verified":true/"verified":false/' results >wrong
mkdir none
expect 0 "$python" "$scripts/charts.py" wrong none
contains err "left out, because the result is wrong"
[[ -z $(ls none) ]] || fail "charts of wrong results: $(ls none)"
expect 1 "$python" "$scripts/charts.py" wrong
contains err "usage: charts.py RESULTS FOLDER [PREFIX]"

# Older results lack the fields "asked" and "unstable".
sed -E 's/"(asked|unstable)":[^,]*,//g' results | grep -vE 'custom|radix' >old
expect 0 "$python" "$scripts/charts.py" old none
contains none/u32.svg std::sort

finish
