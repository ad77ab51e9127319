/* Closed combinations of constraint forms, and single forms over divisors of their own. */
#include "core/invariants/structure/hidden.h"

#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/base/fraction.h"
#include "core/expr/calculus/calculus.h"
#include "core/invariants/search/columns.h"

/* Coefficients of a form that are tried as divisors; forms, and components of a form.
 * Conventions. */
enum { MAX_DIVISORS = 6, MAX_FORMS = 24, MAX_WIDTH = 40 };

/* A search: forms, and their differentials at states. */
typedef struct Search {
    const Distribution *d;
    const Trajectory *states;
    size_t k, width; /* forms, and n + 1 */
    Expr *symbols;   /* width */
    Expr *forms;     /* [k][width] */
    Expr *form;      /* width: a candidate */
    Expr *slopes;    /* [width][width] of a form */
    Expr *curls;     /* [2 pairs]: of one form, with their sizes */
    size_t n_pairs;
    double *values;  /* [n_states][2 pairs] */
    double *columns; /* [k][n_states pairs]: the curls of all forms */
} Search;

static Status search_init(Search *s, const Distribution *d, const Trajectory *states, Error *err)
{
    const size_t width = d->n + 1, k = d->r - d->n_holonomic, pairs = width * (width - 1) / 2;
    Arena *scratch = d->context->scratch;

    *s = (Search){.d = d,
                  .states = states,
                  .k = k,
                  .width = width,
                  .symbols = ARENA_NEW(scratch, width, Expr),
                  .forms = ARENA_NEW(scratch, k * width, Expr),
                  .form = ARENA_NEW(scratch, width, Expr),
                  .slopes = ARENA_NEW(scratch, width * width, Expr),
                  .curls = ARENA_NEW(scratch, 2 * pairs, Expr),
                  .n_pairs = pairs,
                  .values = arena_doubles(scratch, states->n_states * 2 * pairs),
                  .columns = arena_doubles(scratch, k * states->n_states * pairs)};
    Status status = arena_status(scratch, err);
    if (status != OK)
        return status;
    /* time is the last coordinate of the space on which the forms live */
    memcpy(s->symbols, d->context->model->sym.q, d->n * sizeof *s->symbols);
    s->symbols[d->n] = d->context->model->sym.t;
    return OK;
}

/* Takes the forms A_a dq + phi_a(v = 0) dt of the rows that are not holonomic. */
static Status take_forms(Search *s, Error *err)
{
    const AnalysisContext *context = s->d->context;
    const Model *model = context->model;
    const size_t n = s->d->n;
    Expr *zeros = s->form, *row = s->forms;

    /* at zero velocities phi is the component along t */
    for (size_t i = 0; i < n; i++)
        zeros[i] = expr_const(s->d->pool, 0);
    for (size_t k = 0; k < context->n_rows; k++) {
        const Constraint *c = &model->constraints[context->rows[k]];
        if (c->kind == CONSTRAINT_HOLONOMIC)
            continue;
        memcpy(row, model->A + context->rows[k] * n, n * sizeof *row);
        row[n] = c->phi;
        expr_substitute(s->d->pool, row, n + 1, model->sym.v, zeros, n, row);
        row += n + 1;
    }
    return expr_pool_status(s->d->pool, err);
}

/* values[state][pair] = the curl of a form, [state][n_pairs + pair] the size of its terms. */
static Status evaluate_curl(Search *s, const Expr *form, Error *err)
{
    ExprPool *pool = s->d->pool;
    Expr *slopes = s->slopes;
    size_t pair = 0;

    for (size_t i = 0; i < s->width; i++)
        expr_gradient(pool, form[i], s->symbols, s->width, slopes + i * s->width);
    for (size_t i = 0; i < s->width; i++)
        for (size_t j = i + 1; j < s->width; j++, pair++) {
            Expr ij = slopes[j * s->width + i], ji = slopes[i * s->width + j];
            s->curls[pair] = expr_sub(pool, ij, ji);
            s->curls[s->n_pairs + pair] = expr_add(pool, expr_abs(pool, ij), expr_abs(pool, ji));
        }
    return analysis_evaluate(s->d->context, s->curls, 2 * s->n_pairs, s->states, s->values, err);
}

