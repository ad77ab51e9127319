/* X_k ln N = theta_k, and whether brackets allow it: M. Crampin, T. Mestdag, section 7. */
#include "core/invariants/measure/density.h"

#include <string.h>

#include "core/expr/calculus/calculus.h"
#include "core/invariants/generator.h"
#include "core/invariants/search/augmented.h"

/* The reduced field. */

/* Solutions of G x = rhs. */
static void solve_mass(const ReducedField *f, const Expr *rhs, Expr *x)
{
    ExprPool *pool = f->d->pool;
    bool diagonal = true;

    for (size_t i = 0; i < f->m; i++)
        for (size_t j = 0; j < f->m; j++)
            diagonal = diagonal && (i == j || expr_is_zero(pool, f->G[i * f->m + j]));
    if (!diagonal) {
        expr_solve(pool, f->factor, f->m, rhs, x);
        return;
    }
    for (size_t i = 0; i < f->m; i++)
        x[i] = expr_div(pool, rhs[i], f->G[i * f->m + i]);
}

Expr reduced_field_trace(const ReducedField *f, const Expr *K)
{
    ExprPool *pool = f->d->pool;
    const size_t m = f->m;
    Arena scratch = {0};
    Expr *column = ARENA_NEW(&scratch, m, Expr), *x = ARENA_NEW(&scratch, m, Expr);
    Expr sum = expr_const(pool, 0);
    if (arena_failed(&scratch))
        return EXPR_NONE;

    /* column by column: entry j of the solution for column j */
    for (size_t j = 0; j < m; j++) {
        for (size_t i = 0; i < m; i++)
            column[i] = K[i * m + j];
        if (exprs_are_zero(pool, column, m))
            continue;
        solve_mass(f, column, x);
        sum = expr_add(pool, sum, x[j]);
    }
    arena_done(&scratch);
    return sum;
}

/* N[n][m]: the derivatives of all velocities by the base ones. */
static void fill_N(const Dependent *dep, Expr *N)
{
    const size_t n = dep->n, m = dep->m;

    for (size_t k = 0; k < n * m; k++)
        N[k] = expr_const(dep->pool, 0);
    for (size_t i = 0; i < m; i++)
        N[dep->base[i] * m + i] = expr_const(dep->pool, 1);
    for (size_t k = 0; k < dep->r; k++)
        for (size_t i = 0; i < m; i++)
            N[dep->dep[k] * m + i] = dep->C_i[k * m + i];
}

/* G and N^T (F - l - M c); scratch holds n (n + m + 3). */
static void project_to_base(ReducedField *f, Expr *scratch, Expr *ret_force)
{
    const Dependent *dep = &f->d->dependent;
    const Model *model = dep->model;
    ExprPool *pool = dep->pool;
    const size_t n = dep->n, m = dep->m;
    Expr *M = scratch, *l = M + n * n, *F = l + n, *N = F + n, *net = N + n * m;

    /* M, l and F at velocities that the constraints allow */
    dependent_substitute(dep, model->M, n * n, M);
    dependent_substitute(dep, model->l, n, l);
    dependent_substitute(dep, model->F, n, F);
    fill_N(dep, N);
    for (size_t i = 0; i < n; i++) {
        net[i] = expr_sub(pool, F[i], l[i]);
        for (size_t k = 0; k < dep->r; k++)
            net[i] = expr_sub(pool, net[i], expr_mul(pool, M[i * n + dep->dep[k]], dep->C_V[k]));
    }
    /* G and the force are sums over N^T; only the lower half of the symmetric G is computed */
    for (size_t a = 0; a < m; a++) {
        ret_force[a] = expr_const(pool, 0);
        for (size_t b = 0; b < m; b++)
            f->G[a * m + b] = expr_const(pool, 0);
        for (size_t i = 0; i < n; i++) {
            ret_force[a] = expr_add(pool, ret_force[a], expr_mul(pool, N[i * m + a], net[i]));
            if (expr_is_zero(pool, N[i * m + a]))
                continue;
            for (size_t b = 0; b <= a; b++) {
                Expr row = expr_const(pool, 0);
                for (size_t j = 0; j < n; j++)
                    row = expr_add(pool, row, expr_mul(pool, M[i * n + j], N[j * m + b]));
                f->G[a * m + b] =
                    expr_add(pool, f->G[a * m + b], expr_mul(pool, N[i * m + a], row));
            }
        }
    }
    for (size_t a = 0; a < m; a++)
        for (size_t b = 0; b < a; b++)
            f->G[b * m + a] = f->G[a * m + b];
}

