/* The built-in systems: a sorted table, compiled from the files of models/. */
#include "api/documents/catalog.h"

#include <string.h>

const CatalogEntry *catalog_entries(size_t *ret_n)
{
    *ret_n = CATALOG_DATA_COUNT;
    return CATALOG_DATA;
}

const CatalogEntry *catalog_find(const char *name)
{
    for (size_t i = 0; i < CATALOG_DATA_COUNT; i++)
        if (strcmp(CATALOG_DATA[i].name, name) == 0)
            return &CATALOG_DATA[i];
    return NULL;
}
