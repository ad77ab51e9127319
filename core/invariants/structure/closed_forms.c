#include "core/invariants/structure/closed_forms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/expr/calculus.h"
#include "core/invariants/structure/antiderivative.h"
#include "core/numeric/dense.h"

static const double CLOSED = 1e-11, SAME_NUMBER = 1e-9;
enum { LARGEST_DENOMINATOR = 64, MOST_DIVISORS = 6, MOST_FORMS = 24, MOST_WIDTH = 40 };

/* A search: forms, and what their differentials are at states. */
typedef struct Search {
    const Distribution *d;
    const Trajectory *states;
    size_t k, width; /* forms, and n + 1 */
    Expr *symbols;   /* width */
    Expr *forms;     /* [k][width] */
    Expr *form;      /* width: a candidate */
    Expr *curls;     /* [2 pairs]: of one form, with their sizes */
    size_t n_pairs;
    double *values; /* [n_states][2 pairs] */
} Search;

void closed_forms_done(ClosedForms *forms)
{
    free(forms->work);
    *forms = (ClosedForms){0};
}

static void search_done(Search *s)
{
    free(s->symbols);
    free(s->values);
}

static Status search_init(Search *s, const Distribution *d, const Trajectory *states, Error *err)
{
    const size_t width = d->n + 1, k = d->r - d->n_holonomic, pairs = width * (width - 1) / 2;

    *s = (Search){.d = d, .states = states, .k = k, .width = width, .n_pairs = pairs};
    s->symbols = alloc_array((2 + k) * width + 2 * pairs, sizeof *s->symbols);
    s->values = alloc_array(states->n_states * 2 * pairs, sizeof *s->values);
    if (!s->symbols || !s->values)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    s->forms = s->symbols + width;
    s->form = s->forms + k * width;
    s->curls = s->form + width;
    memcpy(s->symbols, d->context->model->q, d->n * sizeof *s->symbols);
    s->symbols[d->n] = d->context->model->t;
    return OK;
}

/* S and s: the rows at rest. */
static Status take_forms(Search *s, Error *err)
{
    const AnalysisContext *context = s->d->context;
    const Model *model = context->model;
    const size_t n = s->d->n;
    Expr *zeros = alloc_array(n, sizeof *zeros), *row = s->forms;

    if (!zeros)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < n; i++)
        zeros[i] = expr_const(s->d->pool, 0);
    for (size_t k = 0; k < context->n_rows; k++) {
        const Constraint *c = &model->constraints[context->rows[k]];
        if (c->kind == CONSTRAINT_HOLONOMIC)
            continue;
        memcpy(row, model->A + context->rows[k] * n, n * sizeof *row);
        row[n] = c->phi;
        expr_substitute(s->d->pool, row, n + 1, model->v, zeros, n, row);
        row += n + 1;
    }
    free(zeros);
    return expr_pool_status(s->d->pool, err);
}

static Expr absolute(ExprPool *pool, Expr e)
{
    return expr_call(pool, EXPR_ABS, &e, 1);
}

/* values[state][pair] = the curl of a form, [state][n_pairs + pair] the size of its terms. */
static Status evaluate_curl(Search *s, const Expr *form, Error *err)
{
    ExprPool *pool = s->d->pool;
    Expr *slopes = alloc_array(s->width * s->width, sizeof *slopes);
    size_t pair = 0;
    if (!slopes)
        return error_set(err, ERR_NO_MEMORY, "out of memory");

    for (size_t i = 0; i < s->width; i++)
        expr_gradient(pool, form[i], s->symbols, s->width, slopes + i * s->width);
    for (size_t i = 0; i < s->width; i++)
        for (size_t j = i + 1; j < s->width; j++, pair++) {
            Expr ij = slopes[j * s->width + i], ji = slopes[i * s->width + j];
            s->curls[pair] = expr_sub(pool, ij, ji);
            s->curls[s->n_pairs + pair] = expr_add(pool, absolute(pool, ij), absolute(pool, ji));
        }
    free(slopes);
    return analysis_evaluate(s->d->context, pool, s->curls, 2 * s->n_pairs, s->states, s->values,
                             err);
}

static double curl(const Search *s, size_t state, size_t pair)
{
    const double *row = s->values + state * 2 * s->n_pairs;
    const double value = row[pair], size = row[s->n_pairs + pair];
    return fabs(value) <= CLOSED * size ? 0 : value / (size > 0 ? size : 1);
}

