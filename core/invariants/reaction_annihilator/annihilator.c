/* Reactions at random velocities, stacked; R0 annihilates them: F. Fasso, N. Sansonetto, 2.3. */
#include "core/invariants/reaction_annihilator/annihilator.h"

#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/base/random.h"
#include "core/invariants/generator.h"
#include "core/numeric/dense.h"
#include "core/numeric/vectors.h"

/* Points per independent constraint, and further points, that are enough for the reactions'
 * directions. Conventions. */
enum { POINTS_PER_CONSTRAINT = 4, MORE_POINTS = 24 };

typedef struct Sampler {
    const AnalysisContext *context;
    const double *q;
    double t, frequency;
    size_t n, r, m, count; /* r: independent constraints; count: points */
    double *A, *scaled;    /* r x n; in units of the motion's velocities */
    double *N;             /* n x n, the first m columns: a basis of ker A, in these units */
    double *v0;            /* n: A v0 + s = 0 */
    double *v;             /* count x n */
    double *R;             /* count x n, then scaled */
    double *weight;        /* n: sqrt |M_ii|, or 1 */
    double size;           /* of the forces that act, with weights */
    double *matrix, *rhs;  /* (n + r)^2; (n + r) x count */
    double *space;         /* n x n */
    size_t *pivots;        /* n */
    Arena scratch;         /* owns the arrays */
} Sampler;

bool annihilator_defined(const Model *model)
{
    for (size_t a = 0; a < model->r; a++)
        if (model->constraints[a].kind == CONSTRAINT_NONLINEAR)
            return false;
    return true;
}

static Status allocate(Sampler *s, Error *err)
{
    const size_t n = s->n, r = s->r, size = n + r, m = n > r ? n - r : 0;
    const size_t enough = POINTS_PER_CONSTRAINT * r + MORE_POINTS, all = (m + 1) * (m + 2);
    Arena *a = &s->scratch;

    /* twice the number of coefficients is exact, a multiple of the rank is enough */
    s->count = all < enough ? all : enough;
    s->A = arena_doubles(a, r * n);
    s->scaled = arena_doubles(a, r * n);
    s->N = arena_doubles(a, n * n);
    s->v0 = arena_doubles(a, n);
    s->weight = arena_doubles(a, n);
    s->v = arena_doubles(a, s->count * n);
    s->R = arena_doubles(a, s->count * n);
    s->matrix = arena_doubles(a, size * size);
    s->rhs = arena_doubles(a, size * s->count);
    s->space = arena_doubles(a, n * n);
    s->pivots = arena_sizes(a, n);
    return arena_status(a, err);
}

/* A, s, v0, N and the weights at the configuration. */
static Status look(Sampler *s, Error *err)
{
    const AnalysisContext *c = s->context;
    double *minus_s = s->rhs; /* not in use yet */

    /* the model at zero velocities: A, -s and the masses */
    memset(s->v0, 0, s->n * sizeof *s->v0);
    ModelPoint point = model_point(c->eval, s->t, s->q, s->v0);
    for (size_t k = 0; k < s->r; k++) {
        memcpy(s->A + k * s->n, point.A + c->rows[k] * s->n, s->n * sizeof *s->A);
        minus_s[k] = -point.phi[c->rows[k]];
    }
    for (size_t i = 0; i < s->n; i++) {
        double mass = fabs(point.M[i * s->n + i]);
        s->weight[i] = mass > 0 && isfinite(mass) ? sqrt(mass) : 1;
    }
    /* v0 and N in units of the motion's velocities */
    for (size_t k = 0; k < s->r * s->n; k++)
        s->scaled[k] =
            s->A[k] * c->range.speed[k % s->n]; /* NOLINT(clang-analyzer-core.DivideZero) */
    Status status = dense_least_norm(s->scaled, s->r, s->n, minus_s, ACCURACY_SOLVED, s->v0, err);
    if (status == OK)
        status = dense_null_space(s->scaled, s->r, s->n, ACCURACY_SOLVED, s->N, &s->m, err);
    for (size_t i = 0; i < s->n; i++)
        s->v0[i] *= c->range.speed[i];
    if (status == OK && s->m != s->n - s->r)
        status = error_set(err, ERR_NUMERIC, "the constraints lose rank");
    return status;
}

