/* Discovery: first integrals of degree 1 or 2 in the velocities, found without hints.
 *
 * A linear problem at random admissible states (discovery_problem.h) tells which combinations of
 * candidates do not change along any motion. Those that are no functions of what is known already
 * are written with few terms and, where the numbers follow powers of parameters, with these; they
 * are kept if they do not change at fresh states either. Degree 1 comes first, together with the
 * energy: energy plus terms linear in the velocities is a moving energy. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/expr/calculus.h"
#include "core/invariants/analyses.h"
#include "core/invariants/search/known.h"
#include "core/invariants/search/names.h"
#include "core/invariants/search/probe.h"
#include "core/invariants/search/problem.h"
#include "core/invariants/search/sparse.h"

enum {
    MOST_CANDIDATES = 560,
    MOST_FUNCTIONS = MOST_CANDIDATES,
    MOST_FOUND = 40,
    MOST_TERMS = 128,
    FRESH_STATES = 64,
    SPARE_STATES = 32,
    SEED = 1700,
    FRESH_SEED = 1800
};

/* Factors in the products of the default ansatz: as many as candidates allow, up to these. */
static const unsigned DEFAULT_DEGREE[] = {0, 3, 2};

static const double LEAST_GAP = 1e4, FARTHER = 2.5;

typedef struct Found {
    Expr e;
    unsigned velocities;
    bool energy; /* it contains the energy */
} Found;

typedef struct Search {
    const AnalysisContext *context;
    ExprPool *pool;
    Findings *findings;
    Value *problems; /* what was asked, a record each */
    const Value *ansatz_option;
    Ansatz ansatz;
    Probe fresh;
    size_t n_found, repeated, failed;
    Found found[MOST_FOUND];
    bool energy_conserved;
} Search;

/* One problem of the search. */
typedef struct Round {
    Search *search;
    unsigned degree;
    Problem problem;
    Solution solution;
    Known known;
    Moves relations, all; /* all: with first integrals that came before */
    double *cost, *values;
} Round;

/* Reasons -------------------------------------------------------------------------------------- */

static bool has_velocity(const Round *r, const double *vector)
{
    for (size_t k = 0; k < r->problem.n; k++)
        if (vector[k] != 0 && (r->problem.candidates[k].i != NO_VELOCITY ||
                               r->problem.candidates[k].function == THE_ENERGY))
            return true;
    return false;
}

static const char *reason(const Round *r, const double *vector, Novelty novelty, size_t states)
{
    const bool energy = vector[r->problem.n - 1] != 0;
    const char *what = "";

    if (novelty == REMAINDER)
        what = "What is left of the energy when products of other first integrals are taken off: ";
    else if (energy && r->degree == 1)
        what = "The energy alone is not conserved, but with these terms, linear in the "
               "velocities, it is a moving energy: ";
    else if (!has_velocity(r, vector))
        what = "It has no velocities, so that the constraints confine the motion to where it has "
               "its first value: ";
    return arena_printf(r->search->context->arena,
                        "%s%s combination of %zu candidates does not change along the motion at "
                        "any of %zu random admissible states, nor at %zu fresh ones.",
                        what, *what ? "this" : "This", r->problem.n, r->solution.rows, states);
}

/* One first integral ----------------------------------------------------------------------------
 */

/* The terms of a combination as a small problem of their own. */
typedef struct Terms {
    const Problem *problem;
    size_t n, n_functions;
    Candidate candidates[MOST_TERMS];
    Expr functions[MOST_TERMS];
    size_t place[MOST_TERMS]; /* in the problem */
} Terms;

