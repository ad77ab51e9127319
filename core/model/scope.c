/* The model's names for further texts: observables, events. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/model/kinetic.h"
#include "core/model/storage.h"

static bool add_names(const ModelStorage *storage, ExprScope *scope, bool accelerations)
{
    const Model *m = &storage->model;
    bool good = expr_scope_set_time(scope, m->t);

    for (size_t i = 0; i < m->n && good; i++)
        good = expr_scope_add_coordinate(scope, m->coordinate_names[i], m->q[i], m->v[i],
                                         accelerations ? m->vdot[i] : EXPR_NONE);
    for (size_t i = 0; i < m->n_params && good; i++)
        good = expr_scope_add(scope, m->param_names[i], m->params[i]);
    for (size_t d = 0; d < storage->n_definitions && good; d++)
        good = expr_scope_add(scope, storage->definition_names[d], storage->definitions[d]);
    return good;
}

/* Every entry by its number, and by its name where it was given another one. */
static bool add_multipliers(const Model *m, ExprScope *scope)
{
    bool good = true;
    for (size_t a = 0; a < m->r && good; a++) {
        char number[32];
        snprintf(number, sizeof number, "c%zu", a + 1);
        good = expr_scope_add_form(scope, "multiplier", number, m->lambda[a]);
        if (good && strcmp(number, m->constraints[a].name) != 0)
            good = expr_scope_add_form(scope, "multiplier", m->constraints[a].name, m->lambda[a]);
    }
    return good;
}

static bool add_reactions(const Model *m, ExprPool *pool, ExprScope *scope, const Expr *lambda)
{
    Expr *column = alloc_array(m->r, sizeof *column);
    bool good = column != NULL;
    for (size_t i = 0; i < m->n && good; i++) {
        for (size_t a = 0; a < m->r; a++)
            column[a] = m->A[a * m->n + i];
        good = expr_scope_add_form(scope, "reaction", m->coordinate_names[i],
                                   expr_dot(pool, m->r, column, lambda));
    }
    free(column);
    return good;
}

/* L, L_v and the part of L of degree 2 in the velocities. */
static bool add_dynamics(const Model *m, ExprPool *pool, ExprScope *scope)
{
    bool good = expr_scope_add_form(scope, "energy", NULL, m->energy) &&
                expr_scope_add_form(scope, "lagrangian", NULL, m->L);
    for (size_t i = 0; i < m->n && good; i++)
        good = expr_scope_add_form(scope, "momentum", m->coordinate_names[i], m->p[i]);
    if (!good)
        return false;
    Expr T = EXPR_NONE;
    Status status = model_kinetic(m, pool, &T, NULL);
    if (status == ERR_NOT_FOUND)
        return expr_scope_add_broken_form(
            scope, "kinetic", NULL,
            "kinetic() is the part of the Lagrangian of degree 2 in the velocities, but this "
            "Lagrangian is not written as a polynomial in them");
    return status == OK && expr_scope_add_form(scope, "kinetic", NULL, T);
}

ExprScope *model_scope(const Model *model, ExprPool *pool, bool motion, const Expr *lambda_rate)
{
    ExprScope *scope = expr_scope_new();
    bool good = scope && add_names(model->storage, scope, motion);

    if (good && motion)
        good = add_multipliers(model, scope) &&
               add_reactions(model, pool, scope, lambda_rate ? lambda_rate : model->lambda) &&
               add_dynamics(model, pool, scope);
    if (!good) {
        expr_scope_free(scope);
        return NULL;
    }
    return scope;
}
