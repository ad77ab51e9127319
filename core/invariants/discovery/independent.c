/* Functional independence: at random states the gradient of a new quantity is independent of the
 * gradients of the others. */
#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/expr/calculus/calculus.h"
#include "core/invariants/discovery/round.h"
#include "core/invariants/search/columns.h"

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
    /* constraints, then the integrals found, then the candidate */
    for (size_t k = 0; k < s->context->n_rows; k++) {
        const Constraint *c = &m->constraints[s->context->rows[k]];
        of[g->n++] = c->phi;
        if (c->kind == CONSTRAINT_HOLONOMIC)
            of[g->n++] = c->f;
    }
    for (size_t k = 0; k < s->n_found; k++)
        of[g->n++] = s->found[k].e;
    of[g->n++] = e;
    /* gradients by q, v and t */
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

Status discovery_independent(Search *s, Expr e, bool *ret_independent, Error *err)
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
    /* independent at most of the states */
    measure_spread(&g);
    for (size_t k = 0; k < n_states; k++)
        count += independent_at(&g, k, &others);
    *ret_independent = 2 * count > n_states;
    return OK;
}
