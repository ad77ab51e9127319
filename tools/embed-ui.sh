#!/bin/sh
# Packs the web page for the binary: all files compressed, one after the other, in BLOB, and a C
# source with their table on standard output (api/ui_data.h).
#
#   tools/embed-ui.sh BLOB > ui_data.c        WITH_UI=no: a table without files
#
# The hash of all files is a part of their addresses, so that browsers may keep them for ever; only
# the page itself, web/index.html, names it (@HASH@). The same files give the same bytes.
set -eu
LC_ALL=C
export LC_ALL
blob=$1

files() {
    [ "${WITH_UI:-yes}" = no ] || echo web/index.html web/app/* web/vendor/*.js web/vendor/*.css \
        web/vendor/*.woff2 web/vendor/LICENSES clients/javascript/*.js
}
# The address of a file within /ui/HASH/.
address() {
    case $1 in
    clients/javascript/*) echo "client/${1##*/}" ;;
    *) echo "${1#web/}" ;;
    esac
}

# shellcheck disable=SC2046 # a list of files without spaces
hash=$(sha256sum $(files) </dev/null | sha256sum | cut -c 1-16)
echo '#include "api/ui_data.h"'
echo
echo "const char UI_HASH[] = \"$hash\";"
echo 'const UiFile UI_FILES[] = {'
at=0
: >"$blob"
for file in $(files); do
    sed "s/@HASH@/$hash/g" "$file" | gzip -n -9 >>"$blob"
    end=$(wc -c <"$blob")
    printf '    {"%s", %d, %d},\n' "$(address "$file")" "$at" $((end - at))
    at=$end
done
cat <<TEXT
    {0},
};
__asm__(".pushsection .rodata\n"
        ".global UI_BYTES\n"
        "UI_BYTES:\n"
        ".incbin \"$blob\"\n"
        ".byte 0\n"
        ".popsection\n");
TEXT
