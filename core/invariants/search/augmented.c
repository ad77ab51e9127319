/* Numbers at one state choose rows that are independent without their last column, and columns
 * in which they are. Every other row is then a combination c of these, with B^T c its entries
 * there, up to remainders in the other columns and in the last: expressions for exact tests. If
 * all of them vanish the row follows. If the last does not vanish and the others do, the row
 * contradicts. */
#include "core/invariants/search/augmented.h"

#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/numeric/vectors.h"

/* Remainders that exact tests examine, and rows that are tested one by one. Conventions. */
enum { MAX_REMAINDERS = 200, MAX_TRIED_ROWS = 16 };

typedef struct Basis {
    const Augmented *e;
    size_t rank;
    size_t *rows, *columns;  /* [rank] */
    bool *in_basis, *chosen; /* by row, by column */
    double *a;               /* [rows][columns + 1], eliminated */
    Expr factored;           /* of B^T */
    Expr *work, *rest;
    Arena scratch;
} Basis;

static Status basis_init(Basis *b, const Augmented *e, Error *err)
{
    const size_t width = e->columns + 1;

    *b = (Basis){.e = e};
    b->rows = arena_sizes(&b->scratch, width);
    b->columns = arena_sizes(&b->scratch, width);
    b->in_basis = ARENA_NEW(&b->scratch, e->rows, bool);
    b->chosen = ARENA_NEW(&b->scratch, width, bool);
    b->a = arena_doubles(&b->scratch, e->rows * width);
    b->work = ARENA_NEW(&b->scratch, width * width + 2 * width, Expr);
    b->rest = ARENA_NEW(&b->scratch, MAX_REMAINDERS + width, Expr);
    return arena_status(&b->scratch, err);
}

/* Loads the numbers, each row scaled to size 1. */
static void load(Basis *b)
{
    const size_t width = b->e->columns + 1;

    memcpy(b->a, b->e->values, b->e->rows * width * sizeof *b->a);
    for (size_t k = 0; k < b->e->rows; k++) {
        double *row = b->a + k * width;
        const double size = vector_largest(row, width);
        for (size_t c = 0; c < width && size > 0; c++)
            row[c] /= size;
    }
}

/* The largest entry that is left; false: none exceeds rounding. */
static bool find_pivot(const Basis *b, size_t *ret_row, size_t *ret_column)
{
    const size_t width = b->e->columns + 1;
    /* rows have the size 1 */
    double largest = ACCURACY_DIFFERENCED;

    *ret_row = b->e->rows;
    *ret_column = 0;
    for (size_t k = 0; k < (b->e->first ? b->e->first : b->e->rows); k++)
        for (size_t c = 0; c < b->e->columns && !b->in_basis[k]; c++) {
            const double size = fabs(b->a[k * width + c]);
            if (!b->chosen[c] && size > largest) {
                largest = size;
                *ret_row = k;
                *ret_column = c;
            }
        }
    return *ret_row < b->e->rows;
}

static void choose(Basis *b)
{
    const size_t width = b->e->columns + 1;
    size_t row, column;

    load(b);
    while (b->rank < b->e->columns && find_pivot(b, &row, &column)) {
        const double *pivot = b->a + row * width;
        b->in_basis[row] = b->chosen[column] = true;
        b->rows[b->rank] = row;
        b->columns[b->rank++] = column;
        for (size_t k = 0; k < b->e->rows; k++) {
            const double factor = b->a[k * width + column] / pivot[column];
            for (size_t c = 0; c < width && !b->in_basis[k]; c++)
                b->a[k * width + c] -= factor * pivot[c];
        }
    }
    /* factorize B^T */
    for (size_t j = 0; j < b->rank; j++)
        for (size_t i = 0; i < b->rank; i++)
            b->work[j * b->rank + i] = b->e->entries[b->rows[i] * width + b->columns[j]];
    b->factored = b->rank ? expr_factor(b->e->context->pool, b->rank, b->work) : EXPR_NONE;
}

