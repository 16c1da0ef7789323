#!/usr/bin/env bash
# bench_charts.sh - the other programs of scripts/bench.sh: numpy_sort.py, which measures NumPy, and charts.py
#
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

scripts=$(dirname "$0")/../../bench

export MPLCONFIGDIR=$work PYTHONDONTWRITEBYTECODE=1

expect 0 clsort-bench --n=100,1000 --runs=1 --json=results --peers=qsort,std::sort
expect 0 clsort-bench --n=1000 --runs=1 --json=part --peers=std::sort --dist=zipf
cat part >>results
expect 0 clsort-bench --n=100 --runs=1 --json=part --peers=qsort --host
cat part >>results
expect 0 clsort-bench --op=pairs --n=100 --runs=1 --json=part --peers=none
cat part >>results
expect 0 clsort-bench --op=pairs --n=100 --runs=1 --json=part --peers=none --unstable
cat part >>results
expect 0 clsort-bench --op=custom --n=100 --runs=1 --json=part --peers=none
cat part >>results
expect 0 clsort-bench --n=1000 --runs=1 --json=part --peers=std::sort --algorithm=radix:bits=4 --device-time
cat part >>results

if find_python numpy; then
    for type in u8 u32 i64 f32 f64; do
        for dist in uniform special; do
            expect 0 "$python" "$scripts/numpy_sort.py" --gen "$(command -v clsort-gen)" --type=$type --dist=$dist \
                --n=1,1000,600000 --runs=1
            [[ $(grep -cF '"verified":true' out) -eq 3 ]] || fail "$type, $dist: $(cat out)"
            contains out '"runs":8,'
            contains out '"runs":1,'
            contains out 'NumPy '
        done
    done
    expect 0 "$python" "$scripts/numpy_sort.py" --gen "$(command -v clsort-gen)" --n=100,1000 --runs=1
    cat out >>results
fi
if ! find_python matplotlib; then
    ((failures == 0)) || exit 1
    skip "no matplotlib"
fi

mkdir charts again
expect 0 "$python" "$scripts/charts.py" results charts
expect 0 "$python" "$scripts/charts.py" results again
for chart in u32 u32-host u32-distributions u32-pairs-4 u32-pairs-4-unstable u32-custom; do
    [[ $(<charts/$chart.svg) == *"<svg"*"clsort"* ]] || fail "no chart $chart"
    contains charts/$chart.svg driver
    same charts/$chart.svg again/$chart.svg
    [[ $(wc -c <charts/$chart.svg) -lt 100000 ]] || fail "$chart.svg has 100000 bytes or more"
done
contains charts/u32.svg "times as fast as std::sort"
contains charts/u32.svg "roofline of clsort"
contains charts/u32.svg "clsort by radix:bits=4"
contains charts/u32.svg "by the device's clock"
contains charts/u32-host.svg "times as fast as qsort"
contains charts/u32-distributions.svg zipf
# A peer that was measured several times has one point per distribution, and clsort's own choice of algorithm is shown.
[[ $(grep -c '<use.*#1f77b4' charts/u32-distributions.svg) -eq 3 ]] || # two points and a legend entry
    fail "wrong number of points of std::sort: $(cat charts/u32-distributions.svg)"

# File names get a prefix. If there are results of CUB, charts compare with CUB. They are simulated here, since CUB
# requires a GPU.
sed 's/"who":"std::sort"/"who":"cub"/' results >with_cub
mkdir prefixed
expect 0 "$python" "$scripts/charts.py" with_cub prefixed gpu
same prefixed/gpu-u32-pairs-4.svg charts/u32-pairs-4.svg
contains prefixed/gpu-u32.svg "times as fast as cub"
[[ -z $(find prefixed -not -name 'gpu-*' -type f) ]] || fail "charts without the prefix: $(ls prefixed)"

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
contains none/u32.svg "times as fast as std::sort"

finish