static double curl(const Search *s, size_t state, size_t pair)
{
    const double *row = s->values + state * 2 * s->n_pairs;
    const double value = row[pair], size = row[s->n_pairs + pair];
    return fabs(value) <= VERDICT_HOLDS * size ? 0 : value / (size > 0 ? size : 1);
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

static double fill_curl(const void *self, size_t form, double *column)
{
    const Search *s = self;
    const size_t rows = s->states->n_states * s->n_pairs;

    memcpy(column, s->columns + form * rows, rows * sizeof *column);
    const double length = vector_length(column, rows);
    return length > 0 ? length : 1; /* a closed form is a combination by itself */
}

static Status closed_combinations(Search *s, Columns *ret, Error *err)
{
    const size_t n_states = s->states->n_states, rows = n_states * s->n_pairs;
    const ColumnSource source = {
        .context = s->d->context, .n = s->k, .rows = rows, .fill = fill_curl, .self = s};
    Status status = OK;

    for (size_t a = 0; a < s->k && status == OK; a++) {
        status = evaluate_curl(s, s->forms + a * s->width, err);
        for (size_t state = 0; status == OK && state < n_states; state++)
            for (size_t pair = 0; pair < s->n_pairs; pair++) {
                const double value = s->values[state * 2 * s->n_pairs + pair];
                const bool none = curl(s, state, pair) == 0 || !isfinite(value);
                s->columns[a * rows + state * s->n_pairs + pair] = none ? 0 : value;
            }
    }
    return status == OK ? columns_search(&source, s->d->context->scratch, ret, err) : status;
}

static Status add_combinations(Search *s, size_t wanted, bool *covered, ClosedForms *ret,
                               Error *err)
{
    ExprPool *pool = s->d->pool;
    Columns columns = {0};
    bool closed = false;
    Status status = closed_combinations(s, &columns, err);

    /* each combination, with simple fractions */
    for (size_t j = 0; status == OK && j < columns.n_combinations && ret->n_found < wanted; j++) {
        const double *coefs = columns.combinations + j * s->k;
        for (size_t i = 0; i < s->width; i++) {
            s->form[i] = expr_const(pool, 0);
            for (size_t a = 0; a < s->k; a++)
                s->form[i] = expr_add(
                    pool, s->form[i],
                    expr_scale(pool, fraction_round(coefs[a]), s->forms[a * s->width + i]));
        }
        status = is_closed(s, s->form, &closed, err);
        if (status == OK && closed &&
            potential(pool, s->form, s->symbols, s->width, &ret->F[ret->n_found])) {
            ret->n_found++;
            covered[columns.combined[j]] = true;
        }
    }
    return status;
}

/* e = *ret_factor times the result, which is the same for all multiples of e by numbers. */
static Expr primitive(ExprPool *pool, Expr e, double *ret_factor)
{
    const ExprNode node = expr_node(pool, e);

    *ret_factor = 1;
    if (node.op != EXPR_SUM)
        return e;
    *ret_factor = node.coefs[0];
    return expr_scale(pool, expr_inverse(pool, *ret_factor), e);
}

/* Whether a = *ret_ratio b for sums of the same terms, up to rounding of their coefficients. */
static bool proportional(const ExprPool *pool, Expr a, Expr b, double *ret_ratio)
{
    const ExprNode x = expr_node(pool, a), y = expr_node(pool, b);

    if (x.op != EXPR_SUM || y.op != EXPR_SUM || x.n != y.n)
        return false;
    const double ratio = x.coefs[0] / y.coefs[0];
    bool same = fabs(x.value - ratio * y.value) <= ACCURACY_ROUNDED * fabs(x.value);
    for (uint32_t k = 0; k < x.n && same; k++)
        same = expr_same(x.args[k], y.args[k]) &&
               fabs(x.coefs[k] - ratio * y.coefs[k]) <= ACCURACY_ROUNDED * fabs(x.coefs[k]);
    *ret_ratio = ratio;
    return same;
}

/* a / b; a factor of a that is a multiple of b cancels. */
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
    Expr entries[MAX_DIVISORS];
    double factor;
    size_t n = 0;
    bool found = false;
    Status status = OK;

    for (size_t i = 0; i < s->width && n < MAX_DIVISORS; i++)
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
    bool covered[MAX_FORMS] = {false};
    Status status = search_init(&s, d, states, err);

    *ret = (ClosedForms){.F = ARENA_NEW(d->context->scratch, wanted + 1, Expr)};
    if (status == OK)
        status = arena_status(d->context->scratch, err);
    if (s.k > MAX_FORMS || s.width > MAX_WIDTH)
        return status;
    /* combinations first, then single forms that are in none of them */
    if (status == OK)
        status = take_forms(&s, err);
    if (status == OK)
        status = add_combinations(&s, wanted, covered, ret, err);
    for (size_t a = 0; a < s.k && status == OK && ret->n_found < wanted; a++)
        if (!covered[a])
            status = add_divided(&s, a, ret, err);
    return status;
}
