/* The table that tools/embed-catalog.sh generates: the entries, sorted by name. */
#ifndef API_DOCUMENTS_CATALOG_DATA_H
#define API_DOCUMENTS_CATALOG_DATA_H

#include <stddef.h>

/* Each text is a JSON object {"name", "title", "description", "source", "job": a ready job with its
 * model inline}. */
typedef struct CatalogEntry {
    const char *name;
    const char *text;
    size_t size;
} CatalogEntry;

extern const CatalogEntry CATALOG_DATA[];
extern const size_t CATALOG_DATA_COUNT;

#endif