/* The simplest last, or the energy where it takes part: its coefficient will be 1. */
static bool collect_terms(Terms *t, const Problem *p, const double *vector)
{
    *t = (Terms){.problem = p};
    for (size_t k = p->n - 1; k-- > 0;)
        if (vector[k] != 0) {
            if (t->n + 1 >= MOST_TERMS)
                return false;
            t->place[t->n++] = k;
        }
    if (vector[p->n - 1] != 0)
        t->place[t->n++] = p->n - 1;
    for (size_t k = 0; k < t->n; k++) {
        Candidate *c = &t->candidates[k];
        *c = p->candidates[t->place[k]];
        if (c->function != THE_ENERGY) {
            t->functions[t->n_functions] = p->functions[c->function];
            c->function = (int)t->n_functions++;
        }
    }
    return t->n > 0;
}

static Status find_coefficients(void *self, const AnalysisContext *context, double *ret_values,
                                bool *ret_found, Error *err)
{
    const Terms *t = self;
    Problem few;
    Status status = problem_init_few(&few, context, t->problem->pool, t->functions, t->n_functions,
                                     t->candidates, t->n, err);

    if (status == OK)
        status = problem_complete(&few, ret_values, ret_found, err);
    problem_done(&few);
    return status;
}

static Expr assemble(const Terms *t, const Expr *coefs)
{
    ExprPool *pool = t->problem->pool;
    Expr sum = expr_const(pool, 0);

    for (size_t k = 0; k < t->n; k++)
        sum = expr_add(pool, sum,
                       expr_mul(pool, coefs[k], problem_candidate(t->problem, t->place[k])));
    return sum;
}

/* The combination as an expression, with coefficients as exact as they can be had. */
static Status spell(const Round *r, const double *vector, Expr *ret, Error *err)
{
    const Search *s = r->search;
    Terms terms;
    double values[MOST_TERMS];
    Expr coefs[MOST_TERMS];
    bool found;

    *ret = EXPR_NONE;
    if (!collect_terms(&terms, &r->problem, vector))
        return OK;
    Status status = find_coefficients(&terms, r->problem.context, values, &found, err);
    if (status != OK || !found)
        return status;
    const Numbers numbers = {.self = &terms,
                             .n = terms.n,
                             .states = terms.n + SPARE_STATES,
                             .find = find_coefficients,
                             .common_factor = vector[r->problem.n - 1] == 0};
    status = numbers_name(s->context, &numbers, values, s->pool, coefs, err);
    if (status == OK)
        *ret = assemble(&terms, coefs);
    return status;
}

/* The rate as terms: I_q v, I_v vdot, each coordinate by itself, and I_t. */
static Status predict(const Search *s, const Round *r, Expr e, Verdict *verdict, Error *err)
{
    const Model *m = s->context->model;
    const size_t n = m->n, count = 2 * n + 1;
    Expr *symbols = alloc_array(2 * count, sizeof *symbols), *terms = symbols + count;
    if (!symbols)
        return error_set(err, ERR_NO_MEMORY, "out of memory");

    memcpy(symbols, m->q, n * sizeof *symbols);
    memcpy(symbols + n, m->v, n * sizeof *symbols);
    symbols[2 * n] = m->t;
    expr_gradient(s->pool, e, symbols, count, terms);
    for (size_t i = 0; i < n; i++) {
        terms[i] = expr_mul(s->pool, terms[i], m->v[i]);
        terms[n + i] = expr_mul(s->pool, terms[n + i], m->vdot[i]);
    }
    /* its own size, once in the time that matters: 1 is part of expr_terms_scale() */
    double mean = 0;
    for (size_t k = 0; k < r->problem.context->states->n_states; k++)
        mean += r->problem.unit[k] / (double)r->problem.context->states->n_states;
    Expr size = expr_sub(s->pool, expr_terms_scale(s->pool, e), expr_const(s->pool, 1));
    Status status =
        verdict_predict(&s->fresh.context, s->pool, terms, count,
                        expr_scale(s->pool, r->problem.slow * mean, size), verdict, NULL, err);
    free(symbols);
    return status;
}

