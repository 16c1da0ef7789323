#!/usr/bin/env bash
# words.sh - no text contains the phrases of words.txt
#
# Run in the source folder. Each line of words.txt has a Perl regular expression, a tab, and what to write instead. Case
# is ignored. The lab log is a record of experiments and is not checked.
set -euo pipefail

failed=0
while IFS=$'\t' read -r pattern plain; do
    [[ $pattern == '#'* || -z $pattern ]] && continue
    if grep -rnPI --ignore-case --exclude=words.txt --exclude-dir=lab-log --exclude-dir=corpus --exclude='*.svg' \
        --exclude='*.jsonl' -e "$pattern" \
        src cl include tests tools bench examples scripts cmake packaging .ci docs README.md CONTRIBUTING.md \
        CHANGELOG.md >&2; then
        echo "  write instead: $plain" >&2
        failed=1
    fi
done <tests/lint/words.txt
exit "$failed"
