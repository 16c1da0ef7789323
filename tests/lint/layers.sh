#!/usr/bin/env bash
# layers.sh - files of a layer include only files of this layer and of lower ones, and no algorithm includes another
# but those it consists of
#
# Run in the source folder. Files of src/ name each other as "layer/file.h".
set -euo pipefail
shopt -s nullglob

layers=(base host device algo plan api group mpi) # lowest first
declare -A rank
for i in "${!layers[@]}"; do
    rank[${layers[i]}]=$i
done

failed=0
complain() {
    echo "$1" >&2
    failed=1
}

while IFS=: read -r file line include; do
    from=${file#src/}
    from=${from%%/*}
    target=${include#*\"}
    target=${target%%\"*}
    to=${target%%/*}
    if [[ $target == clsort*.h || ( $target == cl/*/@(*layout|sizes).h && -f $target ) ]]; then
        continue
    elif [[ -z ${rank[$from]:-} ]]; then
        complain "$file: not in a layer (${layers[*]})"
    elif [[ -z ${rank[$to]:-} || ! -f src/$target ]]; then
        complain "$file:$line: \"$target\" is no layer/file.h of src/"
    elif ((rank[$to] > rank[$from])); then
        complain "$file:$line: the layer $from includes the higher layer $to"
    fi
    # src/algo/NAME/ includes its own folder and src/algo/common/; src/algo/tuning.h includes all. `hybrid` consists of
    # two others, and `segments` sorts long segments by `msd`.
    if [[ $file == src/algo/*/* && $target == algo/*/* && ${target%/*} != algo/common &&
        ${file%/*} != "src/${target%/*}" &&
        "${file%/*} ${target%/*}" != "src/algo/hybrid algo/"@(msd|onesweep) &&
        "${file%/*} ${target%/*}" != "src/algo/segments algo/msd" ]]; then
        complain "$file:$line: includes another algorithm, ${target%/*}"
    fi
done < <(grep -rnE --include='*.[ch]' '^\s*#\s*include\s*"' src)
exit "$failed"
