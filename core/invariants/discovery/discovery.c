/* Discovery: first integrals of degree 1 or 2 in the velocities, found without hints; of degree 3 or 4 where
 * asked for.
 *
 * A linear problem at random admissible states (search/problem.h) tells which combinations of
 * candidates do not change along any motion. Those that are no functions of what is known already
 * are written with few terms and, where the numbers follow powers of parameters, with these; they
 * are kept if they do not change at fresh states either. Degree 1 comes first, together with the
 * energy: energy plus terms linear in the velocities is a moving energy. */
#include <math.h>
#include <string.h>

#include "core/expr/calculus.h"
#include "core/invariants/analyses.h"
#include "core/invariants/discovery/round.h"

enum {
    USUAL_DEGREE = 2, /* in the velocities; those who ask may have up to MOST_VELOCITIES */
    MOST_CANDIDATES = 560,
    MOST_FUNCTIONS = MOST_CANDIDATES,
    FRESH_STATES = 64,
    SEED = 1700,
    FRESH_SEED = 1800
};

/* Factors in the products of the default ansatz: as many as candidates allow, up to these. */
static const unsigned DEFAULT_DEGREE[MOST_VELOCITIES + 1] = {0, 3, 2, 3, 3};

/* How much wider the second range of random states is. */
static const double FARTHER = 2.5;

/* Candidates without velocities as the potential asks for, where the model says what functions there are. */
static Status add_powers(Search *s, unsigned degree, Error *err)
{
    const Model *m = s->context->model;
    Expr *zeros = ARENA_NEW(s->context->scratch, m->n, Expr), at_rest;
    if (!zeros)
        return arena_status(s->context->scratch, err);

    ansatz_drop_powers(&s->ansatz);
    const size_t count = problem_count(&s->ansatz, s->ansatz.n, degree);
    if (degree < 2 || value_member(s->ansatz_option, "functions") || count >= MOST_CANDIDATES)
        return OK;
    for (size_t i = 0; i < m->n; i++)
        zeros[i] = expr_const(s->pool, 0);
    expr_substitute(s->pool, &m->L, 1, m->v, zeros, m->n, &at_rest);
    Status status = expr_pool_status(s->pool, err);
    if (status == OK)
        status = ansatz_add_powers(&s->ansatz, s->pool, m, at_rest, degree / 2,
                                   MOST_CANDIDATES - count, err);
    return status;
}

