#!/usr/bin/env bash
# gen.sh - clsort-gen writes the requested type, count and distribution, and the same keys every time
#
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

# numbers FILE: prints the keys of a file of u32, one per line.
numbers() {
    od -An -v -w4 -tu4 "$1" | tr -d ' '
}

for type in "${all_types[@]}"; do
    for dist in uniform sorted reversed equal few zipf normal entropy2 entropy3 entropy4 entropy5 \
        organ-pipe clusters hot special nearly-sorted runs root-dups two-dups eight-dups left-aligned \
        alternating expo bitexp stairs shared-prefix random-runs; do
        expect 0 clsort-gen -t "$type" -d $dist -n 1000 -s 9 -o data
        mv out sum
        [[ $(stat -c %s data) -eq $((1000 * ${type:1} / 8)) ]] || fail "size of $type $dist"
        expect 0 clsort-gen --type="$type" --dist=$dist --count=1000 --seed=9
        same out data
        same err sum
        clsort -c --sum -t "$type" data 2>err >out
        same out sum
    done
    clsort-gen -t "$type" -d sorted -n 5000 2>/dev/null | clsort -c -t "$type" || fail "sorted $type"
    clsort-gen -t "$type" -d reversed -n 5000 2>/dev/null | clsort -c -r -t "$type" || fail "reversed $type"
done

# Generated files must never change. The checksum covers every key.
expect 0 clsort-gen -n 3M -d uniform -s 1 -o data
[[ $(cat out) == "count 3145728 sum bc19de281b8e57d3" ]] || fail "uniform data has changed: $(cat out)"

clsort-gen -n 10000 -d equal -o data >/dev/null
[[ $(numbers data | uniq | wc -l) -eq 1 ]] || fail "equal keys differ"
clsort-gen -n 10000 -d few -o data >/dev/null
[[ $(numbers data | sort -u | wc -l) -eq 16 ]] || fail "the distribution few does not have 16 keys"
clsort-gen -n 10000 -d organ-pipe -o data >/dev/null
head -c 20000 data | clsort -t u32 -c || fail "the first half of organ-pipe is not ascending"
tail -c 20000 data | clsort -t u32 -c -r || fail "the second half of organ-pipe is not descending"
[[ $(clsort-gen -n 10000 -d nearly-sorted -o data) == "$(clsort-gen -n 10000 -d sorted -o sorted)" ]] ||
    fail "nearly-sorted does not have the keys of sorted"
moved=$(cmp -l data sorted | awk '{ n[int(($1 - 1) / 4)] } END { for (i in n) m++; print m }')
((moved > 150 && moved <= 204)) || fail "nearly-sorted has $moved keys that are not where sorted has them"
clsort-gen -n 10000 -d runs -o data >/dev/null
[[ $(numbers data | awk '$1 < last { n++ } { last = $1 } END { print n }') -eq 15 ]] || fail "there are not 16 runs"
clsort-gen -n 10200 -d root-dups -o data >/dev/null
[[ $(numbers data | sort -u | wc -l) -eq 100 ]] || fail "root-dups does not have 100 keys"
clsort-gen -n 1000 -d two-dups -o data >/dev/null
[[ $(numbers data | sed -n 101p) -eq 500 ]] || fail "two-dups is not the square"
clsort-gen -n 1000 -d eight-dups -o data >/dev/null
[[ $(numbers data | sed -n 4p) -eq 61 ]] || fail "eight-dups is not the eighth power"
clsort-gen -n 1000 -d left-aligned -t u16 -o data >/dev/null
[[ $(od -An -v -w2 -tu2 data | sort -nu | tail -1) -eq $((63 << 10)) ]] || fail "left-aligned is not 6 bits"
clsort-gen -n 1000 -d alternating -o data >/dev/null
[[ $(numbers data | sort | uniq -c | awk '{ print $1 }' | xargs) == "500 500" ]] || fail "alternating is not two keys"
clsort-gen -n 10000 -d hot -o data >/dev/null
hot=$(od -An -v -w4 -tx2 data | awk '{ n[$2]++ } END { for (h in n) if (n[h] > m) m = n[h]; print m }')
((hot > 8800 && hot < 9200)) || fail "$hot of 10000 keys are hot"
clsort-gen -n 100000 -d zipf -o data >/dev/null
numbers data | sort | uniq -c | sort -rn | awk '
    NR == 1 { first = $1 }
    NR == 4 { exit !(first / $1 > 3.5 && first / $1 < 4.5) }' || fail "zipf is not 1/rank"
clsort-gen -n 100000 -d normal -t i32 -o data >/dev/null
od -An -v -w4 -td4 data | awk '
    { x = $1 / 2 ^ 29; s += x; q += x * x }
    END { exit !(s / NR < 0.02 && s / NR > -0.02 && q / NR > 0.97 && q / NR < 1.03) }' ||
    fail "normal: wrong integers"
