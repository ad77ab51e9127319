#include "core/invariants/consistency/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/expr/calculus.h"
#include "core/invariants/search/ansatz.h"
#include "core/invariants/search/echelon.h"

enum { MOST_COLUMNS = 240, MOST_FACTORS = 2, SPARE_STATES = 32, SEED = 1313 };

static const double DEPENDS = 1e-9, NOTHING = 1e-9;

typedef struct Search {
    const SectionProblem *problem;
    AnalysisContext context; /* with states of its own */
    Ansatz ansatz;
    size_t n, r, m;
    size_t *base; /* m coordinates whose velocities determine the others */
    size_t rows, columns;
    double *table; /* [n_states][width]: what make_table() says */
    size_t width;
    double *weight; /* [rows] */
    size_t *kept;   /* columns in the echelon */
    double *length; /* of these */
} Search;

static Status out_of_memory(Error *err)
{
    return error_set(err, ERR_NO_MEMORY, "out of memory");
}

static void search_done(Search *s)
{
    free(s->base);
    free(s->table);
    free(s->weight);
    free(s->length);
}

static Status choose_base(Search *s, Error *err)
{
    s->base = alloc_array(s->n + s->columns, sizeof *s->base);
    s->length = alloc_array(s->columns, sizeof *s->length);
    if (!s->base || !s->length)
        return out_of_memory(err);
    s->kept = s->base + s->n;
    s->m = 0;
    for (size_t i = 0; i < s->n; i++) {
        bool dependent = false;
        for (size_t k = 0; k < s->r; k++)
            dependent = dependent || s->context.dependent[k] == i;
        if (!dependent)
            s->base[s->m++] = i;
    }
    return OK;
}

/* Along q and t: functions of the ansatz have no velocities. */
static bool rates_of_functions(const Search *s, Expr *ret)
{
    const Model *model = s->context.model;
    Expr *symbols = alloc_array(2 * (s->n + 1), sizeof *symbols);
    if (!symbols)
        return false;

    Expr *directions = symbols + s->n + 1;
    memcpy(symbols, model->q, s->n * sizeof *symbols);
    memcpy(directions, model->v, s->n * sizeof *symbols);
    symbols[s->n] = model->t;
    directions[s->n] = expr_const(s->problem->pool, 1);
    expr_directional(s->problem->pool, s->ansatz.functions, s->ansatz.n, symbols, directions,
                     s->n + 1, ret);
    free(symbols);
    return true;
}

/* By state: the functions, their rates, A, C, and what mu lacks. */
static Status make_table(Search *s, const Expr *mu, Error *err)
{
    const SectionProblem *p = s->problem;
    const size_t count = s->ansatz.n, entries = s->r * s->n;
    const Trajectory *states = s->context.states;

    s->width = 2 * count + 2 * entries + s->n;
    Expr *exprs = alloc_array(s->width, sizeof *exprs);
    s->table = alloc_array(states->n_states * s->width, sizeof *s->table);
    bool ok = exprs && s->table && rates_of_functions(s, exprs + count);
    if (ok) {
        memcpy(exprs, s->ansatz.functions, count * sizeof *exprs);
        memcpy(exprs + 2 * count, p->A, entries * sizeof *exprs);
        memcpy(exprs + 2 * count + entries, p->curl, entries * sizeof *exprs);
        ok = section_residual(p, mu, exprs + 2 * count + 2 * entries);
    }
    Status status =
        ok ? analysis_evaluate(&s->context, p->pool, exprs, s->width, states, s->table, err)
           : out_of_memory(err);
    free(exprs);
    return status;
}

/* Each state counts alike, and each force over the square root of |M_ii|. */
static Status make_weights(Search *s, Error *err)
{
    const Trajectory *states = s->context.states;
    const size_t n = s->n;
    SectionProblem there = *s->problem;
    Gauge gauge = {0};
    there.context = &s->context;

    s->rows = states->n_states * n;
    s->weight = alloc_array(2 * s->rows, sizeof *s->weight);
    Status status = s->weight ? gauge_init(&gauge, &there, err) : out_of_memory(err);
    for (size_t k = 0; status == OK && k < states->n_states; k++) {
        gauge_set(&gauge, &there, states->t[k], states->q + k * n, states->v + k * n,
                  states->vdot + k * n);
        for (size_t i = 0; i < n; i++)
            s->weight[k * n + i] = 1 / (gauge.weight[i] * (gauge.force > 0 ? gauge.force : 1));
    }
    gauge_done(&gauge);
    return status;
}

/* Column c: function c / (r m) for multiplier (c / m) % r with velocity base[c % m]. */
static double fill_column(const Search *s, size_t c, double *column)
{
    const Trajectory *states = s->context.states;
    const size_t n = s->n, f = c / (s->r * s->m), a = c / s->m % s->r, i = s->base[c % s->m];
    double sum = 0;

    for (size_t k = 0; k < states->n_states; k++) {
        const double *row = s->table + k * s->width, *A = row + 2 * s->ansatz.n + a * n;
        const double *curl = A + s->r * n;
        double v = states->v[k * n + i], value = row[f] * v;
        double rate = row[s->ansatz.n + f] * v + row[f] * states->vdot[k * n + i];
        for (size_t j = 0; j < n; j++) {
            double entry = s->weight[k * n + j] * (A[j] * rate + curl[j] * value);
            column[k * n + j] = entry;
            sum += entry * entry;
        }
    }
    return sqrt(sum);
}

