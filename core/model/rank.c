/* Rows by orthogonalization, the rank by singular values. */
#include "core/model/rank.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/base/arena.h"
#include "core/model/evaluate.h"
#include "core/model/kkt.h"
#include "core/numeric/definite.h"
#include "core/numeric/dense.h"
#include "core/numeric/vectors.h"

/* Most entries of A for which full rank is first tested without allocation. */
enum { FEW_ENTRIES = 64 };
/* An entry of A counts as zero up to this many roundings (DBL_EPSILON) of its terms. No unit; a
 * convention. */
static const double ENTRY_ROUNDINGS = 16;

RowBasis row_basis(Arena *arena, size_t n, size_t max_rows)
{
    return (RowBasis){
        .n = n,
        .rows = arena_doubles(arena, max_rows * n),
        .basis = arena_doubles(arena, n * n),
        .chosen = ARENA_NEW(arena, max_rows, bool),
    };
}

double *row_basis_add(RowBasis *b)
{
    return b->rows + b->n_rows++ * b->n;
}

static void basis_take_out(const double *direction, double *row, size_t n)
{
    double along = 0;
    for (size_t i = 0; i < n; i++)
        along += direction[i] * row[i];
    for (size_t i = 0; i < n; i++)
        row[i] -= along * direction[i];
}

/* Adds the row to the basis and removes its direction from the remaining rows. */
static void basis_accept(RowBasis *b, size_t k)
{
    const size_t n = b->n;
    double *direction = b->basis + b->n_chosen * n;

    memcpy(direction, b->rows + k * n, n * sizeof *direction);
    for (int pass = 0; pass < 2; pass++) { /* twice, because scaling up the remainder magnifies its
                                              rounding */
        for (size_t c = 0; c < b->n_chosen; c++)
            basis_take_out(b->basis + c * n, direction, n);
        const double size = vector_length(direction, n);
        for (size_t i = 0; i < n; i++)
            direction[i] /= size;
    }
    b->chosen[k] = true;
    b->n_chosen++;
    for (size_t other = 0; other < b->n_rows; other++)
        if (!b->chosen[other])
            basis_take_out(direction, b->rows + other * n, n);
}

void row_basis_choose(RowBasis *b, size_t n_rows, size_t most)
{
    const double nothing = (double)b->n * DBL_EPSILON * 1e3;
    size_t left = 0;

    for (size_t k = 0; k < n_rows; k++)
        left += !b->chosen[k];
    most = most < b->n ? most : b->n;
    for (double threshold = 0.1; left > 0 && b->n_chosen < most; threshold *= 0.1) {
        threshold = fmax(threshold, nothing);
        for (size_t k = 0; k < n_rows && b->n_chosen < most; k++)
            if (!b->chosen[k] && vector_length(b->rows + k * b->n, b->n) > threshold) {
                basis_accept(b, k);
                left--;
            }
        if (threshold <= nothing)
            break;
    }
}

static double entry_of(double a, double rounding)
{
    return fabs(a) > ENTRY_ROUNDINGS * DBL_EPSILON * rounding ? a : 0;
}

/* Normalized, in units of the coordinates (NULL: as they are). */
static void rank_add_row(RowBasis *b, const double *a, const double *rounding, const double *units)
{
    double *row = row_basis_add(b), norm = 0;

    for (size_t i = 0; i < b->n; i++) {
        row[i] = entry_of(a[i], rounding[i]);
        row[i] *= units ? units[i] : 1;
        norm = hypot(norm, row[i]);
    }
    for (size_t i = 0; i < b->n && norm > 0; i++)
        row[i] /= norm;
}

/* Adds the rows, holonomic ones first; order[k] is the row of A. */
static void rank_add_rows(RowBasis *b, const Model *m, const ModelPoint *point, bool holonomic_only,
                          const double *units, size_t *order)
{
    for (int holonomic = 1; holonomic >= (holonomic_only ? 1 : 0); holonomic--) {
        for (size_t a = 0; a < m->r; a++) {
            if ((m->constraints[a].kind == CONSTRAINT_HOLONOMIC) != (holonomic == 1))
                continue;
            order[b->n_rows] = a;
            rank_add_row(b, point->A + a * m->n, point->A_rounding + a * m->n, units);
        }
    }
}

/* Singular values of all rows (min(n_rows, n) of them), and the number of nonzero ones. */
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