clsort-gen -n 100000 -d normal -t f32 -o data >/dev/null
od -An -v -w4 -tf4 data | awk '
    { s += $1; q += $1 * $1; within += $1 > -1 && $1 < 1 }
    END { exit !(s / NR < 0.02 && s / NR > -0.02 && q / NR > 0.97 && q / NR < 1.03 &&
                 within / NR > 0.67 && within / NR < 0.695) }' || fail "normal: wrong floats"
clsort-gen -n 100000 -d entropy2 -o data >/dev/null
od -An -v -w1 -tu1 data | awk '
    { bits += $1 % 2 } END { exit !(bits / NR > 0.24 && bits / NR < 0.26) }' ||
    fail "entropy2: wrong fraction of set bits"
# lengths: reads keys and prints the number of their significant bits.
lengths() {
    awk '{ for (n = 0; $1 >= 2 ^ n; n++); print n }'
}
clsort-gen -n 33000 -d expo -o data >/dev/null
numbers data | lengths | sort -n | uniq -c | awk '
    $1 < 850 || $1 > 1150 || $2 != NR - 1 { exit wrong = 1 }
    END { exit wrong || NR != 33 }' || fail "expo: the numbers of significant bits are not uniform"
numbers data | awk '
    $1 > 1 { for (half = 1; half * 4 <= $1; half *= 2); odd += $1 % 2; upper += $1 >= 3 * half; n++ }
    END { exit !(odd / n > 0.48 && odd / n < 0.52 && upper / n > 0.48 && upper / n < 0.52) }' ||
    fail "expo: the bits below the leading one are not random"
clsort-gen -n 9000 -d expo -t u8 -o data >/dev/null
[[ $(od -An -v -w1 -tu1 data | lengths | sort -nu | xargs) == "0 1 2 3 4 5 6 7 8" ]] || fail "expo: wrong u8 keys"
clsort-gen -n 100000 -d bitexp -o data >/dev/null
od -An -v -w1 -tu1 data | awk '
    { zero += $1 == 0; for (i = 0; i < 8; i++) bits[i] += int($1 / 2 ^ i) % 2 }
    END {
        for (i = 0; i < 8; i++) if (bits[i] / NR < 0.097 || bits[i] / NR > 0.103) exit 1
        exit !(zero / NR > 0.425 && zero / NR < 0.436) # 0.9^8 if the bits are independent
    }' || fail "bitexp: wrong fraction of set bits"
clsort-gen -n 3500 -d stairs -o data >/dev/null
[[ $(numbers data | uniq -c | xargs) == "1000 0 1000 7 1000 14 500 21" ]] || fail "stairs does not have 1000 keys each"
clsort-gen -n 40001 -d stairs -t u8 -o data >/dev/null
[[ $(tail -c 1 data | od -An -tu1) -eq $((40 * 7 % 256)) ]] || fail "stairs: u8 keys do not wrap"
clsort-gen -n 10000 -d shared-prefix -o data >/dev/null
prefix=$(od -An -v -w4 -tx2 data | awk '{ print $2 }' | sort -u)
[[ $prefix =~ ^[0-9a-f]{4}$ ]] || fail "shared-prefix: several prefixes: $prefix"
od -An -v -w4 -tu2 data | awk '
    { sum += $1; if (!seen[$1]++) distinct++ }
    END { exit !(sum / NR > 32000 && sum / NR < 33500 && distinct > 9200 && distinct < 9350) }' ||
    fail "shared-prefix: the lower halves are not uniform"
clsort-gen -n 10000 -d shared-prefix -s 1 -o data >/dev/null
[[ $(od -An -v -w4 -tx2 data | awk '{ print $2 }' | sort -u) != "$prefix" ]] ||
    fail "shared-prefix: another seed gives the same prefix"
# Two runs seem to be one if no key descends between them, which is likely for short runs only.
for seed in 1 2 3; do
    clsort-gen -n 100000 -d random-runs -s $seed -o data >/dev/null
    numbers data | awk '{ sum += $1 } END { exit !(sum / NR > 2 ^ 31 * 0.98 && sum / NR < 2 ^ 31 * 1.02) }' ||
        fail "random-runs: the runs are not spread over the range"
    numbers data | awk '$1 < last { print n; n = 0 } { n++; last = $1 } END { print n }' >runs
    awk '
        { decade[length($1)]++; if ($1 > longest) longest = $1 }
        END {
            for (i = 1; i <= 4; i++) if (decade[i] < 3) exit 1
            exit !(NR > 20 && NR < 80 && longest > 8000 && longest < 25100)
        }' runs || fail "random-runs: the lengths are not log-uniform: $(xargs <runs)"