/* The row whose last entry remains largest; `rows`: none. */
static size_t find_witness(const Basis *b)
{
    const size_t width = b->e->columns + 1;
    /* the last entry of a contradicting row */
    double largest = ACCURACY_COMPARED;
    size_t found = b->e->rows;

    for (size_t k = 0; k < b->e->rows; k++) {
        const double rest = fabs(b->a[k * width + b->e->columns]);
        if (!b->in_basis[k] && rest > largest) {
            largest = rest;
            found = k;
        }
    }
    return found;
}

/* The remainders of row k in the columns that were not chosen, the last one at the end. */
static size_t remainders(const Basis *b, size_t k, Expr *ret)
{
    const Augmented *e = b->e;
    const size_t width = e->columns + 1;
    const Expr *x = e->entries + k * width;
    Expr *right = b->work, *c = b->work + b->rank;
    size_t n = 0;

    /* the combination that agrees in the chosen columns */
    for (size_t j = 0; j < b->rank; j++)
        right[j] = x[b->columns[j]];
    if (b->rank)
        expr_solve(e->context->pool, b->factored, b->rank, right, c);
    /* the difference in the others */
    for (size_t column = 0; column < width; column++) {
        if (b->chosen[column])
            continue;
        Expr rest = x[column];
        for (size_t i = 0; i < b->rank; i++)
            rest =
                expr_sub(e->context->pool, rest,
                         expr_mul(e->context->pool, c[i], e->entries[b->rows[i] * width + column]));
        ret[n++] = rest;
    }
    return n;
}

/* Whether row k contradicts. */
static Status refute_by(const Basis *b, size_t k, Verdict *verdict, Error *err)
{
    const Augmented *e = b->e;
    const size_t n = remainders(b, k, b->rest);
    Verdict inside = {0}, last = {0};

    Status status = verdict_predict_each(e->context, b->rest, n - 1, NULL, &inside, err);
    if (status != OK || inside.predicted != PREDICTED_YES)
        return status;
    const TermSum rest = {.terms = b->rest + n - 1, .n = 1, .scale = EXPR_NONE};
    status = verdict_predict(e->context, &rest, &last, NULL, err);
    if (status == OK && last.predicted == PREDICTED_NO)
        *verdict = last;
    return status;
}

Status augmented_refute(const Augmented *e, Verdict *verdict, Error *err)
{
    Basis b;
    Status status = basis_init(&b, e, err);

    if (status == OK) {
        choose(&b);
        const size_t witness = find_witness(&b),
                     most = e->rows < MAX_TRIED_ROWS ? e->rows : MAX_TRIED_ROWS;
        if (witness < e->rows)
            status = refute_by(&b, witness, verdict, err);
        /* a contradiction that numbers do not show may be small */
        for (size_t k = 0;
             status == OK && witness == e->rows && k < most && verdict->predicted != PREDICTED_NO;
             k++)
            if (!b.in_basis[k])
                status = refute_by(&b, k, verdict, err);
    }
    arena_done(&b.scratch);
    return status;
}

Status augmented_confirm(const Augmented *e, Verdict *verdict, Error *err)
{
    Basis b;
    Verdict all = {0};
    size_t n = 0;
    Status status = basis_init(&b, e, err);

    /* all remainders must vanish */
    if (status == OK)
        choose(&b);
    if (status == OK && (e->rows - b.rank) * (e->columns + 1 - b.rank) <= MAX_REMAINDERS) {
        for (size_t k = 0; k < e->rows; k++)
            if (!b.in_basis[k])
                n += remainders(&b, k, b.rest + n);
        status = verdict_predict_each(e->context, b.rest, n, NULL, &all, err);
        if (status == OK && all.predicted == PREDICTED_YES)
            *verdict = all;
    }
    arena_done(&b.scratch);
    return status;
}