static Status report(Search *s, const Round *r, Expr e, const double *vector, Novelty novelty,
                     const Verdict *draft, Error *err)
{
    Verdict *verdict = findings_add(s->findings);
    const bool moving = r->degree == 1 && vector[r->problem.n - 1] != 0;

    *verdict = *draft;
    verdict->name = moving ? "moving_energy_found"
                           : arena_printf(s->context->arena, "integral_%zu", s->n_found + 1);
    verdict->kind = "first integral";
    verdict->expression = analysis_text(s->context, s->pool, e, "(long)");
    verdict->reason = reason(r, vector, novelty, verdict->states);
    if (!verdict->name || !verdict->reason)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    return verdict_observe(s->context, s->pool, e, verdict, err);
}

static unsigned velocity_degree(const Round *r, const double *vector)
{
    unsigned most = 0;
    for (size_t k = 0; k < r->problem.n; k++) {
        const Candidate *c = &r->problem.candidates[k];
        unsigned degree = c->function == THE_ENERGY
                              ? 2
                              : (unsigned)(c->i != NO_VELOCITY) + (unsigned)(c->j != NO_VELOCITY);
        if (vector[k] != 0 && degree > most)
            most = degree;
    }
    return most;
}

/* A combination that is new: short, spelled, checked at fresh states, reported. */
static Status take_new(Round *r, double *vector, Novelty novelty, Error *err)
{
    Search *s = r->search;
    Verdict verdict = {0};
    Expr e = EXPR_NONE;

    moves_shorten(novelty == NOVEL ? &r->all : &r->relations, r->cost, vector);
    if (novelty == REMAINDER && vector[r->problem.n - 1] != 0) {
        s->repeated++; /* nothing simpler than the energy and products */
        return OK;
    }
    Status status = spell(r, vector, &e, err);
    if (status == OK && !expr_is_none(e))
        status = predict(s, r, e, &verdict, err);
    if (status != OK)
        return status;
    if (expr_is_none(e) || verdict.predicted != PREDICTED_YES) {
        s->failed++;
        return OK;
    }
    status = report(s, r, e, vector, novelty, &verdict, err);
    const bool energy = vector[r->problem.n - 1] != 0;
    s->found[s->n_found++] =
        (Found){.e = e, .velocities = velocity_degree(r, vector), .energy = energy};
    if (status == OK)
        status = known_add(&r->known, r->values, velocity_degree(r, vector), energy, err);
    return status;
}

/* A round ---------------------------------------------------------------------------------------
 */

static void combine_values(const Round *r, const double *vector, double *scratch)
{
    const size_t rows = r->known.rows;

    memset(r->values, 0, rows * sizeof *r->values);
    for (size_t k = 0; k < r->problem.n; k++) {
        if (vector[k] == 0)
            continue;
        problem_values(&r->problem, k, rows, scratch);
        for (size_t i = 0; i < rows; i++)
            r->values[i] += vector[k] * scratch[i];
    }
}

/* Values of what earlier rounds found, at this round's states. */
static Status recall(Round *r, Error *err)
{
    Search *s = r->search;
    const Trajectory *states = r->problem.context->states;
    const size_t count = s->n_found + 1;
    Expr *exprs = alloc_array(count, sizeof *exprs);
    double *table = alloc_array(states->n_states * count, sizeof *table);
    Status status = exprs && table ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");

    if (status == OK) {
        for (size_t k = 0; k < s->n_found; k++)
            exprs[k] = s->found[k].e;
        exprs[s->n_found] = s->context->model->energy;
        status = analysis_evaluate(r->problem.context, s->pool, exprs, count, states, table, err);
    }
    for (size_t k = 0; status == OK && k < count; k++) {
        const bool energy = k == s->n_found;
        if (energy && !s->energy_conserved)
            continue;
        for (size_t i = 0; i < r->known.rows; i++)
            r->values[i] = table[i * count + k];
        status = known_add(&r->known, r->values, energy ? 2 : s->found[k].velocities,
                           energy || s->found[k].energy, err);
    }
    free(exprs);
    free(table);
    return status;
}

