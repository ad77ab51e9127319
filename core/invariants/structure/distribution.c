/* The generators of a distribution as fields, and the span of their brackets. */
#include "core/invariants/structure/distribution.h"

#include <math.h>
#include <string.h>

#include "core/expr/calculus/calculus.h"
#include "core/motion/dependent/curvature.h"

Status distribution_init(Distribution *d, const AnalysisContext *context, const size_t *dependent,
                         Error *err)
{
    const Model *model = context->model;
    const MotionOptions options = {.rows = context->rows,
                                   .n_rows = context->n_rows,
                                   .dependent = dependent ? dependent : context->dependent};

    *d = (Distribution){.context = context,
                        .pool = context->pool,
                        .n = model->n,
                        .r = context->n_rows,
                        .m = model->n - context->n_rows};
    for (size_t k = 0; k < context->n_rows; k++)
        d->n_holonomic += model->constraints[context->rows[k]].kind == CONSTRAINT_HOLONOMIC;
    return dependent_init(&d->dependent, d->pool, model, &options, err);
}

void distribution_done(Distribution *d)
{
    dependent_done(&d->dependent);
    *d = (Distribution){0};
}

static Status add_generators(const Distribution *d, bool extended, Fields *fields, Error *err)
{
    const Dependent *dependent = &d->dependent;
    Expr *x = ARENA_NEW(d->context->scratch, fields->dim, Expr), zero = expr_const(fields->pool, 0);
    Status status = arena_status(d->context->scratch, err);

    /* X_i for each base coordinate */
    for (size_t i = 0; status == OK && i < d->m; i++) {
        for (size_t c = 0; c < fields->dim; c++)
            x[c] = zero;
        x[dependent->base[i]] = expr_const(fields->pool, 1);
        for (size_t k = 0; k < d->r; k++)
            x[dependent->dep[k]] = dependent->C_i[k * d->m + i];
        status = fields_add(fields, x, fields->units[dependent->base[i]], err);
    }
    /* X_0, if time counts */
    for (size_t c = 0; status == OK && c < fields->dim; c++)
        x[c] = zero;
    for (size_t k = 0; status == OK && k < d->r; k++)
        x[dependent->dep[k]] = dependent->C_0[k];
    if (status == OK && extended) {
        x[d->n] = expr_const(fields->pool, 1);
        status = fields_add(fields, x, fields->units[d->n], err);
    }
    return status;
}

void distribution_holonomic(const AnalysisContext *context, Distribution *ret_d,
                            Flags *ret_extended, Flags *ret_frozen)
{
    const size_t n = context->model->n, r = context->n_rows, m = n - r;

    *ret_d = (Distribution){.context = context, .n = n, .r = r, .m = m, .n_holonomic = r};
    for (size_t extended = 0; extended < 2; extended++) {
        const Growth alone = {.length = 1,
                              .generic = {m + extended},
                              .start = {m + extended},
                              .start_length = 1,
                              .decided = true,
                              .complete = true,
                              .proved = true,
                              .proof.method = PROOF_IDENTITY};
        *(extended ? ret_extended : ret_frozen) =
            (Flags){.small = alone, .derived = alone, .most = m + extended, .trivial = true};
    }
}

/* The derived or the small flag, with its brackets in `fields`. */
static Status find_flag(const Distribution *d, bool extended, bool derived, Fields *fields,
                        Growth *ret, Error *err)
{
    const size_t dim = d->n + extended, most = dim - d->n_holonomic;
    Status status = fields_init(fields, d->context, 0, err);

    if (status == OK)
        status = add_generators(d, extended, fields, err);
    if (status == OK)
        status = growth_init(ret, fields, derived, dim, most, err);
    if (status == OK)
        status = growth_prove(fields, dim, most, ret, err);
    if (!ret->proved)
        growth_sharpen(fields, ret);
    return status;
}

Status distribution_flags(const Distribution *d, bool extended, Fields *fields, Flags *ret,
                          Error *err)
{
    *ret = (Flags){.most = d->n + extended - d->n_holonomic};
    Status status = find_flag(d, extended, false, fields, &ret->small, err);

    /* up to the second bracket the two flags agree: [[X,Y],[Z,W]] lies in the fourth step */
    ret->derived = ret->small;
    if (status == OK && ret->small.length > 3) {
        Fields again;
        status = find_flag(d, extended, true, &again, &ret->derived, err);
        fields_done(&again);
    }
    return status;
}

size_t flags_curvature(const Flags *flags)
{
    return flags->small.length > 1 ? flags->small.generic[1] - flags->small.generic[0] : 0;
}

/* Nonlinear constraints: their second derivatives C^a_ij and pseudo-curvature. */

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
