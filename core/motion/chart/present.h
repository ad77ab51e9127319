/* The equations in a chart, for a reader. */
#ifndef CORE_MOTION_CHART_PRESENT_H
#define CORE_MOTION_CHART_PRESENT_H

#include "core/motion/chart/chart.h"

typedef struct ChartPrinter {
    Presentation *out;
    Chart chart; /* over out->pool */
    Expr *xddot; /* m symbols */
    Expr time;   /* t', if the chart's clock differs from the model's; else EXPR_NONE */
    /* Renamed symbols: coordinates of the chart that share a name with one of the model's. */
    Expr *from, *to;
    size_t n_renamed;
} ChartPrinter;

/* For a chart with fewer coordinates than the model, or with as many; ERR_INVALID for any other.
 * chart_printer_done() in any case. */
Status chart_printer_init(ChartPrinter *printer, const Model *model, const MotionOptions *options,
                          bool fewer, Presentation *out, Error *err) MUST_CHECK;
void chart_printer_done(ChartPrinter *printer);

/* presentation_add() with the symbols renamed; rhs may be EXPR_NONE. */
void chart_print(ChartPrinter *printer, const char *role, const char *name, Expr lhs, Expr rhs);

/* The map, l, forces, constraints and equations of motion. */
Status chart_print_motion(ChartPrinter *printer, Error *err) MUST_CHECK;

#endif
