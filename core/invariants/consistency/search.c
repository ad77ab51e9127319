/* The residual of strong consistency of the section mu = p as a combination of simple terms. */
#include "core/invariants/consistency/section.h"

#include <string.h>

#include "core/base/fraction.h"
#include "core/invariants/search/ansatz.h"
#include "core/invariants/search/columns.h"
#include "core/model/rates.h"

/* Columns and factors at most; seed of the states. Conventions. */
enum { MAX_COLUMNS = 240, MAX_FACTORS = 2, SEED = 1313 };

typedef struct Search {
    const SectionProblem *problem;
    AnalysisContext context; /* with states of its own */
    Ansatz ansatz;
    size_t n, r, m;
    size_t *base;         /* m coordinates whose velocities determine the others */
    size_t rows, columns; /* columns: of terms */
    Arena *scratch;       /* owns the arrays */
    double *table;        /* [n_states][width]: see make_table() */
    size_t width;
    double *weight; /* [rows] */
} Search;

static void choose_base(Search *s)
{
    s->m = 0;
    for (size_t i = 0; i < s->n; i++)
        if (!sizes_contain(s->context.dependent, s->r, i))
            s->base[s->m++] = i;
}

/* Values at each state: the functions, their rates, A, C, and the residual of mu. */
static Status make_table(Search *s, const Expr *mu, Error *err)
{
    const SectionProblem *p = s->problem;
    const size_t count = s->ansatz.n, entries = s->r * s->n;
    const Trajectory *states = s->context.states;

    s->width = 2 * count + 2 * entries + s->n;
    s->table = arena_doubles(s->scratch, states->n_states * s->width);
    Expr *exprs = ARENA_NEW(s->scratch, s->width, Expr);
    Status status = arena_status(s->scratch, err);
    if (status != OK)
        return status;
    /* the expressions in the order of a row */
    memcpy(exprs, s->ansatz.functions, count * sizeof *exprs);
    rates_without_acceleration(p->pool, s->context.model, exprs, count, exprs + count);
    memcpy(exprs + 2 * count, p->A, entries * sizeof *exprs);
    memcpy(exprs + 2 * count + entries, p->curl, entries * sizeof *exprs);
    status = section_residual(p, mu, exprs + 2 * count + 2 * entries, err);
    return status == OK ? analysis_evaluate(&s->context, exprs, s->width, states, s->table, err)
                        : status;
}

/* Each state has the same weight, and each force is taken over the square root of |M_ii|. */
static Status make_weights(Search *s, Error *err)
{
    const Trajectory *states = s->context.states;
    const size_t n = s->n;
    SectionProblem there = *s->problem;
    Gauge gauge;
    there.context = &s->context;

    s->rows = states->n_states * n;
    s->weight = arena_doubles(s->scratch, s->rows);
    gauge_init(&gauge, &there, s->scratch);
    Status status = arena_status(s->scratch, err);
    for (size_t k = 0; status == OK && k < states->n_states; k++) {
        gauge_set(&gauge, &there, states->t[k], states->q + k * n, states->v + k * n,
                  states->vdot + k * n);
        /* if no force acts, the masses alone give the unit */
        for (size_t i = 0; i < n; i++)
            s->weight[k * n + i] = 1 / (gauge.weight[i] * (gauge.force > 0 ? gauge.force : 1));
    }
    return status;
}

/* The multiplier and the velocity to which a column belongs, and its function. */
static void place(const Search *s, size_t c, size_t *ret_function, size_t *ret_multiplier,
                  size_t *ret_velocity)
{
    *ret_function = c / (s->r * s->m);
    *ret_multiplier = c / s->m % s->r;
    *ret_velocity = s->base[c % s->m];
}

