/* Discovery: first integrals of degree 1 or 2 in the velocities, found without hints; of degree
 * 3 or 4 on request.
 *
 * A linear problem at random admissible states (search/problem.h) finds the combinations of
 * candidates that do not change along any motion. Those that are independent of known integrals
 * are written with few terms. If their numbers follow powers of parameters, these are written.
 * They are retained if they do not change at fresh states either. Degree 1 comes first,
 * together with the energy: energy plus terms linear in the velocities is a moving energy. */
#include <math.h>
#include <string.h>

#include "core/expr/calculus/calculus.h"
#include "core/invariants/discovery/round.h"

enum {
    USUAL_DEGREE = 2, /* in the velocities, unless the option says more, up to MOST_VELOCITIES */
    MAX_CANDIDATES = 560, /* the size of the linear problem */
    FRESH_STATES = 64,    /* at which integrals are checked once more */
    SEED = 1700,          /* any will do, */
    FRESH_SEED = 1800     /* but this one must differ */
};

/* Factors in the products of the default ansatz for each degree in the velocities, as far as
 * candidates allow. Convention. */
static const unsigned DEFAULT_DEGREE[MOST_VELOCITIES + 1] = {0, 3, 2, 3, 3};

/* Widths of further ranges of random states over that of the first: of the second attempt, and of
 * the fresh states. No units; conventions. */
static const double SECOND_RANGE = 2.5, FRESH_RANGE = 1.25;

/* Adds candidates that the potential suggests, unless the client lists functions. */
static Status add_powers(Search *s, unsigned degree, Error *err)
{
    const Model *m = s->context->model;
    Expr *zeros = exprs_zeros(s->pool, s->context->scratch, m->n), at_rest;
    if (!zeros)
        return arena_status(s->context->scratch, err);

    s->ansatz.n_powers = 0;
    const size_t count = problem_count(&s->ansatz, s->ansatz.n, degree);
    /* only if there is space for more candidates */
    if (degree < 2 || value_member(s->ansatz_option, "functions") || count >= MAX_CANDIDATES)
        return OK;
    /* the potential is -L at rest */
    expr_substitute(s->pool, &m->L, 1, m->sym.v, zeros, m->n, &at_rest);
    Status status = expr_pool_status(s->pool, err);
    if (status == OK)
        status = ansatz_add_powers(&s->ansatz, s->pool, m, at_rest, degree / 2,
                                   MAX_CANDIDATES - count, err);
    return status;
}

/* As many factors as MAX_CANDIDATES allows, up to `most`; ERR_LIMIT if it allows none. */
static Status choose_ansatz(Search *s, unsigned degree, unsigned most, bool exactly, Error *err)
{
    size_t functions = MAX_CANDIDATES;
    Status status = ERR_LIMIT;

    while (functions > 1 && problem_count(&s->ansatz, functions, degree) > MAX_CANDIDATES)
        functions--;
    for (unsigned d = most + 1; d-- > 0 && status == ERR_LIMIT;) {
        status = ansatz_expand(&s->ansatz, s->pool, d, functions, err);
        if (exactly)
            break;
    }
    if (status == OK && problem_count(&s->ansatz, s->ansatz.n, degree) > MAX_CANDIDATES)
        status = error_set(err, ERR_LIMIT, "there are too many coordinates");
    if (status == ERR_LIMIT)
        error_prefix(err, "more than %d candidates of degree %u", MAX_CANDIDATES, degree);
    return status;
}

static Status search_range(Search *s, unsigned degree, double wider, bool *ret_complete, Error *err)
{
    const size_t count = problem_count(&s->ansatz, s->ansatz.n, degree);
    Probe probe;
    Status status =
        probe_init(&probe, s->context, NULL, 2 * count + SPARE_STATES, wider, SEED + degree, err);

    if (status == OK && probe.context.states->n_states < count + SPARE_STATES)
        status = error_set(err, ERR_NUMERIC,
                           "only %zu random admissible states were found for %zu candidates",
                           probe.context.states->n_states, count);
    if (status == OK)
        status = round_run(s, degree, &probe.context, ret_complete, err);
    probe_done(&probe);
    return status;
}

/* If a problem does not show which candidates are independent, a simpler one may: states farther
 * apart, then no powers, simpler functions, fewer factors. */
