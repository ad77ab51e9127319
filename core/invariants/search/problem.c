/* Values and rates of candidates at random states, and the combinations that vanish. */
#include "core/invariants/search/problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/invariants/search/columns.h"
#include "core/model/rates.h"

size_t problem_count(const Ansatz *ansatz, size_t n_functions, unsigned degree)
{
    const size_t n = ansatz->n_velocities;
    size_t products = 1; /* binomial(n + degree, degree) */

    for (size_t d = 1; d <= degree; d++)
        products = products * (n + d) / d;
    return n_functions * products + ansatz->n_bare + ansatz->n_powers + 1;
}

static int by_cost(const void *a, const void *b)
{
    const Candidate *x = a, *y = b;
    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    if (x->function != y->function)
        return x->function < y->function ? -1 : 1;
    for (size_t k = 0; k < x->n_velocities && k < y->n_velocities; k++)
        if (x->u[k] != y->u[k])
            return x->u[k] < y->u[k] ? -1 : 1;
    return 0;
}

static void add(Problem *p, size_t function, unsigned cost)
{
    p->candidates[p->n++] = (Candidate){.function = (int)function, .cost = cost};
}

/* The function alone, and each of its candidates times a velocity that does not come before its
 * own. */
static void add_with_velocities(Problem *p, size_t function, unsigned cost, unsigned degree)
{
    size_t k = p->n;

    for (add(p, function, cost); k < p->n && p->candidates[k].n_velocities < degree; k++) {
        const Candidate c = p->candidates[k];
        for (size_t i = c.n_velocities ? c.u[c.n_velocities - 1] : 0; i < p->n_velocities; i++) {
            Candidate *longer = &p->candidates[p->n++];
            *longer = c;
            longer->u[longer->n_velocities++] = i;
            longer->cost++;
        }
    }
}

/* Functions: those of the ansatz, then the bare coordinates and the powers. */
static void list_candidates(Problem *p, const Ansatz *ansatz, unsigned degree)
{
    for (size_t f = 0; f < ansatz->n; f++)
        add_with_velocities(p, f, ansatz->degrees[f], degree);
    for (size_t b = 0; b < ansatz->n_bare; b++)
        add(p, ansatz->n + b, 1);
    for (size_t k = 0; k < ansatz->n_powers; k++)
        add(p, ansatz->n + ansatz->n_bare + k, ansatz->power_degrees[k]);
    qsort(p->candidates, p->n, sizeof *p->candidates, by_cost);
    p->candidates[p->n++] = (Candidate){.function = THE_ENERGY, .cost = 2 * ANSATZ_MAX_DEGREE};
}

static size_t width_of(const Problem *p)
{
    return 2 * p->n_functions + 2 * p->n_velocities + 2;
}

static Status fill_table(Problem *p, Error *err)
{
    const Model *m = p->context->model;
    ExprPool *pool = p->context->pool;
    const size_t g = p->n_functions, u = p->n_velocities;
    Expr *exprs = ARENA_NEW(&p->arena, width_of(p), Expr), *velocities = exprs + 2 * g;
    if (!exprs)
        return arena_status(&p->arena, err);

    if (g)
        memcpy(exprs, p->functions, g * sizeof *exprs);
    rates_total(pool, m, exprs, g, exprs + g);
    memcpy(velocities, p->velocities, u * sizeof *exprs);
    rates_total(pool, m, velocities, u, velocities + u);
    velocities[2 * u] = m->energy;
    rates_total(pool, m, &m->energy, 1, velocities + 2 * u + 1);
    return analysis_evaluate(p->context, exprs, width_of(p), p->context->states, p->table, err);
}

/* Sums of squares of each coordinate about its mean, and of its velocity: [2][n]. */
static void spreads(const Trajectory *s, size_t n, double *ret)
{
    memset(ret, 0, 2 * n * sizeof *ret);
    for (size_t i = 0; i < n; i++) {
        double mean = 0;
        for (size_t k = 0; k < s->n_states; k++)
            mean += s->q[k * n + i] / (double)s->n_states;
        for (size_t k = 0; k < s->n_states; k++) {
            double q = s->q[k * n + i] - mean, v = s->v[k * n + i];
            ret[i] += q * q;
            ret[n + i] += v * v;
        }
    }
}

