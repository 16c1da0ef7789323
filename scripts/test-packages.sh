#!/usr/bin/env bash
# test-packages.sh - installs the Debian packages in a new root and runs their tests there: test-packages.sh [FOLDER]
#
# FOLDER (default: build/packages) is that of package.sh. The root is a minimal Debian of the release that runs here, in
# a temporary folder. The packages and what they depend on are installed in it by apt, and autopkgtest runs the tests of
# packaging/debian/tests. The script needs root and the package registry.
set -euo pipefail

folder=$(realpath "${1:-$(dirname "${BASH_SOURCE[0]}")/../build/packages}")
for tool in mmdebstrap autopkgtest; do
    if ! command -v "$tool" >/dev/null; then
        echo "test-packages.sh: $tool is missing. Install as root: mmdebstrap autopkgtest" >&2
        exit 2
    fi
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
mmdebstrap --variant=apt "$release" "$work/root"

# The mounts exist in the namespace only, so that they vanish with it. The root is mounted on itself, because
# tool_full_disk creates a mount namespace, for which the root folder must be a mount point. Variables such as
# CMAKE_GENERATOR must not reach the tests.
# shellcheck disable=SC2016 # expanded by the inner shell
env --ignore-environment PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
    unshare --mount bash -euo pipefail -c '
    root=$1
    shift
    mount --bind "$root" "$root"
    mount -t proc proc "$root/proc"
    mount --rbind /sys "$root/sys"
    mount --rbind /dev "$root/dev"
    autopkgtest --apt-upgrade "$@" -- chroot "$root"' _ "$work/root" "$folder"/*.deb "$folder"/*.dsc
