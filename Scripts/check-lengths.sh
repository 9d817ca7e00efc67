#!/usr/bin/env bash
# Prints the ten longest source files and refuses any over the limit: a file has one subject.
set -euo pipefail
cd "$(dirname "$0")/.."
limit=400

list=$(find Sources Tests -name '*.swift' -not -path '*/Generated/*' -exec wc -l {} + | grep -v ' total$' | sort -rn)
echo "The longest files:"
head -n 10 <<<"$list"
tooLong=$(awk -v limit="$limit" '$1 > limit' <<<"$list")
if [ -n "$tooLong" ]; then
    printf 'Over %s lines; split by subject:\n%s\n' "$limit" "$tooLong" >&2
    exit 1
fi
