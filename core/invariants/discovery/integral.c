/* One first integral: its terms, its coefficients, its independence, its check and its report. */
#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/expr/calculus/calculus.h"
#include "core/invariants/discovery/round.h"
#include "core/invariants/observation.h"
#include "core/invariants/search/columns.h"
#include "core/invariants/search/names.h"

/* Terms of an integral. Convention. */
enum { MAX_TERMS = 128 };

/* The degree in the velocities. */
static unsigned velocity_degree(const Round *r, const double *vector)
{
    unsigned most = 0;
    for (size_t k = 0; k < r->problem.n; k++) {
        const Candidate *c = &r->problem.candidates[k];
        const unsigned degree = c->function == THE_ENERGY ? 2 : c->n_velocities;
        if (vector[k] != 0 && degree > most)
            most = degree;
    }
    return most;
}

static const char *reason(const Round *r, const double *vector, Novelty novelty, size_t states)
{
    const bool energy = vector[r->problem.n - 1] != 0;
    const char *what = "";

    if (novelty == REMAINDER)
        what = "The energy minus products of other first integrals: ";
    else if (energy && r->degree == 1)
        what = "The energy alone is not conserved, but with these terms, linear in the "
               "velocities, it is a moving energy: ";
    else if (velocity_degree(r, vector) == 0)
        what = "It has no velocities, so that the constraints confine the motion to where it has "
               "its first value: ";
    return arena_printf(r->search->context->arena,
                        "%s%s combination of %zu candidates does not change along the motion at "
                        "any of %zu random admissible states, nor at %zu fresh ones.",
                        what, *what ? "this" : "This", r->problem.n, r->solution.rows, states);
}

/* The terms of a combination as a small problem of their own. */
typedef struct Terms {
    const Problem *problem; /* the whole one */
    Problem part;           /* with the lists that follow */
    size_t n;
    Candidate candidates[MAX_TERMS];
    Expr functions[MAX_TERMS];
    size_t place[MAX_TERMS]; /* in the problem */
} Terms;

/* The simplest last, or the energy if it takes part: its coefficient will be 1. */
static bool collect_terms(Terms *t, const Problem *p, const double *vector)
{
    *t = (Terms){.problem = p};
    for (size_t k = p->n - 1; k-- > 0;)
        if (vector[k] != 0) {
            if (t->n + 1 >= MAX_TERMS)
                return false;
            t->place[t->n++] = k;
        }
    if (vector[p->n - 1] != 0)
        t->place[t->n++] = p->n - 1;
    /* copy the candidates, with the numbers of their functions in the small problem */
    for (size_t k = 0; k < t->n; k++) {
        Candidate *c = &t->candidates[k];
        *c = p->candidates[t->place[k]];
        if (c->function != THE_ENERGY) {
            t->functions[t->part.n_functions] = p->functions[c->function];
            c->function = (int)t->part.n_functions++;
        }
    }
    t->part.functions = t->functions;
    t->part.velocities = p->velocities;
    t->part.n_velocities = p->n_velocities;
    t->part.candidates = t->candidates;
    t->part.n = t->n;
    return t->n > 0;
}

static Status find_coefficients(void *self, const AnalysisContext *context, double *ret_values,
                                bool *ret_found, Error *err)
{
    const Terms *t = self;
    Problem few;
    Status status = problem_init_part(&few, context, &t->part, err);

    if (status == OK)
        status = problem_complete(&few, ret_values, ret_found, err);
    problem_done(&few);
    return status;
}

static Expr assemble(const Terms *t, const Expr *coefs)
{
    ExprPool *pool = t->problem->context->pool;
    Expr sum = expr_const(pool, 0);

    for (size_t k = 0; k < t->n; k++)
        sum = expr_add(pool, sum,
                       expr_mul(pool, coefs[k], problem_candidate(t->problem, t->place[k])));
    return sum;
}

/* The combination with formulas or exact numbers if possible; *ret_rounded: some are neither. */
static Status spell_integral(const Round *r, const double *vector, Expr *ret, bool *ret_rounded,
                             Error *err)
{
    const Search *s = r->search;
    Terms terms;
    double values[MAX_TERMS];
    Expr coefs[MAX_TERMS];
    bool found;

    *ret = EXPR_NONE;
    if (!collect_terms(&terms, &r->problem, vector))
        return OK;
    /* coefficients of the terms alone, more accurate than those of the whole problem */
    Status status = find_coefficients(&terms, r->problem.context, values, &found, err);
    if (status != OK || !found)
        return status;
    const Numbers numbers = {.self = &terms,
                             .n = terms.n,
                             .states = terms.n + SPARE_STATES,
                             .find = find_coefficients,
                             .common_factor = vector[r->problem.n - 1] == 0};
    status = numbers_name(s->context, &numbers, values, coefs, ret_rounded, err);
    if (status == OK)
        *ret = assemble(&terms, coefs);
    return status;
}

