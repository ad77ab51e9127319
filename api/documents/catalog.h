/* The built-in systems, compiled into the binary from models/NAME.json. */
#ifndef API_DOCUMENTS_CATALOG_H
#define API_DOCUMENTS_CATALOG_H

#include "api/documents/catalog_data.h"

/* Sorted by name. */
const CatalogEntry *catalog_entries(size_t *ret_n);
const CatalogEntry *catalog_find(const char *name); /* NULL if there is none */

#endif
