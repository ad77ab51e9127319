/* Which constraints are independent at a state. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/model/eval.h"
#include "core/numeric/dense.h"

/* The rows looked at, normalised, and the orthonormal basis of those chosen so far. */
typedef struct Selection {
    size_t n, n_rows;
    size_t *rows;  /* n_rows: their numbers in A */
    double *unit;  /* n_rows x n; a row without any direction is zero */
    double *basis; /* chosen x n */
    double *rest;  /* n */
    bool *chosen;  /* n_rows */
    size_t n_chosen;
} Selection;

static void selection_done(Selection *s)
{
    free(s->rows);
    free(s->unit);
    free(s->basis);
    free(s->rest);
    free(s->chosen);
}

static void add_row(Selection *s, size_t row, const double *a, double scale)
{
    double *unit = s->unit + s->n_rows * s->n, norm = 0;

    for (size_t i = 0; i < s->n; i++)
        norm = hypot(norm, a[i]);
    for (size_t i = 0; i < s->n; i++) /* round-off has no direction */
        unit[i] = norm > 16 * DBL_EPSILON * scale ? a[i] / norm : 0;
    s->rows[s->n_rows++] = row;
}

/* Holonomic rows first. */
static bool selection_init(Selection *s, const Model *m, const double *A, const double *phi_scale,
                           bool holonomic_only)
{
    const size_t n = m->n, r = m->r;

    *s = (Selection){
        .n = n,
        .rows = alloc_array(r, sizeof *s->rows),
        .unit = alloc_array(r * n, sizeof *s->unit),
        .basis = alloc_array(n * n, sizeof *s->basis),
        .rest = alloc_array(n, sizeof *s->rest),
        .chosen = alloc_array(r, sizeof *s->chosen),
    };
    if (!s->rows || !s->unit || !s->basis || !s->rest || !s->chosen)
        return false;
    for (int holonomic = 1; holonomic >= (holonomic_only ? 1 : 0); holonomic--)
        for (size_t a = 0; a < r; a++)
            if ((m->constraints[a].kind == CONSTRAINT_HOLONOMIC) == (holonomic == 1))
                add_row(s, a, A + a * n, phi_scale[a]);
    return true;
}

/* Rank of the first n_rows rows, and the singular values that bound it. */
static Status rank_of(const Selection *s, size_t n_rows, ConstraintRank *ret, Error *err)
{
    const size_t count = n_rows < s->n ? n_rows : s->n;
    double *values = alloc_array(count, sizeof *values);

    ret->rank = 0;
    ret->smallest = ret->largest = 1;
    if (!values)
        return error_set(err, ERR_NO_MEMORY, "out of memory for a rank");
    Status status = count ? dense_singular_values(s->unit, n_rows, s->n, values, err) : OK;
    for (size_t k = 0; status == OK && k < count; k++)
        if (values[k] > (double)s->n * DBL_EPSILON * 1e3 * values[0])
            ret->rank = k + 1;
    if (status == OK && ret->rank > 0) {
        ret->largest = values[0];
        ret->smallest = values[ret->rank - 1];
    }
    free(values);
    return status;
}

/* What is left of a row when the basis is taken out, in s->rest; returns its norm. */
static double residue(Selection *s, size_t k)
{
    double norm = 0;

    memcpy(s->rest, s->unit + k * s->n, s->n * sizeof *s->rest);
    for (int pass = 0; pass < 2; pass++) { /* twice is enough for orthogonality */
        for (size_t c = 0; c < s->n_chosen; c++) {
            const double *direction = s->basis + c * s->n;
            double along = 0;
            for (size_t i = 0; i < s->n; i++)
                along += direction[i] * s->rest[i];
            for (size_t i = 0; i < s->n; i++)
                s->rest[i] -= along * direction[i];
        }
    }
    for (size_t i = 0; i < s->n; i++)
        norm = hypot(norm, s->rest[i]);
    return norm;
}

/* Chooses until `rank` of the first n_rows rows are in: the earliest that are well independent;
 * what is nearly dependent has its turn only when nothing better is left. */
static void choose(Selection *s, size_t n_rows, size_t rank)
{
    for (double threshold = 0.1; threshold > 1e-15 && s->n_chosen < rank; threshold *= 0.1) {
        for (size_t k = 0; k < n_rows && s->n_chosen < rank; k++) {
            double norm = s->chosen[k] ? 0 : residue(s, k);
            if (!(norm > threshold))
                continue;
            for (size_t i = 0; i < s->n; i++)
                s->basis[s->n_chosen * s->n + i] = s->rest[i] / norm;
            s->chosen[k] = true;
            s->n_chosen++;
        }
    }
}

static void list_chosen(const Selection *s, ConstraintRank *ret)
{
    size_t count = 0;
    for (size_t k = 0; k < s->n_rows; k++) {
        if (!s->chosen[k])
            continue;
        size_t place = count++;
        for (; place > 0 && ret->independent[place - 1] > s->rows[k]; place--)
            ret->independent[place] = ret->independent[place - 1];
        ret->independent[place] = s->rows[k];
    }
    ret->rank = count;
}

Status rows_independent(const Model *model, const double *A, const double *phi_scale,
                        bool holonomic_only, ConstraintRank *ret, Error *err)
{
    Selection s;
    ConstraintRank holonomic, all;
    Status status = OK;

    if (!selection_init(&s, model, A, phi_scale, holonomic_only))
        status = error_set(err, ERR_NO_MEMORY, "out of memory for a rank");
    if (status == OK)
        status = rank_of(&s, model->n_holonomic, &holonomic, err);
    if (status == OK)
        status = rank_of(&s, s.n_rows, &all, err);
    if (status == OK) {
        choose(&s, model->n_holonomic, holonomic.rank);
        choose(&s, s.n_rows, all.rank);
        ret->smallest = all.smallest;
        ret->largest = all.largest;
        list_chosen(&s, ret);
    }
    selection_done(&s);
    return status;
}

Status model_rank(ModelEval *eval, const ModelPoint *point, ConstraintRank *ret, Error *err)
{
    return rows_independent(eval->model, point->A, point->phi_scale, false, ret, err);
}
