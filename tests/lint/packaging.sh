#!/usr/bin/env bash
# packaging.sh - the Debian packages and CITATION.cff have the version and the functions of include/clsort.h
#
# Run in the source folder.
set -euo pipefail

debian=packaging/debian
version=$(sed -n 's/.*CLSORT_VERSION_STRING "\(.*\)"/\1/p' include/clsort.h)
library=libclsort${version%.*} # as the SOVERSION

failed=0
# has FILE LINE: the file has a line that begins with this text.
has() {
    if ! grep -q "^${2//./\\.}" "$1"; then
        echo "$1: no line begins with '$2'; the version in include/clsort.h is $version" >&2
        failed=1
    fi
}
has CITATION.cff "version: $version"
has "$debian/control" "Package: $library"
has "$debian/changelog" "clsort ($version-"
bash tests/package/symbols.sh "$debian/$library.symbols" include/clsort.h include/clsort_{group,host}.h || failed=1
exit "$failed"
