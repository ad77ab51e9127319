#include "core/invariants/discovery/round.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

static const double LEAST_GAP = 1e4;

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
            status = round_take_new(r, vector, novelty, err);
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

Status round_run(Search *s, unsigned degree, const AnalysisContext *context, bool *ret_complete,
                 Error *err)
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
