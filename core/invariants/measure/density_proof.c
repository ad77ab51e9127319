/* Whether the lifted fields X + theta_X d/df span d/df with their brackets, exactly.
 *
 * Numbers at one state choose fields that are independent without their last component, and columns
 * in which they are. Every other field is then a combination of these, c with B^T c = x, up to what
 * remains of its other components and of its last: expressions that exact tests take. Where all of
 * them vanish the brackets close without d/df; where the last does not vanish and the others do, a
 * multiple of d/df is among them. */
#include <math.h>
#include <string.h>

#include "core/expr/calculus.h"
#include "core/invariants/measure/density.h"
#include "core/invariants/structure/fields.h"

/* More remainders are not put to exact tests. */
enum { MOST_REMAINDERS = 200 };

typedef struct Basis {
    const Fields *fields;
    size_t plain; /* components without the last */
    size_t rank;
    size_t *rows, *columns;  /* [rank] */
    bool *in_basis, *chosen; /* by field, by column */
    double *a;               /* [count][plain + 1], eliminated */
} Basis;

static Status basis_init(Basis *b, const Fields *fields, Arena *arena, Error *err)
{
    const size_t plain = fields->dim - 1;

    *b = (Basis){.fields = fields, .plain = plain};
    b->rows = arena_sizes(arena, plain);
    b->columns = arena_sizes(arena, plain);
    b->in_basis = ARENA_NEW(arena, fields->count, bool);
    b->chosen = ARENA_NEW(arena, plain, bool);
    b->a = arena_doubles(arena, fields->count * fields->dim);
    return arena_status(arena, err);
}

static double row_size(const Basis *b, size_t row)
{
    double size = 0;
    for (size_t c = 0; c < b->plain; c++)
        size = fmax(size, fabs(b->a[row * (b->plain + 1) + c]));
    return size;
}

/* The numbers at a state, each row of size 1. */
static void load(Basis *b, size_t state)
{
    const Fields *f = b->fields;

    for (size_t k = 0; k < f->count; k++) {
        double *row = b->a + k * f->dim;
        memcpy(row, f->numbers + (k * f->states.n_states + state) * f->dim, f->dim * sizeof *row);
        const double size = row_size(b, k);
        for (size_t c = 0; c < f->dim && size > 0; c++)
            row[c] /= size;
    }
}

/* The largest entry that is left; false where none is more than rounding. */
static bool find_pivot(const Basis *b, size_t *ret_row, size_t *ret_column)
{
    double largest = 1e-7;

    *ret_row = b->fields->count;
    *ret_column = 0;
    for (size_t k = 0; k < b->fields->count; k++)
        for (size_t c = 0; c < b->plain && !b->in_basis[k]; c++) {
            const double size = fabs(b->a[k * (b->plain + 1) + c]);
            if (!b->chosen[c] && size > largest) {
                largest = size;
                *ret_row = k;
                *ret_column = c;
            }
        }
    return *ret_row < b->fields->count;
}

static void choose(Basis *b, size_t state)
{
    const size_t width = b->plain + 1;
    size_t row, column;

    load(b, state);
    while (b->rank < b->plain && find_pivot(b, &row, &column)) {
        const double *pivot = b->a + row * width;
        b->in_basis[row] = b->chosen[column] = true;
        b->rows[b->rank] = row;
        b->columns[b->rank++] = column;
        for (size_t k = 0; k < b->fields->count; k++) {
            const double factor = b->a[k * width + column] / pivot[column];
            for (size_t c = 0; c < width && !b->in_basis[k]; c++)
                b->a[k * width + c] -= factor * pivot[c];
        }
    }
}

/* The field whose last component remains largest; count: none. */
static size_t witness(const Basis *b)
{
    double largest = 1e-9;
    size_t found = b->fields->count;

    for (size_t k = 0; k < b->fields->count; k++) {
        const double rest = fabs(b->a[k * (b->plain + 1) + b->plain]);
        if (!b->in_basis[k] && rest > largest) {
            largest = rest;
            found = k;
        }
    }
    return found;
}

