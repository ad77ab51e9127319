#!/bin/sh
# Installs what the project needs from Debian's archive; the one place that names packages.
#
#   deploy/install-deps.sh [GROUP...]      default: run
#
# Groups: run (build and run), check (tests), browser (tests of the web page), lint, long
# (check-long: fuzzing, valgrind, the image, nginx, a Haswell, alert rules, lintian, the file of
# Compose), runtime (the shared libraries of the built binary only, for the container image).
# Installs only what is missing, so that a second run is instant and needs no network. Debian 12
# (bookworm) and 13 (trixie) are tested; another release gets the names of 13.
set -eu

# shellcheck source=/dev/null
release=$(. /etc/os-release 2>/dev/null && echo "${VERSION_CODENAME:-unknown}" || echo unknown)
# Names that differ between the releases: the headers of Arb, which is a part of FLINT 3, and the
# shared libraries.
case $release in
bookworm)
    arb=libflint-arb-dev
    shared="libmicrohttpd12 libgsl27 libflint17 libflint-arb2 libnettle8 libcurl4"
    ;;
*)
    arb=
    shared="libmicrohttpd12t64 libgsl28 libflint19 libnettle8t64 libcurl4t64"
    ;;
esac

packages() {
    case $1 in
    run) echo "gcc g++ make pkg-config libc6-dev libmicrohttpd-dev libcjson-dev libsqlite3-dev" \
        "libgsl-dev libflint-dev $arb libsleef-dev nettle-dev zlib1g-dev libcurl4-openssl-dev" \
        "curl ca-certificates" ;;
    check) echo "check python3 python3-fastjsonschema python3-seccomp python3-yaml dpkg-dev systemd nodejs" ;;
    browser) echo "chromium chromium-driver" ;;
    lint) echo "clang-format clang-tidy cppcheck shellcheck" ;;
    long) echo "clang libclang-rt-dev valgrind debootstrap qemu-user-static prometheus nginx-light openssl lintian" \
        "docker-compose" ;;
    runtime) echo "$shared libcjson1 libsqlite3-0 libsleef3 zlib1g libstdc++6 ca-certificates" ;;
    *)
        echo "install-deps: no group \"$1\"; there are run, check, browser, lint, long and runtime" >&2
        exit 2
        ;;
    esac
}

[ $# -gt 0 ] || set -- run
wanted=
for group in "$@"; do
    wanted="$wanted $(packages "$group")"
done

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    echo "install-deps: this is not a Debian system (no apt-get), so nothing was installed." >&2
    echo "Needed: a C11 and a C++17 compiler (gcc 12), GNU make, pkg-config, libmicrohttpd >= 0.9.75," >&2
    echo "cJSON >= 1.7.15, SQLite >= 3.40, GSL >= 2.7, FLINT >= 3, or FLINT 2.9 and Arb 2.23, SLEEF >= 3.5," >&2
    echo "Nettle >= 3.8, zlib >= 1.2.9, libcurl >= 7.87;" >&2
    echo "for the tests also Check >= 0.15, Python 3 with fastjsonschema, seccomp and yaml," >&2
    echo "systemd-analyze, and Node >= 18." >&2
    echo "The Debian 13 packages are:" >&2
    echo " $wanted" >&2
    exit 1
fi

missing=
for package in $wanted; do
    case $(dpkg-query -W -f='${Status}' "$package" 2>/dev/null) in
    "install ok installed") ;;
    *) missing="$missing $package" ;;
    esac
done
if [ -z "$missing" ]; then
    echo "install-deps: everything for \"$*\" is installed"
    exit 0
fi

case $release in
bookworm | trixie) ;;
*)
    echo "install-deps: the release \"$release\" is not tested; Debian 12 and 13 are." >&2
    echo "Trying the package names of Debian 13. If apt finds no such package, install its" >&2
    echo "counterpart of your release by hand." >&2
    ;;
esac

sudo=
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "install-deps: missing packages, and neither root nor sudo to install them. As root:" >&2
        echo "  apt-get update && apt-get install --no-install-recommends$missing" >&2
        exit 1
    fi
    sudo=sudo
    echo "install-deps: using sudo"
fi
echo "install-deps: installing$missing"
# Lists that are empty or old make the installation fail; a mirror that is down may still not
# matter.
$sudo apt-get update -q || echo "install-deps: apt-get update failed; trying with the old lists" >&2
# shellcheck disable=SC2086 # a list of words
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing
echo "install-deps: done"
