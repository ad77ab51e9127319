/* Step collapse: steps that become shorter without an end towards an instant. */
#include "core/run/parts/collapse.h"

#include <string.h>

#include "core/model/kinds.h"
#include "core/model/residuals.h"

/* A step collapse ends the run if the velocities have grown by this factor, or if it takes more
 * than this many steps. No unit; convention. */
static const double BLOWUP_SPEED_RATIO = 1e3;
enum { MAX_COLLAPSE_STEPS = 2000 };

void collapse_init(StepCollapse *f, double t0, size_t n, Arena *arena)
{
    *f = (StepCollapse){.t0 = t0,
                        .t = NAN,
                        .v = arena_doubles(arena, n),
                        .units = arena_doubles(arena, n),
                        .rest = arena_doubles(arena, n)};
}

static double fastest(StepCollapse *f, ModelEval *eval, double t, const double *q, const double *v)
{
    double largest = 0;

    kinds_velocity_units(eval->model, model_point(eval, t, q, v).M, f->units);
    for (size_t i = 0; i < eval->model->n; i++)
        largest = fmax(largest, fabs(v[i]) / f->units[i]);
    return largest;
}

/* The name of the constraint that a system at rest would violate by the largest velocity, because
 * it depends on time. NULL: none does. */
static const char *driving_constraint(const StepCollapse *f, ModelEval *eval, double t,
                                      const double *q)
{
    const Model *m = eval->model;
    const char *name = NULL;
    double most = 0;

    const double *A = model_point(eval, t, q, f->rest).A;
    const double *phi = evaluate_at(eval, &eval->residuals, t, q, f->rest) + RESIDUAL_PHI * m->r;
    for (size_t a = 0; a < m->r; a++) {
        double row = 0;
        for (size_t i = 0; i < m->n; i++)
            row = fmax(row, fabs(A[a * m->n + i] * f->units[i]));
        /* the residual at rest over the largest entry of the row: a velocity */
        if (fabs(phi[a]) > most * row) {
            most = fabs(phi[a]) / row;
            name = m->constraints[a].name;
        }
    }
    return name;
}

static Status collapse_ends(const StepCollapse *f, ModelEval *eval, double t, const double *q,
                            const char *how, Error *err)
{
    const char *name = driving_constraint(f, eval, t, q);

    if (name)
        return error_set(err, ERR_NUMERIC,
                         "a singularity at t = 0: %s (t = %.3g): the constraint %s, which depends "
                         "on time, has no finite rate there",
                         how, t, name);
    return error_set(err, ERR_NUMERIC, "a singularity or blow-up at t = 0: %s (t = %.3g)", how, t);
}

/* The change of velocities between the last state and this one, if the motion went through zero
 * between them. */
static double jump(const StepCollapse *f, const double *v, size_t n)
{
    double most = 0;

    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(v[i] - f->v[i]) / f->units[i]);
    return most;
}

Status collapse_step(StepCollapse *f, ModelEval *eval, double t, double h, const double *q,
                     const double *v, Error *err)
{
    const size_t n = eval->model->n;
    const bool was_in = collapse_was_in(f), nearer = was_in && fabs(t) < fabs(f->t);
    const double now = fastest(f, eval, t, q, v);

    /* a jump across zero, growth without a bound, or too many steps */
    if (was_in && (t > 0) != (f->t > 0) && jump(f, v, n) > f->largest)
        return collapse_ends(f, eval, t, q, "the velocities jump from one side to the other", err);
    if (!was_in) {
        f->largest = now;
        f->steps = 0;
    } else if (nearer && now > BLOWUP_SPEED_RATIO * f->largest) {
        return collapse_ends(f, eval, t, q, "the velocities grow without a bound towards it", err);
    } else if (nearer && ++f->steps > MAX_COLLAPSE_STEPS) {
        return collapse_ends(f, eval, t, q, "the steps become shorter without an end towards it",
                             err);
    }
    f->t = collapse_is_in(f, t, h) ? t : NAN;
    memcpy(f->v, v, n * sizeof *v);
    return OK;
}
