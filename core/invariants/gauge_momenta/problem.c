/* Conditions on gauge momenta as columns, and their solutions: F. Fasso, N. Sansonetto, Prop. 3. */
#include "core/invariants/gauge_momenta/problem.h"

#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/base/finite.h"
#include "core/invariants/search/columns.h"
#include "core/model/rates.h"

/* Values at a state: the frequency of the acting forces; b and db/dt of every function; these
 * five of every generator. */
enum { MOMENTUM, SIZE, LIFT, REACTION, FORCE, PER_GENERATOR };
/* Conditions on a candidate at a state. */
enum { CONDITIONS = 3 };

/* States beyond two for each unknown, and beyond one at least. Conventions. */
enum { EXTRA_STATES = 16, LEAST_EXTRA_STATES = 8 };

typedef struct Search {
    const GaugeProblem *problem;
    size_t n_functions, n_generators, n, width, n_states;
    double *values;         /* [n_states][width] */
    const Columns *columns; /* the solutions */
} Search;

static void generator_values(const GaugeProblem *p, const Expr *Y, Expr *ret)
{
    const Model *m = p->context->model;
    ExprPool *pool = p->context->pool;

    ret[MOMENTUM] = expr_dot(pool, m->n, m->p, Y);
    ret[SIZE] = generator_size(pool, m->n, m->p, Y);
    ret[LIFT] = generator_change(pool, m, Y, m->L, m->p);
    ret[FORCE] = expr_dot(pool, m->n, m->F, Y);
    ret[REACTION] = expr_const(pool, 0);
    for (size_t a = 0; a < m->r; a++)
        ret[REACTION] = expr_add(pool, ret[REACTION], reaction_along(pool, m, a, Y));
}

static Status row_expressions(const Search *s, Expr *ret, Error *err)
{
    const GaugeProblem *p = s->problem;
    const Model *m = p->context->model;
    ExprPool *pool = p->context->pool;
    Expr *functions = ret + 1, *derivatives = functions + s->n_functions;

    ret[0] = expr_div(pool, analysis_power_scale(p->context),
                      generator_size(pool, m->n, m->p, m->sym.v));
    memcpy(functions, p->ansatz->functions, s->n_functions * sizeof *functions);
    rates_without_acceleration(pool, m, functions, s->n_functions, derivatives);
    for (size_t a = 0; a < s->n_generators; a++)
        generator_values(p, p->generators->fields[a].components,
                         derivatives + s->n_functions + a * PER_GENERATOR);
    return expr_pool_status(pool, err);
}

static Status conditions_evaluate(Search *s, Arena *arena, Error *err)
{
    enum { SEED = 23 }; /* any will do */
    AnalysisContext own = *s->problem->context;
    Status status = analysis_make_states(&own, 2 * s->n + EXTRA_STATES, SEED, err);
    if (status != OK)
        return status;

    const size_t count = own.states->n_states;
    Expr *exprs = ARENA_NEW(arena, s->width, Expr);
    s->values = arena_doubles(arena, count * s->width);
    status = arena_status(arena, err);
    if (status == OK)
        status = row_expressions(s, exprs, err);
    if (status == OK)
        status = analysis_evaluate(&own, exprs, s->width, own.states, s->values, err);
    /* states with infinite values are dropped */
    for (size_t k = 0; status == OK && k < count; k++) {
        const double *row = s->values + k * s->width;
        if (all_finite(row, s->width) && row[0] > 0)
            memmove(s->values + s->n_states++ * s->width, row, s->width * sizeof *row);
    }
    return status;
}

/* The numbers of a candidate's column at a state. */
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

/* Measured against the largest possible size of a candidate's terms: rounding is near 1e-16. */
static double fill_conditions(const void *self, size_t candidate, double *column)
{
    const Search *s = self;
    double largest = 0;

    for (size_t i = 0; i < s->n_states; i++) {
        const Entry e = entry(s, candidate, i);
        const double unit = 1 / e.frequency, size = fabs(e.function) + fabs(e.rate) * unit;
        largest = fmax(largest, size * e.generator[SIZE]);
        /* Y^TQ(L) = 0, R.Y = 0, F.Y = 0 for Y = b xi, over the frequency of what acts */
        column[CONDITIONS * i] =
            (e.function * e.generator[LIFT] + e.rate * e.generator[MOMENTUM]) * unit;
        column[CONDITIONS * i + 1] = e.function * e.generator[REACTION] * unit;
        column[CONDITIONS * i + 2] = e.function * e.generator[FORCE] * unit;
    }
    return largest > 0 ? largest * sqrt((double)s->n_states) : 1;
}

