/* Which constraints are independent at a state. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/model/evaluate.h"
#include "core/model/rows.h"
#include "core/numeric/dense.h"

/* Normalised; round-off has no direction. */
static void add_row(RowBasis *b, const double *a, double phi_scale)
{
    double *row = row_basis_add(b), norm = 0;

    for (size_t i = 0; i < b->n; i++)
        norm = hypot(norm, a[i]);
    for (size_t i = 0; i < b->n; i++)
        row[i] = norm > 16 * DBL_EPSILON * phi_scale ? a[i] / norm : 0;
}

/* Holonomic rows first; order[k] is the row of A. */
static void add_rows(RowBasis *b, const Model *m, const double *A, const double *phi_scale,
                     bool holonomic_only, size_t *order)
{
    for (int holonomic = 1; holonomic >= (holonomic_only ? 1 : 0); holonomic--) {
        for (size_t a = 0; a < m->r; a++) {
            if ((m->constraints[a].kind == CONSTRAINT_HOLONOMIC) != (holonomic == 1))
                continue;
            order[b->n_rows] = a;
            add_row(b, A + a * m->n, phi_scale[a]);
        }
    }
}

/* Singular values of all rows (min(n_rows, n) of them), and how many are not zero. */
static Status rank_of(const RowBasis *b, double *values, size_t *ret_rank, Error *err)
{
    const size_t count = b->n_rows < b->n ? b->n_rows : b->n;
    Status status = dense_singular_values(b->rows, b->n_rows, b->n, values, err);

    *ret_rank = 0;
    for (size_t k = 0; status == OK && k < count; k++)
        if (values[k] > (double)b->n * DBL_EPSILON * 1e3 * values[0])
            *ret_rank = k + 1;
    return status;
}

static void list_chosen(const RowBasis *b, const size_t *order, ConstraintRank *ret)
{
    size_t count = 0;
    for (size_t k = 0; k < b->n_rows; k++) {
        if (!b->chosen[k])
            continue;
        size_t place = count++;
        for (; place > 0 && ret->independent[place - 1] > order[k]; place--)
            ret->independent[place] = ret->independent[place - 1];
        ret->independent[place] = order[k];
    }
    ret->rank = count;
}

Status rows_independent(const Model *model, const double *A, const double *phi_scale,
                        bool holonomic_only, ConstraintRank *ret, Error *err)
{
    RowBasis b;
    size_t rank = model->n, *order = alloc_array(model->r, sizeof *order);
    double *values = alloc_array(model->n, sizeof *values);
    Status status = OK;

    if (!row_basis_init(&b, model->n, model->r) || !order || !values) {
        status = error_set(err, ERR_NO_MEMORY, "out of memory for a rank");
        goto out;
    }
    add_rows(&b, model, A, phi_scale, holonomic_only, order);
    if (!holonomic_only)
        status = rank_of(&b, values, &rank, err);
    if (status != OK)
        goto out;
    row_basis_choose(&b, model->n_holonomic, rank);
    row_basis_choose(&b, b.n_rows, rank);
    list_chosen(&b, order, ret);
    ret->largest = ret->smallest = 1;
    if (!holonomic_only && ret->rank > 0) {
        ret->largest = values[0];
        ret->smallest = values[ret->rank - 1];
    }
out:
    row_basis_done(&b);
    free(order);
    free(values);
    return status;
}

Status model_rank(ModelEval *eval, const ModelPoint *point, ConstraintRank *ret, Error *err)
{
    return rows_independent(eval->model, point->A, point->phi_scale, false, ret, err);
}