typedef struct Gradients {
    Search *search;
    size_t n, length; /* gradients: those of the constraints, of what was found, of the candidate;
                         2 model->n + 1 numbers each: by q, v, t */
    Expr *entries;    /* [n][length] */
    double *values;   /* [states][n][length] */
    double *spread;   /* length: how far apart the states are */
    double *column;   /* length */
} Gradients;

static Status gradients_init(Gradients *g, Search *s, Expr e, Error *err)
{
    const Model *m = s->context->model;
    const size_t length = 2 * m->n + 1, n_states = s->fresh.context.states->n_states;
    Arena *scratch = s->context->scratch;

    *g = (Gradients){.search = s, .length = length};
    const size_t most = 2 * s->context->n_rows + s->n_found + 1;
    Expr *of = ARENA_NEW(scratch, most, Expr), *x = ARENA_NEW(scratch, length, Expr);
    g->entries = ARENA_NEW(scratch, most * length, Expr);
    g->values = arena_doubles(scratch, n_states * most * length);
    g->spread = arena_doubles(scratch, length);
    g->column = arena_doubles(scratch, length);
    Status status = arena_status(scratch, err);
    if (status != OK)
        return status;
    /* the candidate comes last: independent_at() compares it with all before it */
    g->n = constraint_roots(m, s->context->rows, s->context->n_rows, of);
    for (size_t k = 0; k < s->n_found; k++)
        of[g->n++] = s->found[k].e;
    of[g->n++] = e;
    memcpy(x, m->sym.q, m->n * sizeof *x);
    memcpy(x + m->n, m->sym.v, m->n * sizeof *x);
    x[2 * m->n] = m->sym.t;
    for (size_t k = 0; k < g->n; k++)
        expr_gradient(s->pool, of[k], x, length, g->entries + k * length);
    return analysis_evaluate(&s->fresh.context, g->entries, g->n * length, s->fresh.context.states,
                             g->values, err);
}

static double state_entry(const Trajectory *states, size_t n, size_t k, size_t i)
{
    return i < n ? states->q[k * n + i] : i < 2 * n ? states->v[k * n + i - n] : states->t[k];
}

/* Coordinates, velocities and time are comparable in units of their spread. */
static void measure_spread(Gradients *g)
{
    const Trajectory *states = g->search->fresh.context.states;

    for (size_t i = 0; i < g->length; i++) {
        double least = INFINITY, most = -INFINITY;
        for (size_t k = 0; k < states->n_states; k++) {
            const double x = state_entry(states, g->search->context->model->n, k, i);
            least = fmin(least, x);
            most = fmax(most, x);
        }
        g->spread[i] = most - least;
    }
}

/* Whether the last gradient is independent of the others at this state. */
static bool independent_at(Gradients *g, size_t state, Echelon *others)
{
    bool independent = false;

    others->rank = 0;
    for (size_t k = 0; k < g->n; k++) {
        const double *gradient = g->values + (state * g->n + k) * g->length;
        /* gradients in units of the spread, of length 1 */
        for (size_t i = 0; i < g->length; i++)
            g->column[i] = gradient[i] * g->spread[i];
        const double length = vector_length(g->column, g->length);
        for (size_t i = 0; i < g->length; i++)
            g->column[i] /= length > 0 ? length : 1;
        /* a gradient of length 1 is a combination if less remains */
        independent = echelon_take(others, g->column, ACCURACY_HALF, NULL);
    }
    return independent;
}

/* Functional independence: whether e is no function of the integrals found, up to the constraints.
 * At most of the fresh states its gradient by q, v and t is independent of theirs. */
static Status find_independent(Search *s, Expr e, bool *ret_independent, Error *err)
{
    const size_t n_states = s->fresh.context.states->n_states;
    Gradients g;
    Echelon others;
    size_t count = 0;
    Status status = gradients_init(&g, s, e, err);

    if (status != OK)
        return status;
    echelon_init(&others, s->context->scratch, g.length, g.length);
    status = arena_status(s->context->scratch, err);
    if (status != OK)
        return status;
    measure_spread(&g);
    /* at a few states gradients may be dependent by chance or by rounding */
    for (size_t k = 0; k < n_states; k++)
        count += independent_at(&g, k, &others);
    *ret_independent = 2 * count > n_states;
    return OK;
}