static Status prepare(Round *r, Error *err)
{
    const Solution *solution = &r->solution;
    const size_t n = solution->n;
    const unsigned factors = r->search->ansatz.degree + r->degree; /* as candidates have */
    Status status;

    r->cost = alloc_array(n, sizeof *r->cost);
    r->values = alloc_array(solution->rows, sizeof *r->values);
    if (!r->cost || !r->values)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    for (size_t k = 0; k < n; k++)
        r->cost[k] = 1 + r->problem.candidates[k].cost / 4.0;
    status = known_init(&r->known, solution->rows, r->degree, factors, err);
    if (status == OK)
        status = moves_init(&r->relations, n, n, err);
    if (status == OK)
        status = moves_init(&r->all, n, 2 * n, err);
    for (size_t k = 0; k < solution->n_relations && status == OK; k++) {
        status = moves_add(&r->relations, solution->relations + k * n, err);
        if (status == OK)
            status = moves_add(&r->all, solution->relations + k * n, err);
    }
    return status == OK ? recall(r, err) : status;
}

static bool only_energy(const Round *r, const double *vector)
{
    for (size_t k = 0; k + 1 < r->problem.n; k++)
        if (vector[k] != 0)
            return false;
    return true;
}

static Status sort_out(Round *r, Error *err)
{
    Search *s = r->search;
    const size_t n = r->solution.n;
    double *scratch = alloc_array(r->solution.rows, sizeof *scratch);
    Status status = scratch ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");

    for (size_t k = 0; k < r->solution.n_integrals && status == OK; k++) {
        double *vector = r->solution.integrals + k * n;
        combine_values(r, vector, scratch);
        Novelty novelty = known_judge(&r->known, r->values);
        if (only_energy(r, vector)) {
            s->energy_conserved = true;
            status = known_add(&r->known, r->values, 2, true, err);
        } else if (novelty == REPEATED || s->n_found == MOST_FOUND) {
            s->repeated += vector[0] == 0; /* constants do not count */
        } else {
            status = take_new(r, vector, novelty, err);
        }
        if (status == OK)
            status = moves_add(&r->all, vector, err);
        if (status == OK && s->context->poll)
            status = s->context->poll(s->context->self, err);
    }
    free(scratch);
    return status;
}

static void describe(const Round *r)
{
    const Search *s = r->search;
    const Solution *solution = &r->solution;
    Arena *arena = s->context->arena;
    Value *record = value_add(arena, s->problems, NULL, VALUE_RECORD);

    value_add_count(arena, record, "degree", r->degree);
    Value *functions = value_add(arena, record, "functions", VALUE_LIST);
    for (size_t k = 0; k < s->ansatz.n_atoms; k++)
        value_add_text(arena, functions, NULL,
                       analysis_text(s->context, s->pool, s->ansatz.atoms[k], "(long)"));
    value_add_count(arena, record, "factors", s->ansatz.degree);
    value_add_count(arena, record, "candidates", solution->n);
    value_add_count(arena, record, "independent", solution->independent);
    value_add_count(arena, record, "states", solution->rows);
    value_add_count(arena, record, "conserved", solution->n_integrals);
    if (isfinite(solution->gap))
        value_add_number(arena, record, "gap", solution->gap);
    value_add_bool(arena, record, "complete", solution->gap >= LEAST_GAP);
}

static void round_done(Round *r)
{
    problem_done(&r->problem);
    solution_done(&r->solution);
    known_done(&r->known);
    moves_done(&r->relations);
    moves_done(&r->all);
    free(r->cost);
    free(r->values);
}

/* *ret_complete: there was a clear gap between what is conserved and what is not; without it
 * nothing is believed. */
static Status run_round(Search *s, unsigned degree, const AnalysisContext *context,
                        bool *ret_complete, Error *err)
{
    Round r = {.search = s, .degree = degree};
    Status status = problem_init(&r.problem, context, s->pool, &s->ansatz, degree, err);

    if (status == OK)
        status = problem_solve(&r.problem, &r.solution, err);
    if (status == OK)
        describe(&r);
    *ret_complete = status == OK && r.solution.gap >= LEAST_GAP;
    if (*ret_complete) {
        status = prepare(&r, err);
        if (status == OK)
            status = sort_out(&r, err);
    }
    round_done(&r);
    return status;
}

