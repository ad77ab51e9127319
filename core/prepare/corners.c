/* The values of f, phi and L_v on both sides of a corner are compared at two distances. If the
 * distance is halved, a jump keeps its size, but the change across a steep slope halves. */
#include "core/prepare/corners.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "core/base/accuracy.h"
#include "core/expr/calculus/calculus.h"

/* Fraction of a jump that remains at half the distance. A steep function keeps half. Convention. */
static const double STAYS = 0.75;
/* The distance in units of rounding of t, beside a part of the span of the run: beyond the rounding
 * error of the corner's position. Convention. */
static const double REACH_ULPS = 1e4;

Status corners_compile(const Model *model, Program **ret_program, Error *err)
{
    const size_t count = 2 * model->r + model->n;
    Arena scratch = {0};
    ExprSwitch *switches = NULL;
    size_t n_switches = 0;
    Expr *out = ARENA_NEW(&scratch, 2 * count, Expr), *frozen = ARENA_NEW(&scratch, count, Expr);
    ExprPool *pool = arena_failed(&scratch) ? NULL : expr_pool_clone(model->pool);
    Status status = pool ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");

    if (status == OK) {
        model_continuous(model, pool, out);
        status = expr_freeze_switches(pool, out, count, model->sym.first_free, frozen, &switches,
                                      &n_switches, err);
    }
    /* the sizes of terms follow the values */
    if (status == OK && n_switches > 0) {
        for (size_t k = 0; k < count; k++)
            out[count + k] = expr_terms_size(pool, out[k]);
        status = model_program(model, pool, out, 2 * count, ret_program, err);
    }
    free(switches);
    expr_pool_free(pool);
    arena_done(&scratch);
    return status;
}

Status corners_init(Corners *corners, const Model *model, const Formulation *formulation,
                    const Program *program, const double *params, double span, Arena *arena,
                    Error *err)
{
    const size_t count = 2 * model->r + model->n;

    *corners = (Corners){.model = model,
                         .momenta = !formulation->keeps_momenta,
                         .reach = ACCURACY_COMPUTED * fabs(span)};
    if (!program)
        return OK;
    corners->far = arena_doubles(arena, count);
    corners->near = arena_doubles(arena, count);
    corners->size = arena_doubles(arena, count);
    return function_bind(&corners->function, program, params, 1, err);
}

double corners_distance(const Corners *corners, double t)
{
    return corners->reach + REACH_ULPS * DBL_EPSILON * fabs(t);
}

/* The change of each value from one side to the other; corners->size: the size of its terms. */
static void corners_difference(Corners *corners, double t, const double *q, const double *v,
                               const double *vdot, double distance, double *ret)
{
    const size_t n = corners->model->n, count = 2 * corners->model->r + n;

    for (int side = -1; side <= 1; side += 2) {
        const double step = side * distance;
        corners->function.in[0] = t + step;
        for (size_t i = 0; i < n; i++) {
            corners->function.in[1 + i] = q[i] + step * v[i];
            corners->function.in[1 + n + i] = v[i] + step * vdot[i];
        }
        const double *out = function_eval(&corners->function);
        for (size_t k = 0; k < count; k++) {
            const double size = out[count + k];
            /* the second side subtracts the value that the first one left */
            ret[k] = side < 0 ? out[k] : out[k] - ret[k];
            corners->size[k] = side < 0 ? size : fmax(corners->size[k], size);
        }
    }
}

static Status corners_fail(const Model *model, size_t k, double t, Error *err)
{
    const size_t r = model->r;

    /* constraints, their velocities, then momenta */
    if (k < r)
        return error_set(err, ERR_NUMERIC,
                         "the constraint %s jumps at t = %.17g: no motion satisfies it on both "
                         "sides of this corner",
                         model->constraints[k].name, t);
    if (k < 2 * r)
        return error_set(
            err, ERR_NUMERIC,
            "the constraint %s demands another velocity from t = %.17g on, at once: a shock, of "
            "which the equations of motion say nothing; smooth this corner, or end the job here "
            "and start another with the velocity after the shock (\"consistency\": \"project\" "
            "finds the one of the least impulse)",
            model->constraints[k - r].name, t);
    return error_set(err, ERR_NUMERIC,
                     "the momentum of %s jumps at t = %.17g, at a corner of the Lagrangian: its "
                     "velocity would have to jump instead; smooth the corner, or, if it does not "
                     "depend on velocities, use the formulation hamiltonian",
                     model->names.coordinates[k - 2 * r], t);
}

Status corners_check(Corners *corners, double t, const double *q, const double *v,
                     const double *vdot, Error *err)
{
    const size_t n = corners->model->n, r = corners->model->r;
    const double distance = corners_distance(corners, t);

    if (!corners->function.program)
        return OK;
    corners_difference(corners, t, q, v, vdot, distance, corners->far);
    corners_difference(corners, t, q, v, vdot, distance / 2, corners->near);
    for (size_t k = 0; k < 2 * r + (corners->momenta ? n : 0); k++) {
        const double change = fabs(corners->near[k]);
        /* a larger change may be a jump */
        if (change > ACCURACY_CLEAR * corners->size[k] && change > STAYS * fabs(corners->far[k]))
            return corners_fail(corners->model, k, t, err);
    }
    return OK;
}
