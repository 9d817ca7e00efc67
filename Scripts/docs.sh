#!/usr/bin/env bash
# Builds the documentation of each module that apps import, offline, with warnings as errors, into .build/docs/MODULE.
set -euo pipefail
cd "$(dirname "$0")/.."

output=.build/docs
if command -v docc >/dev/null; then
    docc=(docc)
elif command -v xcrun >/dev/null; then
    docc=(xcrun docc)
else
    echo "docs: no 'docc' on PATH; it comes with the Swift toolchain" >&2
    exit 1
fi

sdk=()
if command -v xcrun >/dev/null; then sdk=(-sdk "$(xcrun --show-sdk-path)"); fi
target=$(swift -print-target-info | sed -n 's/.*"triple": *"\([^"]*\)".*/\1/p' | head -n 1)
rm -rf "$output"
mkdir -p "$output"

# Builds the pages of one module; further modules' symbols are shown as its own, as it re-exports them.
document() {
    local module=$1 catalog=Sources/$1/$1.docc graphs=.build/docs-symbols/$1 bin part
    swift build --target "$module"
    bin=$(swift build --show-bin-path)
    rm -rf "$graphs"
    mkdir -p "$graphs"
    for part in "$@"; do
        swift symbolgraph-extract -module-name "$part" -target "$target" "${sdk[@]+"${sdk[@]}"}" \
            -I "$bin/Modules" -Xcc -fmodule-map-file="$bin/CFlagAtomics.build/module.modulemap" \
            -minimum-access-level public -skip-synthesized-members -output-dir "$graphs"
        [ "$part" = "$module" ] || {
            sed -i.original "s/\"module\":{\"name\":\"$part\"/\"module\":{\"name\":\"$module\"/" "$graphs/$part.symbols.json"
            rm "$graphs/$part.symbols.json.original"
        }
    done
    "${docc[@]}" convert "$catalog" --additional-symbol-graph-dir "$graphs" --output-path "$output/$module" \
        --warnings-as-errors
    echo "$module: look at it with: ${docc[*]} preview $catalog --additional-symbol-graph-dir $graphs"
}

document Flagstaff FlagModel
document ConfigDirector
document AbrovaFlags
document Quonfig
document SplitThin
echo "The documentation is in $output."