static Status is_closed(Search *s, const Expr *form, bool *ret, Error *err)
{
    Status status = evaluate_curl(s, form, err);

    *ret = status == OK;
    for (size_t state = 0; *ret && state < s->states->n_states; state++)
        for (size_t pair = 0; *ret && pair < s->n_pairs; pair++)
            *ret = curl(s, state, pair) == 0;
    return status;
}

/* Constant combinations ----------------------------------------------------------------------- */

/* c as a fraction of small numbers where it is one. */
static double simple(double c)
{
    for (double q = 1; q <= LARGEST_DENOMINATOR; q++) {
        const double p = round(c * q);
        if (fabs(c * q - p) <= SAME_NUMBER * q)
            return p / q;
    }
    return c;
}

/* Reduced echelon form of a[rows][n], by the largest entries left; ret_pivots[rows]: where a row
 * has a 1 and the others 0. */
static void echelon(double *a, size_t rows, size_t n, size_t *ret_pivots)
{
    bool used[MOST_FORMS] = {false};

    for (size_t k = 0; k < rows; k++) {
        size_t row = rows, pivot = 0;
        double best = SAME_NUMBER;
        for (size_t i = k; i < rows; i++)
            for (size_t j = 0; j < n; j++)
                if (!used[j] && fabs(a[i * n + j]) > best * (1 + 1e-9)) {
                    best = fabs(a[i * n + j]);
                    row = i;
                    pivot = j;
                }
        if (row == rows)
            return;
        used[pivot] = true;
        ret_pivots[k] = pivot;
        for (size_t j = 0; j < n; j++) {
            const double swap = a[k * n + j];
            a[k * n + j] = a[row * n + j];
            a[row * n + j] = swap;
        }
        const double scale = a[k * n + pivot];
        for (size_t j = 0; j < n; j++)
            a[k * n + j] /= scale;
        for (size_t i = 0; i < rows; i++) {
            const double factor = a[i * n + pivot];
            for (size_t j = 0; j < n && i != k; j++)
                a[i * n + j] -= factor * a[k * n + j];
        }
    }
}

/* rows[*ret_n][k]: the combinations that are closed; pivots[*ret_n]. */
static Status closed_combinations(Search *s, double *rows, size_t *pivots, size_t *ret_n,
                                  Error *err)
{
    const size_t k = s->k, n_states = s->states->n_states;
    /* some more rows than columns, for the decomposition */
    const size_t height = n_states * s->n_pairs + k;
    double *matrix = alloc_array(height * k + k * k, sizeof *matrix), *basis = matrix + height * k;
    Status status = matrix ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");

    for (size_t a = 0; a < k && status == OK; a++) {
        status = evaluate_curl(s, s->forms + a * s->width, err);
        for (size_t state = 0; status == OK && state < n_states; state++)
            for (size_t pair = 0; pair < s->n_pairs; pair++) {
                const double value = s->values[state * 2 * s->n_pairs + pair];
                matrix[(state * s->n_pairs + pair) * k + a] =
                    curl(s, state, pair) == 0 || !isfinite(value) ? 0 : value;
            }
    }
    *ret_n = 0;
    if (status == OK)
        status = dense_null_space(matrix, height, k, SAME_NUMBER, basis, ret_n, err);
    for (size_t j = 0; status == OK && j < *ret_n; j++)
        for (size_t a = 0; a < k; a++)
            rows[j * k + a] = basis[a * k + j];
    if (status == OK)
        echelon(rows, *ret_n, k, pivots);
    free(matrix);
    return status;
}

static Status add_combinations(Search *s, size_t wanted, bool *covered, ClosedForms *ret,
                               Error *err)
{
    ExprPool *pool = s->d->pool;
    double *rows = alloc_array(s->k * s->k, sizeof *rows);
    size_t n = 0, pivots[MOST_FORMS] = {0};
    bool closed = false;
    Status status = rows ? closed_combinations(s, rows, pivots, &n, err)
                         : error_set(err, ERR_NO_MEMORY, "out of memory");

    for (size_t j = 0; status == OK && j < n && ret->n_found < wanted; j++) {
        for (size_t i = 0; i < s->width; i++) {
            s->form[i] = expr_const(pool, 0);
            for (size_t a = 0; a < s->k; a++) {
                const double c = simple(rows[j * s->k + a]);
                s->form[i] =
                    expr_add(pool, s->form[i], expr_scale(pool, c, s->forms[a * s->width + i]));
            }
        }
        status = is_closed(s, s->form, &closed, err);
        if (status == OK && closed &&
            potential(pool, s->form, s->symbols, s->width, &ret->F[ret->n_found])) {
            ret->n_found++;
            covered[pivots[j]] = true;
        }
    }
    free(rows);
    return status;
}

/* Integrating factors ------------------------------------------------------------------------- */

