#!/usr/bin/env bash
# musl-libraries.sh - builds the libraries that the preset musl links, in build/musl-libraries
#
# cJSON and CMocka are built from Debian's sources. No OpenCL driver of Debian runs with musl, because drivers are
# written in C++ and musl-tools has no C++ library. The loader is therefore a stand-in that finds no platform: each of
# its functions returns CL_PLATFORM_NOT_FOUND_KHR. Replace libOpenCL.so to test with another loader.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
prefix=$PWD/build/musl-libraries
work=$prefix/work
mkdir -p "$prefix/include" "$prefix/lib" "$work/lists/partial"
ln -sfn /usr/include/CL "$prefix/include/CL"

# The configuration of apt on this machine stays as it is.
suite=$(. /etc/os-release && echo "${VERSION_CODENAME:?}")
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian $suite main" \
    >"$work/sources.list"
apt=(apt-get -q -o "Dir::Etc::SourceList=$work/sources.list" -o Dir::Etc::SourceParts=-
    -o "Dir::State::Lists=$work/lists" -o APT::Sandbox::User=root)

# build PACKAGE CMAKE-OPTION...: downloads the source of a package, builds and installs it, unless that is done.
build() {
    local package=$1
    shift
    [[ ! -e $work/$package.done ]] || return 0
    rm -rf "${work:?}/$package"
    mkdir "$work/$package"
    "${apt[@]}" update
    (cd "$work/$package" && "${apt[@]}" source "$package" && mv ./*/ source)
    cmake -S "$work/$package/source" -B "$work/$package/build" -DCMAKE_C_COMPILER=musl-gcc -DCMAKE_BUILD_TYPE=Release \
        -DBUILD_SHARED_LIBS=OFF -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib "$@"
    cmake --build "$work/$package/build"
    cmake --install "$work/$package/build"
    touch "$work/$package.done"
}
build cjson -DENABLE_CJSON_TEST=OFF
build cmocka -DWITH_EXAMPLES=OFF

# The headers declare functions with their names at the start of a line. Callers ignore which parameters these have.
sed -nE 's/^(cl[A-Z][A-Za-z0-9]*)\(.*/int \1(void) { return -1001; }/p' /usr/include/CL/cl.h >"$work/loader.c"
musl-gcc -shared -fPIC -o "$prefix/lib/libOpenCL.so" "$work/loader.c"
