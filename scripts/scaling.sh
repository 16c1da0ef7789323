#!/usr/bin/env bash
# scaling.sh - predicts how sorts over MPI ranks scale, and how exact the predictions are
#
#   scaling.sh check              measured and predicted times on 2 to 16 nodes made of network namespaces; needs root
#   scaling.sh predict NODES...   predicted times on a fat-tree of 100 Gbit/s, with 2^24 u64 keys on each node
#
# Results are JSON lines on standard output. bench/scaling/scaling.c is compiled for the simulator SimGrid (Debian:
# libsimgrid-dev simgrid-utils or what provides smpicc) and, to measure, for Open MPI. SCALING_ROUNDS (default: 64)
# limits the rounds of an exchange that are simulated; their time is scaled to all rounds.
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
simulate() {
    smpirun -np "$1" -hostfile "$work/hosts" -platform "$work/platform.xml" --log=root.thres:warning \
        --cfg=smpi/simulate-computation:no --cfg=smpi/privatization:no --cfg=contexts/stack-size:256 \
        --cfg=smpi/host-speed:1Gf --cfg=smpi/coll-selector:ompi --cfg=network/crosstraffic:0 \
        --cfg=smpi/lat-factor:0:1 "--cfg=smpi/bw-factor:0:$3" "--cfg=smpi/os:0:$2:0" "--cfg=smpi/or:0:$2:0" \
        "$work/simulated" "${@:4}"
}

# tag TEXT: adds members to the JSON object on standard input.
tag() {
    sed "s/^{/{$1,/"
}

build_simulated() {
    smpicc -std=gnu11 -DCLSORT_SIMULATED "${options[@]}" "${sources[@]}" -lm -o "$work/simulated"
}

# value NAME: prints a member of the JSON object on standard input.
value() {
    sed -E "s/.*\"$1\":([0-9.e-]+).*/\1/"
}

# Nodes that send 20 Mbit/s each, so that the network limits them, not the cores that they share. The speed of TCP is
# 0.95 of that of the network. The latency is calibrated by a search on 2 nodes, whose time is proportional to it: it is
# mostly the time until an idle process runs again.
check() {
    local ranks measured steps latency arguments=(count=131072 repeats=5)
    mpicc.openmpi -std=c11 "${options[@]}" "${sources[@]}" -lm -o "$work/measured"
    platform "" 1GBps 1s 2
    steps=$(simulate 2 0 1 count=131072 | value search_s)
    for ranks in 2 4 8 16; do
        measured=$(scripts/mpi-namespaces.sh --rate 20 "$ranks" "$work/measured" "${arguments[@]}")
        latency=${latency:-$(awk -v time="$(value search_s <<<"$measured")" -v steps="$steps" \
            'BEGIN { printf "%.9f", time / steps }')}
        tag '"kind":"measured","network":"20 Mbit\/s"' <<<"$measured"
        platform "" 2.5MBps "${latency}s" 16
        simulate "$ranks" 0 0.95 "${arguments[@]}" |
            tag '"kind":"predicted","network":"20 Mbit\/s","latency_s":'"$latency"
    done
}

# 16 nodes on each switch of the first level, 4096 in all. Each node sorts 883 million keys per second (measured on 16
# cores, docs/benchmarks), and merges at this speed; counting a key takes 60 ns.
predict() {
    local ranks
    platform 'topology="FAT_TREE" topo_parameters="3;16,16,16;1,16,16;1,1,1"' 12.5GBps 150ns 4096
    for ranks; do
        simulate "$ranks" 4e-7 0.95 count=16777216 sort=1.13 merge=1.13 probe=60 rounds="${SCALING_ROUNDS:-64}" |
            tag '"kind":"predicted","network":"100 Gbit\/s"'
    done
}

case ${1:-} in
check)
    build_simulated
    check
    ;;
predict)
    build_simulated
    predict "${@:2}"
    ;;
*)
    sed -n '3,10s/^# \{0,1\}//p' "$root/scripts/scaling.sh" >&2
    exit 2
    ;;
esac
