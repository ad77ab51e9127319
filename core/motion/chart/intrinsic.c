/* Intrinsic description of holonomic constraints: a chart with fewer coordinates than the model.
 *
 *     q = Q(x, t'),  l(x, xdot, t) = L(Q, Q_x xdot + Q_t, t),  force Q_x^T F,  Q_x^T R = 0
 *
 * B. Jovanovic, on holonomic systems and d'Alembert's principle, section 3.3. Every holonomic
 * constraint is built in; nonholonomic ones may remain, in the chart's coordinates. */
#include "core/motion/chart/chart.h"

static Status intrinsic_check(const MotionQuestion *question, Diagnostics *diag, Error *err)
{
    Status status = chart_check_size(question->model, true, diag, err);
    return status == OK ? chart_check_map(question, diag, err) : status;
}

static Status intrinsic_present(const Model *model, const MotionOptions *options,
                                Presentation *presentation, Error *err)
{
    return chart_present(model, options, true, NULL, presentation, err);
}

const Formulation formulation_intrinsic = {
    .name = "intrinsic",
    .title = "Intrinsic description, in the coordinates of the chart",
    .chart_columns = true,
    .check = intrinsic_check,
    .present = intrinsic_present,
    .derive = chart_derive,
    .locate = chart_locate,
};
