/* Checks the names of the initial state before its values are known. */
#include "core/prepare/initial_names.h"

#include "core/prepare/initial_hold.h"
#include "core/prepare/initial_multipliers.h"
#include "core/prepare/named_values.h"

/* Named values of which only the names are checked. */
typedef struct NamedList {
    const NamedValue *values;
    size_t n;
} NamedList;

static void check_list(NamedList list, NamedTargets targets, double *scratch, Diagnostics *diag)
{
    named_values_assign(list.values, list.n, &targets, scratch, NULL, diag);
}

Status initial_names_check(Simulation *s, const JobSpec *spec, Diagnostics *diag, Error *err)
{
    const Model *model = s->compiled->model;
    const EquilibriumSpec *rest = &spec->initial.equilibrium;
    const NamedList lists[] = {
        {spec->initial.q, spec->initial.n_q}, {spec->initial.v, spec->initial.n_v},
        {rest->near_q, rest->n_near_q},       {rest->near_v, rest->n_near_v},
        {rest->offset_q, rest->n_offset_q},   {rest->offset_v, rest->n_offset_v}};
    const NamedList charted[] = {{spec->initial.chart_q, spec->initial.n_chart_q},
                                 {spec->initial.chart_v, spec->initial.n_chart_v}};
    double *scratch = arena_doubles(s->arena, model->n + model->given.chart.n);

    /* a scratch array receives the values */
    if (!scratch)
        return arena_status(s->arena, err);
    const Status status = initial_hold_read(s, spec, diag, err);
    if (status != OK)
        return status;
    /* names of coordinates, then of chart coordinates */
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        check_list(lists[k], coordinate_targets(model), scratch, diag);
    if (spec->initial.in_chart && model->given.chart.n == 0)
        diagnostics_add(diag, "/initial/chart", -1, "give the state under \"q\" and \"v\"",
                        "the model has no chart");
    for (size_t k = 0; model->given.chart.n && k < sizeof charted / sizeof *charted; k++)
        check_list(charted[k], chart_targets(model), scratch, diag);
    return initial_multipliers_check(s, spec, diag, err);
}
