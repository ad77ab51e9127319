/* Columns of a table as the store keeps them: a JSON array of names. A column with a unit is an
 * object with "name" and "unit". */
#ifndef API_DOCUMENTS_COLUMN_LIST_H
#define API_DOCUMENTS_COLUMN_LIST_H

#include "core/base/arena.h"
#include "core/base/status.h"

/* units: n, NULL for columns without a unit; or NULL. The text lives in the arena; NULL if out of
 * memory. */
const char *column_list_write(const char *const *names, const char *const *units, size_t n,
                              Arena *arena);
/* NULL is an empty list. *ret_units: NULL if no column has a unit. */
Status column_list_read(const char *json, Arena *arena, const char ***ret_names,
                        const char ***ret_units, size_t *ret_n, Error *err) MUST_CHECK;

#endif
