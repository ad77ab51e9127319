/* Whether the momenta determine the velocities: Hamilton's equations need det M != 0, and a
 * Lagrangian without corners in the velocities. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/memory.h"
#include "core/motion/hamiltonian/hamiltonian.h"
#include "core/numeric/dense.h"

static Status refuse(Diagnostics *diag, Error *err, const char *hint, const char *reason)
{
    diagnostics_add(diag, "/formulation", -1, hint, "%s", reason);
    return error_set(err, ERR_INVALID, "%s", reason);
}

/* Momenta that jump with the sign of a velocity cannot be inverted. */
static Status check_corners(const Model *model, Diagnostics *diag, Error *err)
{
    const size_t n = model->n, n_symbols = model->first_free;
    ExprPool *pool = expr_pool_clone(model->pool);
    Expr *frozen = alloc_array(n, sizeof *frozen);
    bool *used = alloc_array(n_symbols, sizeof *used);
    ExprSwitch *switches = NULL;
    size_t n_switches = 0;
    Status status = pool && frozen && used ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");

    if (status == OK)
        status = expr_freeze_switches(pool, model->p, n, model->first_free, frozen, &switches,
                                      &n_switches, err);
    for (size_t k = 0; status == OK && k < n_switches; k++)
        status = expr_used_symbols(pool, &switches[k].guard, 1, used, n_symbols, err);
    for (size_t i = 0; status == OK && i < n; i++)
        if (used[expr_node(pool, model->v[i]).symbol])
            status = refuse(diag, err, "smooth it: there no equations of motion hold",
                            "not a Hamiltonian system: the Lagrangian has a corner in the "
                            "velocities, at which the momenta jump");
    free(switches);
    free(used);
    free(frozen);
    expr_pool_free(pool);
    return status;
}

/* The coordinates whose velocities a null vector of M mixes. */
static const char *name_direction(const MotionQuestion *question, const double *basis, size_t dim,
                                  Arena *arena)
{
    const Model *model = question->model;
    const char *text = NULL;
    double largest = 0;

    for (size_t i = 0; i < model->n; i++)
        largest = fmax(largest, fabs(basis[i * model->n]));
    for (size_t i = 0; dim && i < model->n; i++) {
        if (fabs(basis[i * model->n]) < 1e-6 * largest)
            continue;
        const char *name = model->coordinate_names[i];
        text = text ? arena_printf(arena, "%s, %s", text, name) : arena_strdup(arena, name);
        if (!text)
            break;
    }
    return text ? text : "";
}

/* det M != 0, in units of the coordinates in which M_ii is 1. */
static Status check_mass(const MotionQuestion *question, Diagnostics *diag, Error *err)
{
    const size_t n = question->model->n;
    const double tolerance = (double)n * 2.3e-13;
    ModelPoint point = model_point(question->eval, question->t, question->q, question->v);
    double *M = alloc_array(2 * n * n + n, sizeof *M), *basis = M + n * n, *unit = basis + n * n;
    size_t dim = 0;
    if (!M)
        return error_set(err, ERR_NO_MEMORY, "out of memory");

    for (size_t i = 0; i < n; i++) {
        double size = fabs(point.M[i * n + i]);
        unit[i] = size > 0 ? 1 / sqrt(size) : 1;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            M[i * n + j] = point.M[i * n + j] * unit[i] * unit[j];
    Status status = dense_null_space(M, n, n, tolerance, basis, &dim, err);
    if (status == OK && dim) {
        const char *names = name_direction(question, basis, dim, diag->arena);
        char reason[240];
        snprintf(reason, sizeof reason,
                 "not a Hamiltonian system: the mass matrix is singular at the initial state, the "
                 "momenta do not determine the velocities of %.100s",
                 names);
        status = refuse(diag, err, "use the formulation \"lagrange-dalembert\"", reason);
    }
    free(M);
    return status;
}

Status hamiltonian_check(const MotionQuestion *question, Diagnostics *diag, Error *err)
{
    Status status = check_corners(question->model, diag, err);
    return status == OK ? check_mass(question, diag, err) : status;
}
