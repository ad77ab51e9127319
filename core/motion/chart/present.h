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

/* presentation_add() with the symbols renamed; rhs may be EXPR_NONE. */
void chart_print(ChartPrinter *printer, const char *role, const char *name, Expr lhs, Expr rhs);

/* Formulation.present: the map, l, forces, constraints and equations of motion, then those of
 * print_more, which may be NULL. */
Status chart_present(const Model *model, const MotionOptions *options, bool fewer,
                     Status (*print_more)(ChartPrinter *printer, Error *err), Presentation *out,
                     Error *err) MUST_CHECK;

#endif
