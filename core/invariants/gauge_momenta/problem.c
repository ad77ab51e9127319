#include "core/invariants/gauge_momenta/problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/expr/calculus.h"
#include "core/invariants/search/echelon.h"
#include "core/invariants/search/sparse.h"

/* Values at a state: the frequency of what acts there; b and db/dt of every function; these five of
 * every generator. */
enum { MOMENTUM, SIZE, LIFT, REACTION, FORCE, PER_GENERATOR };
enum { CONDITIONS = 3 };

static const double DEPENDENT = 1e-9, ENOUGH_GAP = 1e4;

typedef struct Search {
    const GaugeProblem *problem;
    size_t n_functions, n_generators, n, width, n_states;
    double *values;         /* [n_states][width] */
    double *scale;          /* n */
    double *column, *coefs; /* CONDITIONS n_states; n */
    size_t *kept;           /* n: candidates that are independent */
} Search;

static void search_done(Search *s)
{
    free(s->values);
    free(s->scale);
    free(s->column);
    free(s->coefs);
    free(s->kept);
}

/* Expressions -------------------------------------------------------------------------------- */

static Expr absolute_momentum(ExprPool *pool, const Model *m, const Expr *Y)
{
    Expr sum = expr_const(pool, 0);
    for (size_t i = 0; i < m->n; i++) {
        Expr term = expr_mul(pool, m->p[i], Y[i]);
        sum = expr_add(pool, sum, expr_call(pool, EXPR_ABS, &term, 1));
    }
    return sum;
}

static void generator_values(const GaugeProblem *p, const Expr *Y, Expr *ret)
{
    const Model *m = p->context->model;
    ExprPool *pool = p->pool;

    ret[MOMENTUM] = expr_dot(pool, m->n, m->p, Y);
    ret[SIZE] = absolute_momentum(pool, m, Y);
    ret[LIFT] = expr_add(pool, generator_lift(pool, m, Y, m->L), generator_drift(pool, m, Y, m->p));
    ret[FORCE] = expr_dot(pool, m->n, m->F, Y);
    ret[REACTION] = expr_const(pool, 0);
    for (size_t a = 0; a < m->r; a++)
        ret[REACTION] =
            expr_add(pool, ret[REACTION],
                     expr_mul(pool, m->lambda[a], expr_dot(pool, m->n, m->A + a * m->n, Y)));
}

/* All expressions of a row. */
static Status row_expressions(const Search *s, Expr *ret, Error *err)
{
    const GaugeProblem *p = s->problem;
    const Model *m = p->context->model;
    const size_t n = m->n;
    Expr *symbols = alloc_array(2 * (n + 1), sizeof *symbols), *rates = symbols + n + 1;
    Expr *functions = ret + 1, *derivatives = functions + s->n_functions;
    if (!symbols)
        return error_set(err, ERR_NO_MEMORY, "out of memory");

    ret[0] = expr_div(p->pool, analysis_power_scale(p->context, p->pool),
                      absolute_momentum(p->pool, m, m->v));
    memcpy(symbols, m->q, n * sizeof *symbols);
    memcpy(rates, m->v, n * sizeof *rates);
    symbols[n] = m->t;
    rates[n] = expr_const(p->pool, 1);
    memcpy(functions, p->ansatz->functions, s->n_functions * sizeof *functions);
    expr_directional(p->pool, functions, s->n_functions, symbols, rates, n + 1, derivatives);
    free(symbols);
    for (size_t a = 0; a < s->n_generators; a++)
        generator_values(p, p->generators->fields[a].components,
                         derivatives + s->n_functions + a * PER_GENERATOR);
    return expr_pool_status(p->pool, err);
}

/* Values ------------------------------------------------------------------------------------- */

static bool row_is_finite(const double *row, size_t width)
{
    for (size_t i = 0; i < width; i++)
        if (!isfinite(row[i]))
            return false;
    return row[0] > 0;
}

static Status evaluate(Search *s, Error *err)
{
    enum { SEED = 23 };
    AnalysisContext own = *s->problem->context;
    Status status = analysis_make_states(&own, 2 * s->n + 16, SEED, err);
    if (status != OK)
        return status;

    const size_t count = own.states->n_states;
    Expr *exprs = alloc_array(s->width, sizeof *exprs);
    s->values = alloc_array(count * s->width, sizeof *s->values);
    if (!exprs || !s->values)
        status = error_set(err, ERR_NO_MEMORY, "out of memory");
    if (status == OK)
        status = row_expressions(s, exprs, err);
    if (status == OK)
        status =
            analysis_evaluate(&own, s->problem->pool, exprs, s->width, own.states, s->values, err);
    for (size_t k = 0; status == OK && k < count; k++) {
        const double *row = s->values + k * s->width;
        if (row_is_finite(row, s->width))
            memmove(s->values + s->n_states++ * s->width, row, s->width * sizeof *row);
    }
    free(exprs);
    return status;
}

