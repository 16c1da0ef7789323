#!/usr/bin/env bash
# mingw.sh - builds the library and its tests for Windows, and runs them with Wine: mingw.sh [REGEX]
#
# REGEX selects tests by name (default: all). scripts/setup.sh installs the required packages for the preset mingw. The
# source of CMocka is downloaded from Debian.
set -euo pipefail

regex=${1:-.}
cd "$(dirname "${BASH_SOURCE[0]}")/.."

for program in wine dpkg-source x86_64-w64-mingw32-gcc-posix; do
    command -v "$program" >/dev/null || {
        echo "mingw.sh: $program is missing. Run first: scripts/setup.sh mingw" >&2
        exit 1
    }
done

# Debian's source of CMocka, as a static library. Its header checks formats as Microsoft defines them, but the library
# is built to print standard ones.
build_cmocka() {
    local work=$PWD/build/mingw-cmocka-source apt
    mkdir -p "$work/lists/partial"
    echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]" \
        "http://deb.debian.org/debian bookworm main" >"$work/sources.list"
    apt=(apt-get -q -o "Dir::Etc::sourcelist=$work/sources.list" -o Dir::Etc::sourceparts=/dev/null
        -o "Dir::State::lists=$work/lists" -o APT::Sandbox::User=root)
    "${apt[@]}" update
    (cd "$work" && "${apt[@]}" source cmocka)
    cmake -S "$work"/cmocka-*/ -B "$work/build" --toolchain "$PWD/cmake/mingw.cmake" -DCMAKE_BUILD_TYPE=Release \
        -DWITH_STATIC_LIB=ON -DCMAKE_C_FLAGS=-D__USE_MINGW_ANSI_STDIO=1 \
        -DCMAKE_INSTALL_PREFIX="$PWD/build/mingw-cmocka"
    cmake --build "$work/build" --target install
    cd build/mingw-cmocka
    mv lib/libcmocka-static.a lib/libcmocka.a
    rm -r lib/libcmocka.dll.a bin
    sed -i 's/(__format__ (__printf__/(__format__ (__gnu_printf__/' include/cmocka.h
    cd - >/dev/null
}
if [[ ! -e build/mingw-cmocka/lib/libcmocka.a ]]; then
    build_cmocka
fi

# The library is static: some tests replace functions of the OpenCL loader, which a DLL would call nevertheless.
PKG_CONFIG_LIBDIR=$PWD/build/mingw-cmocka/lib/pkgconfig cmake --preset mingw -B build/mingw-tests \
    -DCLSORT_BUILD_TESTS=ON -DBUILD_SHARED_LIBS=OFF
cmake --build build/mingw-tests --parallel "$(nproc)"

export WINEPREFIX=$PWD/build/wine WINEDEBUG=-all
ctest --test-dir build/mingw-tests --output-on-failure -R "$regex"
