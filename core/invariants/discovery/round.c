/* The linear problem is solved; each solution is the energy, known already, or new. */
#include "core/invariants/discovery/round.h"

#include <math.h>
#include <string.h>

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

/* Adds the integrals of earlier rounds to the known ones, with values at this round's states. */
static Status round_recall(Round *r, Error *err)
{
    Search *s = r->search;
    const Trajectory *states = r->problem.context->states;
    const size_t count = s->n_found + 1;
    Expr *exprs = ARENA_NEW(&r->scratch, count, Expr);
    double *table = arena_doubles(&r->scratch, states->n_states * count);
    Status status = arena_status(&r->scratch, err);

    if (status == OK) {
        for (size_t k = 0; k < s->n_found; k++)
            exprs[k] = s->found[k].e;
        exprs[s->n_found] = s->context->model->energy;
        status = analysis_evaluate(r->problem.context, exprs, count, states, table, err);
    }
    /* the energy is one of them if it is conserved */
    for (size_t k = 0; status == OK && k < count; k++) {
        const bool energy = k == s->n_found;
        if (energy && !s->energy_conserved)
            continue;
        for (size_t i = 0; i < r->known.rows; i++)
            r->values[i] = table[i * count + k];
        status = known_add(&r->known, r->values, energy ? 2 : s->found[k].velocities,
                           energy || s->found[k].energy, err);
    }
    return status;
}

static unsigned most_factors(const Round *r)
{
    const Ansatz *ansatz = &r->search->ansatz;
    unsigned most = ansatz->degree + r->degree;

    for (size_t k = 0; k < ansatz->n_powers; k++)
        most = ansatz->power_degrees[k] > most ? ansatz->power_degrees[k] : most;
    return most;
}

static Status round_prepare(Round *r, Error *err)
{
    const Columns *relations = &r->solution.relations;
    const size_t n = r->problem.n;

    /* the known quantities, and moves that shorten combinations */
    r->cost = arena_doubles(&r->scratch, n);
    r->values = arena_doubles(&r->scratch, r->solution.rows);
    moves_init(&r->relations, &r->scratch, n, n);
    moves_init(&r->all, &r->scratch, n, 2 * n);
    Status status =
        known_init(&r->known, &r->scratch, r->solution.rows, r->degree, most_factors(r), err);
    if (status != OK)
        return status;
    /* cheap candidates have few factors */
    for (size_t k = 0; k < n; k++)
        r->cost[k] = 1 + r->problem.candidates[k].cost / 4.0;
    /* relations between candidates may be added to any combination */
    for (size_t k = 0; k < relations->n_combinations; k++) {
        moves_add(&r->relations, relations->combinations + k * n);
        moves_add(&r->all, relations->combinations + k * n);
    }
    return round_recall(r, err);
}

static bool only_energy(const Round *r, const double *vector)
{
    for (size_t k = 0; k + 1 < r->problem.n; k++)
        if (vector[k] != 0)
            return false;
    return true;
}

/* The combination at place k of the order: simple ones first, the energy as a product of two
 * velocities. */
static size_t combination_at(const Round *r, size_t k)
{
    enum { TWO_VELOCITIES = 2 };
    const Columns *integrals = &r->solution.integrals;
    const size_t last = integrals->n_combinations - 1;
    size_t simpler = 0;

    if (integrals->combined[last] + 1 < r->problem.n)
        return k;
    while (r->problem.candidates[integrals->combined[simpler]].cost < TWO_VELOCITIES)
        simpler++;
    return k < simpler ? k : k == simpler ? last : k - 1;
}

static Status round_sort(Round *r, Error *err)
{
    Search *s = r->search;
    const Columns *integrals = &r->solution.integrals;
    double *column = arena_doubles(&r->scratch, r->solution.rows);
    Status status = arena_status(&r->scratch, err);

    /* each combination is the energy, known, or new */
    for (size_t k = 0; k < integrals->n_combinations && status == OK; k++) {
        double *vector = integrals->combinations + combination_at(r, k) * r->problem.n;
        combine_values(r, vector, column);
        Novelty novelty = known_judge(&r->known, r->values);
        if (only_energy(r, vector)) {
            s->energy_conserved = true;
            status = known_add(&r->known, r->values, 2, true, err);
        } else if (novelty == REPEATED || s->n_found == MAX_FOUND) {
            s->repeated += vector[0] == 0; /* constants do not count */
        } else {
            status = round_take_new(r, vector, novelty, err);
        }
        moves_add(&r->all, vector);
        if (status == OK)
            status = analysis_poll(s->context, err);
    }
    return status == OK ? arena_status(&r->scratch, err) : status;
}

static void round_describe(const Round *r)
{
    const Search *s = r->search;
    const Solution *solution = &r->solution;
    Arena *arena = s->context->arena;
    Value *record = value_add(arena, s->problems, NULL, VALUE_RECORD);

    value_add_count(arena, record, "degree", r->degree);
    Value *functions = value_add(arena, record, "functions", VALUE_LIST);
    for (size_t k = 0; k < s->ansatz.n_atoms; k++)
        value_add_text(arena, functions, NULL,
                       analysis_text(s->context, s->ansatz.atoms[k], "(long)"));
    value_add_count(arena, record, "factors", s->ansatz.degree);
    /* the size of the problem and its result */
    value_add_count(arena, record, "candidates", r->problem.n);
    value_add_count(arena, record, "independent", solution->relations.n_kept);
    value_add_count(arena, record, "states", solution->rows);
    value_add_count(arena, record, "conserved", solution->integrals.n_combinations);
    if (isfinite(solution->gap))
        value_add_number(arena, record, "gap", solution->gap);
    value_add_bool(arena, record, "complete", solution->gap >= CLEAR_GAP);
}

Status round_run(Search *s, unsigned degree, const AnalysisContext *context, bool *ret_complete,
                 Error *err)
{
    Round r = {.search = s, .degree = degree};
    Status status = problem_init(&r.problem, context, &s->ansatz, degree, err);

    if (status == OK)
        status = problem_solve(&r.problem, &r.scratch, &r.solution, err);
    if (status == OK)
        round_describe(&r);
    /* without a clear gap nothing is believed */
    *ret_complete = status == OK && r.solution.gap >= CLEAR_GAP;
    if (*ret_complete) {
        status = round_prepare(&r, err);
        if (status == OK)
            status = round_sort(&r, err);
    }
    problem_done(&r.problem);
    arena_done(&r.scratch);
    return status;
}
