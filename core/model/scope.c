/* The model's names for further texts: observables, events. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/model/dimensions.h"
#include "core/model/kinetic.h"
#include "core/model/storage.h"

static bool add_names(const ModelStorage *storage, ExprScope *scope, bool accelerations)
{
    const Model *m = &storage->model;
    const ModelUnits *units = &m->units;
    bool good = expr_scope_set_time(scope, m->sym.t);

    if (units->known)
        expr_scope_measure_time(scope, dimension_base(BASE_S));
    /* add names with their dimensions, group by group */
    expr_scope_list_as(scope, "coordinates");
    for (size_t i = 0; i < m->n && good; i++) {
        good = expr_scope_add_coordinate(scope, m->names.coordinates[i], m->sym.q[i], m->sym.v[i],
                                         accelerations ? m->sym.vdot[i] : EXPR_NONE);
        if (units->known)
            expr_scope_measure(scope, units->state[i].dimension);
    }
    expr_scope_list_as(scope, "parameters");
    for (size_t i = 0; i < m->n_params && good; i++) {
        good = expr_scope_add(scope, m->names.params[i], m->sym.params[i]);
        if (units->known)
            expr_scope_measure(scope, units->parameters[i].dimension);
    }
    expr_scope_list_as(scope, "definitions");
    for (size_t d = 0; d < storage->n_definitions && good; d++) {
        good = expr_scope_add(scope, storage->definition_names[d], storage->definitions[d]);
        expr_scope_measure(scope, units->definitions[d]);
    }
    return good;
}

static bool add_measured(ExprScope *scope, const char *form, const char *argument, Expr value,
                         Dimension dimension)
{
    const bool good = expr_scope_add_form(scope, form, argument, value);

    if (good)
        expr_scope_measure_form(scope, dimension);
    return good;
}

/* Adds every entry by its number, and also by its name if it has another one. */
static bool add_multipliers(const Model *m, ExprScope *scope, bool kept)
{
    bool good = true;
    for (size_t a = 0; a < m->r && good; a++) {
        const Dimension dimension = units_multiplier(m, a, kept);
        char number[32];
        snprintf(number, sizeof number, "c%zu", a + 1);
        good = add_measured(scope, "multiplier", number, m->sym.lambda[a], dimension);
        if (good && strcmp(number, m->constraints[a].name) != 0)
            good = add_measured(scope, "multiplier", m->constraints[a].name, m->sym.lambda[a],
                                dimension);
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
        good = add_measured(scope, "reaction", m->names.coordinates[i],
                            expr_dot(pool, m->r, column, lambda), units_force(m, i));
    }
    free(column);
    return good;
}

/* L, L_v and the part of L of degree 2 in the velocities. */
static bool add_dynamics(const Model *m, ExprPool *pool, ExprScope *scope)
{
    const Dimension L = m->units.lagrangian;
    bool good = add_measured(scope, "energy", NULL, m->energy, L) &&
                add_measured(scope, "lagrangian", NULL, m->L, L);
    for (size_t i = 0; i < m->n && good; i++)
        good =
            add_measured(scope, "momentum", m->names.coordinates[i], m->p[i], units_momentum(m, i));
    if (!good)
        return false;
    Expr T = EXPR_NONE;
    Status status = model_kinetic(m, pool, &T, NULL);
    if (status == ERR_NOT_FOUND)
        return expr_scope_add_broken_form(
            scope, "kinetic",
            "kinetic() is the part of the Lagrangian of degree 2 in the velocities, but this "
            "Lagrangian is not written as a polynomial in them");
    return status == OK && add_measured(scope, "kinetic", NULL, T, L);
}

bool model_defines(const Model *model, const char *name)
{
    const ModelStorage *storage = model->storage;
    size_t d = 0;

    while (d < storage->n_definitions && strcmp(storage->definition_names[d], name) != 0)
        d++;
    return d < storage->n_definitions;
}

ExprScope *model_scope(const Model *model, ExprPool *pool, bool motion, const Expr *lambda_rate)
{
    ExprScope *scope = expr_scope_new();
    bool good = scope && add_names(model->storage, scope, motion);

    if (good && motion)
        good = add_multipliers(model, scope, lambda_rate != NULL) &&
               add_reactions(model, pool, scope, lambda_rate ? lambda_rate : model->sym.lambda) &&
               add_dynamics(model, pool, scope);
    if (!good) {
        expr_scope_free(scope);
        return NULL;
    }
    return scope;
}
