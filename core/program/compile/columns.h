/* Columns of rows of lanes: the data of one lane in [row][lane]; outside, contiguous. */
#ifndef CORE_PROGRAM_COMPILE_COLUMNS_H
#define CORE_PROGRAM_COMPILE_COLUMNS_H

#include <stddef.h>

/* Sets n rows of these lanes from columns[lanes]; a lane with NULL stays unchanged. */
static inline void columns_put(double *rows, size_t n, size_t lanes, const double *const *columns)
{
    for (size_t lane = 0; lane < lanes; lane++)
        for (size_t r = 0; columns[lane] && r < n; r++)
            rows[r * lanes + lane] = columns[lane][r];
}

/* Copies n rows to columns[lanes]; a lane with NULL is left out. */
static inline void columns_take(const double *rows, size_t n, size_t lanes, double *const *columns)
{
    for (size_t lane = 0; lane < lanes; lane++)
        for (size_t r = 0; columns[lane] && r < n; r++)
            columns[lane][r] = rows[r * lanes + lane];
}

#endif