/* e = *ret_factor times what is returned, the same for all multiples of e by numbers. */
static Expr primitive(ExprPool *pool, Expr e, double *ret_factor)
{
    const ExprNode node = expr_node(pool, e);

    *ret_factor = 1;
    if (node.op != EXPR_SUM)
        return e;
    *ret_factor = node.coefs[0];
    return expr_scale(pool, 1 / *ret_factor, e);
}

/* Whether a = *ret_ratio b for sums of the same terms, up to rounding of their coefficients. */
static bool proportional(const ExprPool *pool, Expr a, Expr b, double *ret_ratio)
{
    const ExprNode x = expr_node(pool, a), y = expr_node(pool, b);

    if (x.op != EXPR_SUM || y.op != EXPR_SUM || x.n != y.n)
        return false;
    const double ratio = x.coefs[0] / y.coefs[0];
    bool same = fabs(x.value - ratio * y.value) <= 1e-14 * fabs(x.value);
    for (uint32_t k = 0; k < x.n && same; k++)
        same = expr_same(x.args[k], y.args[k]) &&
               fabs(x.coefs[k] - ratio * y.coefs[k]) <= 1e-14 * fabs(x.coefs[k]);
    *ret_ratio = ratio;
    return same;
}

/* a / b, where a factor of a that is a multiple of b cancels. */
static Expr quotient(ExprPool *pool, Expr a, Expr b)
{
    double factor, ratio;

    if (proportional(pool, a, b, &ratio))
        return expr_const(pool, ratio);
    a = primitive(pool, a, &factor);
    const ExprNode node = expr_node(pool, a);
    if (node.op == EXPR_PRODUCT)
        for (uint32_t k = 0; k < node.n; k++)
            if (node.coefs[k] == 1 && proportional(pool, node.args[k], b, &ratio))
                return expr_scale(pool, factor * ratio, expr_div(pool, a, node.args[k]));
    return expr_scale(pool, factor, expr_div(pool, a, b));
}

/* Tries form a over one or two divisors (the second may be NONE). */
static Status try_divisors(Search *s, size_t a, Expr first, Expr second, bool *ret_found,
                           ClosedForms *ret, Error *err)
{
    ExprPool *pool = s->d->pool;
    bool closed = false;

    for (size_t i = 0; i < s->width; i++) {
        s->form[i] = quotient(pool, s->forms[a * s->width + i], first);
        if (!expr_is_none(second))
            s->form[i] = quotient(pool, s->form[i], second);
    }
    Status status = is_closed(s, s->form, &closed, err);
    *ret_found = status == OK && closed &&
                 potential(pool, s->form, s->symbols, s->width, &ret->F[ret->n_found]);
    ret->n_found += *ret_found;
    return status;
}

/* The coefficients of a form, and products of two of them, as integrating factors. */
static Status add_divided(Search *s, size_t a, ClosedForms *ret, Error *err)
{
    ExprPool *pool = s->d->pool;
    Expr entries[MOST_DIVISORS];
    double factor;
    size_t n = 0;
    bool found = false;
    Status status = OK;

    for (size_t i = 0; i < s->width && n < MOST_DIVISORS; i++)
        if (!expr_is_const(pool, s->forms[a * s->width + i], NULL))
            entries[n++] = primitive(pool, s->forms[a * s->width + i], &factor);
    for (size_t i = 0; i < n && !found && status == OK; i++)
        status = try_divisors(s, a, entries[i], EXPR_NONE, &found, ret, err);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n && !found && status == OK; j++)
            status = try_divisors(s, a, entries[i], entries[j], &found, ret, err);
    return status;
}

Status closed_forms_find(const Distribution *d, const Trajectory *states, size_t wanted,
                         ClosedForms *ret, Error *err)
{
    Search s;
    bool covered[MOST_FORMS] = {false};
    Status status = search_init(&s, d, states, err);

    *ret = (ClosedForms){.n_forms = s.k};
    ret->work = ret->F = alloc_array(wanted + 1, sizeof *ret->F);
    if (status == OK && !ret->F)
        status = error_set(err, ERR_NO_MEMORY, "out of memory");
    if (s.k > MOST_FORMS || s.width > MOST_WIDTH) {
        search_done(&s);
        return status;
    }
    if (status == OK)
        status = take_forms(&s, err);
    if (status == OK)
        status = add_combinations(&s, wanted, covered, ret, err);
    for (size_t a = 0; a < s.k && status == OK && ret->n_found < wanted; a++)
        if (!covered[a])
            status = add_divided(&s, a, ret, err);
    search_done(&s);
    return status;
}