/* The rate as terms: I_q v, I_v vdot, each coordinate by itself, and I_t. */
static Status predict_integral(const Search *s, const Round *r, Expr e, Verdict *verdict,
                               Error *err)
{
    const Model *m = s->context->model;
    const size_t n = m->n, count = 2 * n + 1;
    Expr *terms = ARENA_NEW(s->context->scratch, count, Expr);
    if (!terms)
        return arena_status(s->context->scratch, err);

    expr_gradient(s->pool, e, m->sym.q, n, terms);
    expr_gradient(s->pool, e, m->sym.v, n, terms + n);
    terms[2 * n] = expr_diff(s->pool, e, m->sym.t);
    for (size_t i = 0; i < n; i++) {
        terms[i] = expr_mul(s->pool, terms[i], m->sym.v[i]);
        terms[n + i] = expr_mul(s->pool, terms[n + i], m->sym.vdot[i]);
    }
    /* its size over the time scale of the motion; samples are judged against that */
    double mean = 0;
    for (size_t k = 0; k < r->problem.context->states->n_states; k++)
        mean += r->problem.unit[k] / (double)r->problem.context->states->n_states;
    Expr size = expr_terms_size(s->pool, e);
    AnalysisContext fresh = s->fresh.context;
    if (!analysis_has_velocities(m, s->pool, &e, 1))
        fresh.inquiry.concern = CONCERN_CONSTRAINTS;
    const TermSum rate = {terms, count, expr_scale(s->pool, r->problem.slow * mean, size), e, NULL};
    return verdict_predict(&fresh, &rate, verdict, NULL, err);
}

/* The objection of exact tests: a sentence, or nothing. */
static const char *correction(Arena *arena, const Verdict *verdict)
{
    if (verdict->jump)
        return arena_printf(arena, " %s", verdict_jump_reason(arena, verdict));
    if (verdict->predicted != PREDICTED_NO)
        return "";
    if (verdict->largest > VERDICT_FAILS)
        return arena_printf(arena,
                            " Elsewhere it does, by up to %.3g of its terms: it is an integral of "
                            "motions near this one only.",
                            verdict->largest);
    return arena_printf(arena,
                        " Yet it is no integral: it changes there, by %s, which a ball of %u bits "
                        "tells from zero.",
                        verdict->largest > 0
                            ? arena_printf(arena, "up to %.3g of its terms", verdict->largest)
                            : "less than doubles show",
                        verdict->proof.bits);
}

static Status report_integral(Search *s, const Round *r, Expr e, const double *vector,
                              Novelty novelty, const Verdict *draft, Error *err)
{
    Verdict *verdict = findings_add(s->findings);
    const bool moving = r->degree == 1 && vector[r->problem.n - 1] != 0;

    *verdict = *draft;
    verdict->name = moving ? "moving_energy_found"
                           : arena_printf(s->context->arena, "integral_%zu", s->n_found + 1);
    verdict->kind = "first integral";
    verdict->expression = analysis_text(s->context, e, "(long)");
    verdict->reason =
        arena_printf(s->context->arena, "%s%s", reason(r, vector, novelty, verdict->states),
                     correction(s->context->arena, verdict));
    if (!verdict->name || !verdict->reason)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    return verdict_observe(s->context, e, verdict, err);
}

Status round_take_new(Round *r, double *vector, Novelty novelty, Error *err)
{
    Search *s = r->search;
    Verdict verdict = {0};
    Expr e = EXPR_NONE;
    bool rounded = false, independent = true;

    /* simplify it; a remainder of the energy must be simpler than products */
    moves_shorten(novelty == NOVEL ? &r->all : &r->relations, r->cost, vector);
    if (novelty == REMAINDER && (r->degree > 2 || vector[r->problem.n - 1] != 0)) {
        s->repeated++;
        return OK;
    }
    /* as an expression, unless it depends on others */
    Status status = spell_integral(r, vector, &e, &rounded, err);
    if (status == OK && !expr_is_none(e))
        status = find_independent(s, e, &independent, err);
    if (status == OK && !independent) {
        s->repeated++;
        return OK;
    }
    if (status == OK && !expr_is_none(e))
        status = predict_integral(s, r, e, &verdict, err);
    if (status != OK)
        return status;
    /* predict it at fresh states. With a jump it is constant between jumps. A proved one need
     * not look likely if rounding is large */
    const bool holds =
        verdict.predicted == PREDICTED_YES || verdict.proof.likely == PREDICTED_YES || verdict.jump;
    if (expr_is_none(e) || !holds) {
        s->failed++;
        return OK;
    }
    /* if the last digits of the coefficients are unknown, a smaller change may come from them */
    const bool refuted = verdict.predicted == PREDICTED_NO && verdict.largest > VERDICT_FAILS;
    if (rounded && verdict.predicted != PREDICTED_YES && !refuted)
        verdict_leave_open(&verdict);
    status = report_integral(s, r, e, vector, novelty, &verdict, err);
    const bool energy = vector[r->problem.n - 1] != 0;
    s->found[s->n_found++] =
        (Found){.e = e, .velocities = velocity_degree(r, vector), .energy = energy};
    if (status == OK)
        status = known_add(&r->known, r->values, velocity_degree(r, vector), energy, err);
    return status;
}
