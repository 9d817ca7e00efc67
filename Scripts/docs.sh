#!/usr/bin/env bash
# Builds the documentation of the client, offline, with warnings as errors, into .build/docs.
set -euo pipefail
cd "$(dirname "$0")/.."

catalog=Sources/Flagstaff/Flagstaff.docc
graphs=.build/docs-symbols
output=.build/docs

[ -d "$catalog" ] || { echo "docs: there is no $catalog" >&2; exit 1; }
if command -v docc >/dev/null; then
    docc=(docc)
elif command -v xcrun >/dev/null; then
    docc=(xcrun docc)
else
    echo "docs: no 'docc' on PATH; it comes with the Swift toolchain" >&2
    exit 1
fi

swift build --target Flagstaff
rm -rf "$graphs" "$output"
mkdir -p "$graphs"
sdk=()
if command -v xcrun >/dev/null; then sdk=(-sdk "$(xcrun --show-sdk-path)"); fi
target=$(swift -print-target-info | sed -n 's/.*"triple": *"\([^"]*\)".*/\1/p' | head -n 1)
bin=$(swift build --show-bin-path)
for module in Flagstaff FlagModel; do
    swift symbolgraph-extract -module-name "$module" -target "$target" "${sdk[@]+"${sdk[@]}"}" \
        -I "$bin/Modules" -Xcc -fmodule-map-file="$bin/CFlagAtomics.build/module.modulemap" -minimum-access-level public -skip-synthesized-members \
        -output-dir "$graphs"
done
# An app sees the values of FlagModel as part of Flagstaff, which re-exports them, and so do the pages.
sed -i.original 's/"module":{"name":"FlagModel"/"module":{"name":"Flagstaff"/' "$graphs/FlagModel.symbols.json"
rm "$graphs/FlagModel.symbols.json.original"

"${docc[@]}" convert "$catalog" --additional-symbol-graph-dir "$graphs" --output-path "$output" --warnings-as-errors
echo "The documentation is in $output; look at it with: ${docc[*]} preview $catalog --additional-symbol-graph-dir $graphs"
