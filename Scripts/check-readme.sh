#!/usr/bin/env bash
# Checks that the sample in the README is the snippet that the build compiles, and that the README's links lead
# to files.
set -euo pipefail
cd "$(dirname "$0")/.."

snippet=Snippets/ReadFlags.swift
# The first block of Swift code in it.
sample=$(awk '/^```/ { if (inside) exit; inside = $0 == "```swift"; next } inside' README.md)
if ! diff -u --label "$snippet" --label README.md "$snippet" - <<<"$sample" >&2; then
    echo "The sample in README.md is not $snippet: copy the one to the other." >&2
    exit 1
fi

for document in README.md CONTRIBUTING.md SECURITY.md docs/*.md; do
    while read -r link; do
        if [ ! -e "$(dirname "$document")/$link" ]; then
            echo "$document: the link to $link leads nowhere" >&2
            exit 1
        fi
    done < <(grep -oE '\]\([^)#]+' "$document" | sed 's/^](//' | grep -vE '^(https?|mailto):' || true)
done
echo "The README's sample is the snippet, and all links lead to files."