/* What the column of a candidate is made of, at a state. */
typedef struct Entry {
    double frequency, function, rate;
    const double *generator; /* PER_GENERATOR */
} Entry;

static Entry entry(const Search *s, size_t candidate, size_t state)
{
    const size_t f = candidate / s->n_generators, a = candidate % s->n_generators;
    const double *row = s->values + state * s->width;

    return (Entry){.frequency = row[0],
                   .function = row[1 + f],
                   .rate = row[1 + s->n_functions + f],
                   .generator = row + 1 + 2 * s->n_functions + a * PER_GENERATOR};
}

/* Columns of length at most about 1, in which rounding is about 1e-16. */
static void choose_scales(Search *s)
{
    for (size_t k = 0; k < s->n; k++) {
        double largest = 0;
        for (size_t i = 0; i < s->n_states; i++) {
            Entry e = entry(s, k, i);
            double size = fabs(e.function) + fabs(e.rate) / e.frequency;
            largest = fmax(largest, size * e.generator[SIZE]);
        }
        s->scale[k] = largest > 0 ? largest * sqrt((double)s->n_states) : 1;
    }
}

static void conditions(const Search *s, size_t candidate, double *ret)
{
    for (size_t i = 0; i < s->n_states; i++) {
        Entry e = entry(s, candidate, i);
        const double unit = 1 / (e.frequency * s->scale[candidate]);
        ret[CONDITIONS * i] =
            (e.function * e.generator[LIFT] + e.rate * e.generator[MOMENTUM]) * unit;
        ret[CONDITIONS * i + 1] = e.function * e.generator[REACTION] * unit;
        ret[CONDITIONS * i + 2] = e.function * e.generator[FORCE] * unit;
    }
}

/* p.Y at the states, made of length 1; false where it is zero against its terms. */
static bool momentum_values(const Search *s, const double *coefs, double *ret)
{
    double length = 0, size = 0;

    for (size_t i = 0; i < s->n_states; i++) {
        double terms = 0;
        ret[i] = 0;
        for (size_t k = 0; k < s->n; k++) {
            if (coefs[k] == 0)
                continue;
            Entry e = entry(s, k, i);
            ret[i] += coefs[k] * e.function * e.generator[MOMENTUM];
            terms += fabs(coefs[k] * e.function) * e.generator[SIZE];
        }
        length += ret[i] * ret[i];
        size += terms * terms;
    }
    if (!(length > DEPENDENT * DEPENDENT * size))
        return false;
    for (size_t i = 0; i < s->n_states; i++)
        ret[i] /= sqrt(length);
    return true;
}

/* Solving ------------------------------------------------------------------------------------ */

/* The solution in which candidate k is expressed by the kept ones. */
static void write_solution(const Search *s, size_t k, size_t n_kept, double *ret)
{
    memset(ret, 0, s->n * sizeof *ret);
    ret[k] = 1;
    for (size_t j = 0; j < n_kept; j++)
        if (fabs(s->coefs[j]) > DEPENDENT)
            ret[s->kept[j]] = -s->coefs[j] * s->scale[k] / s->scale[s->kept[j]];
}