static void choose_velocities(Sampler *s)
{
    Random random;

    random_init(&random, 14);
    for (size_t k = 0; k < s->count; k++) {
        double *v = s->v + k * s->n;
        memcpy(v, s->v0, s->n * sizeof *v);
        for (size_t j = 0; j < s->m; j++) {
            const double u = random_normal(&random);
            for (size_t i = 0; i < s->n; i++)
                v[i] += u * s->context->range.speed[i] * s->N[i * s->n + j];
        }
    }
}

/* The matrix of [ M -A^T; A 0 ] at the point. */
static void fill_matrix(Sampler *s, const ModelPoint *p)
{
    const size_t n = s->n, size = n + s->r;

    memset(s->matrix, 0, size * size * sizeof *s->matrix);
    for (size_t i = 0; i < n; i++) {
        memcpy(s->matrix + i * size, p->M + i * n, n * sizeof *s->matrix);
        for (size_t k = 0; k < s->r; k++) {
            s->matrix[i * size + n + k] = -s->A[k * n + i];
            s->matrix[(n + k) * size + i] = s->A[k * n + i];
        }
    }
}

/* The right-hand side at sample k, one of `columns` side by side, and the size of the acting
 * forces. Forces that would change the motion within its own time count as well. */
static void fill_rhs(Sampler *s, const ModelPoint *p, size_t k, size_t column, size_t columns)
{
    for (size_t i = 0; i < s->n; i++) {
        double force = fabs(p->F[i]) + fabs(p->l[i]);
        for (size_t j = 0; j < s->n; j++)
            force += s->frequency * fabs(p->M[i * s->n + j] * s->v[k * s->n + j]);
        s->rhs[i * columns + column] = p->F[i] - p->l[i];
        s->size = fmax(s->size, force / s->weight[i]);
    }
    for (size_t a = 0; a < s->r; a++)
        s->rhs[(s->n + a) * columns + column] = -p->psi[s->context->rows[a]];
}

/* R = A^T lambda of sample k; M vdot counts as an acting force. */
static void take_reaction(Sampler *s, const double *M, size_t k, size_t column, size_t columns)
{
    const size_t n = s->n;
    double *R = s->R + k * n;

    for (size_t i = 0; i < n; i++) {
        double inertia = 0;
        R[i] = 0;
        for (size_t j = 0; j < n; j++)
            inertia += fabs(M[i * n + j] * s->rhs[j * columns + column]);
        for (size_t a = 0; a < s->r; a++)
            R[i] += s->A[a * n + i] * s->rhs[(n + a) * columns + column];
        R[i] /= s->weight[i];
        s->size = fmax(s->size, inertia / s->weight[i]);
    }
}

/* The reactions of all samples; this many of them share a matrix. */
static Status react(Sampler *s, size_t together, Error *err)
{
    Status status = OK;

    for (size_t first = 0; status == OK && first < s->count; first += together) {
        ModelPoint p = {0};
        for (size_t k = 0; k < together; k++) {
            p = model_point(s->context->eval, s->t, s->q, s->v + (first + k) * s->n);
            fill_rhs(s, &p, first + k, k, together);
        }
        fill_matrix(s, &p);
        status = dense_solve(s->matrix, s->n + s->r, s->rhs, together, err);
        for (size_t k = 0; status == OK && k < together; k++)
            take_reaction(s, p.M, first + k, k, together);
    }
    return status;
}

/* Makes the stacked reactions relative: 1 is as large as the acting forces. */
static Status scale(Sampler *s, Error *err)
{
    double unit = s->size * sqrt((double)s->count);

    for (size_t i = 0; i < s->count * s->n; i++) {
        if (unit > 0)
            s->R[i] /= unit;
        if (!isfinite(s->R[i]))
            return error_set(err, ERR_NUMERIC, "a reaction force is not finite");
    }
    return OK;
}

static Status find_rank(const Sampler *s, Annihilator *ret, Error *err)
{
    size_t acting = 0;

    ret->n_singular = s->count < s->n ? s->count : s->n;
    ret->singular = arena_doubles(s->context->scratch, ret->n_singular);
    if (!ret->singular)
        return arena_status(s->context->scratch, err);
    Status status = dense_singular_values(s->R, s->count, s->n, ret->singular, err);
    if (status != OK)
        return status;
    /* the cut between zero and not zero; singular values near it leave the rank undecided */
    ret->decided = true;
    for (size_t i = 0; i < ret->n_singular; i++) {
        acting += ret->singular[i] > sqrt(VERDICT_HOLDS * VERDICT_FAILS);
        ret->decided =
            ret->decided && !(ret->singular[i] > VERDICT_HOLDS && ret->singular[i] < VERDICT_FAILS);
    }
    ret->rank = s->n - acting;
    return OK;
}

