/* Second derivatives C^a_ij of the dependent velocities, and the pseudo-curvature d_V C^a_i -
 * D_i C^a: whether the first vanish, and both at the start. */
#include "core/invariants/structure/distribution.h"

#include <math.h>
#include <string.h>

#include "core/expr/calculus/calculus.h"
#include "core/motion/dependent/curvature.h"

Status distribution_start(const AnalysisContext *context, Trajectory *ret, Error *err)
{
    *ret = (Trajectory){.n_states = 1,
                        .t = &context->t0,
                        .q = context->q0,
                        .v = context->v0,
                        .vdot = arena_doubles(context->scratch, context->model->n),
                        .lambda = arena_doubles(context->scratch, context->model->r)};
    return arena_status(context->scratch, err);
}

const char *coefficient_name(const Distribution *d, Arena *arena, const char *letter, size_t a,
                             size_t i, const size_t *j)
{
    const char *const *names = d->context->model->names.coordinates;
    const Dependent *dep = &d->dependent;

    return arena_printf(arena, "%s[%s](%s,%s)", letter, names[dep->dep[a]], names[dep->base[i]],
                        j ? names[dep->base[*j]] : "t");
}

/* C^a_ij at [(a m + i) m + j]. */
static void tensor(const Distribution *d, Expr *ret, Expr *column)
{
    const size_t m = d->m, r = d->r;

    for (size_t j = 0; j < m; j++) {
        dependent_by_velocity(&d->dependent, j, d->dependent.C_i, r * m, column);
        for (size_t k = 0; k < r * m; k++)
            ret[k * m + j] = column[k];
    }
}

/* Adds the coefficients that are finite at the start. */
static void add_coefficients(const Distribution *d, Findings *findings, Value *record,
                             const double *c, const double *pseudo)
{
    const size_t m = d->m;
    Arena *arena = findings->arena;
    Value *list = value_add(arena, record, "coefficients", VALUE_RECORD);

    /* C^a_ij, which is symmetric */
    for (size_t a = 0; a < d->r; a++)
        for (size_t i = 0; i < m; i++)
            for (size_t j = i; j < m; j++)
                if (isfinite(c[(a * m + i) * m + j]))
                    value_add_number(arena, list, coefficient_name(d, arena, "C", a, i, &j),
                                     c[(a * m + i) * m + j] + 0.0);
    /* then the pseudo-curvature */
    const char *const *names = d->context->model->names.coordinates;
    list = value_add(arena, record, "pseudo_curvature", VALUE_RECORD);
    for (size_t a = 0; a < d->r; a++)
        for (size_t i = 0; i < m; i++)
            if (isfinite(pseudo[a * m + i]))
                value_add_number(arena, list,
                                 arena_printf(arena, "R[%s](%s)", names[d->dependent.dep[a]],
                                              names[d->dependent.base[i]]),
                                 pseudo[a * m + i] + 0.0);
}

static Predicted opposite(Predicted answer)
{
    return answer == PREDICTED_YES  ? PREDICTED_NO
           : answer == PREDICTED_NO ? PREDICTED_YES
                                    : PREDICTED_UNDECIDED;
}

/* The constraints are nonlinear if one of C_ij[r m m] does not vanish. */
static Status judge_tensor(const Distribution *d, const Expr *tensor, Verdict *verdict, Error *err)
{
    Verdict vanishes = {0};
    Status status =
        verdict_predict_each(d->context, tensor, d->r * d->m * d->m, NULL, &vanishes, err);

    verdict->states = vanishes.states;
    verdict->largest = vanishes.largest;
    verdict->evidence = vanishes.evidence;
    verdict->proof = vanishes.proof;
    verdict->proof.likely = opposite(vanishes.proof.likely);
    verdict->predicted = opposite(vanishes.predicted);
    return status;
}

static const char *nonlinearity_reason(const Verdict *verdict, Arena *arena)
{
    if (verdict->predicted == PREDICTED_YES)
        return "Solved for the dependent velocities, the constraints bend: at random admissible "
               "states a second derivative by the other velocities is not zero, so that no change "
               "of coordinates makes them linear or affine.";
    if (verdict->predicted == PREDICTED_NO)
        return "Although written nonlinearly, the constraints determine the dependent velocities "
               "as affine functions of the others: their second derivatives vanish at every "
               "admissible state.";
    return arena_printf(arena,
                        "No exact test decides whether the second derivatives of the dependent "
                        "velocities vanish: %s.",
                        proof_doubt(verdict));
}

Status nonlinearity_find(const Distribution *d, Findings *findings, Value *record, Error *err)
{
    const AnalysisContext *context = d->context;
    const size_t m = d->m, rm = d->r * m, width = rm * m + rm;
    Expr *exprs = ARENA_NEW(context->scratch, 2 * width, Expr);
    double *values = arena_doubles(context->scratch, width + rm);
    Verdict *verdict = findings_add(findings);
    Trajectory start;
    Status status = distribution_start(context, &start, err);

    verdict->name = "nonlinear in the velocities";
    verdict->kind = "structure";
    /* judge the tensor */
    if (status == OK) {
        tensor(d, exprs, exprs + rm * m);
        memcpy(exprs + rm * m, d->dependent.C_i, rm * sizeof *exprs);
        dependent_pseudo_curvature(&d->dependent, exprs + width);
        status = judge_tensor(d, exprs, verdict, err);
    }
    /* both at the start, if there is a motion */
    if (status == OK) {
        verdict->reason = nonlinearity_reason(verdict, findings->arena);
        status = analysis_evaluate(context, exprs, width + rm, &start, values, err);
    }
    if (status == OK && context->trajectory)
        add_coefficients(d, findings, record, values, values + width);
    return status;
}