/* The units of rates: |v| over the spread of q, and |vdot| over that of v. */
static Status find_units(Problem *p, Error *err)
{
    const Trajectory *s = p->context->states;
    const size_t n = p->context->model->n;
    const double span = fabs(p->context->range.t_to - p->context->range.t_from);
    double *square = arena_doubles(&p->arena, 2 * n), mean = 0;
    if (!square)
        return arena_status(&p->arena, err);

    /* one over the time in which each state changes */
    spreads(s, n, square);
    for (size_t k = 0; k < s->n_states; k++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++) {
            double v = s->v[k * n + i], a = s->vdot[k * n + i];
            sum += square[i] > 0 ? v * v / square[i] : 0;
            sum += square[n + i] > 0 ? a * a / square[n + i] : 0;
        }
        p->unit[k] = sqrt(sum * (double)s->n_states);
        mean += p->unit[k] / (double)s->n_states;
    }
    /* at a state at rest all rates are small: its unit must not enlarge them */
    for (size_t k = 0; k < s->n_states; k++)
        p->unit[k] = mean > 0 ? p->unit[k] + mean : 1;
    p->slow = span > 0 && 1 / span < mean ? 1 / span / (2 * mean) : 0.5;
    return OK;
}

static Status measure(Problem *p, Error *err)
{
    const size_t count = p->context->states->n_states;

    p->table = arena_doubles(&p->arena, count * width_of(p));
    p->unit = arena_doubles(&p->arena, count);
    Status status = arena_status(&p->arena, err);
    if (status == OK)
        status = fill_table(p, err);
    return status == OK ? find_units(p, err) : status;
}

Status problem_init(Problem *p, const AnalysisContext *context, const Ansatz *ansatz,
                    unsigned degree, Error *err)
{
    const size_t n_functions = ansatz->n + ansatz->n_bare + ansatz->n_powers;
    Expr *functions = arena_alloc(context->arena, n_functions, sizeof *functions);
    if (!functions)
        return error_set(err, ERR_NO_MEMORY, "out of memory");

    /* list_candidates() counts on this order: functions, bare coordinates, powers */
    memcpy(functions, ansatz->functions, ansatz->n * sizeof *functions);
    if (ansatz->n_bare)
        memcpy(functions + ansatz->n, ansatz->bare, ansatz->n_bare * sizeof *functions);
    if (ansatz->n_powers)
        memcpy(functions + ansatz->n + ansatz->n_bare, ansatz->powers,
               ansatz->n_powers * sizeof *functions);
    *p = (Problem){.context = context,
                   .functions = functions,
                   .n_functions = n_functions,
                   .velocities = ansatz->velocities,
                   .n_velocities = ansatz->n_velocities};
    p->candidates = ARENA_NEW(&p->arena, problem_count(ansatz, ansatz->n, degree), Candidate);
    if (!p->candidates)
        return arena_status(&p->arena, err);
    list_candidates(p, ansatz, degree);
    return measure(p, err);
}

Status problem_init_part(Problem *p, const AnalysisContext *context, const Problem *part,
                         Error *err)
{
    *p = *part;
    p->context = context;
    return measure(p, err);
}

void problem_done(Problem *p)
{
    arena_done(&p->arena);
    *p = (Problem){0};
}

/* u_i u_j .. and its rate, of a row of the table. */
static double velocities(const Problem *p, const Candidate *c, const double *row, double *ret_rate)
{
    const double *u = row + 2 * p->n_functions, *rate = u + p->n_velocities;
    double product = 1;

    *ret_rate = 0;
    for (unsigned k = 0; k < c->n_velocities; k++) {
        *ret_rate = *ret_rate * u[c->u[k]] + product * rate[c->u[k]];
        product *= u[c->u[k]];
    }
    return product;
}