done
clsort-gen -n 1000 -s 1 >one 2>/dev/null
clsort-gen -n 1000 -s 2 >two 2>/dev/null
cmp -s one two && fail "different seeds give the same keys"
clsort-gen -n 1000 >zero 2>/dev/null
[[ $(numbers zero | sort -n | head -n 1) -gt 0 ]] || fail "with seed 0, a key is 0"

# -- offsets of segments --

# lengths_of FILE: prints the lengths of the segments between offsets of 64 bits.
lengths_of() {
    od -An -v -w8 -tu8 "$1" | awk 'NR > 1 { print $1 - last } { last = $1 }'
}

for segments in equal uniform zipf mixed; do
    expect 0 clsort-gen -n 100003 --segments=$segments --segment-length=50 -o offsets
    contains out "count 2002 sum "
    read -r first last < <(od -An -v -w8 -tu8 offsets | sed -n '1p;$p' | xargs)
    [[ $first == 0 && $last == 100003 ]] || fail "$segments: offsets from $first to $last"
    lengths_of offsets | awk '$1 < 0 { exit 1 }' || fail "$segments: offsets decrease"
    expect 0 clsort-gen -n 100003 --segments=$segments --segment-length=50 -t u32 -o narrow
    [[ $(od -An -v -w8 -tu8 offsets | xargs) == $(od -An -v -w4 -tu4 narrow | xargs) ]] ||
        fail "$segments: other offsets of 32 bits"
    expect 0 clsort-gen -n 100003 --segments=$segments --segment-length=50 -s 1 -o other
    [[ $segments == equal ]] || ! cmp -s offsets other || fail "$segments: another seed gives the same offsets"
    # As the documentation shows it:
    clsort-gen -n 100003 -o numbers >/dev/null
    expect 0 clsort -t u32 --device=host --segments offsets -o sorted numbers
    expect 0 clsort -t u32 --segments offsets --check sorted
done
clsort-gen -n 100003 --segments=equal -o offsets >/dev/null
[[ $(lengths_of offsets | uniq -c | xargs) == "390 256 1 163" ]] || fail "equal: $(lengths_of offsets | uniq -c)"
clsort-gen -n 1M --segments=uniform -o offsets >/dev/null
lengths_of offsets | head -n -1 | awk '
    { sum += $1; small += $1 < 128; if ($1 > 512) exit wrong = 1 }
    END { exit wrong || !(sum / NR > 245 && sum / NR < 267 && small / NR > 0.23 && small / NR < 0.27) }' ||
    fail "uniform: the lengths are not uniform from 0 to 512"
clsort-gen -n 1M --segments=zipf -o offsets >/dev/null
lengths_of offsets | sort -rn | awk 'NR == 1 { first = $1 } NR == 8 { exit !(first / $1 > 7 && first / $1 < 9) }' ||
    fail "zipf: the eighth length is not an eighth of the first"
clsort-gen -n 1M --segments=mixed -o offsets >/dev/null
lengths_of offsets | awk '
    { tiny += $1 <= 8; long += $1 > 512 }
    END { exit !(tiny / NR > 0.72 && tiny / NR < 0.79 && long / NR > 0.045 && long / NR < 0.075) }' ||
    fail "mixed: wrong fractions of tiny and long segments"
expect 0 clsort-gen -n 0 --segments=zipf -o offsets
[[ $(stat -c %s offsets) -eq 8 ]] || fail "no keys have $(stat -c %s offsets) bytes of offsets"
expect 0 clsort-gen -n 10 --segments=equal --npy -t i64 -o offsets
[[ $(stat -c %s offsets) -eq 144 ]] || fail "size of a .npy file of offsets"
contains offsets "'descr': '<i8'"
expect_error "--segments=long: unknown distribution" clsort-gen -n 10 --segments=long
expect_error "--segment-length=0: segments have a mean length from 1 on" clsort-gen -n 10 --segments=zipf \
    --segment-length=0
expect_error "--segment-length=x: not a number of keys" clsort-gen -n 10 --segments=zipf --segment-length=x
expect_error "--segment-length requires --segments" clsort-gen -n 10 --segment-length=9
expect_error "--segments cannot be combined with --dist" clsort-gen -n 10 --segments=zipf --dist=zipf
expect_error "--type=f32: offsets are integers of 32 or 64 bits" clsort-gen -n 10 --segments=zipf -t f32
expect_error "--type=u16: offsets are integers of 32 or 64 bits" clsort-gen -n 10 --segments=zipf -t u16
expect_error "--count=4294967296: too large for offsets of type u32" clsort-gen -n 4G --segments=zipf -t u32
expect_error "--count=2147483648: too large for offsets of type i32" clsort-gen -n 2G --segments=zipf -t i32