static double fill_target(const Search *s, double *column)
{
    const size_t n = s->n;
    double sum = 0;

    for (size_t k = 0; k < s->rows; k++) {
        column[k] = -s->weight[k] * s->table[k / n * s->width + s->width - n + k % n];
        sum += column[k] * column[k];
    }
    return sqrt(sum);
}

static bool scale(double *column, size_t n, double length)
{
    if (!(length > 0) || !isfinite(length))
        return false;
    for (size_t i = 0; i < n; i++)
        column[i] /= length;
    return true;
}

/* A fraction that is this number but for rounding, or the number. */
static double tidy(double x)
{
    for (int q = 1; q <= 64; q++) {
        double p = round(x * q);
        if (p != 0 && fabs(x - p / q) < 1e-10 * fabs(x))
            return p / q;
    }
    return x;
}

static void add_terms(const Search *s, const double *coefs, size_t rank, double target, Expr *mu)
{
    ExprPool *pool = s->problem->pool;
    double largest = 0;

    for (size_t k = 0; k < rank; k++)
        largest = fmax(largest, fabs(coefs[k]));
    for (size_t k = 0; k < rank; k++) {
        if (fabs(coefs[k]) < NOTHING * largest)
            continue;
        const size_t c = s->kept[k], f = c / (s->r * s->m), a = c / s->m % s->r;
        Expr term = expr_mul(pool, s->ansatz.functions[f], s->context.model->v[s->base[c % s->m]]);
        double factor = tidy(coefs[k] * target / s->length[k]);
        mu[a] = expr_add(pool, mu[a], expr_scale(pool, factor, term));
    }
}

/* Is what mu lacks a combination of the columns? */
static Status combine(Search *s, Expr *mu, bool *ret_found, Error *err)
{
    double *column = s->weight + s->rows, target = 0;
    double *coefs = alloc_array(s->columns, sizeof *coefs);
    Echelon echelon = {0};
    Status status = coefs ? echelon_init(&echelon, s->rows, s->columns, err) : out_of_memory(err);

    for (size_t c = 0; status == OK && c < s->columns; c++) {
        double length = fill_column(s, c, column);
        const size_t place = echelon.rank;
        if (scale(column, s->rows, length) && echelon_take(&echelon, column, DEPENDS, NULL)) {
            s->kept[place] = c;
            s->length[place] = length;
        }
        if (c % 16 == 0 && s->context.poll)
            status = s->context.poll(s->context.self, err);
    }
    if (status == OK) {
        target = fill_target(s, column);
        *ret_found = scale(column, s->rows, target) && echelon_spans(&echelon, column, DEPENDS);
    }
    if (status == OK && *ret_found) {
        fill_target(s, column);
        scale(column, s->rows, target);
        echelon_take(&echelon, column, DEPENDS, coefs);
        add_terms(s, coefs, echelon.rank, target, mu);
    }
    echelon_done(&echelon);
    free(coefs);
    return status;
}

static Status search_with(Search *s, Expr *mu, bool *ret_found, Error *err)
{
    const size_t wanted = 2 * s->columns / s->n + SPARE_STATES;
    Status status = choose_base(s, err);

    if (status == OK)
        status = analysis_make_states(&s->context, wanted, SEED, err);
    if (status == OK && s->context.states->n_states < wanted)
        return OK;
    if (status == OK)
        status = make_table(s, mu, err);
    if (status == OK)
        status = make_weights(s, err);
    return status == OK ? combine(s, mu, ret_found, err) : status;
}

/* As many factors as MOST_COLUMNS allow; ERR_LIMIT where they allow none. */
static Status choose_ansatz(Search *s, Error *err)
{
    const size_t each = s->r * (s->n - s->r);
    Status status = ansatz_init(&s->ansatz, s->problem->pool, s->context.model, err);

    if (status != OK)
        return status;
    if (each == 0)
        return error_set(err, ERR_LIMIT, "the constraints leave no freedom");
    status = ERR_LIMIT;
    for (unsigned factors = MOST_FACTORS + 1; status == ERR_LIMIT && factors-- > 0;)
        status = ansatz_expand(&s->ansatz, s->problem->pool, factors, MOST_COLUMNS / each, err);
    s->columns = s->ansatz.n * each;
    return status;
}

Status section_search(const SectionProblem *problem, Expr *mu, bool *ret_found, Error *err)
{
    Search s = {.problem = problem, .context = *problem->context, .n = problem->n, .r = problem->r};
    Error own = {0};
    Status status = choose_ansatz(&s, &own);

    *ret_found = false;
    s.context.formulation = NULL; /* states of Lagrange-d'Alembert */
    if (status == OK)
        status = search_with(&s, mu, ret_found, &own);
    search_done(&s);
    ansatz_done(&s.ansatz);
    if (status == ERR_LIMIT)
        return OK;
    return status == OK ? OK : error_set(err, status, "%s", own.message);
}
