/* Columns of rows of lanes: what one lane has is a column of [row][lane], and contiguous for those
 * who look at one lane alone. */
#ifndef CORE_PROGRAM_COMPILE_COLUMNS_H
#define CORE_PROGRAM_COMPILE_COLUMNS_H

#include <stddef.h>

/* n rows of these lanes from columns[lanes]; where that is NULL the lane stays as it is. */
void columns_put(double *rows, size_t n, size_t lanes, const double *const *columns);
/* columns[lanes] from n rows; where that is NULL the lane is left out. */
void columns_take(const double *rows, size_t n, size_t lanes, double *const *columns);

#endif
