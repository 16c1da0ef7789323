#!/usr/bin/env bash
# external_compress.sh - compressed temporary files give the same bytes, and methods that were not built in are refused
#
# shellcheck disable=SC2034 # for lib.sh
in_memory=1
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

export CLSORT_DEVICE=host
memory=400000 # bytes of the buffers
small() { CLSORT_EXTERNAL_MEMORY=$memory "$@"; }

methods=(none auto)
for method in lz4 zstd; do
    clsort-gen -n 1 -o data >/dev/null
    if clsort -t u32 --compress=$method -o result data 2>err; then
        methods+=("$method")
    else
        contains err "clsort: --compress=$method: clsort was built without lib$method; use auto for what it has"
    fi
done
echo "methods: ${methods[*]}"

# agrees [OPTION...]: the file `data` gives the same result by every method, in place, and into a pipe.
agrees() {
    local method backend
    expect 0 clsort "$@" -o sorted data
    for method in "${methods[@]}"; do
        for backend in uring threads; do
            expect 0 small env CLSORT_EXTERNAL_IO=$backend clsort -S 1K "$@" --compress="$method" -o result data
            same result sorted
        done
        small clsort -S 1K "$@" --compress="$method" data 2>err | cmp - sorted || fail "$*, into a pipe: $(cat err)"
        cp data result
        expect 0 small clsort -S 1K "$@" --compress="$method" -o result result
        same result sorted
    done
    no_leftovers
}

mkdir one two three
for dist in uniform few equal sorted reversed nearly-sorted random-runs; do
    clsort-gen -n 50000 -t u64 -d $dist -o data >/dev/null
    agrees -t u64 -r
done
clsort-gen -n 60000 -t f32 -o data >/dev/null
agrees -t f32 -T one -T two -T three
[[ -z $(find one two three -type f) ]] || fail "files are left in the temporary folders"
agrees -t f32 -u
clsort-gen -n 60000 -t u8 -d few -o data >/dev/null
memory=700000 agrees -t u8 --no-verify

# Records, with ties, random or like text, and of sizes that do not divide blocks
clsort-gen -n 8000 --record 100 -d few -o data >/dev/null
agrees --record 100 -k 0:bytes10
clsort-gen -n 8000 --record 100 --ascii -o data >/dev/null
agrees --record 100 -k 4:u16:r -k 90:u8
head -c 699300 data >odd && mv odd data
memory=800000 agrees --record 333 -k 1:u8
clsort-gen -n 250000 -t u32 -o data >/dev/null
memory=9000000 agrees --record 100000 -k 77:u32:be

# Several passes
clsort-gen -n 400000 -t u32 -o data >/dev/null
expect 0 small clsort -S 1K -t u32 --compress=auto --explain data
grep -q ' [34] passes$' out || fail "--explain: $(cat out)"
agrees -t u32 -T one -T two

# --explain names the method, and a file that fits needs none.
for method in "${methods[@]:2}"; do
    expect 0 small clsort -S 1K -t u32 --compress="$method" --explain data
    grep -qx "compress $method" out || fail "--explain: $(cat out)"
    expect 0 clsort -S 1G -t u32 --compress="$method" --explain data
    lacks out compress
done
expect 0 small clsort -S 1K -t u32 --compress=none --explain data
lacks out compress

for method in gzip LZ4 auto,lz4; do
    expect_error "clsort: --compress=$method: unknown method; use auto, none, lz4 or zstd" \
        clsort -t u32 --compress="$method" data
done
finish
