#!/usr/bin/env bash
# scaling.sh - predicts how sorts over MPI ranks scale, and how exact the predictions are
#
#   scaling.sh check              measured and predicted times on 2 to 16 nodes made of network namespaces; needs root
#   scaling.sh predict NODES...   predicted times on a fat-tree of 100 Gbit/s, with 2^24 u64 keys on each node
#   scaling.sh levels NODES...    the same with 2^14, 2^17, 2^20 and 2^24 keys, and an exchange in one and in two levels
#
# Results are JSON lines on standard output. bench/scaling/scaling.c is compiled for the simulator SimGrid (Debian:
# libsimgrid-dev simgrid-utils or what provides smpicc) and, to measure, for Open MPI. SCALING_ROUNDS (default: 16) is
# the option "rounds" of the program, and SCALING_LOGS (default: 14 17 20 24) the logarithms of the numbers of keys.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sources=(src/mpi/{search,exchange,ranks}.c src/group/splitters.c src/base/{error,text}.c src/api/status.c
    bench/scaling/{scaling,virtual_keys}.c)
options=(-O2 -Wall -Wextra -Isrc -Iinclude -Icl -Itools/keys -Ibench/scaling)

# platform TOPOLOGY SPEED LATENCY NODES: describes a cluster to the simulator.
platform() {
    cat >"$work/platform.xml" <<XML
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="cluster" prefix="node" suffix="" radical="0-$(($4 - 1))" speed="1Gf" bw="$2" lat="$3"
           loopback_bw="50GBps" loopback_lat="100ns" sharing_policy="SPLITDUPLEX" $1/>
</platform>
XML
    seq -f 'node%g' 0 $(($4 - 1)) >"$work/hosts"
}

# simulate RANKS OVERHEAD BANDWIDTH_FACTOR ARGUMENT...: OVERHEAD is the time that a send or a receive takes a core.
#
# Collective functions use the algorithms of Open MPI, with two exceptions. Open MPI uses recursive doubling if a
# reduction has too few elements for a ring, where SimGrid uses another algorithm; and the k-nomial broadcast of SimGrid
# begins with a ring of all ranks. Messages of at least 16 KiB wait for their receive.
simulate() {
    local algorithms=(--cfg=smpi/coll-selector:ompi --cfg=smpi/bcast:binomial_tree)
    (($1 >= 128)) || algorithms+=(--cfg=smpi/allreduce:rdb)
    smpirun -np "$1" -hostfile "$work/hosts" -platform "$work/platform.xml" --log=root.thres:warning \
        --cfg=smpi/simulate-computation:no --cfg=smpi/privatization:no --cfg=contexts/stack-size:256 \
        --cfg=smpi/host-speed:1Gf "${algorithms[@]}" --cfg=smpi/send-is-detached-thresh:16384 \
        --cfg=network/crosstraffic:0 --cfg=smpi/lat-factor:0:1 "--cfg=smpi/bw-factor:0:$3" "--cfg=smpi/os:0:$2:0" \
        "--cfg=smpi/ois:0:$2:0" "--cfg=smpi/or:0:$2:0" "$work/simulated" "${@:4}"
}

# tag TEXT: adds members to the JSON object on standard input.
tag() {
    sed "s/^{/{$1,/"
}

build_simulated() {
    smpicc -std=gnu11 -DCLSORT_SIMULATED "${options[@]}" "${sources[@]}" -lm -o "$work/simulated"
}

# measure OPTION VALUE RANKS ARGUMENT...: OPTION is one of mpi-namespaces.sh.
measure() {
    scripts/mpi-namespaces.sh "$1" "$2" "$3" "$work/measured" "${@:4}"
}

# value NAME: prints a member of the JSON object on standard input.
value() {
    sed -E "s/.*\"$1\":([0-9.e-]+).*/\1/"
}

# Exchanges of nodes that send 20 Mbit/s each, so that the network limits them, not the cores that they share, and
# searches on a network whose delay is long compared with the time until an idle process runs again. The part of the
# speed of a link that messages reach is calibrated by the exchange of 2 nodes. The latency is that of a link, and there
# are two on the way to another node.
check() {
    local ranks measured full factor exchange=(count=131072 repeats=5) search=(count=16384 repeats=3)
    mpicc.openmpi -std=c11 "${options[@]}" "${sources[@]}" -lm -o "$work/measured"
    platform "" 2.5MBps 15us 16
    full=$(simulate 2 0 1 "${exchange[@]}" | value exchange_s)
    for ranks in 2 4 8 16; do
        measured=$(measure --rate 20 "$ranks" "${exchange[@]}")
        factor=${factor:-$(awk -v full="$full" -v time="$(value exchange_s <<<"$measured")" \
            'BEGIN { printf "%.3f", full / time }')}
        tag '"kind":"measured","network":"20 Mbit\/s"' <<<"$measured"
        platform "" 2.5MBps 15us 16
        simulate "$ranks" 0 "$factor" "${exchange[@]}" |
            tag '"kind":"predicted","network":"20 Mbit\/s","bandwidth_factor":'"$factor"
        measure --delay 200000 "$ranks" "${search[@]}" | tag '"kind":"measured","network":"200 ms"'
        platform "" 1GBps 100ms 16
        simulate "$ranks" 0 1 "${search[@]}" | tag '"kind":"predicted","network":"200 ms"'
    done
}

# cluster RANKS ARGUMENT...: simulates 16 nodes on each switch of the first level, 4096 in all. Each node sorts 883
# million keys per second (measured on 16 cores, docs/benchmarks), and merges at this speed. Counting a key, and adding
# its counts to those of other ranks, takes 60 ns.
cluster() {
    platform 'topology="FAT_TREE" topo_parameters="3;16,16,16;1,16,16;1,1,1"' 12.5GBps 150ns 4096
    simulate "$1" 4e-7 0.92 sort=1.13 merge=1.13 probe=60 rounds="${SCALING_ROUNDS:-16}" "${@:2}" |
        tag '"kind":"predicted","network":"100 Gbit\/s"'
}

predict() {
    local ranks
    for ranks; do
        cluster "$ranks" count=16777216
    done
}

levels() {
    local ranks log number
    for ranks; do
        for log in ${SCALING_LOGS:-14 17 20 24}; do
            for number in 1 2; do
                cluster "$ranks" count=$((1 << log)) levels="$number"
            done
        done
    done
}

case ${1:-} in
check)
    build_simulated
    check
    ;;
predict | levels)
    build_simulated
    "$1" "${@:2}"
    ;;
*)
    sed -n '3,13s/^# \{0,1\}//p' "$root/scripts/scaling.sh" >&2
    exit 2
    ;;
esac
