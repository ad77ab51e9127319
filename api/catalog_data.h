/* What tools/embed-catalog.sh generates: the entries, sorted by name. */
#ifndef API_CATALOG_DATA_H
#define API_CATALOG_DATA_H

#include "api/catalog.h"

extern const CatalogEntry CATALOG_DATA[];
extern const size_t CATALOG_DATA_COUNT;

#endif