# -- options --

expect 0 clsort-gen -n 2K -o data
[[ $(stat -c %s data) -eq 8192 ]] || fail "--count 2K does not give 2048 keys"
expect 0 clsort-gen -n 0 -o data
[[ -f data && ! -s data ]] || fail "0 keys do not give an empty file"
expect 0 clsort-gen -n 2 -t u64 --npy -o data
[[ $(stat -c %s data) -eq 144 ]] || fail "size of a .npy file"
expect 0 clsort-gen --help
for word in --count --type --dist --seed --output --npy organ-pipe f16 "Exit status"; do
    contains out "$word"
done
expect 0 clsort-gen --version
contains out "clsort-gen "

expect_error "--count is required" clsort-gen
for number in x 1e6 16m 16MB 1P; do
    expect_error "--count=$number: not a number of keys, such as 1000, 16M or 2^20; the suffixes are K, M, G and T," \
        clsort-gen -n $number
done
for number in 18446744073709551616 20000000000G 2^64 2^99999999999999999999; do
    expect_error "--count=$number: too large: a count has at most 64 bits" clsort-gen -n $number
done
expect_error "--count=-1: not a number of keys" clsort-gen -n -1
expect_error "--count=10737418240000000000: too large for keys of type u64" clsort-gen -n 10000000000G -t u64
expect_error "--type=u33: unknown type; the types are ${all_types[*]}, by" clsort-gen -n 1 -t u33
expect_error "--dist=odd: unknown distribution; --help lists all distributions" clsort-gen -n 1 -d odd
expect_error "--seed=x: not an unsigned integer" clsort-gen -n 1 -s x
expect_error "unexpected argument 'file'" clsort-gen -n 1 file
expect_error "none/file: No such file or directory" clsort-gen -n 1 -o none/file
# At a limit on the size of files, the write fails half way. The signal SIGXFSZ must not kill clsort-gen.
expect_error "large: File too large" eval '(ulimit -f 100 && env --default-signal clsort-gen -n 1M -o large)'
[[ ! -e large ]] || fail "an incomplete output is left"
expect_error "standard output: No space left on device" eval 'clsort-gen -n 1M >/dev/full'

no_leftovers
# -- records of the sort benchmark --

# records OPTIONS...: the generated file is sorted by its keys as by sort, and keeps its records.
records() {
    expect 0 clsort-gen --record 100 -n 5000 -s 3 "$@" -o data
    mv out sum
    expect 0 clsort --record 100 -k 0:bytes10 --device=host -o sorted data
    expect 0 clsort --record 100 -k 0:bytes10 --check --sum sorted
    same out sum
    od -An -v -w100 -tx1 data | sort -s -k 1,10 >expected
    od -An -v -w100 -tx1 sorted >found
    same found expected
}
for dist in uniform zipf few shared-prefix; do
    records -d $dist
    records -d $dist --ascii
done
expect 0 clsort-gen --record=100 --ascii --count 300 -o data
[[ $(grep -cP '^[ -~]{10}  0{29}[0-9A-F]{3}  (([0-9A-F])\2{3}){13}\r$' data) -eq 300 ]] ||
    fail "wrong lines: $(head -3 data)"
sed 's/ *\r$//' data | cut -c 13-44 >found
seq 0 299 | xargs printf '%032X\n' >expected
same found expected
expect 0 clsort-gen --record=100 -n 2 -s 5 -o data
[[ $(od -An -v -w100 -tx1 data | cut -c 31-) == *" 00 11"*" 88 99 aa bb"*" cc dd ee ff"* ]] || fail "$(od -tx1 data)"
expect 0 clsort-gen --record 100 -n 30000 -d zipf -o data
[[ $(cat out) == "count 30000 sum e12de284e0c98701" ]] || fail "records have changed: $(cat out)"
expect 0 clsort-gen --record 100 -n 20000 -d sorted -o data
expect 0 clsort --record 100 -k 0:bytes8 --check data
[[ $(clsort-gen --record 100 -n 1000 -d few --ascii 2>/dev/null | cut -c 1-10 | sort -u | wc -l) -eq 16 ]] ||
    fail "few does not have 16 keys"

for other in --type=u32 --npy --segments=equal; do
    expect_error "--record cannot be combined with ${other%%=*}" clsort-gen --record 100 -n 5 "$other"
done
expect_error "--record=99: records of 100 bytes only" clsort-gen --record 99 -n 5
expect_error "--ascii requires --record" clsort-gen --ascii -n 5
expect_error "too large for records" clsort-gen --record 100 -n 10000000000G

finish
