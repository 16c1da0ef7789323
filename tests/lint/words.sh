#!/usr/bin/env bash
# words.sh - no text has the phrases of words.txt
#
# Run in the source folder. The lab log of experiments is not reference text, and is left out.
set -euo pipefail

failed=0
while IFS=$'\t' read -r pattern plain; do
    [[ $pattern == '#'* || -z $pattern ]] && continue
    if grep -rnEI --exclude=words.txt --exclude-dir=lab-log --exclude='*.svg' --exclude='*.jsonl' -e "$pattern" \
        src cl include tests tools bench examples scripts cmake docs README.md CONTRIBUTING.md CHANGELOG.md .ci; then
        echo "write instead: $plain" >&2
        failed=1
    fi
done <tests/lint/words.txt
exit "$failed"
