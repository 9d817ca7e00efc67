#!/usr/bin/env bash
# Measures everything and prints one table of ratios: bash Benchmarks/run.sh [json|reads|drop-ins|cache-start|evaluation|client|http|streams]...
#
# Each script prints `result:` lines, a JSON object each: what, against, ratio, atLeast (or value, unit, atMost).
# A goal that is missed is marked in the table; only a script that fails makes this one fail.
set -euo pipefail
cd "$(dirname "$0")/.."

bash Scripts/setup.sh bench
parts=("$@")
[ ${#parts[@]} -gt 0 ] || parts=(json reads drop-ins cache-start evaluation client http streams)

swift build -c release --product flagstaff
swift build -c release --product FlagstaffBench
bin=.build/release
results=.build/bench
mkdir -p "$results"

# Where the system lets a library stand before the allocator, allocations are counted.
reads() {
    if [ "$(uname)" = Linux ] && "${CC:-cc}" -O2 -shared -fPIC -o "$results/allocations.so" Benchmarks/allocations.c; then
        LD_PRELOAD="$PWD/$results/allocations.so" "$bin/FlagstaffBench" reads
    else
        "$bin/FlagstaffBench" reads
    fi
}

run_part() {
    case "$1" in
        json) "$bin/FlagstaffBench" json ;;
        reads) reads ;;
        evaluation) python3 Benchmarks/evaluation.py ;;
        client) bash Benchmarks/client.sh ;;
        http) bash Benchmarks/http.sh ;;
        streams) python3 Benchmarks/streams.py "$bin/flagstaff" ;;
        drop-ins) "$bin/FlagstaffBench" drop-ins ;;
        cache-start) "$bin/FlagstaffBench" cache-start ;;
        *)
            echo "bench: there is no part '$1'; there are json, reads, drop-ins, cache-start, evaluation, client, http, streams" >&2
            return 64
            ;;
    esac
}

failed=()
for part in "${parts[@]}"; do
    printf '\n== %s\n' "$part"
    if run_part "$part" >"$results/$part.log" 2>&1; then
        grep -v '^result: ' "$results/$part.log" || true
    else
        cat "$results/$part.log"
        failed+=("$part")
    fi
done

printf '\n'
for part in "${parts[@]}"; do sed -n 's/^result: //p' "$results/$part.log"; done | python3 Benchmarks/table.py
if [ ${#failed[@]} -gt 0 ]; then
    echo "bench: failed: ${failed[*]}" >&2
    exit 1
fi
