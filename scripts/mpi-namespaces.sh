#!/usr/bin/env bash
# mpi-namespaces.sh - runs an MPI program on simulated nodes: mpi-namespaces.sh [OPTION]... COUNT PROGRAM [ARGUMENT]...
#
#   --mpi openmpi|mpich   the MPI implementation (default: openmpi)
#   --delay US            the time that every frame takes, in microseconds
#   --loss PERCENT        the part of the frames that is lost
#   --rate MBIT           what each node sends at most, in megabits per second
#
# Each of the COUNT nodes (1 to 64) is a network namespace with a host name and an address of its own, and gets one
# rank. The nodes are connected by a bridge. With --delay or --loss, they are connected by bench/scaling/relay.c
# instead if the kernel has no netem. All traffic between ranks passes this network, by TCP: ranks do not find out that
# they are on one machine. The program, the MPI installation and the files are those of this machine.
# The exit status is that of mpirun. Requires root and the packages iproute2 and util-linux.
set -euo pipefail

usage() {
    sed -n '2,9s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
    exit 2
}

mpi=openmpi delay=0 loss=0 rate=0
while [[ ${1:-} == --* ]]; do
    [[ $# -ge 2 ]] || usage
    case $1 in
    --mpi) mpi=$2 ;;
    --delay) delay=$2 ;;
    --loss) loss=$2 ;;
    --rate) rate=$2 ;;
    *) usage ;;
    esac
    shift 2
done
[[ $# -ge 2 && $1 =~ ^[0-9]+$ && $1 -ge 1 && $1 -le 64 && $mpi =~ ^(openmpi|mpich)$ ]] || usage
count=$1
shift
if ((EUID != 0)); then
    echo "mpi-namespaces.sh: network namespaces require root" >&2
    exit 1
fi

id=cls$$
sources=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
relay=

clean_up() {
    local i
    [[ -z $relay ]] || kill "$relay" 2>/dev/null || true
    for ((i = 0; i < count; i++)); do
        ip netns del "$id-$i" 2>/dev/null || true
    done
    ip link del "$id" 2>/dev/null || true
    rm -rf "$work"
}
trap clean_up EXIT

# configure NUMBER DEVICE: moves a device of this namespace to a node, as its eth0.
configure() {
    local node=$id-$1
    ip link set "$2" netns "$node" name eth0
    ip -n "$node" link set lo up
    ip -n "$node" link set eth0 address "02:00:00:00:00:$(printf '%02x' "$1")"
    ip -n "$node" addr add "10.123.45.$(($1 + 1))/24" dev eth0
    ip -n "$node" link set eth0 up
}

# Nodes with virtual Ethernet devices on a bridge
create_bridge() {
    local i
    ip link add "$id" type bridge
    ip link set "$id" up
    for ((i = 0; i < count; i++)); do
        ip link add "$id-$i" type veth peer name "$id.$i"
        ip link set "$id-$i" master "$id" up
        configure "$i" "$id.$i"
        shape "$i"
    done
}

# shape NUMBER: limits what a node sends.
shape() {
    local options=()
    ((${delay/./} == 0)) || options+=(delay "${delay}us")
    ((${loss/./} == 0)) || options+=(loss "$loss%")
    if ((${#options[@]} > 0)); then
        ((rate == 0)) || options+=(rate "${rate}mbit")
        ip netns exec "$id-$1" tc qdisc add dev eth0 root netem limit 100000 "${options[@]}"
    elif ((rate > 0)); then
        ip netns exec "$id-$1" tc qdisc add dev eth0 root tbf rate "${rate}mbit" burst 128k latency 200ms
    fi
}

create_relay() {
    local i ppm
    ppm=$(awk -v percent="$loss" 'BEGIN { printf "%d", percent * 10000 }')
    cc -std=c11 -O2 -o "$work/relay" "$sources/bench/scaling/relay.c"
    mkfifo "$work/ready"
    # shellcheck disable=SC2046 # names without spaces
    nice -n -15 "$work/relay" "$delay" "$ppm" "$rate" $(seq -f "$id.%g" 0 $((count - 1))) >"$work/ready" &
    relay=$!
    read -r <"$work/ready"
    for ((i = 0; i < count; i++)); do
        configure "$i" "$id.$i"
    done
}

# Returns whether the kernel has netem.
has_netem() {
    local found=1
    ip link add "$id.n" type veth peer name "$id.m"
    if tc qdisc add dev "$id.n" root netem delay 1us 2>/dev/null; then
        found=0
    fi
    ip link del "$id.n"
    return $found
}

for ((i = 0; i < count; i++)); do
    ip netns add "$id-$i"
    echo "10.123.45.$((i + 1)) node$i" >>"$work/hosts"
done
if ((${delay/./} == 0 && ${loss/./} == 0)) || has_netem; then
    create_bridge
else
    create_relay
fi

# The launch agent takes the arguments of ssh: options, the name of the host, and the words of the command.
cat >"$work/agent" <<AGENT
#!/usr/bin/env bash
while [[ \$1 == -* ]]; do shift; done
node=\${1#*node} name=\$1
shift
command="\$*"
export command name
exec ip netns exec "$id-\$node" unshare --uts --mount bash -c '
    hostname "\$name"
    mount --bind "$work/hosts" /etc/hosts
    unset name
    eval "exec \$command"'
AGENT
chmod +x "$work/agent"

hosts=$(seq -s , -f 'node%g' 0 $((count - 1)))
launch=(ip netns exec "$id-0" unshare --uts --mount bash -c
    "hostname node0; mount --bind '$work/hosts' /etc/hosts; exec \"\$@\"" mpi-namespaces)
if [[ $mpi == openmpi ]]; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    "${launch[@]}" mpirun.openmpi --mca plm_rsh_agent "$work/agent" --mca plm_rsh_no_tree_spawn 1 \
        --mca pml ob1 --mca btl tcp,self --mca btl_tcp_if_include eth0 --mca oob_tcp_if_include eth0 \
        --mca mpi_yield_when_idle 1 --mca hwloc_base_binding_policy none --host "$hosts" -np "$count" "$@"
else
    "${launch[@]}" mpiexec.hydra -launcher ssh -launcher-exec "$work/agent" -iface eth0 \
        -hosts "$hosts" -n "$count" "$@"
fi