/* The ansatz ------------------------------------------------------------------------------------
 */

/* As many factors as there is room for, up to `most`; ERR_LIMIT where that is none. */
static Status choose_ansatz(Search *s, unsigned degree, unsigned most, bool exactly, Error *err)
{
    const Model *m = s->context->model;
    size_t room = MOST_FUNCTIONS;
    Status status = ERR_LIMIT;

    while (room > 1 && problem_count(m, &s->ansatz, room, degree) > MOST_CANDIDATES)
        room--;
    for (unsigned d = most + 1; d-- > 0 && status == ERR_LIMIT;) {
        status = ansatz_expand(&s->ansatz, s->pool, d, room, err);
        if (exactly)
            break;
    }
    if (status == OK && problem_count(m, &s->ansatz, s->ansatz.n, degree) > MOST_CANDIDATES)
        status = error_set(err, ERR_LIMIT, "there are too many coordinates");
    if (status == ERR_LIMIT)
        error_prefix(err, "more than %d candidates of degree %u", MOST_CANDIDATES, degree);
    return status;
}

static Status search_range(Search *s, unsigned degree, double wider, bool *ret_complete, Error *err)
{
    const size_t count = problem_count(s->context->model, &s->ansatz, s->ansatz.n, degree);
    Probe probe;
    Status status =
        probe_init(&probe, s->context, NULL, 2 * count + SPARE_STATES, wider, SEED + degree, err);

    if (status == OK && probe.context.states->n_states < count + SPARE_STATES)
        status = error_set(err, ERR_NUMERIC,
                           "only %zu random admissible states were found for %zu candidates",
                           probe.context.states->n_states, count);
    if (status == OK)
        status = run_round(s, degree, &probe.context, ret_complete, err);
    probe_done(&probe);
    return status;
}

/* Where it cannot be told which of the candidates are independent: states farther apart, then
 * plainer functions, then fewer factors. */
static Status search_degree(Search *s, unsigned degree, Error *err)
{
    const Value *wish = value_member(s->ansatz_option, "degree");
    const unsigned most = wish ? (unsigned)wish->number : DEFAULT_DEGREE[degree];
    const size_t n_atoms = s->ansatz.n_atoms;
    bool complete = false;
    Status status = choose_ansatz(s, degree, most, wish != NULL, err);

    while (status == OK && !complete) {
        status = search_range(s, degree, 1, &complete, err);
        if (status == OK && !complete)
            status = search_range(s, degree, FARTHER, &complete, err);
        if (status != OK || complete)
            break;
        if (s->ansatz.n_atoms > s->ansatz.n_plain) {
            s->ansatz.n_atoms = s->ansatz.n_plain;
            status = choose_ansatz(s, degree, most, wish != NULL, err);
        } else if (s->ansatz.degree > 0) {
            status = choose_ansatz(s, degree, s->ansatz.degree - 1, true, err);
        } else {
            break;
        }
    }
    s->ansatz.n_atoms = n_atoms;
    return status;
}

static Status read_ansatz(Search *s, Error *err)
{
    const Value *functions = value_member(s->ansatz_option, "functions");
    Diagnostics *diag;

    if (!functions)
        return ansatz_init(&s->ansatz, s->pool, s->context->model, err);
    diag = arena_alloc(s->context->arena, 1, sizeof *diag);
    if (!diag)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    diagnostics_init(diag, s->context->arena);
    return ansatz_read(&s->ansatz, s->pool, s->context->model, functions, diag, err);
}

/* Only once all is well: of an analysis that fails, the failure is its record. */
static void publish(Findings *findings, const Value *record)
{
    Value *published = value_add(findings->arena, findings->record, "discovery", VALUE_RECORD);

    if (published && record) {
        published->first = record->first;
        published->last = record->last;
    }
}

