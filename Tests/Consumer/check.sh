#!/bin/sh
# Builds apps that use the SDK, or a module that stands in for another, and nothing else; fails if anything of the service was compiled or linked with it.
set -eu
cd "$(dirname "$0")"

service='FlagEvaluation|HTTPServer|FlagStore|FlagService|FlagstaffCommand|CMicroHTTPD|CSQLite|CPostgreSQL'
libraries='microhttpd|sqlite|libpq'

swift build "$@"
bin=$(swift build --show-bin-path "$@")
apps='Consumer ConfigDirectorApp AbrovaFlagsApp QuonfigApp SplitThinApp'

# What the compiler left behind. Planning alone makes folders for every target of the package, so they say nothing.
compiled() {
    find "$bin/" \( -name '*.o' -o -name '*.swiftmodule' -o -name '*.pcm' \) |
        grep -E "/($1)(\.build/|\.swiftmodule|-[A-Z0-9]+\.pcm)" || true
}

# The test of the test: what must be there is found by the same means.
if [ -z "$(compiled Flagstaff)" ] || [ -z "$(compiled FlagModel)" ]; then
    echo "consumer: the SDK itself was not found in $bin: this check looks in the wrong place" >&2
    exit 1
fi

found=$(compiled "$service")
if [ -n "$found" ]; then
    echo "consumer: modules of the service were compiled for an app that uses the SDK alone:" >&2
    echo "$found" >&2
    exit 1
fi

for app in $apps; do
    if command -v ldd >/dev/null 2>&1; then linked=$(ldd "$bin/$app"); else linked=$(otool -L "$bin/$app"); fi
    if echo "$linked" | grep -E "$libraries"; then
        echo "consumer: libraries of the service were linked into $app, which uses the SDK alone" >&2
        exit 1
    fi

    # Calls into the service's C libraries, and mangled names that begin with a module of the service.
    if nm "$bin/$app" | grep -E ' _?(MHD_|sqlite3_|PQ[a-z])|\$s(14FlagEvaluation|10HTTPServer|9FlagStore|11FlagService)'; then
        echo "consumer: symbols of the service are in $app, which uses the SDK alone" >&2
        exit 1
    fi
done

echo "consumer: the SDK brings nothing of the service"
