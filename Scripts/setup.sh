#!/usr/bin/env bash
# Installs what the build and the tests need and this machine lacks; says nothing when nothing is missing.
# With the argument "bench" or "conformance", what the benchmarks or the conformance run need too.
set -euo pipefail
purpose=${1:-build}

# What is looked for, the Debian package that has it, and the Homebrew formula ("-" where macOS has it).
needs() {
    cat <<'TABLE'
command:pkg-config     pkg-config         pkgconf
library:libmicrohttpd  libmicrohttpd-dev  libmicrohttpd
command:curl           curl               -
command:openssl        openssl            -
TABLE
    case "$purpose" in
        bench) printf '%s\n' "$python" "$servers" ;;
        conformance) printf '%s\n' "$python" ;;
    esac
}

python='
command:python3        python3            python3
python:ensurepip       python3-venv       -'
servers='
command:nginx          nginx-light        nginx
command:wrk            wrk                wrk'

is_present() {
    case "$1" in
        command:*) command -v "${1#command:}" >/dev/null ;;
        library:*) pkg-config --exists "${1#library:}" 2>/dev/null ;;
        python:*) python3 -c "import ${1#python:}" 2>/dev/null ;;
    esac
}

fail() {
    printf 'setup: %s\n' "$@" >&2
    exit 1
}

command -v swift >/dev/null || fail \
    "no 'swift' on PATH." \
    "Install Swift 6.0 or newer from https://www.swift.org/install and open a new terminal."

missing=()
column=$([ "$(uname -s)" = Darwin ] && echo 3 || echo 2)
while read -r row; do
    # shellcheck disable=SC2086 — the row is split into its columns on purpose.
    set -- $row
    [ $# -gt 0 ] || continue
    is_present "$1" || [ "${!column}" = - ] || missing+=("${!column}")
done < <(needs)
[ ${#missing[@]} -gt 0 ] || exit 0

echo "setup: installing ${missing[*]}"
if [ "$column" = 3 ]; then
    command -v brew >/dev/null || fail \
        "Homebrew is needed to install: ${missing[*]}" "See https://brew.sh, then run this again."
    brew install "${missing[@]}"
elif command -v apt-get >/dev/null; then
    as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || fail \
            "these packages are missing, and there is no 'sudo' to install them: ${missing[*]}" \
            "Run as root: apt-get install ${missing[*]}"
        as_root=(sudo --preserve-env=DEBIAN_FRONTEND,RUNLEVEL)
    fi
    # The second keeps a package from starting its service.
    export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1
    { "${as_root[@]+"${as_root[@]}"}" apt-get update -qq &&
        "${as_root[@]+"${as_root[@]}"}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null; } || fail \
        "apt-get could not install: ${missing[*]}" "Its own message is above."
else
    fail "these are missing, and neither apt-get nor Homebrew is here to install them: ${missing[*]}" \
        "Install them with the system's package manager, then run this again."
fi

while read -r row; do
    # shellcheck disable=SC2086
    set -- $row
    [ $# -gt 0 ] || continue
    is_present "$1" || fail "still missing after the installation: ${1#*:}"
done < <(needs)
