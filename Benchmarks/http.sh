#!/usr/bin/env bash
# Compares the service's bulk answer with nginx serving the same bytes as a file: wrk, keep-alive, the same cores.
#
# Both servers run throughout and are measured in turns, so that other load on the machine meets both; the medians
# count. ROUNDS and SECONDS_EACH can be set in the environment.
set -euo pipefail
cd "$(dirname "$0")/.."

rounds=${ROUNDS:-5}
seconds=${SECONDS_EACH:-4}
connections=32
flagstaff=.build/release/flagstaff
work=$(mktemp -d "${TMPDIR:-/tmp}/flagstaff-http.XXXXXX")
servers=()

cleanup() {
    for server in "${servers[@]+"${servers[@]}"}"; do kill "$server" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$work"
}
trap cleanup EXIT

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

wait_for() {
    for _ in $(seq 100); do
        if curl -s -o /dev/null "$1"; then return; fi
        sleep 0.1
    done
    echo "http: nothing answers at $1" >&2
    exit 1
}

# The service, and its answer to keep.
python3 Benchmarks/make-flags.py 100 >"$work/flags.json"
port=$(free_port)
"$flagstaff" serve --flags "$work/flags.json" --port "$port" --log-level warning >"$work/service.log" 2>&1 &
servers+=($!)
service="http://127.0.0.1:$port/ofrep/v1/evaluate/flags"
wait_for "http://127.0.0.1:$port/healthz"
curl -sS -D "$work/headers" -o "$work/bulk.json" --data-binary @Benchmarks/context.json \
    -H 'Content-Type: application/json' "$service"
etag=$(sed -n 's/^[Ee][Tt]ag: *//p' "$work/headers" | tr -d '\r')
bytes=$(wc -c <"$work/bulk.json" | tr -d ' ')
[ -n "$etag" ] || { echo "http: the service sent no ETag" >&2; exit 1; }

# nginx with a worker a core, logging nothing, as the service does.
port=$(free_port)
cat >"$work/nginx.conf" <<CONFIGURATION
worker_processes auto;
error_log $work/nginx-error.log;
pid $work/nginx.pid;
daemon off;
events { worker_connections 1024; }
http {
    access_log off;
    sendfile on;
    tcp_nopush on;
    keepalive_requests 100000000;
    default_type application/json;
    client_body_temp_path $work/t1; proxy_temp_path $work/t2; fastcgi_temp_path $work/t3;
    uwsgi_temp_path $work/t4; scgi_temp_path $work/t5;
    server {
        listen 127.0.0.1:$port;
        root $work;
        # The path of the service, for requests of the same length.
        location = /ofrep/v1/evaluate/flags { alias $work/bulk.json; add_header Cache-Control no-cache; }
    }
}
CONFIGURATION
chmod 755 "$work"
nginx -c "$work/nginx.conf" -p "$work" >/dev/null 2>&1 &
servers+=($!)
file="http://127.0.0.1:$port/ofrep/v1/evaluate/flags"
wait_for "$file"
curl -sS "$file" | cmp - "$work/bulk.json"
fileETag=$(curl -sS -D - -o /dev/null "$file" | sed -n 's/^[Ee][Tt]ag: *//p' | tr -d '\r')

quoted() { sed 's/\\/\\\\/g; s/"/\\"/g' <<<"$1"; }
post="wrk.method = \"POST\"
wrk.body = \"$(quoted "$(cat Benchmarks/context.json)")\"
wrk.headers[\"Content-Type\"] = \"application/json\""
echo "$post" >"$work/service-bulk.lua"
printf '%s\nwrk.headers["If-None-Match"] = "%s"\n' "$post" "$(quoted "$etag")" >"$work/service-304.lua"
: >"$work/nginx-bulk.lua"
printf 'wrk.headers["If-None-Match"] = "%s"\n' "$(quoted "$fileETag")" >"$work/nginx-304.lua"

# Both must answer as the case says.
[ "$(curl -sS -o /dev/null -w '%{http_code}' --data-binary @Benchmarks/context.json -H "If-None-Match: $etag" \
    "$service")" = 304 ] || { echo "http: the service did not answer 304 to its own ETag" >&2; exit 1; }
[ "$(curl -sS -o /dev/null -w '%{http_code}' -H "If-None-Match: $fileETag" "$file")" = 304 ]

# Requests a second of one run; any answer that is an error ends the benchmark.
rate() {
    local script=$1 url=$2 output
    output=$(wrk -t 1 -c "$connections" -d "${seconds}s" -s "$work/$script.lua" "$url")
    if grep -qE 'Non-2xx|Socket errors' <<<"$output"; then
        echo "http: $script: $(grep -E 'Non-2xx|Socket errors' <<<"$output")" >&2
        exit 1
    fi
    awk '/^Requests\/sec/ { print $2 }' <<<"$output"
}
median() { sort -n "$1" | awk '{ values[NR] = $1 } END { print values[int((NR + 1) / 2)] }'; }

wrk -t 1 -c "$connections" -d 1s -s "$work/service-bulk.lua" "$service" >/dev/null
wrk -t 1 -c "$connections" -d 1s "$file" >/dev/null
for _ in $(seq "$rounds"); do
    for kind in bulk 304; do
        rate "nginx-$kind" "$file" >>"$work/nginx-$kind.rates"
        rate "service-$kind" "$service" >>"$work/service-$kind.rates"
    done
done

for name in nginx-bulk service-bulk nginx-304 service-304; do
    printf '%-14s %10.0f requests/s (of %s)\n' "$name" "$(median "$work/$name.rates")" \
        "$(sort -n "$work/$name.rates" | awk '{ printf "%s%.0f", (NR > 1 ? " " : ""), $1 }')"
done
ratio() { awk -v a="$(median "$work/$1.rates")" -v b="$(median "$work/$2.rates")" 'BEGIN { printf "%.2f", a / b }'; }
echo "result: {\"what\": \"bulk of 100 flags, half with targeting ($bytes bytes), requests/s\"," \
    "\"against\": \"nginx, the same bytes as a file\", \"ratio\": $(ratio service-bulk nginx-bulk), \"atLeast\": 0.4}"
echo "result: {\"what\": \"the same answered 304, requests/s\"," \
    "\"against\": \"nginx, the same bytes as a file\", \"ratio\": $(ratio service-304 nginx-bulk), \"atLeast\": 0.8}"
echo "result: {\"what\": \"the same answered 304, requests/s\"," \
    "\"against\": \"nginx answering 304\", \"ratio\": $(ratio service-304 nginx-304)}"
