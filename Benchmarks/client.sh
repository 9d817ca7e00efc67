#!/usr/bin/env bash
# Measures a client that is connected and has nothing to do: memory with 1,000 flags, and wake-ups. For Linux.
#
# On Linux most wake-ups are Foundation's: its transfer library looks after every connection once a second. The client's
# own timers are counted by a test (IdleTests). SECONDS_IDLE can be set in the environment; default 60.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d "${TMPDIR:-/tmp}/flagstaff-client.XXXXXX")
cleanup() {
    kill "$service" 2>/dev/null || true
    wait 2>/dev/null || true
    rm -rf "$work"
}
python3 Benchmarks/make-flags.py 1000 >"$work/flags.json"
.build/release/flagstaff serve --flags "$work/flags.json" --port 0 --log-level warning >"$work/out" 2>&1 &
service=$!
trap cleanup EXIT
for _ in $(seq 100); do
    url=$(grep -oE 'http://[^ ]+' "$work/out" || true)
    [ -z "$url" ] || break
    sleep 0.1
done
[ -n "$url" ] || { cat "$work/out" >&2; exit 1; }
.build/release/FlagstaffBench client "$url" "${SECONDS_IDLE:-60}"