static Expr factor_basis(const Basis *b, Expr *matrix)
{
    const Fields *f = b->fields;

    for (size_t j = 0; j < b->rank; j++)
        for (size_t i = 0; i < b->rank; i++)
            matrix[j * b->rank + i] = f->components[b->rows[i] * f->dim + b->columns[j]];
    return expr_factor(f->pool, b->rank, matrix);
}

/* What is left of field k in the columns that were not chosen, the last component at the end. */
static size_t remainders(const Basis *b, Expr factored, size_t k, Expr *work, Expr *ret)
{
    const Fields *f = b->fields;
    const Expr *x = f->components + k * f->dim;
    Expr *right = work, *c = work + b->rank;
    size_t n = 0;

    for (size_t j = 0; j < b->rank; j++)
        right[j] = x[b->columns[j]];
    if (b->rank)
        expr_solve(f->pool, factored, b->rank, right, c);
    for (size_t column = 0; column <= b->plain; column++) {
        if (column < b->plain && b->chosen[column])
            continue;
        Expr rest = x[column];
        for (size_t i = 0; i < b->rank; i++)
            rest = expr_sub(f->pool, rest,
                            expr_mul(f->pool, c[i], f->components[b->rows[i] * f->dim + column]));
        ret[n++] = rest;
    }
    return n;
}

static void decide(Density *density, Predicted exists, const Verdict *verdict)
{
    density->exists = exists;
    density->states = verdict->states;
    density->largest = verdict->largest;
    density->proof = verdict->proof;
    if (verdict->evidence == EVIDENCE_IDENTITY)
        density->proof.method = PROOF_IDENTITY;
}

/* A field that is a multiple of d/df and does not vanish. */
static Status refute(Density *density, const Basis *b, Expr factored, Expr *work, Expr *rest,
                     Error *err)
{
    const Fields *f = b->fields;
    const size_t k = witness(b);
    Verdict inside = {0}, last = {0};
    if (k == f->count)
        return OK;

    const size_t n = remainders(b, factored, k, work, rest);
    Status status = verdict_predict_each(f->context, f->pool, rest, n - 1, NULL, &inside, err);
    if (status == OK && inside.predicted == PREDICTED_YES)
        status = verdict_predict(f->context, f->pool, rest + n - 1, 1, EXPR_NONE, &last, NULL, err);
    if (status == OK && inside.predicted == PREDICTED_YES && last.predicted == PREDICTED_NO)
        decide(density, PREDICTED_NO, &last);
    return status;
}

static Status confirm(Density *density, const Basis *b, Expr factored, Expr *work, Expr *rest,
                      Error *err)
{
    const Fields *f = b->fields;
    Verdict all = {0};
    size_t n = 0;

    if ((f->count - b->rank) * (f->dim - b->rank) > MOST_REMAINDERS)
        return OK;
    for (size_t k = 0; k < f->count; k++)
        if (!b->in_basis[k])
            n += remainders(b, factored, k, work, rest + n);
    Status status = verdict_predict_each(f->context, f->pool, rest, n, NULL, &all, err);
    if (status == OK && all.predicted == PREDICTED_YES)
        decide(density, PREDICTED_YES, &all);
    return status;
}

Status density_prove(Density *density, const Fields *fields, Predicted likely, Error *err)
{
    Arena scratch = {0};
    const size_t dim = fields->dim, most = MOST_REMAINDERS + dim;
    Basis b;
    Expr *matrix = ARENA_NEW(&scratch, dim * dim, Expr), *work = ARENA_NEW(&scratch, 2 * dim, Expr);
    Expr *rest = ARENA_NEW(&scratch, most, Expr);
    size_t state = 0;

    while (state + 1 < fields->states.n_states && !fields->usable[state])
        state++;
    density->exists = PREDICTED_UNDECIDED;
    density->proof = (Proof){.likely = likely};
    Status status = basis_init(&b, fields, &scratch, err);
    if (status == OK && likely != PREDICTED_UNDECIDED) {
        choose(&b, state);
        Expr factored = b.rank ? factor_basis(&b, matrix) : EXPR_NONE;
        status =
            (likely == PREDICTED_NO ? refute : confirm)(density, &b, factored, work, rest, err);
    }
    arena_done(&scratch);
    return status;
}
