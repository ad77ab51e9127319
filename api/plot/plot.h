/* Columns of numbers as a drawing that a paper can print: SVG 1.1 without scripts or style sheets,
 * every number in it our own, every text escaped. Colours are those that people with any colour
 * vision tell apart (M. Okabe, K. Ito, Color universal design, 2008). */
#ifndef API_PLOT_PLOT_H
#define API_PLOT_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/text.h"

/* Curves in one drawing: one a colour; pixels. */
enum { PLOT_CURVES_MAX = 8, PLOT_SIDE_LEAST = 160, PLOT_SIDE_MOST = 4096 };

typedef struct PlotColumn {
    const char *name;
    const double *values; /* n of the plot; what is not finite leaves a gap */
} PlotColumn;

typedef struct Plot {
    const char *title; /* told to those who do not see it */
    size_t n;
    PlotColumn x;
    const PlotColumn *y; /* n_y, 1 to PLOT_CURVES_MAX */
    size_t n_y;
    unsigned width, height; /* of the drawing */
    bool dark;              /* on a dark ground */
    bool equal;             /* a unit is as long upwards as to the right */
    bool dots;              /* at each row, instead of a line through them */
    bool over_time;         /* x is: a line goes from edge to edge */
} Plot;

void plot_write(const Plot *plot, Text *out);

#endif