void problem_values(const Problem *p, size_t candidate, size_t rows, double *ret)
{
    const Candidate *c = &p->candidates[candidate];
    const size_t width = width_of(p);
    double rate;

    for (size_t k = 0; k < rows; k++) {
        const double *row = p->table + k * width;
        ret[k] = c->function == THE_ENERGY ? row[width - 2]
                                           : row[c->function] * velocities(p, c, row, &rate);
    }
}

/* The rates of a candidate in units of problem->unit at the first `rows` states. */
static void take_rates(const Problem *p, size_t candidate, size_t rows, double *ret)
{
    const Candidate *c = &p->candidates[candidate];
    const size_t g = p->n_functions, width = width_of(p);

    for (size_t k = 0; k < rows; k++) {
        const double *row = p->table + k * width;
        double rate;
        if (c->function == THE_ENERGY) {
            ret[k] = row[width - 1] / p->unit[k];
        } else {
            const double w = velocities(p, c, row, &rate);
            ret[k] = (row[g + (size_t)c->function] * w + row[c->function] * rate) / p->unit[k];
        }
    }
}

Expr problem_candidate(const Problem *p, size_t k)
{
    const Candidate *c = &p->candidates[k];

    if (c->function == THE_ENERGY)
        return p->context->model->energy;
    Expr e = p->functions[c->function];
    for (unsigned i = 0; i < c->n_velocities; i++)
        e = expr_mul(p->context->pool, e, p->velocities[c->u[i]]);
    return e;
}

typedef struct Solver {
    const Problem *problem;
    const Solution *solution;
    size_t value_rows, rate_rows;
} Solver;

static double fill_values(const void *self, size_t k, double *column)
{
    const Solver *s = self;
    problem_values(s->problem, k, s->value_rows, column);
    return vector_length(column, s->value_rows);
}

static double fill_rates(const void *self, size_t k, double *column)
{
    const Solver *s = self;
    take_rates(s->problem, k, s->rate_rows, column);
    return vector_length(column, s->rate_rows);
}

/* Rates that are small against the values, over the longest time scale, are rounding. */
static double fill_rates_against_values(const void *self, size_t k, double *column)
{
    const Solver *s = self;
    const double length = fill_rates(self, k, column);
    const double slow = s->solution->relations.scale[k] *
                        sqrt((double)s->rate_rows / (double)s->value_rows) * s->problem->slow;
    return isfinite(length) ? fmax(length, slow) : 0;
}

Status problem_solve(const Problem *p, Arena *arena, Solution *ret, Error *err)
{
    const size_t states = p->context->states->n_states;
    Solver s = {.problem = p, .solution = ret};
    ColumnSource source = {.context = p->context, .n = p->n, .self = &s};

    /* relations between values */
    *ret = (Solution){0};
    source.rows = s.value_rows = states < p->n + SPARE_STATES ? states : p->n + SPARE_STATES;
    source.fill = fill_values;
    Status status = columns_search(&source, arena, &ret->relations, err);
    if (status != OK)
        return status;
    /* combinations of rates, for candidates with independent values */
    source.which = ret->relations.kept;
    source.n_which = ret->relations.n_kept;
    const size_t wanted = 2 * source.n_which + SPARE_STATES;
    source.rows = s.rate_rows = ret->rows = wanted < states ? wanted : states;
    source.fill = fill_rates_against_values;
    status = columns_search(&source, arena, &ret->integrals, err);
    ret->gap = fmin(ret->relations.gap, ret->integrals.gap);
    return status;
}

Status problem_complete(const Problem *p, double *ret_coefs, bool *ret_found, Error *err)
{
    const Solver s = {.problem = p, .rate_rows = p->context->states->n_states};
    const ColumnSource source = {
        .context = p->context, .n = p->n, .rows = s.rate_rows, .fill = fill_rates, .self = &s};
    Columns columns;
    Arena scratch = {0};

    *ret_found = false;
    ret_coefs[p->n - 1] = 1;
    Status status = columns_search(&source, &scratch, &columns, err);
    /* the last candidate must complete the only combination */
    if (status == OK) {
        const double *coefs = columns_combination(&columns, p->n - 1);
        const bool alone = p->n == 1, only = coefs && columns.n_kept == p->n - 1;
        *ret_found = s.rate_rows > p->n && (alone || only);
        if (only)
            memcpy(ret_coefs, coefs, p->n * sizeof *coefs);
    }
    arena_done(&scratch);
    return status;
}