static void rank_list(const RowBasis *b, const size_t *order, ConstraintRank *ret)
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

static Status rank_in_units(const Model *model, const ModelPoint *point, bool holonomic_only,
                            const double *units, ConstraintRank *ret, Error *err)
{
    Arena scratch = {0};
    RowBasis b = row_basis(&scratch, model->n, model->r);
    size_t rank = model->n, *order = arena_sizes(&scratch, model->r);
    double *values = arena_doubles(&scratch, model->n);
    Status status = arena_status(&scratch, err);

    if (status != OK)
        goto out;
    /* add the rows, in these units, and find their rank */
    rank_add_rows(&b, model, point, holonomic_only, units, order);
    if (!holonomic_only)
        status = rank_of(&b, values, &rank, err);
    if (status != OK)
        goto out;
    ret->rank = rank;
    if (ret->independent) {
        /* holonomic ones first */
        row_basis_choose(&b, model->n_holonomic, rank);
        row_basis_choose(&b, b.n_rows, rank);
        rank_list(&b, order, ret);
    }
    ret->largest = ret->smallest = 1;
    if (!holonomic_only && ret->rank > 0) {
        ret->largest = values[0];
        ret->smallest = values[ret->rank - 1];
    }
out:
    arena_done(&scratch);
    return status;
}

/* The units in which M_ii is 1; false if an M_ii is zero or not finite. */
static bool units_of_mass(const Model *model, const double *M, double *ret)
{
    for (size_t i = 0; i < model->n; i++) {
        const double size = fabs(M[i * model->n + i]);
        if (!(size > 0) || !isfinite(size))
            return false;
        ret[i] = 1 / sqrt(size);
    }
    return true;
}

static bool more_independent(const ConstraintRank *one, const ConstraintRank *other)
{
    return one->rank > other->rank ||
           (one->rank == other->rank &&
            one->smallest * other->largest > other->smallest * one->largest);
}

/* Finds the rank in units of M, and keeps it if the rows are more independent there. */
static Status rank_in_mass_units(const Model *model, const ModelPoint *point, bool holonomic_only,
                                 ConstraintRank *ret, Error *err)
{
    Arena scratch = {0};
    double *units = arena_doubles(&scratch, model->n);
    ConstraintRank other = {.independent = arena_sizes(&scratch, model->r)};
    Status status = arena_status(&scratch, err);

    /* list the rows only if the caller wants them */
    if (!ret->independent)
        other.independent = NULL;
    if (status == OK && units_of_mass(model, point->M, units)) {
        status = rank_in_units(model, point, holonomic_only, units, &other, err);
        if (status == OK && more_independent(&other, ret)) {
            if (ret->independent)
                memcpy(ret->independent, other.independent, other.rank * sizeof *other.independent);
            ret->rank = other.rank;
            ret->smallest = other.smallest;
            ret->largest = other.largest;
        }
    }
    arena_done(&scratch);
    return status;
}

/* Whether all rows are independent by a wide margin: the squares of the singular values of B are
 * the eigenvalues of B B^T. Then the rank does not depend on units. */
static bool is_clearly_full(const Model *m, const ModelPoint *point, bool holonomic_only)
{
    double rows[FEW_ENTRIES], gram[DEFINITE_MOST * DEFINITE_MOST];
    const size_t n = m->n;
    size_t n_rows = 0;

    /* only small matrices, without allocation */
    if (m->r > DEFINITE_MOST || m->r * n > FEW_ENTRIES)
        return false;
    for (size_t a = 0; a < m->r; a++) {
        if (holonomic_only && m->constraints[a].kind != CONSTRAINT_HOLONOMIC)
            continue;
        for (size_t i = 0; i < n; i++)
            rows[n_rows * n + i] = entry_of(point->A[a * n + i], point->A_rounding[a * n + i]);
        n_rows++;
    }
    for (size_t k = 0; k < n_rows; k++)
        for (size_t l = 0; l <= k; l++) {
            double sum = 0;
            for (size_t i = 0; i < n; i++)
                sum += rows[k * n + i] * rows[l * n + i];
            gram[k * n_rows + l] = gram[l * n_rows + k] = sum;
        }
    return definite_clearly(n_rows, gram);
}

