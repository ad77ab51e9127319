#!/bin/sh
# Makes a Debian package of a built program; `make deb` calls it.
#
#   deploy/make-deb.sh PROGRAM FOLDER        writes FOLDER/dalembert_VERSION_ARCHITECTURE.deb
#
# The same program gives the same bytes: files have root as their owner and the time
# SOURCE_DATE_EPOCH, by default the date of the release in CHANGELOG.md. The libraries it depends on
# are those of the release of Debian that it was built on.
set -eu
umask 022
export LC_ALL=C
program=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
cd "$(dirname "$0")/.."

command -v dpkg-shlibdeps >/dev/null || {
    echo "make-deb: dpkg-shlibdeps is missing; sh deploy/install-deps.sh check installs it" >&2
    exit 1
}
version=$(cat VERSION)
architecture=$(dpkg --print-architecture)
maintainer="the authors of dalembert <dalembert@localhost>"
released=$(sed -n "s/^## $version (\([0-9-]*\))\$/\1/p" CHANGELOG.md)
if [ -z "$released" ]; then
    echo "make-deb: CHANGELOG.md has no line \"## $version (DATE)\"; write that section" >&2
    exit 1
fi
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(date -u -d "$released" +%s)}
export SOURCE_DATE_EPOCH

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
manual=$root/usr/share/man/man1
overrides=$root/usr/share/lintian/overrides
documents=$root/usr/share/doc/dalembert

# the program, the unit and the documents
install -D "$program" "$root/usr/bin/dalembert"
strip --strip-all "$root/usr/bin/dalembert"
mkdir -p "$root/usr/lib/systemd/system" "$manual" "$documents" "$overrides" "$root/DEBIAN"
sed -e '/^# systemd unit\./,/^#   systemctl/d' -e 's|/usr/local/bin/|/usr/bin/|' \
    deploy/dalembert.service >"$root/usr/lib/systemd/system/dalembert.service"
deploy/manual-page.sh "$program" | gzip -9n >"$manual/dalembert.1.gz"
awk -v version="$version" -v maintainer="$maintainer" -f deploy/debian/changelog.awk CHANGELOG.md |
    gzip -9n >"$documents/changelog.gz"
install -m 644 deploy/debian/copyright "$documents/copyright"
gzip -9n <web/vendor/LICENSES >"$documents/web-libraries.gz"
install -m 644 deploy/debian/lintian-overrides "$overrides/dalembert"
install deploy/debian/postinst deploy/debian/prerm deploy/debian/postrm "$root/DEBIAN/"

# the control file; libcurl is loaded only for webhooks
mkdir "$work/debian"
printf 'Source: dalembert\n\nPackage: dalembert\nArchitecture: any\n' >"$work/debian/control"
depends=$(cd "$work" && dpkg-shlibdeps -O "$root/usr/bin/dalembert" |
    sed -n 's/^shlibs:Depends=//p')
kilobytes=$(find "$root/usr" -type f -printf '%s\n' | awk '{ n += $1 } END { print int(n / 1024) + 1 }')
cat >"$root/DEBIAN/control" <<TEXT
Package: dalembert
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Section: science
Priority: optional
Installed-Size: $kilobytes
Depends: $depends
Recommends: libcurl4
Description: simulation service for constrained mechanical systems
 A daemon with a REST interface that derives the equations of motion of
 mechanical systems with constraints, integrates them and keeps the results.
 Enable it with: systemctl enable --now dalembert
TEXT

# the sums that `dpkg --verify` compares
(cd "$root" && find usr -type f | sort | xargs md5sum >DEBIAN/md5sums)

# one time for all files, and the archive
find "$root" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
package=$folder/dalembert_${version}_$architecture.deb
dpkg-deb --root-owner-group --build "$root" "$package" >/dev/null
echo "$package"