/* Columns of the terms; the last one is the residual of mu. */
static double fill_lack(const void *self, size_t c, double *column)
{
    const Search *s = self;
    const Trajectory *states = s->context.states;
    const size_t n = s->n;
    size_t f, a, i;

    /* each state gives n entries */
    place(s, c, &f, &a, &i);
    for (size_t k = 0; k < states->n_states; k++) {
        const double *row = s->table + k * s->width, *lacks = row + s->width - n;
        const double *A = row + 2 * s->ansatz.n + a * n, *curl = A + s->r * n;
        const double *weight = s->weight + k * n;
        if (c == s->columns) {
            for (size_t j = 0; j < n; j++)
                column[k * n + j] = weight[j] * lacks[j];
            continue;
        }
        double v = states->v[k * n + i], value = row[f] * v;
        double rate = row[s->ansatz.n + f] * v + row[f] * states->vdot[k * n + i];
        for (size_t j = 0; j < n; j++)
            column[k * n + j] = weight[j] * (A[j] * rate + curl[j] * value);
    }
    return vector_length(column, s->rows);
}

static void add_terms(const Search *s, const double *coefs, Expr *mu)
{
    ExprPool *pool = s->problem->pool;
    size_t f, a, i;

    for (size_t c = 0; c < s->columns; c++) {
        if (coefs[c] == 0)
            continue;
        place(s, c, &f, &a, &i);
        Expr term = expr_mul(pool, s->ansatz.functions[f], s->context.model->sym.v[i]);
        mu[a] = expr_add(pool, mu[a], expr_scale(pool, fraction_round(coefs[c]), term));
    }
}

/* Whether the residual of mu is a combination of the columns. */
static Status combine_terms(Search *s, Expr *mu, bool *ret_found, Error *err)
{
    const ColumnSource source = {
        .context = &s->context, .n = s->columns + 1, .rows = s->rows, .fill = fill_lack, .self = s};
    Columns columns;
    Status status = columns_search(&source, s->scratch, &columns, err);

    if (status == OK) {
        const double *coefs = columns_combination(&columns, s->columns);
        *ret_found = coefs != NULL;
        if (coefs)
            add_terms(s, coefs, mu);
    }
    return status;
}

static Status search_with(Search *s, Expr *mu, bool *ret_found, Error *err)
{
    const size_t wanted = 2 * s->columns / s->n + SPARE_STATES;

    s->base = arena_sizes(s->scratch, s->n);
    Status status = arena_status(s->scratch, err);
    if (status == OK) {
        choose_base(s);
        status = analysis_make_states(&s->context, wanted, SEED, err);
    }
    if (status == OK && s->context.states->n_states < wanted)
        return OK;
    if (status == OK)
        status = make_table(s, mu, err);
    if (status == OK)
        status = make_weights(s, err);
    return status == OK ? combine_terms(s, mu, ret_found, err) : status;
}

/* As many factors as MAX_COLUMNS allows; ERR_LIMIT if it allows none. */
static Status choose_ansatz(Search *s, Error *err)
{
    const size_t each = s->r * (s->n - s->r);
    Status status = ansatz_init(&s->ansatz, s->problem->pool, s->context.model, err);

    if (status != OK)
        return status;
    if (each == 0)
        return error_set(err, ERR_LIMIT, "the constraints leave no freedom");
    status = ERR_LIMIT;
    for (unsigned factors = MAX_FACTORS + 1; status == ERR_LIMIT && factors-- > 0;)
        status = ansatz_expand(&s->ansatz, s->problem->pool, factors, MAX_COLUMNS / each, err);
    s->columns = s->ansatz.n * each;
    return status;
}

Status section_search(const SectionProblem *problem, Expr *mu, bool *ret_found, Error *err)
{
    Search s = {.problem = problem,
                .context = *problem->context,
                .n = problem->n,
                .r = problem->r,
                .scratch = problem->context->scratch};
    Error own = {0};
    Status status = choose_ansatz(&s, &own);

    *ret_found = false;
    s.context.formulation = NULL; /* states of Lagrange-d'Alembert */
    if (status == OK)
        status = search_with(&s, mu, ret_found, &own);
    ansatz_done(&s.ansatz);
    if (status == ERR_LIMIT)
        return OK;
    return status == OK ? OK : error_set(err, status, "%s", own.message);
}
