#!/bin/sh
# Writes the C source that holds JSON files as a table NAME of entries: the catalog inside the
# binary, and the jobs of its self-test.
#   tools/embed-catalog.sh NAME models/a.json models/b.json > catalog_data.c
set -eu
LC_ALL=C
export LC_ALL

table=$1
shift
echo '#include "api/documents/catalog_data.h"'
echo
index=0
for file in "$@"; do
    printf 'static const unsigned char TEXT_%d[] = {' "$index"
    od -An -v -tu1 "$file" | sed 's/  */,/g; s/^,//; s/$/,/'
    echo '0};'
    index=$((index + 1))
done
echo "extern const CatalogEntry ${table}[];"
echo "extern const size_t ${table}_COUNT;"
echo "const CatalogEntry ${table}[] = {"
index=0
for file in "$@"; do
    name=$(basename "$file" .json)
    printf '    {"%s", (const char *)TEXT_%d, sizeof TEXT_%d - 1},\n' "$name" "$index" "$index"
    index=$((index + 1))
done
echo '};'
echo "const size_t ${table}_COUNT = sizeof $table / sizeof *$table;"