static Status search_degree(Search *s, unsigned degree, Error *err)
{
    const Value *wish = value_member(s->ansatz_option, "degree");
    const unsigned most = wish ? (unsigned)wish->number : DEFAULT_DEGREE[degree];
    const size_t n_atoms = s->ansatz.n_atoms;
    bool complete = false;
    Status status = choose_ansatz(s, degree, most, wish != NULL, err);

    if (status == OK)
        status = add_powers(s, degree, err);
    while (status == OK && !complete) {
        /* first the usual range of states, then a wider one */
        status = search_range(s, degree, 1, &complete, err);
        if (status == OK && !complete)
            status = search_range(s, degree, SECOND_RANGE, &complete, err);
        if (status != OK || complete)
            break;
        /* then a smaller ansatz, until nothing is left to drop */
        if (s->ansatz.n_powers > 0) {
            s->ansatz.n_powers = 0;
        } else if (s->ansatz.n_atoms > s->ansatz.n_plain) {
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

static Status read_parts(Ansatz *ansatz, ExprPool *pool, const Model *model, const Value *option,
                         Diagnostics *diag, Error *err)
{
    const Value *functions = value_member(option, "functions");
    const Value *velocities = value_member(option, "velocities");
    Status status = functions ? ansatz_read(ansatz, pool, model, functions, diag, err)
                              : ansatz_init(ansatz, pool, model, err);

    ansatz->velocities = model->sym.v;
    ansatz->n_velocities = model->n;
    if (velocities && (status == OK || status == ERR_INVALID)) {
        Status read = ansatz_read_velocities(ansatz, pool, model, velocities, diag, err);
        status = status == OK ? read : status;
    }
    return status;
}

static Status discovery_run(const AnalysisContext *context, const Value *options,
                            Findings *findings, Error *err)
{
    const Value *wish = value_member(options, "degree");
    const unsigned degree = wish ? (unsigned)wish->number : USUAL_DEGREE;
    Search *s = ARENA_NEW(context->scratch, 1, Search);
    Diagnostics ignored;
    Status status = arena_status(context->scratch, err);
    Value *record = value_new_record(findings->arena);

    if (status == OK && analysis_keeps_multipliers(context))
        status = error_set(err, ERR_INVALID,
                           "the search is for first integrals of nonholonomic motions, not of "
                           "vakonomic ones");
    if (status != OK)
        return status;
    *s = (Search){.context = context,
                  .pool = context->pool,
                  .findings = findings,
                  .problems = value_add(context->arena, record, "problems", VALUE_LIST),
                  .ansatz_option = value_member(options, "ansatz")};
    diagnostics_init(&ignored, context->arena);
    status = read_parts(&s->ansatz, s->pool, context->model, s->ansatz_option, &ignored, err);
    if (status == OK)
        status = probe_init(&s->fresh, context, NULL, FRESH_STATES, FRESH_RANGE, FRESH_SEED, err);
    /* degree by degree; a later one may be too large if no one asked for it */
    for (unsigned d = 1; d <= degree && status == OK; d++) {
        status = search_degree(s, d, err);
        if (status == ERR_LIMIT && d > 1 && !wish) {
            value_add_text(context->arena, record, "not_tried", err ? err->message : NULL);
            status = OK;
        }
    }
    value_add_count(context->arena, record, "found", s->n_found);
    value_add_count(context->arena, record, "recognised", s->repeated);
    value_add_count(context->arena, record, "rejected", s->failed);
    if (status == OK)
        record_publish(findings->arena, findings->record, "discovery", record);
    probe_done(&s->fresh);
    ansatz_done(&s->ansatz);
    return status;
}

static Status discovery_check(const Model *model, ExprPool *pool, const Value *options,
                              Diagnostics *diag, Error *err)
{
    const Value *ansatz = value_member(options, "ansatz");
    Status status = OK;

    ansatz_check_number(value_member(options, "degree"), 1, MOST_VELOCITIES, diag);
    if (ansatz && ansatz->kind != VALUE_RECORD) {
        diagnostics_add(diag, ansatz->pointer, -1, NULL,
                        "an ansatz is an object with \"functions\", \"velocities\" and \"degree\"");
        return OK;
    }
    for (const Value *v = ansatz ? ansatz->first : NULL; v; v = v->next)
        if (strcmp(v->name, "functions") != 0 && strcmp(v->name, "velocities") != 0 &&
            strcmp(v->name, "degree") != 0)
            diagnostics_add(diag, v->pointer, -1, NULL, "an ansatz has no \"%.80s\"", v->name);
    ansatz_check_number(value_member(ansatz, "degree"), 0, ANSATZ_MAX_DEGREE, diag);
    if (value_member(ansatz, "functions") || value_member(ansatz, "velocities")) {
        Ansatz read = {0};
        status = read_parts(&read, pool, model, ansatz, diag, err);
        ansatz_done(&read);
    }
    return status == ERR_INVALID ? OK : status; /* the mistakes are in diag; other checks go on */
}

static const AnalysisOption OPTIONS[] = {
    {.name = "degree",
     .meaning = "in the velocities, from 1 to 4",
     .kind = OPTION_NUMBER,
     .otherwise = USUAL_DEGREE},
    {.name = "ansatz",
     .meaning = "an object with functions, velocities and degree; left out: the functions that the "
                "model contains, in products of up to 3 factors, for degree 2 of up to 2"},
    {.name = NULL}};

const Analysis analysis_discovery = {.name = "discovery",
                                     .meaning = "Which first integrals, linear or quadratic in the "
                                                "velocities, are there that nobody named?",
                                     .options = OPTIONS,
                                     .check = discovery_check,
                                     .run = discovery_run};
