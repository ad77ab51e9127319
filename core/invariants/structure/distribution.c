/* The generators of a distribution as fields, and the span of their brackets. */
#include "core/invariants/structure/distribution.h"

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