/* As many factors as there is room for, up to `most`; ERR_LIMIT where that is none. */
static Status choose_ansatz(Search *s, unsigned degree, unsigned most, bool exactly, Error *err)
{
    size_t room = MOST_FUNCTIONS;
    Status status = ERR_LIMIT;

    while (room > 1 && problem_count(&s->ansatz, room, degree) > MOST_CANDIDATES)
        room--;
    for (unsigned d = most + 1; d-- > 0 && status == ERR_LIMIT;) {
        status = ansatz_expand(&s->ansatz, s->pool, d, room, err);
        if (exactly)
            break;
    }
    if (status == OK && problem_count(&s->ansatz, s->ansatz.n, degree) > MOST_CANDIDATES)
        status = error_set(err, ERR_LIMIT, "there are too many coordinates");
    if (status == ERR_LIMIT)
        error_prefix(err, "more than %d candidates of degree %u", MOST_CANDIDATES, degree);
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

/* Where it cannot be told which of the candidates are independent: states farther apart, then no
 * powers, plainer functions, fewer factors. */
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
        status = search_range(s, degree, 1, &complete, err);
        if (status == OK && !complete)
            status = search_range(s, degree, FARTHER, &complete, err);
        if (status != OK || complete)
            break;
        if (s->ansatz.n_powers > 0) {
            ansatz_drop_powers(&s->ansatz);
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

    ansatz->velocities = model->v;
    ansatz->n_velocities = model->n;
    if (velocities && (status == OK || status == ERR_INVALID)) {
        Status read = ansatz_read_velocities(ansatz, pool, model, velocities, diag, err);
        status = status == OK ? read : status;
    }
    return status;
}

static Status read_ansatz(Search *s, Error *err)
{
    Diagnostics *diag = ARENA_NEW(s->context->arena, 1, Diagnostics);

    if (!diag)
        return arena_status(s->context->arena, err);
    diagnostics_init(diag, s->context->arena);
    return read_parts(&s->ansatz, s->pool, s->context->model, s->ansatz_option, diag, err);
}

static Status discovery_run(const AnalysisContext *context, const Value *options,
                            Findings *findings, Error *err)
{
    const Value *wish = value_member(options, "degree");
    const unsigned degree = wish ? (unsigned)wish->number : USUAL_DEGREE;
    Search *s = ARENA_NEW(context->scratch, 1, Search);
    Status status = arena_status(context->scratch, err);
    Value *record = value_new_record(findings->arena);

    if (status == OK && context->formulation && context->formulation->keeps_multipliers)
        status = error_set(err, ERR_INVALID,
                           "the search is for first integrals of nonholonomic motions, not of "
                           "vakonomic ones");
    if (status != OK)
        return status;
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
        findings_publish(findings, "discovery", record);
    probe_done(&s->fresh);
    ansatz_done(&s->ansatz);
    expr_pool_free(s->pool);
    return status;
}

static void check_count(const Value *value, double from, double to, Diagnostics *diag)
{
    if (!value)
        return;
    if (value->kind != VALUE_NUMBER || value->number != floor(value->number) ||
        value->number < from || value->number > to)
        diagnostics_add(diag, value->pointer, -1, NULL,
                        "\"%s\" must be a whole number from %g to %g", value->name, from, to);
}

static Status discovery_check(const Model *model, const Value *options, Diagnostics *diag,
                              Error *err)
{
    const Value *ansatz = value_member(options, "ansatz");
    Status status = OK;

    check_count(value_member(options, "degree"), 1, MOST_VELOCITIES, diag);
    if (ansatz && ansatz->kind != VALUE_RECORD) {
        diagnostics_add(diag, ansatz->pointer, -1, NULL,
                        "an ansatz is an object with \"functions\", \"velocities\" and \"degree\"");
        return OK;
    }
    for (const Value *v = ansatz ? ansatz->first : NULL; v; v = v->next)
        if (strcmp(v->name, "functions") != 0 && strcmp(v->name, "velocities") != 0 &&
            strcmp(v->name, "degree") != 0)
            diagnostics_add(diag, v->pointer, -1, NULL, "an ansatz has no \"%.80s\"", v->name);
    check_count(value_member(ansatz, "degree"), 0, ANSATZ_MAX_DEGREE, diag);
    if (value_member(ansatz, "functions") || value_member(ansatz, "velocities")) {
        Ansatz read = {0};
        ExprPool *pool = expr_pool_clone(model->pool);
        status = pool ? read_parts(&read, pool, model, ansatz, diag, err)
                      : error_set(err, ERR_NO_MEMORY, "out of memory");
        ansatz_done(&read);
        expr_pool_free(pool);
    }
    return status == ERR_INVALID ? OK : status; /* what is wrong is in diag; others go on */
}

static const AnalysisOption OPTIONS[] = {
    {.name = "degree",
     .meaning = "in the velocities, from 1 to 4",
     .kind = OPTION_NUMBER,
     .otherwise = USUAL_DEGREE},
    {.name = "ansatz",
     .meaning = "an object with functions, velocities and degree; left out: what the model is made "
                "of, in products of up to 3 factors, for degree 2 of up to 2"},
    {.name = NULL}};

const Analysis analysis_discovery = {.name = "discovery",
                                     .meaning = "Which first integrals, linear or quadratic in the "
                                                "velocities, are there that nobody named?",
                                     .options = OPTIONS,
                                     .check = discovery_check,
                                     .run = discovery_run};
