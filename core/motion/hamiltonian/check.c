/* Whether the momenta determine the velocities: Hamilton's equations need det M != 0, and a
 * Lagrangian without corners in the velocities. */
#include <math.h>

#include "core/motion/frozen.h"
#include "core/motion/hamiltonian/hamiltonian.h"
#include "core/numeric/dense.h"

static Status refuse_momenta(Diagnostics *diag, Error *err, const char *hint, const char *reason)
{
    diagnostics_add(diag, "/formulation", -1, hint, "%s", reason);
    return error_set(err, ERR_INVALID, "%s", reason);
}

/* Refuses momenta that jump with the sign of a velocity, because they cannot be inverted. */
static Status check_corners(const Model *model, Diagnostics *diag, Error *err)
{
    bool jump;
    Status status = corners_depend(model, model->p, model->n, model->sym.v, model->n, &jump, err);

    if (status == OK && jump)
        status = refuse_momenta(diag, err, "smooth it: there no equations of motion hold",
                                "not a Hamiltonian system: the Lagrangian has a corner in the "
                                "velocities, at which the momenta jump");
    return status;
}

/* The coordinates of a null vector of M, for the message. */
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
        const char *name = model->names.coordinates[i];
        text = arena_printf(arena, "%s%s%s", text ? text : "", text ? ", " : "", name);
    }
    return text ? text : "";
}

/* det M != 0, in units of the coordinates in which M_ii is 1. */
static Status check_mass(const MotionQuestion *question, Diagnostics *diag, Error *err)
{
    const size_t n = question->model->n;
    const double tolerance = (double)n * 2.3e-13;
    const ModelPoint point = model_point(question->eval, question->t, question->q, question->v);
    Arena scratch = {0};
    double *M = arena_doubles(&scratch, n * n), *basis = arena_doubles(&scratch, n * n);
    double *unit = arena_doubles(&scratch, n);
    size_t dim = 0;
    Status status = arena_status(&scratch, err);

    for (size_t i = 0; status == OK && i < n; i++) {
        double size = fabs(point.M[i * n + i]);
        unit[i] = size > 0 ? 1 / sqrt(size) : 1;
    }
    for (size_t i = 0; status == OK && i < n; i++)
        for (size_t j = 0; j < n; j++)
            M[i * n + j] = point.M[i * n + j] * unit[i] * unit[j];
    /* directions in which the scaled matrix is singular */
    if (status == OK)
        status = dense_null_space(M, n, n, tolerance, basis, &dim, err);
    /* name the velocities that the momenta leave open */
    if (status == OK && dim) {
        const char *reason = arena_printf(
            diag->arena,
            "not a Hamiltonian system: the mass matrix is singular at the initial state, the "
            "momenta do not determine the velocities of %.100s",
            name_direction(question, basis, dim, diag->arena));
        status = refuse_momenta(diag, err, "use the formulation \"lagrange-dalembert\"",
                                reason ? reason : "");
    }
    arena_done(&scratch);
    return status;
}

Status hamiltonian_check(const MotionQuestion *question, Diagnostics *diag, Error *err)
{
    Status status = check_corners(question->model, diag, err);
    return status == OK ? check_mass(question, diag, err) : status;
}
