/* D/Dt ln N + div = 0 as conditions X_k ln N = theta_k on the generators, and whether brackets
 * allow them: M. Crampin, T. Mestdag, section 7. */
#include "core/invariants/measure/density.h"

#include <string.h>

#include "core/expr/calculus/calculus.h"
#include "core/invariants/generator.h"
#include "core/invariants/search/augmented.h"

/* The scale of theta: a value that changes ln N by 1 over the range of the motion. */
static Expr size_of(const Density *density, ExprPool *pool, size_t k)
{
    const Distribution *d = density->field->d;
    const AnalysisContext *context = d->context;

    return expr_const(pool, k < d->m ? 1 / context->range.width[d->dependent.base[k]]
                                     : analysis_frequency(context));
}

/* Replaces theta by 0 if it is rounding; sets `affine`. */
static Status clean_theta(Density *density, Expr div, Error *err)
{
    const Distribution *d = density->field->d;
    const AnalysisContext *context = d->context;
    ExprPool *pool = d->pool;
    Verdict verdict = {0};
    Expr *terms = ARENA_NEW(context->scratch, density->n_generators + 1, Expr);
    Status status = arena_status(context->scratch, err);

    /* each theta alone */
    for (size_t k = 0; k < density->n_generators && status == OK; k++) {
        terms[k] = k < d->m ? expr_mul(pool, density->theta[k],
                                       context->model->sym.v[d->dependent.base[k]])
                            : density->theta[k];
        const TermSum alone = {
            .terms = &density->theta[k], .n = 1, .scale = size_of(density, pool, k)};
        status = verdict_predict(context, &alone, &verdict, NULL, err);
        if (status == OK && verdict.largest < VERDICT_HOLDS && verdict.predicted == PREDICTED_YES)
            density->theta[k] = expr_const(pool, 0);
    }
    /* the divergence is affine if they make it up */
    if (status == OK) {
        terms[density->n_generators] = div;
        const TermSum all = {
            .terms = terms, .n = density->n_generators + 1, .scale = size_of(density, pool, d->m)};
        status = verdict_predict(context, &all, &verdict, NULL, err);
        density->affine = status == OK && verdict.predicted == PREDICTED_YES;
    }
    return status;
}

static Status find_autonomous(Density *density, Error *err)
{
    const Distribution *d = density->field->d;
    const Dependent *dep = &d->dependent;
    bool used[1] = {false}; /* time is symbol 0 */
    Status status = expr_used_symbols(d->pool, density->theta, density->n_generators, used, 1, err);

    if (status == OK && d->r && d->m)
        status = expr_used_symbols(d->pool, dep->C_i, d->r * d->m, used, 1, err);
    if (status == OK && d->r)
        status = expr_used_symbols(d->pool, dep->C_0, d->r, used, 1, err);
    density->autonomous = !used[0];
    return status;
}

Status density_init(Density *density, const ReducedField *field, Error *err)
{
    const Distribution *d = field->d;
    const size_t m = d->m;
    ExprPool *pool = d->pool;
    Arena *scratch = d->context->scratch;
    Expr *symbols = ARENA_NEW(scratch, m, Expr), *zeros = exprs_zeros(pool, scratch, m + 1), div;

    *density = (Density){.field = field, .n_generators = m + 1};
    density->theta = ARENA_NEW(scratch, m + 1, Expr);
    Status status = arena_status(scratch, err);
    if (status != OK)
        return status;
    for (size_t i = 0; i < m; i++)
        symbols[i] = d->context->model->sym.v[d->dependent.base[i]];
    /* theta: minus the gradient of the divergence at rest, and its value there */
    div = expr_sum(pool, field->n_terms, NULL, field->div);
    expr_gradient(pool, div, symbols, m, density->theta);
    density->theta[m] = div;
    for (size_t k = 0; k <= m; k++)
        density->theta[k] = expr_neg(pool, density->theta[k]);
    const bool at_rest =
        expr_substitute_finite(pool, density->theta, m + 1, symbols, zeros, m, density->theta);
    status = expr_pool_status(pool, err);
    if (status == OK && !at_rest) {
        /* a divergence that is affine in the velocities is defined at rest */
        density->theta = zeros;
        return find_autonomous(density, err);
    }
    if (status == OK)
        status = clean_theta(density, div, err);
    return status == OK ? find_autonomous(density, err) : status;
}

void density_take(Density *density, const Verdict *verdict)
{
    density->exists = *verdict;
    if (verdict->evidence == EVIDENCE_IDENTITY && verdict->predicted == PREDICTED_YES)
        density->exists.proof.method = PROOF_IDENTITY;
}

/* X_k, with the component d/df last; time flows only if something depends on it. */
static void lifted_field(const Density *density, ExprPool *pool, size_t k, Expr *ret)
{
    const Distribution *d = density->field->d;
    const Dependent *dep = &d->dependent;

    for (size_t c = 0; c < d->n + 2; c++)
        ret[c] = expr_const(pool, 0);
    if (k < d->m)
        ret[dep->base[k]] = expr_const(pool, 1);
    else
        ret[d->n] = expr_const(pool, density->autonomous ? 0 : 1);
    for (size_t a = 0; a < d->r; a++)
        ret[dep->dep[a]] = k < d->m ? dep->C_i[a * d->m + k] : dep->C_0[a];
    ret[d->n + 1] = density->theta[k];
}