static Status run(const AnalysisContext *context, const Value *options, Findings *findings,
                  Error *err)
{
    const Value *wish = value_member(options, "degree");
    const unsigned degree = wish ? (unsigned)wish->number : 2;
    Search *s = alloc_array(1, sizeof *s);
    Status status = s ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");
    Value *record = value_new_record(findings->arena);

    if (status == OK && context->formulation && context->formulation->keeps_multipliers)
        status = error_set(err, ERR_INVALID,
                           "the search is for first integrals of nonholonomic motions, not of "
                           "vakonomic ones");
    if (status != OK) {
        free(s);
        return status;
    }
    *s = (Search){.context = context,
                  .pool = expr_pool_clone(context->model->pool),
                  .findings = findings,
                  .problems = value_add(context->arena, record, "problems", VALUE_LIST),
                  .ansatz_option = value_member(options, "ansatz")};
    status = s->pool ? read_ansatz(s, err) : error_set(err, ERR_NO_MEMORY, "out of memory");
    if (status == OK)
        status = probe_init(&s->fresh, context, NULL, FRESH_STATES, 1.25, FRESH_SEED, err);
    for (unsigned d = 1; d <= degree && status == OK; d++) {
        status = search_degree(s, d, err);
        if (status == ERR_LIMIT && d > 1 && !wish) {
            value_add_text(context->arena, record, "not_tried", err ? err->message : NULL);
            status = OK; /* nobody asked for it */
        }
    }
    value_add_count(context->arena, record, "found", s->n_found);
    value_add_count(context->arena, record, "recognised", s->repeated);
    value_add_count(context->arena, record, "rejected", s->failed);
    if (status == OK)
        publish(findings, record);
    probe_done(&s->fresh);
    ansatz_done(&s->ansatz);
    expr_pool_free(s->pool);
    free(s);
    return status;
}

/* Options ---------------------------------------------------------------------------------------
 */

static void check_count(const Value *value, double from, double to, Diagnostics *diag)
{
    if (!value)
        return;
    if (value->kind != VALUE_NUMBER || value->number != floor(value->number) ||
        value->number < from || value->number > to)
        diagnostics_add(diag, value->pointer, -1, NULL, "a whole number from %g to %g", from, to);
}

static Status check(const Model *model, const Value *options, Diagnostics *diag, Error *err)
{
    const Value *ansatz = value_member(options, "ansatz"), *functions;
    Status status = OK;

    check_count(value_member(options, "degree"), 1, 2, diag);
    if (ansatz && ansatz->kind != VALUE_RECORD) {
        diagnostics_add(diag, ansatz->pointer, -1, NULL,
                        "an ansatz is an object with \"functions\" and \"degree\"");
        return OK;
    }
    for (const Value *v = ansatz ? ansatz->first : NULL; v; v = v->next)
        if (strcmp(v->name, "functions") != 0 && strcmp(v->name, "degree") != 0)
            diagnostics_add(diag, v->pointer, -1, NULL, "an ansatz has no \"%.80s\"", v->name);
    check_count(value_member(ansatz, "degree"), 0, ANSATZ_MAX_DEGREE, diag);
    functions = value_member(ansatz, "functions");
    if (functions) {
        Ansatz read = {0};
        ExprPool *pool = expr_pool_clone(model->pool);
        status = pool ? ansatz_read(&read, pool, model, functions, diag, err)
                      : error_set(err, ERR_NO_MEMORY, "out of memory");
        ansatz_done(&read);
        expr_pool_free(pool);
    }
    return status == ERR_INVALID ? OK : status; /* what is wrong is in diag; others go on */
}

static const char *const OPTIONS[] = {"degree", "ansatz", NULL};

const Analysis analysis_discovery = {
    .name = "discovery", .options = OPTIONS, .check = check, .run = run};
