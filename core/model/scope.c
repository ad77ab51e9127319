/* The model's names for further texts: observables, events. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/expr/calculus/calculus.h"
#include "core/model/dimensions.h"
#include "core/model/storage.h"

static bool add_names(const ModelStorage *storage, ExprScope *scope, bool accelerations)
{
    const Model *m = &storage->model;
    const ModelUnits *units = &m->units;
    bool good = expr_scope_set_time(scope, m->sym.t);

    /* without units names keep an unknown dimension, which fits all */
    if (units->known)
        expr_scope_measure_time(scope, dimension_base(BASE_S));
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

/* Degrees saturate at this value: not a polynomial, or one of a huge degree. */
enum { NO_DEGREE = UINT8_MAX };

/* The degree of a node from those of its operands, as written, before anything cancels. */
static uint8_t node_degree(const ExprNode *node, const uint8_t *degrees)
{
    unsigned long degree = 0;

    for (uint32_t k = 0; k < node->n; k++) {
        const unsigned long of_operand = degrees[node->args[k].id];
        if (of_operand == 0)
            continue;
        if (node->op == EXPR_SUM)
            degree = of_operand > degree ? of_operand : degree;
        else if (node->op == EXPR_PRODUCT && node->coefs[k] > 0 && node->coefs[k] < NO_DEGREE)
            degree += of_operand * (unsigned long)node->coefs[k];
        else
            return NO_DEGREE;
    }
    return degree < NO_DEGREE ? (uint8_t)degree : NO_DEGREE;
}

/* The degree of L in the velocities. */
static Status velocity_degree(const Model *m, const ExprPool *pool, uint8_t *ret, Error *err)
{
    /* operands have smaller ids, so degrees are needed up to L's id only */
    uint8_t *degrees = calloc((size_t)m->L.id + 1, 1);

    if (!degrees)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < m->n; i++)
        if (m->sym.v[i].id <= m->L.id)
            degrees[m->sym.v[i].id] = 1;
    for (uint32_t id = 1; id <= m->L.id; id++) {
        const ExprNode node = expr_node(pool, (Expr){id});
        if (node.op != EXPR_SYMBOL)
            degrees[id] = node_degree(&node, degrees);
    }
    *ret = degrees[m->L.id];
    free(degrees);
    return OK;
}

/* v.M v / 2 with the velocities in M replaced by 0. */
static Expr quadratic_part(const Model *m, ExprPool *pool, const Expr *M, Expr *Mv)
{
    for (size_t i = 0; i < m->n; i++)
        Mv[i] = expr_dot(pool, m->n, M + i * m->n, m->sym.v);
    return expr_scale(pool, 0.5, expr_dot(pool, m->n, Mv, m->sym.v));
}

/* *ret_T = v.M(q, 0, t) v / 2, written into the pool, the part of degree 2 in the velocities: of
 * L = L_0 + L_1 + L_2 + ..., by degrees, the Hessian at v = 0 is that of L_2. ERR_NOT_FOUND if L is
 * not written as a polynomial in the velocities, so that no part of it has a degree. */
static Status kinetic(const Model *model, ExprPool *pool, Expr *ret_T, Error *err)
{
    const size_t n = model->n;
    uint8_t degree = 0;
    Status status = velocity_degree(model, pool, &degree, err);

    if (status != OK)
        return status;
    if (degree == NO_DEGREE)
        return error_set(err, ERR_NOT_FOUND, "L is not written as a polynomial in the velocities");
    Arena arena = {0};
    Expr *M = ARENA_NEW(&arena, n * n, Expr), *zeros = ARENA_NEW(&arena, n, Expr);
    Expr *Mv = ARENA_NEW(&arena, n, Expr);
    status = arena_status(&arena, err);
    /* M at v = 0; if L has degree 2, M contains no velocities */
    if (status == OK) {
        for (size_t i = 0; i < n; i++)
            zeros[i] = expr_const(pool, 0);
        if (degree > 2)
            expr_substitute(pool, model->M, n * n, model->sym.v, zeros, n, M);
        else
            memcpy(M, model->M, n * n * sizeof *M);
        *ret_T = quadratic_part(model, pool, M, Mv);
    }
    arena_done(&arena);
    return status;
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
    Status status = kinetic(m, pool, &T, NULL);
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