static bool is_constant(const double *values, size_t n)
{
    double mean = 0, spread = 0;

    for (size_t i = 0; i < n; i++)
        mean += values[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        spread = fmax(spread, fabs(values[i] - mean));
    return spread <= DEPENDENT * fabs(mean);
}

/* Takes the solution up if its momentum is new on the constraints. */
static void consider(const Search *s, const double *coefs, Echelon *known, GaugeSolution *ret)
{
    const bool moves = momentum_values(s, coefs, s->column) && !is_constant(s->column, s->n_states);

    ret->dimension++;
    if (!moves)
        memcpy(ret->idle + ret->n_idle++ * s->n, coefs, s->n * sizeof *coefs);
    else if (echelon_take(known, s->column, 1e-7, NULL))
        memcpy(ret->momenta + ret->n_momenta++ * s->n, coefs, s->n * sizeof *coefs);
}

static Status solve(Search *s, GaugeSolution *ret, Error *err)
{
    Echelon independent = {0}, known = {0};
    double *candidate = alloc_array(s->n, sizeof *candidate);
    ret->momenta = alloc_array(s->n * s->n, sizeof *ret->momenta);
    ret->idle = alloc_array(s->n * s->n, sizeof *ret->idle);
    Status status = candidate && ret->momenta && ret->idle
                        ? OK
                        : error_set(err, ERR_NO_MEMORY, "out of memory");

    if (status == OK)
        status = echelon_init(&independent, CONDITIONS * s->n_states, s->n, err);
    if (status == OK)
        status = echelon_init(&known, s->n_states, s->n + 1, err);
    for (size_t i = 0; status == OK && i < s->n_states; i++)
        s->column[i] = 1 / sqrt((double)s->n_states);
    if (status == OK)
        (void)echelon_take(&known, s->column, DEPENDENT, NULL); /* constants */
    for (size_t k = 0; status == OK && k < s->n; k++) {
        conditions(s, k, s->column);
        if (echelon_take(&independent, s->column, DEPENDENT, s->coefs)) {
            s->kept[independent.rank - 1] = k;
        } else {
            write_solution(s, k, independent.rank, candidate);
            consider(s, candidate, &known, ret);
        }
        if (s->problem->context->poll && k % 64 == 63)
            status = s->problem->context->poll(s->problem->context->self, err);
    }
    if (status == OK)
        status = echelon_gap(&independent, &ret->gap, err);
    ret->decided = ret->dimension == 0 || ret->gap >= ENOUGH_GAP;
    echelon_done(&independent);
    echelon_done(&known);
    free(candidate);
    return status;
}

Status gauge_solve(const GaugeProblem *problem, GaugeSolution *ret, Error *err)
{
    const size_t f = problem->ansatz->n, a = problem->generators->n;
    Search s = {.problem = problem,
                .n_functions = f,
                .n_generators = a,
                .n = f * a,
                .width = 1 + 2 * f + a * PER_GENERATOR};

    *ret = (GaugeSolution){.n = s.n};
    Status status = evaluate(&s, err);
    if (status == OK && s.n_states < s.n + 8)
        status =
            error_set(err, ERR_NUMERIC, "only %zu random admissible states were found", s.n_states);
    if (status == OK) {
        s.scale = alloc_array(s.n, sizeof *s.scale);
        s.column = alloc_array(CONDITIONS * s.n_states, sizeof *s.column);
        s.coefs = alloc_array(s.n, sizeof *s.coefs);
        s.kept = alloc_array(s.n, sizeof *s.kept);
        if (!s.scale || !s.column || !s.coefs || !s.kept)
            status = error_set(err, ERR_NO_MEMORY, "out of memory");
    }
    if (status == OK) {
        choose_scales(&s);
        ret->states = s.n_states;
        status = solve(&s, ret, err);
    }
    search_done(&s);
    return status;
}

void gauge_solution_done(GaugeSolution *solution)
{
    free(solution->momenta);
    free(solution->idle);
    *solution = (GaugeSolution){0};
}

Status gauge_shorten(const GaugeProblem *problem, const GaugeSolution *solution, double *coefs,
                     Error *err)
{
    Moves moves = {0};
    double *cost = alloc_array(solution->n, sizeof *cost), last = 1;
    Status status = cost ? moves_init(&moves, solution->n, solution->n_idle, err)
                         : error_set(err, ERR_NO_MEMORY, "out of memory");

    for (size_t k = 0; status == OK && k < solution->n_idle; k++)
        status = moves_add(&moves, solution->idle + k * solution->n, err);
    if (status == OK) {
        for (size_t k = 0; k < solution->n; k++) {
            const size_t function = k / problem->generators->n;
            cost[k] = 1 + problem->ansatz->degrees[function];
        }
        moves_shorten(&moves, cost, coefs);
        for (size_t k = 0; k < solution->n; k++)
            last = coefs[k] != 0 ? coefs[k] : last;
        for (size_t k = 0; k < solution->n; k++)
            coefs[k] /= last;
    }
    moves_done(&moves);
    free(cost);
    return status;
}

void gauge_field(const GaugeProblem *problem, const double *coefs, Expr *ret)
{
    const size_t n = problem->context->model->n, n_generators = problem->generators->n;
    ExprPool *pool = problem->pool;

    for (size_t i = 0; i < n; i++)
        ret[i] = expr_const(pool, 0);
    for (size_t f = 0; f < problem->ansatz->n; f++)
        for (size_t a = 0; a < n_generators; a++) {
            const double c = coefs[f * n_generators + a];
            for (size_t i = 0; c != 0 && i < n; i++) {
                Expr term = expr_mul(pool, problem->ansatz->functions[f],
                                     problem->generators->fields[a].components[i]);
                ret[i] = expr_add(pool, ret[i], expr_scale(pool, c, term));
            }
        }
}
