#include "core/start.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

/* Dependent coordinates --------------------------------------------------------------------- */

typedef struct Pivot {
    size_t row, column;
    double size;
} Pivot;

/* The largest entry of a[rows x n] outside rows and columns that are done. */
static Pivot largest_entry(const double *a, size_t rows, size_t n, const bool *row_done,
                           const bool *column_done)
{
    Pivot best = {0, 0, 0};

    for (size_t k = 0; k < rows; k++)
        for (size_t i = 0; i < n; i++)
            if (!row_done[k] && !column_done[i] && fabs(a[k * n + i]) > best.size)
                best = (Pivot){k, i, fabs(a[k * n + i])};
    return best;
}

static void eliminate(double *a, size_t rows, size_t n, const bool *row_done, Pivot pivot)
{
    for (size_t k = 0; k < rows; k++) {
        if (row_done[k] || k == pivot.row)
            continue;
        double factor = a[k * n + pivot.column] / a[pivot.row * n + pivot.column];
        for (size_t i = 0; i < n; i++)
            a[k * n + i] -= factor * a[pivot.row * n + i];
    }
}

/* What is asked of the choice, by coordinate. */
typedef struct Wish {
    bool *excluded;
    unsigned *rank; /* larger ones are taken first */
} Wish;

/* The highest rank below `limit` that a column has. */
static bool next_rank(const unsigned *rank, size_t n, uint64_t limit, uint64_t *ret_rank)
{
    bool found = false;

    for (size_t i = 0; i < n; i++) {
        if (rank[i] < limit && (!found || rank[i] > *ret_rank)) {
            *ret_rank = rank[i];
            found = true;
        }
    }
    return found;
}

/* The columns that complete pivoting takes from the rows of A in use, row-normalised: of each rank,
 * the velocities that the constraints determine best. False when the columns not excluded do not
 * suffice. */
static bool choose_columns(double *a, size_t rows, size_t n, const Wish *wish, bool *row_done,
                           bool *chosen)
{
    bool *column_done = chosen + n;
    size_t count = 0;
    uint64_t rank, limit = UINT64_MAX;

    for (size_t k = 0; k < rows; k++) {
        double norm = 0;
        for (size_t i = 0; i < n; i++)
            norm = fmax(norm, fabs(a[k * n + i]));
        for (size_t i = 0; i < n && norm > 0; i++)
            a[k * n + i] /= norm;
    }
    while (count < rows && next_rank(wish->rank, n, limit, &rank)) {
        for (size_t i = 0; i < n; i++)
            column_done[i] = chosen[i] || wish->excluded[i] || wish->rank[i] < rank;
        while (count < rows) {
            Pivot pivot = largest_entry(a, rows, n, row_done, column_done);
            /* a column is not preferred at the price of ill condition */
            if (!(pivot.size > (rank > 0 ? 1e-3 : 1e-10)))
                break;
            eliminate(a, rows, n, row_done, pivot);
            row_done[pivot.row] = column_done[pivot.column] = chosen[pivot.column] = true;
            count++;
        }
        limit = rank;
    }
    return count == rows;
}

/* ret_dependent[rank], ascending. */
static Status choose_dependent(Simulation *s, size_t *ret_dependent, Diagnostics *diag, Error *err)
{
    const Model *model = s->compiled->model;
    const size_t n = model->n, rank = s->report.rank;
    double *a = alloc_array(rank * n, sizeof *a);
    bool *flags = alloc_array(3 * n + rank, sizeof *flags);
    bool *chosen = flags + n, *row_done = flags + 3 * n;
    const Formulation *formulation = s->compiled->formulation;
    Wish wish = {.excluded = flags, .rank = alloc_array(n, sizeof *wish.rank)};
    Status status =
        a && flags && wish.rank ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");
    if (status == OK && formulation->prefer)
        status = formulation->prefer(model, rank, wish.rank, err);
    if (status != OK) {
        free(a);
        free(flags);
        free(wish.rank);
        return status;
    }

    ModelPoint point = model_point(s->eval, s->times.t0, s->q, s->v);
    for (size_t k = 0; k < rank; k++)
        memcpy(a + k * n, point.A + s->rows[k] * n, n * sizeof *a);
    for (size_t k = 0; k < model->n_base; k++)
        wish.excluded[model->base[k]] = true;
    bool found = choose_columns(a, rank, n, &wish, row_done, chosen);
    size_t count = 0;
    for (size_t i = 0; i < n && found; i++)
        if (chosen[i])
            ret_dependent[count++] = i;
    free(a);
    free(flags);
    free(wish.rank);
    if (found)
        return OK;
    diagnostics_add(diag, "/model/base", -1, "leave \"base\" out, or choose other base coordinates",
                    "at the initial state the constraints do not determine the velocities of the "
                    "coordinates outside the base");
    return error_set(err, ERR_INVALID, "the base does not fit the constraints");
}

/* The motion ---------------------------------------------------------------------------------- */

Status start_choose_motion(Simulation *s, const JobSpec *spec, Diagnostics *diag, Error *err)
{
    const Formulation *formulation = s->compiled->formulation;
    MotionClass kind = s->report.mass_positive    ? MOTION_POSITIVE
                       : s->report.metric_is_mass ? MOTION_POSITIVE_ON_CONSTRAINTS
                                                  : MOTION_INDEFINITE;
    Status status = OK;

    (void)spec;
    s->dependent = arena_alloc(s->arena, s->report.rank, sizeof *s->dependent);
    if (!s->dependent)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    if (formulation->uses_dependent)
        status = choose_dependent(s, s->dependent, diag, err);
    MotionOptions options = {.rows = s->rows, .n_rows = s->report.rank, .dependent = s->dependent};
    MotionAnswer answer = {0};
    if (status == OK && formulation->check) {
        MotionQuestion question = {.answer = &answer,
                                   .model = s->compiled->model,
                                   .eval = s->eval,
                                   .params = s->params,
                                   .t = s->times.t0,
                                   .q = s->q,
                                   .v = s->v,
                                   .options = &options};
        status = formulation->check(&question, diag, err);
    }
    options.choice = answer.choice;
    if (status == OK)
        status = compiled_motion(s->compiled, &options, kind, &s->motion, err);
    return status;
}

Status start_state(const Simulation *s, Lanes *lanes, double *y, Error *err)
{
    const size_t n = s->compiled->model->n, dim = s->motion->dim;

    memset(y, 0, (dim + 1) * sizeof *y);
    if (s->motion->plain) {
        memcpy(y, s->q, n * sizeof *y);
        memcpy(y + n, s->v, n * sizeof *y);
        return OK;
    }
    if (s->guess)
        memcpy(y, s->guess, dim * sizeof *y);
    return lanes_restate(lanes, 0, s->times.t0, s->q, s->v, s->multipliers, y, err);
}
