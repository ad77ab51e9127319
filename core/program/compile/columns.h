/* Columns of rows of lanes. The data of one lane are a column of [row][lane]; outside they are
 * contiguous. */
#ifndef CORE_PROGRAM_COMPILE_COLUMNS_H
#define CORE_PROGRAM_COMPILE_COLUMNS_H

#include <stddef.h>

/* Sets n rows of these lanes from columns[lanes]; a lane with NULL stays unchanged. */
void columns_put(double *rows, size_t n, size_t lanes, const double *const *columns);
/* Copies n rows to columns[lanes]; a lane with NULL is left out. */
void columns_take(const double *rows, size_t n, size_t lanes, double *const *columns);

#endif
