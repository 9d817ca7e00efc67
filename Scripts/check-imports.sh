#!/usr/bin/env bash
# Holds the import table of docs/architecture.md: which target may import which of our modules.
set -euo pipefail
cd "$(dirname "$0")/.."

# One line a target: its name, a colon, the modules of this package that it may import.
table='
FlagLocking:
FlagModel:
FlagEvaluation: FlagModel
Flagstaff: FlagModel FlagLocking CFlagAtomics
FlagstaffTesting: FlagModel FlagLocking Flagstaff CLoopback
AbrovaFlags: Flagstaff FlagLocking
Quonfig: Flagstaff FlagLocking
SplitThin: Flagstaff FlagLocking
ConfigDirector: Flagstaff FlagLocking CFlagAtomics
ConfigDirectorTesting: ConfigDirector FlagstaffTesting Flagstaff FlagLocking
HTTPServer: CMicroHTTPD FlagLocking
FlagStore: FlagModel FlagEvaluation FlagLocking
FlagService: FlagModel FlagEvaluation FlagStore HTTPServer FlagLocking
FlagstaffCommand: FlagModel FlagEvaluation FlagStore FlagService HTTPServer Flagstaff FlagLocking
FlagstaffBench: FlagModel FlagEvaluation Flagstaff FlagLocking ConfigDirector AbrovaFlags Quonfig SplitThin
'

faults=0
complain() {
    echo "$1" >&2
    faults=$((faults + 1))
}

ours=" $(cd Sources && printf '%s ' *)"
for target in Sources/*/; do
    target=$(basename "$target")
    # A system library has headers only.
    [ -n "$(find "Sources/$target" -name '*.swift' -print -quit)" ] || continue
    if ! allowed=$(grep "^$target:" <<<"$table"); then
        complain "Sources/$target: not in the import table of Scripts/check-imports.sh; add what it may import"
        continue
    fi
    allowed=" ${allowed#*:} "
    while IFS=: read -r file line text; do
        # Of `package import struct FlagModel.FlagValue` the module is FlagModel.
        module=$(sed -E 's/.*import[[:space:]]+((struct|class|enum|protocol|func|var|let|typealias|actor)[[:space:]]+)?([A-Za-z_0-9]+).*/\3/' <<<"$text")
        if [[ $ours == *" $module "* && $allowed != *" $module "* ]]; then
            complain "$file:$line: $target may not import $module"
        fi
        # What computes is told apart from what reads and writes: no files, sockets or clocks below these.
        if [[ $target =~ ^(FlagModel|FlagEvaluation)$ && $ours != *" $module "* ]]; then
            complain "$file:$line: $target is pure and may not import $module"
        fi
    done < <(grep -rnE --include='*.swift' '^[[:space:]]*(@[A-Za-z_]+(\([^)]*\))?[[:space:]]+)*((public|package|internal|fileprivate|private)[[:space:]]+)?import[[:space:]]' "Sources/$target" || true)
done

# App extensions and widgets link the client too, and have no application object.
while IFS=: read -r file line text; do
    complain "$file:$line: app extensions cannot be built with $text"
done < <(grep -rnoE --include='*.swift' '(UIApplication|NSApplication|WKApplication|WKExtension)\.shared' Sources || true)

if [ "$faults" -gt 0 ]; then
    echo "$faults imports break the table" >&2
    exit 1
fi
echo "The import table holds."