static bool is_constant(const double *values, size_t n)
{
    double mean = 0, spread = 0;

    for (size_t i = 0; i < n; i++)
        mean += values[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        spread = fmax(spread, fabs(values[i] - mean));
    return spread <= ACCURACY_COMPARED * fabs(mean);
}

/* The constants, then p.Y of each solution; left out if constant, or zero against its terms. */
static double fill_momentum(const void *self, size_t k, double *column)
{
    const Search *s = self;
    const double *coefs = k > 0 ? s->columns->combinations + (k - 1) * s->n : NULL;
    double size = 0;

    /* p.Y at each state and the size of its terms */
    for (size_t i = 0; i < s->n_states; i++) {
        double terms = 0;
        column[i] = k == 0;
        for (size_t j = 0; k > 0 && j < s->n; j++) {
            if (coefs[j] == 0)
                continue;
            const Entry e = entry(s, j, i);
            column[i] += coefs[j] * e.function * e.generator[MOMENTUM];
            terms += fabs(coefs[j] * e.function) * e.generator[SIZE];
        }
        size += terms * terms;
    }
    /* a momentum that does not vary is none */
    const double length = vector_length(column, s->n_states);
    const bool moves = length > ACCURACY_COMPARED * sqrt(size) && !is_constant(column, s->n_states);
    return k == 0 || moves ? length : 0;
}

/* Separates solutions whose momenta differ on the constraints from solutions without a momentum. */
static Status sort_out(Search *s, Arena *arena, const Columns *solutions, GaugeSolution *ret,
                       Error *err)
{
    const size_t count = solutions->n_combinations;
    /* the part of a momentum of length 1 that is not in the others */
    const ColumnSource source = {.context = s->problem->context,
                                 .n = count + 1,
                                 .rows = s->n_states,
                                 .tolerance = ACCURACY_DIFFERENCED,
                                 .fill = fill_momentum,
                                 .self = s};
    Columns momenta;

    s->columns = solutions;
    ret->momenta = ARENA_NEW(arena, count, double *);
    ret->idle = ARENA_NEW(arena, count, double *);
    Status status = columns_search(&source, arena, &momenta, err);
    /* kept after the constants: momenta that are no combination of those before them */
    for (size_t k = 1; status == OK && k < momenta.n_kept; k++)
        ret->momenta[ret->n_momenta++] = solutions->combinations + (momenta.kept[k] - 1) * s->n;
    /* left out: those without a momentum */
    for (size_t k = 0; status == OK && k < count; k++)
        if (momenta.scale[k + 1] == 0)
            ret->idle[ret->n_idle++] = solutions->combinations + k * s->n;
    return status;
}

Status gauge_solve(const GaugeProblem *problem, Arena *arena, GaugeSolution *ret, Error *err)
{
    const size_t f = problem->ansatz->n, a = problem->generators->n;
    Search s = {.problem = problem,
                .n_functions = f,
                .n_generators = a,
                .n = f * a,
                .width = 1 + 2 * f + a * PER_GENERATOR};
    Columns solutions = {0};

    /* the conditions at random states, more of them than unknowns */
    *ret = (GaugeSolution){.n = s.n};
    Status status = conditions_evaluate(&s, arena, err);
    if (status == OK && s.n_states < s.n + LEAST_EXTRA_STATES)
        status =
            error_set(err, ERR_NUMERIC, "only %zu random admissible states were found", s.n_states);
    const ColumnSource source = {.context = problem->context,
                                 .n = s.n,
                                 .rows = CONDITIONS * s.n_states,
                                 .fill = fill_conditions,
                                 .self = &s};
    if (status == OK)
        status = columns_search(&source, arena, &solutions, err);
    if (status == OK)
        status = sort_out(&s, arena, &solutions, ret, err);
    ret->states = s.n_states;
    ret->dimension = solutions.n_combinations;
    ret->gap = solutions.gap;
    ret->decided = ret->dimension == 0 || ret->gap >= CLEAR_GAP;
    return status;
}

Status gauge_shorten(const GaugeProblem *problem, const GaugeSolution *solution, double *coefs,
                     Error *err)
{
    Arena scratch = {0};
    Moves moves;
    double *cost = arena_doubles(&scratch, solution->n), last = 1;

    /* solutions without a momentum may be added */
    moves_init(&moves, &scratch, solution->n, solution->n_idle);
    for (size_t k = 0; k < solution->n_idle; k++)
        moves_add(&moves, solution->idle[k]);
    Status status = arena_status(&scratch, err);
    /* short sums of simple functions cost little; the last coefficient becomes 1 */
    if (status == OK) {
        for (size_t k = 0; k < solution->n; k++) {
            const size_t term = k / problem->generators->n;
            cost[k] = 1 + problem->ansatz->degrees[term];
        }
        moves_shorten(&moves, cost, coefs);
        for (size_t k = 0; k < solution->n; k++)
            last = coefs[k] != 0 ? coefs[k] : last;
        for (size_t k = 0; k < solution->n; k++)
            coefs[k] /= last;
    }
    arena_done(&scratch);
    return status;
}

void gauge_field(const GaugeProblem *problem, const double *coefs, Expr *ret)
{
    const size_t n = problem->context->model->n, n_generators = problem->generators->n;
    ExprPool *pool = problem->context->pool;

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

/* The ansatz. */

/* Unknowns: the ansatz is of degree 2 up to the first number, and of any degree up to the second.
 * Conventions. */
enum { DEFAULT_UNKNOWNS = 240, MAX_UNKNOWNS = 400 };

static void remove_atom(Ansatz *a, Expr e)
{
    size_t kept = 0;

    for (size_t k = 0; k < a->n_atoms; k++) {
        if (expr_same(a->atoms[k], e))
            continue;
        a->sine[kept] = a->sine[k];
        a->atoms[kept++] = a->atoms[k];
    }
    a->n_atoms = kept;
}

/* The model's functions, with sine and cosine in place of every angle. */
static Status default_ansatz(const Model *model, ExprPool *pool, Ansatz *ret, Error *err)
{
    Status status = ansatz_init(ret, pool, model, err);

    for (size_t i = 0; status == OK && i < model->n; i++) {
        const Expr q = model->sym.q[i];
        if (!(model->kinds.periods[i] > 0) && !exprs_contain(ret->bare, ret->n_bare, q))
            continue;
        remove_atom(ret, q);
        ansatz_add_circular(ret, pool, q);
    }
    return status;
}

static Status expand(Ansatz *ansatz, ExprPool *pool, const Value *degree, size_t n_generators,
                     Error *err)
{
    const size_t most = MAX_UNKNOWNS / n_generators, few = DEFAULT_UNKNOWNS / n_generators;

    if (degree)
        return ansatz_expand(ansatz, pool, (unsigned)degree->number, most, err);
    Status status = few ? ansatz_expand(ansatz, pool, 2, few, err) : ERR_LIMIT;
    if (status == ERR_LIMIT)
        status = ansatz_expand(ansatz, pool, 1, most ? most : 1, err);
    return status;
}

Status gauge_ansatz_init(const Model *model, ExprPool *pool, const Value *options,
                         size_t n_generators, Ansatz *ret, Diagnostics *diag, Error *err)
{
    const Value *functions = value_member(options, "ansatz");
    Status status = functions ? ansatz_read(ret, pool, model, functions, diag, err)
                              : default_ansatz(model, pool, ret, err);
    if (status == OK)
        status = expand(ret, pool, value_member(options, "degree"), n_generators, err);
    return status;
}

static Status check_ansatz(const Model *model, ExprPool *pool, const Value *options,
                           Diagnostics *diag, Error *err)
{
    const Value *functions = value_member(options, "ansatz"),
                *degree = value_member(options, "degree");
    Ansatz ansatz = {0};
    Generators generators;
    Error why = {0};
    Status status = generators_of_model(model, pool, diag->arena, &generators, err);

    /* only with generators is there an ansatz; a limit is a mistake of the options */
    if (status == OK && generators.n > 0) {
        status = gauge_ansatz_init(model, pool, options, generators.n, &ansatz, diag, &why);
        if (status == ERR_LIMIT) {
            diagnostics_add(diag, degree ? degree->pointer : functions->pointer, -1,
                            "choose fewer functions or a lower degree", "%s", why.message);
            status = ERR_INVALID;
        }
        if (status != OK)
            error_set(err, status, "%s", why.message);
    }
    ansatz_done(&ansatz);
    return status;
}

Status gauge_ansatz_check(const Model *model, ExprPool *pool, const Value *options,
                          Diagnostics *diag, Error *err)
{
    const Value *degree = value_member(options, "degree");
    const size_t before = diag->total;

    ansatz_check_number(degree, 0, ANSATZ_MAX_DEGREE, diag);
    if (diag->total != before)
        return error_set(err, ERR_INVALID, "the degree is out of range");
    if (!degree && !value_member(options, "ansatz"))
        return OK;
    return check_ansatz(model, pool, options, diag, err);
}
