#!/usr/bin/env bash
# layers.sh - a layer includes only itself and lower ones, and no algorithm includes another
#
# Run in the source folder. Files of src/ name each other as "layer/file.h".
set -euo pipefail
shopt -s nullglob

layers=(base host device algo plan api) # lowest first
declare -A rank
for i in "${!layers[@]}"; do
    rank[${layers[i]}]=$i
done

# The files that define an algorithm's table, against the helpers that algorithms share.
mapfile -t algorithms < <(grep -lE '^const struct cls_algo cls_algo_\w+ =' src/algo/*.c)
declare -A is_algorithm
for file in "${algorithms[@]}"; do
    is_algorithm[$(basename "$file" .c)]=1
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
    if [[ $target == clsort.h ]]; then
        continue
    elif [[ -z ${rank[$from]:-} ]]; then
        complain "$file: not in a layer (${layers[*]})"
    elif [[ -z ${rank[$to]:-} || ! -f src/$target ]]; then
        complain "$file:$line: \"$target\" is no layer/file.h of src/"
    elif ((rank[$to] > rank[$from])); then
        complain "$file:$line: the layer $from includes the higher layer $to"
    fi
    # A shape of an algorithm, merge_cores.c, includes what shapes share, merge.h.
    name=$(basename "$target" .h)
    includer=$(basename "${file%.*}")
    if [[ $from == algo && $to == algo && $includer != "$name" && $includer != "${name}"_* &&
        -n ${is_algorithm[$name]:-} ]]; then
        complain "$file:$line: includes another algorithm, $name"
    fi
done < <(grep -rnE --include='*.[ch]' '^\s*#\s*include\s*"' src)
exit "$failed"
