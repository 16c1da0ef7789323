#!/usr/bin/env bash
# package.sh - builds the source tarball and the Debian packages of the last commit: package.sh [FOLDER]
#
# FOLDER (default: build/packages) gets the tarball, the source package and the packages. The build takes place in a
# temporary folder and needs no network. The exit status is 1 if lintian reports an error or a warning.
#
# The tarball depends on the commit only, and the packages depend on the tarball and the versions of the compiler and of
# the libraries only; `reprotest` shows it (packaging/debian/README.source).
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=${1:-$root/build/packages}
cd "$root"

for tool in git dpkg-buildpackage dh lintian; do
    if ! command -v "$tool" >/dev/null; then
        echo "package.sh: $tool is missing. Install as root: git dpkg-dev debhelper lintian" >&2
        exit 2
    fi
done
if [[ -n $(git status --porcelain) ]]; then
    echo "package.sh: changes that are not committed are left out" >&2
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

version=$(git show HEAD:include/clsort.h | sed -n 's/.*CLSORT_VERSION_STRING "\(.*\)"/\1/p')
name=clsort-$version
# -n leaves the time out. The times, owners and order of the files are those of the commit.
git -c tar.umask=0022 archive --format=tar --prefix="$name/" HEAD | gzip -9n >"$work/clsort_$version.orig.tar.gz"

tar -C "$work" -xf "$work/clsort_$version.orig.tar.gz"
cp -r "$work/$name/packaging/debian" "$work/$name/debian"
(cd "$work/$name" && dpkg-buildpackage --unsigned-source --unsigned-changes)
rm -r "${work:?}/$name"

mkdir -p "$folder"
rm -f "$folder"/*
cp "$work"/* "$folder"
lintian --fail-on error,warning --allow-root --display-info "$folder"/*.changes
echo "The packages are in $folder"