static void take_full(const Model *m, bool holonomic_only, ConstraintRank *ret)
{
    ret->rank = 0;
    ret->smallest = ret->largest = 1;
    for (size_t a = 0; a < m->r; a++) {
        if (holonomic_only && m->constraints[a].kind != CONSTRAINT_HOLONOMIC)
            continue;
        if (ret->independent)
            ret->independent[ret->rank] = a;
        ret->rank++;
    }
}

Status rank_find(const Model *model, const ModelPoint *point, bool holonomic_only,
                 ConstraintRank *ret, Error *err)
{
    if ((ret->rank_only || holonomic_only) && is_clearly_full(model, point, holonomic_only)) {
        take_full(model, holonomic_only, ret);
        return OK;
    }
    const size_t rows = holonomic_only ? model->n_holonomic : model->r;
    Status status = rank_in_units(model, point, holonomic_only, NULL, ret, err);

    /* rows may look parallel if a unit is small (lengths beside angles) */
    if (status == OK && (ret->rank < rows || ret->smallest < ACCURACY_CLEAR * ret->largest))
        status = rank_in_mass_units(model, point, holonomic_only, ret, err);
    return status;
}

/* Solves x + A^T coefs = row, A x = 0: x is the part of the row orthogonal to the others. */
Status combination_find(const Model *model, const double *A, Combination *c, Error *err)
{
    const size_t n = model->n, n_rows = c->n_rows, size = n + n_rows;
    Arena scratch = {0};
    double *rows = arena_doubles(&scratch, n_rows * n), *x = arena_doubles(&scratch, size);
    double *kkt = arena_doubles(&scratch, kkt_doubles(size)), largest = 0;
    Status status = arena_status(&scratch, err);

    if (status != OK)
        goto out;
    for (size_t k = 0; k < n_rows; k++)
        memcpy(rows + k * n, A + c->rows[k] * n, n * sizeof *rows);
    memcpy(x, A + c->constraint * n, n * sizeof *x);
    if (!kkt_solve(n, NULL, n_rows, rows, x, kkt)) {
        status = error_set(err, ERR_NUMERIC, "the independent constraints are not independent");
        goto out;
    }
    largest = vector_largest(x + n, n_rows);
    /* smaller coefficients are rounding */
    for (size_t k = 0; k < n_rows; k++)
        c->coefs[k] = fabs(x[n + k]) > ACCURACY_COMPARED * largest ? x[n + k] : 0;
out:
    arena_done(&scratch);
    return status;
}

double combination_gap(const Combination *c, const double *values)
{
    double gap = values[c->constraint];
    for (size_t k = 0; k < c->n_rows; k++)
        if (c->coefs[k] != 0)
            gap -= c->coefs[k] * values[c->rows[k]];
    return gap;
}

/* "", "2*", "1/3*", "0.7071*": the factor in front of a name. */
static void combination_print_factor(double value, Text *out)
{
    enum { LARGEST_DENOMINATOR = 12 };

    for (int q = 1; q <= LARGEST_DENOMINATOR; q++) {
        double p = round(value * q);
        if (p == 0 || fabs(p) > 1e6 || fabs(value * q - p) > 1e-9 * fabs(p))
            continue;
        if (q > 1)
            text_printf(out, "%.0f/%d*", p, q);
        else if (p != 1)
            text_printf(out, "%.0f*", p);
        return;
    }
    text_printf(out, "%.6g*", value);
}

void combination_print(const Model *model, const Combination *c, Text *out)
{
    bool first = true;

    text_printf(out, "%s =", model->constraints[c->constraint].name);
    for (size_t k = 0; k < c->n_rows; k++) {
        if (c->coefs[k] == 0)
            continue;
        text_puts(out, first ? (c->coefs[k] < 0 ? " -" : " ") : c->coefs[k] < 0 ? " - " : " + ");
        combination_print_factor(fabs(c->coefs[k]), out);
        text_puts(out, model->constraints[c->rows[k]].name);
        first = false;
    }
    if (first)
        text_puts(out, " 0");
}

void combination_partners(const Model *model, const Combination *c, Text *out)
{
    size_t count = 0, done = 0;

    for (size_t k = 0; k < c->n_rows; k++)
        count += c->coefs[k] != 0;
    for (size_t k = 0; k < c->n_rows; k++) {
        if (c->coefs[k] == 0)
            continue;
        text_puts(out, done == 0 ? "" : done + 1 == count ? " and " : ", ");
        text_puts(out, model->constraints[c->rows[k]].name);
        done++;
    }
}
