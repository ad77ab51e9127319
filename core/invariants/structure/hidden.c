/* Constraints with a formula are integrals of closed forms and checked; others are followed. */
#include "core/invariants/structure/hidden.h"

#include <string.h>

#include "core/expr/calculus/calculus.h"
#include "core/invariants/observation.h"

size_t hidden_count(const HiddenSearch *s)
{
    const Growth *g = &s->extended->small;

    if (s->extended->trivial || !(g->decided || g->proved) || !g->complete)
        return 0;
    return s->d->n + 1 - g->generic[g->length - 1] - s->d->n_holonomic;
}

Verdict *hidden_add(const HiddenSearch *s)
{
    Verdict *verdict = findings_add(s->findings);

    verdict->name =
        arena_printf(s->findings->arena, "hidden constraint %zu", value_count(s->list) + 1);
    verdict->kind = "hidden holonomic constraint";
    return verdict;
}

/* Tests F_t and F_q.v, whose sum vanishes if the constraints keep F. The velocities are
 * admissible up to rounding of their size. */
static Status hidden_judge(const Distribution *d, Expr F, Verdict *verdict, Error *err)
{
    const AnalysisContext *context = d->context;
    const size_t n = d->n;
    ExprPool *pool = d->pool;
    Expr *terms = ARENA_NEW(context->scratch, n + 1, Expr), scale = expr_const(pool, 0);
    if (!terms)
        return arena_status(context->scratch, err);

    expr_gradient(pool, F, context->model->sym.q, n, terms);
    terms[n] = expr_diff(pool, F, context->model->sym.t);
    /* scaled by typical speeds, not by v: rounding of v does not shrink with v */
    for (size_t i = 0; i < n; i++) {
        const Expr slope = expr_scale(pool, context->range.speed[i], expr_abs(pool, terms[i]));
        scale = expr_add(pool, scale, slope);
        terms[i] = expr_mul(pool, terms[i], context->model->sym.v[i]);
    }
    scale = expr_add(pool, scale, expr_abs(pool, terms[n]));
    const TermSum rate = {.terms = terms, .n = n + 1, .scale = scale};
    return verdict_predict(context, &rate, verdict, NULL, err);
}

static Status add_exact(const HiddenSearch *s, Expr F, bool *ret_holds, Error *err)
{
    Arena *arena = s->findings->arena;
    Verdict judged = {0};
    Status status = hidden_judge(s->d, F, &judged, err);

    /* an integral that is not confirmed is no finding */
    *ret_holds = status == OK && judged.predicted == PREDICTED_YES;
    if (!*ret_holds)
        return status;
    Verdict *verdict = hidden_add(s);
    judged.name = verdict->name;
    judged.kind = verdict->kind;
    *verdict = judged;
    verdict->expression = analysis_text(s->d->context, F, "an exact differential's integral");
    verdict->reason =
        arena_printf(arena,
                     "The velocity constraints say that the time derivative of %s vanishes: for "
                     "all forces it keeps the value that it has at the start.",
                     verdict->expression);
    Value *item = value_add(arena, s->list, NULL, VALUE_RECORD);
    value_add_text(arena, item, "expression", verdict->expression);
    value_add_text(arena, item, "found", "exact differential");
    return verdict_observe(s->d->context, F, verdict, err);
}

/* Adds those of the functions found that hold; the others are dropped. */
static Status add_closed(const HiddenSearch *s, ClosedForms *closed, Error *err)
{
    size_t n_held = 0;
    Status status = OK;

    for (size_t k = 0; k < closed->n_found && status == OK; k++) {
        bool holds;
        status = add_exact(s, closed->F[k], &holds, err);
        if (holds)
            closed->F[n_held++] = closed->F[k];
    }
    closed->n_found = n_held;
    return status;
}

/* Differentials of the known constraints at the start: holonomic ones, then functions found. */
static Status known_differentials(const Distribution *d, const ClosedForms *closed,
                                  const Trajectory *start, double *ret, Error *err)
{
    const AnalysisContext *context = d->context;
    const size_t width = d->n + 1, n_known = d->n_holonomic + closed->n_found;
    Expr *roots = ARENA_NEW(context->scratch, n_known * width, Expr), *at = roots;
    if (!roots)
        return arena_status(context->scratch, err);

    for (size_t k = 0; k < context->n_rows + closed->n_found; k++) {
        const bool found = k >= context->n_rows;
        const Constraint *c = found ? NULL : &context->model->constraints[context->rows[k]];
        /* a constraint on velocities has no function of positions and time */
        if (c && c->kind != CONSTRAINT_HOLONOMIC)
            continue;
        Expr F = c ? c->f : closed->F[k - context->n_rows];
        expr_gradient(d->pool, F, context->model->sym.q, d->n, at);
        at[d->n] = expr_diff(d->pool, F, context->model->sym.t);
        at += width;
    }
    return n_known ? analysis_evaluate(context, roots, n_known * width, start, ret, err) : OK;
}

Status hidden_find(const HiddenSearch *s, Error *err)
{
    const Distribution *d = s->d;
    const size_t wanted = hidden_count(s), width = d->n + 1;
    const Trajectory *all = &s->fields->states;
    const Trajectory start = analysis_state_at(d->context->model, all, all->n_states - 1);
    ClosedForms closed = {0};
    if (wanted == 0)
        return OK;

    Status status = closed_forms_find(d, all, wanted, &closed, err);
    if (status == OK)
        status = add_closed(s, &closed, err);
    /* the others are followed */
    if (status == OK && closed.n_found < wanted) {
        const size_t n_known = d->n_holonomic + closed.n_found;
        double *known = arena_doubles(d->context->scratch, n_known * width);
        status = known ? known_differentials(d, &closed, &start, known, err)
                       : arena_status(d->context->scratch, err);
        if (status == OK)
            status = hidden_follow(s, known, n_known, err);
    }
    return status;
}
