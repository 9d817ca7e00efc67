#!/usr/bin/env bash
# Checks that each block of Swift code in the articles is compiled: that its lines stand together, whatever their
# indentation, in a snippet, a test of the documentation or an app of Tests/Consumer.
set -euo pipefail
cd "$(dirname "$0")/.."

# Lines without indentation and access level, which the surroundings decide; empty ones are left out.
normalized() {
    sed -E 's/^[[:space:]]+//; s/^(private|fileprivate) //; /^$/d'
}

compiled=''
while IFS= read -r -d '' file; do
    compiled+=$'\n'$(normalized <"$file")$'\n'
done < <(find Snippets Tests/*/Documentation Tests/Consumer/Sources -name '*.swift' -print0)

count=0
faults=0
block=''
inside=false
check() {
    count=$((count + 1))
    if [[ $compiled != *$'\n'"$(normalized <<<"$block")"$'\n'* ]]; then
        printf '%s: nothing that is compiled holds this sample:\n%s\n' "$1" "$block" >&2
        faults=$((faults + 1))
    fi
}

for article in Sources/*/*.docc/*.md; do
    # The sample of a landing page is only a glimpse.
    [ "$(basename "$article" .md)" != "$(basename "$(dirname "$article")" .docc)" ] || continue
    while IFS= read -r line; do
        if [ "$line" = '```swift' ]; then
            inside=true
            block=''
        elif [ "$line" = '```' ] && $inside; then
            inside=false
            check "$article"
        elif $inside; then
            block+=${block:+$'\n'}$line
        fi
    done <"$article"
done

if [ "$faults" -gt 0 ]; then
    echo "$faults of $count samples are not compiled: copy them to a snippet or a test of the documentation" >&2
    exit 1
fi
echo "All $count samples of the articles are compiled."