void density_slopes(const Density *density, Expr function, Expr *ret)
{
    const Distribution *d = density->field->d;
    const size_t n = d->n;
    Arena scratch = {0};
    Expr *field = ARENA_NEW(&scratch, n + 2, Expr), *slopes = ARENA_NEW(&scratch, n + 1, Expr);

    for (size_t k = 0; k < density->n_generators; k++)
        ret[k] = EXPR_NONE;
    if (arena_failed(&scratch))
        return;
    expr_gradient(d->pool, function, d->context->model->sym.q, n, slopes);
    slopes[n] = expr_diff(d->pool, function, d->context->model->sym.t);
    for (size_t k = 0; k < density->n_generators; k++) {
        lifted_field(density, d->pool, k, field);
        ret[k] = expr_dot(d->pool, n + 1, field, slopes);
    }
    arena_done(&scratch);
}

static Status add_fields(const Density *density, Fields *fields, Error *err)
{
    const Distribution *d = density->field->d;
    Expr *field = ARENA_NEW(d->context->scratch, d->n + 2, Expr);
    Expr *sizes = ARENA_NEW(d->context->scratch, d->n + 2, Expr);
    Status status = arena_status(d->context->scratch, err);

    /* each lifted field with the sizes of its components, except zero ones */
    for (size_t k = 0; k < density->n_generators && status == OK; k++) {
        lifted_field(density, fields->pool, k, field);
        for (size_t c = 0; c < d->n + 2; c++)
            sizes[c] = expr_abs(fields->pool, field[c]);
        sizes[d->n + 1] =
            expr_add(fields->pool, sizes[d->n + 1], size_of(density, fields->pool, k));
        if (!exprs_are_zero(fields->pool, field, d->n + 2))
            status = fields_add_sized(fields, field, sizes,
                                      fields->units[k < d->m ? d->dependent.base[k] : d->n], err);
    }
    return status;
}

/* Tries to prove the likely answer by the ranks of the lifted fields and their brackets, or
 * leaves it open. As equations, do they give d/df = 0, or does none of them contain it? For the
 * latter the brackets of the last round, too, must be combinations of earlier fields. */
static Status density_prove(Density *density, const Fields *fields, const Growth *lifted,
                            Predicted likely, Error *err)
{
    const size_t dim = fields->dim, n_states = fields->states.n_states;
    Arena scratch = {0};
    double *values = arena_doubles(&scratch, fields->count * dim);
    Verdict verdict = {.predicted = PREDICTED_UNDECIDED, .proof.likely = likely};
    size_t state = 0;
    Status status = arena_status(&scratch, err);

    /* the fields' numbers at the first usable state */
    while (state + 1 < n_states && !fields->usable[state])
        state++;
    for (size_t k = 0; status == OK && k < fields->count; k++)
        memcpy(values + k * dim, fields->numbers + (k * n_states + state) * dim,
               dim * sizeof *values);
    /* no density: one field must leave their span; a density: those after the closed ones must
     * not */
    const size_t closed = lifted->tried > 1 ? lifted->fields[lifted->tried - 2] : fields->count;
    const Augmented rows = {.context = &fields->context,
                            .first = likely == PREDICTED_YES ? closed : 0,
                            .rows = fields->count,
                            .columns = dim - 1,
                            .entries = fields->components,
                            .values = values};
    if (status == OK && likely == PREDICTED_NO)
        status = augmented_refute(&rows, &verdict, err);
    else if (status == OK && likely == PREDICTED_YES)
        status = augmented_confirm(&rows, &verdict, err);
    if (status == OK)
        density_take(density, &verdict);
    arena_done(&scratch);
    return status;
}

Status density_decide(Density *density, Error *err)
{
    const Distribution *d = density->field->d;
    Fields fields;
    Growth lifted;
    FieldsRank plain = {0};

    /* close the lifted fields under brackets */
    Status status = fields_init(&fields, d->context, 1, err);
    if (status == OK)
        status = add_fields(density, &fields, err);
    if (status == OK)
        status = growth_init(&lifted, &fields, false, d->n + 2, d->n + 2, err);
    if (status == OK)
        growth_sharpen(&fields, &lifted);
    /* compare the ranks with and without d/df */
    if (status == OK)
        status = fields_rank(&fields, fields.count, d->n + 1, &plain, err);
    if (status == OK) {
        const size_t rank = lifted.generic[lifted.length - 1];
        const Predicted likely = rank > plain.generic                  ? PREDICTED_NO
                                 : lifted.complete && fields.count > 0 ? PREDICTED_YES
                                                                       : PREDICTED_UNDECIDED;
        status = density_prove(density, &fields, &lifted, likely, err);
    }
    fields_done(&fields);
    return status;
}