static Expr minor2(ExprPool *pool, Expr a, Expr b, Expr c, Expr d)
{
    return expr_sub(pool, expr_mul(pool, a, d), expr_mul(pool, b, c));
}

static Expr determinant(ExprPool *pool, const Expr *g, size_t m)
{
    Expr det = g[0];

    if (m == 2)
        det = minor2(pool, g[0], g[1], g[2], g[3]);
    if (m == 3) {
        Expr terms[3] = {expr_mul(pool, g[0], minor2(pool, g[4], g[5], g[7], g[8])),
                         expr_mul(pool, g[1], minor2(pool, g[3], g[5], g[6], g[8])),
                         expr_mul(pool, g[2], minor2(pool, g[3], g[4], g[6], g[7]))};
        const double signs[3] = {1, -1, 1};
        det = expr_sum(pool, 3, signs, terms);
    }
    expr_expand(pool, &det, 1, &det);
    return det;
}

static Status rate_of_det(ReducedField *f, Error *err)
{
    const Dependent *dep = &f->d->dependent;
    const Model *model = dep->model;
    const size_t m = f->m;
    Arena *scratch = f->d->context->scratch;
    Expr *qdot = ARENA_NEW(scratch, dep->n, Expr), *u = ARENA_NEW(scratch, m, Expr);
    Expr *K = ARENA_NEW(scratch, m * m, Expr), one = expr_const(f->d->pool, 1);
    Status status = arena_status(scratch, err);
    if (status != OK)
        return status;

    for (size_t i = 0; i < m; i++)
        qdot[dep->base[i]] = u[i] = model->sym.v[dep->base[i]];
    for (size_t k = 0; k < dep->r; k++)
        qdot[dep->dep[k]] = dep->C[k];
    const ExprChange changes[] = {
        {model->sym.q, qdot, dep->n}, {u, f->udot, m}, {&model->sym.t, &one, 1}};
    /* the rate of ln det G is the trace of G^-1 times the rate of G (Jacobi's formula) */
    expr_along(f->d->pool, f->G, m * m, changes, sizeof changes / sizeof *changes, K);
    f->log_det_rate = reduced_field_trace(f, K);
    return expr_pool_status(f->d->pool, err);
}

Status reduced_field_init(ReducedField *f, const Distribution *d, Error *err)
{
    const Dependent *dep = &d->dependent;
    const size_t n = d->n, m = d->m, r = d->r;
    ExprPool *pool = d->pool;

    const bool chart = d->n_holonomic == r; /* y is a function of x */
    *f = (ReducedField){.d = d, .m = m, .n_terms = chart ? m : m + r};
    Arena *scratch = d->context->scratch;
    f->G = ARENA_NEW(scratch, m * m, Expr);
    f->udot = ARENA_NEW(scratch, m, Expr);
    f->div = ARENA_NEW(scratch, m + r, Expr);
    Expr *force = ARENA_NEW(scratch, m, Expr), *work = ARENA_NEW(scratch, n * (n + m + 3), Expr);
    Status status = arena_status(scratch, err);
    if (status != OK)
        return status;

    project_to_base(f, work, force);
    expr_expand(pool, f->G, m * m, f->G);
    if (m > 1)
        f->factor = expr_factor(pool, m, f->G);
    solve_mass(f, force, f->udot);
    for (size_t i = 0; i < m; i++)
        f->div[i] = expr_diff(pool, f->udot[i], dep->model->sym.v[dep->base[i]]);
    for (size_t k = 0; k < r && !chart; k++)
        f->div[m + k] = expr_diff(pool, dep->C[k], dep->model->sym.q[dep->dep[k]]);
    f->det = m <= 3 ? determinant(pool, f->G, m) : EXPR_NONE;
    status = expr_pool_status(pool, err);
    return status == OK ? rate_of_det(f, err) : status;
}

/* The density. */

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
    double *values = arena_doubles(fields->context.scratch, fields->count * dim);
    Verdict verdict = {.predicted = PREDICTED_UNDECIDED, .proof.likely = likely};
    size_t state = 0;
    Status status = arena_status(fields->context.scratch, err);

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
    return status;
}

Status density_decide(Density *density, Error *err)
{
    const Distribution *d = density->field->d;
    Fields fields;
    Growth lifted;
    FieldsRank plain = {0};

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