/* The largest entry of rows from..m; false: none exceeds `least`. */
static bool find_pivot(const double *rows, size_t m, size_t n, size_t from, double least,
                       size_t *ret_row, size_t *ret_column)
{
    double best = least;

    for (size_t j = 0; j < n; j++)
        for (size_t i = from; i < m; i++)
            if (fabs(rows[i * n + j]) > best) {
                best = fabs(rows[i * n + j]);
                *ret_row = i;
                *ret_column = j;
            }
    return best > least;
}

/* Makes entry (row, column) the pivot of row `rank`. */
static void pivot(double *rows, size_t m, size_t n, size_t rank, size_t row, size_t column,
                  double least)
{
    const double value = rows[row * n + column];

    for (size_t j = 0; j < n; j++) {
        double taken = rows[row * n + j];
        rows[row * n + j] = rows[rank * n + j];
        rows[rank * n + j] = taken / value;
    }
    for (size_t i = 0; i < m; i++) {
        const double factor = rows[i * n + column];
        if (i == rank || factor == 0)
            continue;
        for (size_t j = 0; j < n; j++)
            rows[i * n + j] -= factor * rows[rank * n + j];
        rows[i * n + column] = 0;
    }
    /* entries that are rounding become 0 */
    rows[rank * n + column] = 1;
    for (size_t i = 0; i < m * n; i++)
        if (fabs(rows[i]) <= least)
            rows[i] = 0;
}

/* Reduces rows[m][n] in place to echelon form: each of the first ret rows has 1 in its pivot
 * column, in which the others have 0; the rest is 0. Entries below tolerance times the largest
 * count as 0. ret_pivots: at most min(m, n). */
static size_t reduce_echelon(double *rows, size_t m, size_t n, double tolerance, size_t *ret_pivots)
{
    const double least = tolerance * vector_largest(rows, m * n);
    size_t rank = 0, row = 0, column = 0;

    while (rank < m && rank < n && find_pivot(rows, m, n, rank, least, &row, &column)) {
        pivot(rows, m, n, rank, row, column, least);
        ret_pivots[rank++] = column;
    }
    for (size_t i = rank * n; i < m * n; i++)
        rows[i] = 0;
    return rank;
}

static Status find_basis(const Sampler *s, Annihilator *ret, Error *err)
{
    const size_t n = s->n;
    size_t dim = 0;
    const bool some = ret->rank < n;
    ret->basis = arena_doubles(s->context->scratch, n * n);
    if (!ret->basis)
        return arena_status(s->context->scratch, err);
    /* the null space of the stacked reactions, below the cut of find_rank() */
    double cut = some ? sqrt(VERDICT_HOLDS * VERDICT_FAILS) / ret->singular[0] : 0;
    Status status = dense_null_space(s->R, some ? s->count : 0, n, cut, s->space, &dim, err);
    if (status == OK) {
        for (size_t j = 0; j < dim; j++)
            for (size_t i = 0; i < n; i++)
                ret->basis[j * n + i] = s->space[i * n + j];
        ret->rank = reduce_echelon(ret->basis, dim, n, ACCURACY_COMPUTED, s->pivots);
        /* back from R_i / weight to R_i: Z_i = z_i / weight, again with 1 at the pivot */
        for (size_t j = 0; j < ret->rank; j++)
            for (size_t i = 0; i < n; i++)
                ret->basis[j * n + i] *= s->weight[s->pivots[j]] / s->weight[i];
    }
    return status;
}

Status annihilator_init(Annihilator *ret, const AnalysisContext *context, double t, const double *q,
                        Error *err)
{
    Sampler s = {.context = context,
                 .t = t,
                 .q = q,
                 .frequency = analysis_frequency(context),
                 .n = context->model->n,
                 .r = context->n_rows};
    const Model *m = context->model;
    /* if L_vv has no velocities one factorization serves all samples */
    const bool one_by_one = analysis_has_velocities(m, m->pool, m->M, m->n * m->n);

    *ret = (Annihilator){0};
    Status status = allocate(&s, err);
    if (status == OK)
        status = look(&s, err);
    if (status == OK) {
        choose_velocities(&s);
        status = react(&s, one_by_one ? 1 : s.count, err);
    }
    if (status == OK)
        status = scale(&s, err);
    if (status == OK)
        status = find_rank(&s, ret, err);
    if (status == OK)
        status = find_basis(&s, ret, err);
    arena_done(&s.scratch);
    return status;
}
