/* The built-in systems, compiled into the binary from models/NAME.json. */
#ifndef API_CATALOG_H
#define API_CATALOG_H

#include <stddef.h>

/* Each text is a JSON object {"name", "title", "description", "source", "job": a ready job with its
 * model inline}. */
typedef struct CatalogEntry {
    const char *name;
    const char *text;
    size_t size;
} CatalogEntry;

/* Sorted by name. */
const CatalogEntry *catalog_entries(size_t *ret_n);
const CatalogEntry *catalog_find(const char *name); /* NULL when there is none */

#endif