/* Products of known first integrals as columns of values. */

/* Products that are listed; later ones are ignored. Convention. */
enum { MAX_COLUMNS = 256 };

Status known_init(Known *k, Arena *arena, size_t rows, unsigned degree, unsigned factors,
                  Error *err)
{
    *k = (Known){.arena = arena,
                 .rows = rows,
                 .degree = degree,
                 .factors = factors,
                 .columns = ARENA_NEW(arena, MAX_COLUMNS, KnownColumn),
                 .capacity = MAX_COLUMNS,
                 .work = arena_doubles(arena, rows),
                 .ones = arena_doubles(arena, rows)};
    /* spans of single integrals, products, and sums with the energy */
    echelon_init(&k->single, arena, rows, MAX_COLUMNS);
    echelon_init(&k->products, arena, rows, MAX_COLUMNS);
    echelon_init(&k->rest, arena, rows, MAX_COLUMNS);
    echelon_init(&k->all, arena, rows, MAX_COLUMNS);
    Status status = arena_status(arena, err);
    if (status != OK)
        return status;
    /* constants are known from the beginning */
    for (size_t i = 0; i < rows; i++)
        k->ones[i] = 1;
    return known_add(k, k->ones, 0, false, err);
}

/* The values in units of their length, in known->work; false: they are all zero. */
static bool scaled(const Known *k, const double *values)
{
    const double length = vector_length(values, k->rows);

    for (size_t i = 0; i < k->rows && length > 0; i++)
        k->work[i] = values[i] / length;
    return length > 0;
}

static void take(const Known *k, Echelon *span, const double *values)
{
    /* a column of length 1 is a combination if less remains */
    if (scaled(k, values))
        (void)echelon_take(span, k->work, ACCURACY_HALF, NULL);
}

static bool spans(const Known *k, const Echelon *span, const double *values)
{
    return !scaled(k, values) || echelon_spans(span, k->work, ACCURACY_HALF);
}

Novelty known_judge(const Known *k, const double *values)
{
    if (!spans(k, &k->all, values))
        return NOVEL;
    if (spans(k, &k->single, values) || spans(k, &k->products, values))
        return REPEATED;
    return spans(k, &k->rest, values) ? REMAINDER : REPEATED;
}

static Status add_product(Known *k, const KnownColumn *a, const KnownColumn *b, Error *err)
{
    KnownColumn *column = &k->columns[k->n];

    if (k->n == k->capacity)
        return OK;
    *column = (KnownColumn){.velocities = a->velocities + b->velocities,
                            .factors = a->factors + b->factors,
                            .energy = a->energy || b->energy,
                            .values = arena_doubles(k->arena, k->rows)};
    Status status = arena_status(k->arena, err);
    if (status != OK)
        return status;
    for (size_t i = 0; i < k->rows; i++)
        column->values[i] = a->values[i] * b->values[i];
    k->n++;
    /* products that contain the energy belong to the span of all columns alone */
    take(k, &k->all, column->values);
    if (!column->energy)
        take(k, &k->products, column->values);
    if (!column->energy || column->factors <= 1)
        take(k, &k->rest, column->values);
    return OK;
}

Status known_add(Known *k, const double *values, unsigned velocities, bool energy, Error *err)
{
    const KnownColumn one = {.values = k->ones};
    const KnownColumn added = {.velocities = velocities,
                               .factors = k->n > 0,
                               .energy = energy,
                               .values = arena_copy_doubles(k->arena, values, k->rows)};
    Status status = arena_status(k->arena, err);

    if (status != OK)
        return status;
    take(k, &k->single, added.values);
    status = add_product(k, &added, &one, err);
    /* with everything before it, and with its own powers: those come later in the list */
    for (size_t i = 1; status == OK && i < k->n; i++) {
        const KnownColumn *other = &k->columns[i];
        if (other->factors + added.factors <= k->factors &&
            other->velocities + velocities <= k->degree)
            status = add_product(k, other, &added, err);
    }
    return status;
}
