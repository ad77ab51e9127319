/* Columns of numbers as a drawing that can be printed: SVG 1.1 without scripts or style sheets.
 * Every number in it is computed here, and every text is escaped. The first six colors are those of
 * the web page (web/app/colors.js); all have a contrast of 4.5 to 1 or more with the ground. */
#ifndef API_PLOT_PLOT_H
#define API_PLOT_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/text.h"

/* The number of curves in a drawing (one for each color), and its sides in pixels. */
enum { PLOT_CURVES_MAX = 8, PLOT_SIDE_LEAST = 160, PLOT_SIDE_MOST = 4096 };

typedef struct PlotColumn {
    const char *name;
    const double *values; /* n of the plot; a non-finite value leaves a gap */
} PlotColumn;

typedef struct Plot {
    const char *title; /* for readers who cannot see the drawing */
    size_t n;
    PlotColumn x;
    const PlotColumn *y; /* n_y, 1 to PLOT_CURVES_MAX */
    size_t n_y;
    unsigned width, height; /* of the drawing */
    bool dark;              /* on a dark ground */
    bool equal;             /* a unit has the same length on both axes */
    bool dots;              /* a dot at each row instead of a line */
    bool over_time;         /* x is the time: the curve goes from edge to edge */
} Plot;

void plot_write(const Plot *plot, Text *out);

#endif
