/* Finds non-finite expressions at a state, and the function that causes them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/finite.h"
#include "core/model/initial.h"

/* Every node of the pool at the state. */
typedef struct Survey {
    const Model *model;
    double *symbols, *values;
    Expr *nodes;
    bool *reached;
    char **names; /* of symbols, for printing */
    size_t n_nodes, n_names;
} Survey;

static bool survey_init(Survey *s, Arena *scratch, const ModelEval *eval, const InitialState *state)
{
    const Model *m = eval->model;
    const size_t n_nodes = expr_pool_size(m->pool);

    *s = (Survey){
        .model = m,
        .n_nodes = n_nodes,
        .symbols = arena_doubles(scratch, m->sym.first_free),
        .values = arena_doubles(scratch, n_nodes),
        .nodes = ARENA_NEW(scratch, n_nodes, Expr),
        .reached = ARENA_NEW(scratch, n_nodes + 1, bool),
    };
    s->names = model_print_names(m, PRINT_TEXT, &s->n_names);
    if (arena_failed(scratch) || !s->names)
        return false;
    /* t, q, v, then accelerations, which stay 0, then the parameters */
    s->symbols[0] = state->t;
    for (size_t i = 0; i < m->n; i++) {
        s->symbols[1 + i] = state->q[i];
        s->symbols[1 + m->n + i] = state->v[i];
    }
    for (size_t i = 0; i < m->n_params; i++)
        s->symbols[1 + 3 * m->n + i] = eval->params[i];
    for (size_t k = 0; k < n_nodes; k++)
        s->nodes[k] = (Expr){(uint32_t)k + 1};
    return expr_eval(m->pool, s->nodes, n_nodes, s->symbols, s->values, NULL) == OK;
}

/* The innermost non-finite node under e: operands have smaller ids. */
static Expr finite_culprit(Survey *s, Expr e)
{
    Expr found = e;

    memset(s->reached, 0, (s->n_nodes + 1) * sizeof *s->reached);
    s->reached[e.id] = true;
    for (uint32_t id = e.id; id > 0; id--) {
        if (!s->reached[id])
            continue;
        ExprNode node = expr_node(s->model->pool, (Expr){id});
        if (!isfinite(s->values[id - 1]))
            found = (Expr){id};
        for (uint32_t k = 0; k < node.n; k++)
            s->reached[node.args[k].id] = true;
    }
    return found;
}

static void finite_report(Survey *s, const char *owner, Expr e, const InitialState *state,
                          Diagnostics *diag)
{
    Text text = TEXT_INIT;
    PrintNames names = {(const char *const *)s->names, s->n_names};
    Expr inner = finite_culprit(s, e);
    const bool undefined = isnan(s->values[inner.id - 1]);

    if (expr_print(s->model->pool, inner, PRINT_TEXT, names, 300, &text, NULL) == OK)
        diagnostics_add(diag, state->pointer, -1, NULL,
                        "%s is not finite at the initial state: %s is %s", owner,
                        text_string(&text), undefined ? "undefined" : "infinite");
    else
        diagnostics_add(diag, state->pointer, -1, NULL, "%s is not finite at the initial state",
                        owner);
    text_done(&text);
}

/* Reports the first non-finite expression. */
static bool finite_check(Survey *s, const char *owner, const Expr *e, size_t n,
                         const InitialState *state, Diagnostics *diag)
{
    for (size_t k = 0; k < n; k++) {
        if (!expr_is_none(e[k]) && !isfinite(s->values[e[k].id - 1])) {
            finite_report(s, owner, e[k], state, diag);
            return false;
        }
    }
    return true;
}

static bool finite_constraints(Survey *s, bool positions_only, const InitialState *state,
                               Diagnostics *diag)
{
    const Model *m = s->model;
    bool good = true;

    for (size_t a = 0; a < m->r; a++) {
        const Constraint *c = &m->constraints[a];
        const Expr own[] = {c->f, c->phi, c->psi}; /* f is NONE unless holonomic */
        char owner[128];
        if (positions_only && c->kind != CONSTRAINT_HOLONOMIC)
            continue;
        snprintf(owner, sizeof owner, "the constraint %.80s", c->name);
        if (!finite_check(s, owner, own, positions_only ? 1 : 3, state, diag)) {
            good = false;
            continue;
        }
        snprintf(owner, sizeof owner, "the derivative of the constraint %.80s", c->name);
        good &= finite_check(s, owner, m->A + a * m->n, m->n, state, diag);
    }
    return good;
}

static bool finite_all(Survey *s, const InitialState *state, Diagnostics *diag)
{
    const Model *m = s->model;
    bool good = finite_check(s, "the Lagrangian", &m->L, 1, state, diag);

    if (good)
        good = finite_check(s, "a derivative of the Lagrangian", m->p, m->n, state, diag) &&
               finite_check(s, "a derivative of the Lagrangian", m->l, m->n, state, diag) &&
               finite_check(s, "the mass matrix", m->M, m->n * m->n, state, diag);
    for (size_t i = 0; i < m->n; i++) {
        char owner[128];
        snprintf(owner, sizeof owner, "the force on %.80s", m->names.coordinates[i]);
        good &= finite_check(s, owner, &m->F[i], 1, state, diag);
    }
    good &= finite_constraints(s, false, state, diag);
    return good;
}

/* A cheap test that is enough for finite states. */
static bool point_is_finite(ModelEval *eval, const InitialState *state)
{
    const ModelPoint point = model_point(eval, state->t, state->q, state->v);
    const double *end = &eval->point.out[program_n_outputs(eval->point.program)];

    return all_finite(point.M, (size_t)(end - point.M));
}

bool initial_check_finite(ModelEval *eval, const InitialState *state, bool positions_only,
                          Diagnostics *diag)
{
    const size_t before = diag->total;
    Arena scratch = {0};
    Survey s;

    if (point_is_finite(eval, state))
        return true;
    if (survey_init(&s, &scratch, eval, state)) {
        if (positions_only)
            finite_constraints(&s, true, state, diag);
        else
            finite_all(&s, state, diag);
    }
    free(s.names);
    arena_done(&scratch);
    /* the equations may be non-finite although no object is */
    if (!positions_only && diag->total == before)
        diagnostics_add(diag, state->pointer, -1, NULL,
                        "the equations are not finite at the initial state");
    return diag->total == before;
}
