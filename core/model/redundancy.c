/* A dependent constraint as a combination of the others. */
#include <math.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/model/evaluate.h"

static const double NEGLIGIBLE = 1e-9; /* a coefficient, of the largest */

/* What is orthogonal to the rows, and the rest: x + A^T coefs = row, A x = 0. */
Status find_combination(const Model *model, const double *A, Combination *c, Error *err)
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
    for (size_t k = 0; k < n_rows; k++)
        largest = fmax(largest, fabs(x[n + k]));
    for (size_t k = 0; k < n_rows; k++)
        c->coefs[k] = fabs(x[n + k]) > NEGLIGIBLE * largest ? x[n + k] : 0;
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
static void print_factor(double value, Text *out)
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
        print_factor(fabs(c->coefs[k]), out);
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
