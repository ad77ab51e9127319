/* The axes of a grid of members as JSON, [{"path", "values"}, ..], in pieces: an axis may have
 * millions of values. */
#ifndef API_DOCUMENTS_GRID_AXES_H
#define API_DOCUMENTS_GRID_AXES_H

#include "core/base/budget.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "core/ensemble/design.h"

typedef struct GridAxes GridAxes;

/* Copies the needed parts of a valid grid. budget: the memory of the copies is charged to it; may
 * be NULL. */
Status grid_axes_new(const DesignSpec *grid, Budget *budget, GridAxes **ret_axes,
                     Error *err) MUST_CHECK;
void grid_axes_free(GridAxes *axes); /* NULL is fine */

/* Adds the next piece; true: it was the last one. self: GridAxes. */
bool grid_axes_write(void *self, Text *out);

#endif
