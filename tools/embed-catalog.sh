#!/bin/sh
# Writes the C source that holds models/*.json: the catalog inside the binary.
#   tools/embed-catalog.sh models/a.json models/b.json > catalog_data.c
set -eu
LC_ALL=C
export LC_ALL

echo '#include "api/catalog_data.h"'
echo
index=0
for file in "$@"; do
    printf 'static const unsigned char TEXT_%d[] = {' "$index"
    od -An -v -tu1 "$file" | sed 's/  */,/g; s/^,//; s/$/,/'
    echo '0};'
    index=$((index + 1))
done
echo 'const CatalogEntry CATALOG_DATA[] = {'
index=0
for file in "$@"; do
    name=$(basename "$file" .json)
    printf '    {"%s", (const char *)TEXT_%d, sizeof TEXT_%d - 1},\n' "$name" "$index" "$index"
    index=$((index + 1))
done
echo '};'
echo 'const size_t CATALOG_DATA_COUNT = sizeof CATALOG_DATA / sizeof CATALOG_DATA[0];'
