/* Eigenvalues of M on the kernel of the constraints. */
#include "core/model/regularity.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/model/evaluate.h"
#include "core/model/rank.h"
#include "core/model/watch_limits.h"
#include "core/numeric/definite.h"
#include "core/numeric/dense.h"

/* Work space; matrices are row-major with the leading dimension given. */
typedef struct Restriction {
    Arena *scratch;
    size_t n, n_rows, dim;
    double *unit;   /* n: the unit of each coordinate */
    double *N;      /* n x n: a basis of the kernel in the first dim columns */
    double *M;      /* n x n, in these units; then M N */
    double *MN;     /* dim x dim: N^T M N */
    double size;    /* the largest row sum of |N|^T |M| |N|: a bound of the eigenvalues of N^T M N,
                     whose rounding is some units in its last place */
    double *values; /* n */
} Restriction;

static Restriction restriction(Arena *scratch, size_t n, size_t n_rows)
{
    return (Restriction){
        .scratch = scratch,
        .n = n,
        .n_rows = n_rows,
        .unit = arena_doubles(scratch, n),
        .N = arena_doubles(scratch, n * n),
        .M = arena_doubles(scratch, n * n),
        .MN = arena_doubles(scratch, n * n),
        .values = arena_doubles(scratch, n),
    };
}

/* A basis of the kernel: the rows, completed to a basis of the whole space by unit vectors; the
 * added vectors span the kernel. */
static Status kernel(Restriction *w, const double *A, const size_t *rows, Error *err)
{
    const size_t n = w->n;
    RowBasis b = row_basis(w->scratch, n, w->n_rows + n);
    Status status = arena_status(w->scratch, err);

    if (status != OK)
        return status;
    for (size_t k = 0; k < w->n_rows; k++) {
        double *row = row_basis_add(&b), norm = 0;
        for (size_t i = 0; i < n; i++)
            norm = hypot(norm, row[i] = A[rows[k] * n + i] * w->unit[i]);
        for (size_t i = 0; i < n; i++)
            row[i] /= norm > 0 ? norm : 1;
    }
    for (size_t i = 0; i < n; i++) {
        double *row = row_basis_add(&b);
        row[i] = 1;
    }
    /* first the rows, then unit vectors until the basis spans the whole space */
    row_basis_choose(&b, w->n_rows, w->n_rows);
    const size_t rank = b.n_chosen;
    row_basis_choose(&b, b.n_rows, n);
    w->dim = b.n_chosen - rank;
    for (size_t a = 0; a < w->dim; a++)
        for (size_t i = 0; i < n; i++)
            w->N[i * n + a] = b.basis[(rank + a) * n + i];
    return OK;
}

/* The largest row sum of |N|^T |M| |N|, into w->size. */
static void measure_terms(Restriction *w)
{
    const size_t n = w->n, dim = w->dim;

    for (size_t i = 0; i < n; i++) { /* |M| |N| times a vector of ones */
        w->values[i] = 0;
        for (size_t j = 0; j < n; j++)
            for (size_t b = 0; b < dim; b++)
                w->values[i] += fabs(w->M[i * n + j] * w->N[j * n + b]);
    }
    w->size = 0;
    for (size_t a = 0; a < dim; a++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += fabs(w->N[i * n + a]) * w->values[i];
        w->size = fmax(w->size, sum);
    }
}

/* N^T M N */
static void restrict_mass(Restriction *w, const double *M)
{
    const size_t n = w->n, dim = w->dim;

    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            w->M[i * n + j] = M[i * n + j] * w->unit[i] * w->unit[j];
    measure_terms(w);
    for (size_t i = 0; i < n; i++) { /* M N in place: a row at a time */
        memset(w->values, 0, dim * sizeof *w->values);
        for (size_t j = 0; j < n; j++)
            for (size_t b = 0; b < dim; b++)
                w->values[b] += w->M[i * n + j] * w->N[j * n + b];
        memcpy(w->M + i * n, w->values, dim * sizeof *w->values);
    }
    memset(w->MN, 0, dim * dim * sizeof *w->MN);
    for (size_t i = 0; i < n; i++)
        for (size_t a = 0; a < dim; a++)
            for (size_t b = a; b < dim; b++)
                w->MN[a * dim + b] += w->N[i * n + a] * w->M[i * n + b];
    for (size_t a = 0; a < dim; a++)
        for (size_t b = 0; b < a; b++)
            w->MN[a * dim + b] = w->MN[b * dim + a];
}

typedef struct Spectrum {
    double lowest;            /* with its sign */
    double smallest, largest; /* absolute */
} Spectrum;

static Status spectrum(Restriction *w, const double *M, const double *A, const size_t *rows,
                       Spectrum *ret, Error *err)
{
    Status status = OK;

    *ret = (Spectrum){1, 1, 1};
    /* without rows the kernel is the whole space */
    if (w->n_rows > 0)
        status = kernel(w, A, rows, err);
    else
        w->dim = w->n;
    for (size_t i = 0; w->n_rows == 0 && i < w->n; i++)
        w->N[i * w->n + i] = 1;
    if (status != OK || w->dim == 0)
        return status;
    restrict_mass(w, M);
    status = dense_symmetric_eigenvalues(w->MN, w->dim, w->values, err);
    if (status != OK)
        return status;
    *ret = (Spectrum){w->values[0], INFINITY, 0};
    for (size_t k = 0; k < w->dim; k++) {
        ret->smallest = fmin(ret->smallest, fabs(w->values[k]));
        ret->largest = fmax(ret->largest, fabs(w->values[k]));
    }
    return OK;
}

/* A kernel vector of N^T M N, as a vector of the coordinates in their units. tolerance: relative to
 * the largest eigenvalue. */
static Status degenerate_direction(Restriction *w, double tolerance, double *ret, Error *err)
{
    const size_t n = w->n, dim = w->dim;
    double *basis = arena_doubles(w->scratch, dim * dim);
    size_t found = 0;
    Status status = arena_status(w->scratch, err);

    if (status == OK)
        status = dense_null_space(w->MN, dim, dim, tolerance, basis, &found, err);
    for (size_t i = 0; status == OK && i < n; i++) {
        ret[i] = 0;
        for (size_t a = 0; a < dim && found > 0; a++)
            ret[i] += w->N[i * n + a] * basis[a * dim];
    }
    return status;
}

/* The unit of a coordinate without inertia of its own: the one in which a constraint moves it by as
 * much as another coordinate; 0 if no constraint does. */
static double borrow_unit(const Restriction *w, const double *A, const size_t *rows, size_t i)
{
    double least = 0;

    for (size_t k = 0; k < w->n_rows; k++) {
        const double *row = A + rows[k] * w->n;
        double reach = 0;
        for (size_t j = 0; j < w->n && row[i] != 0; j++)
            reach = fmax(reach, fabs(row[j]) * w->unit[j]);
        reach = reach > 0 ? reach / fabs(row[i]) : 0;
        least = least == 0 || (reach > 0 && reach < least) ? reach : least;
    }
    return isfinite(least) ? least : 0;
}

/* The unit of each coordinate in which M_ii is 1. An M_ii that is rounding is not enlarged. */
static void choose_units(Restriction *w, const double *M, const double *rounding, const double *A,
                         const size_t *rows)
{
    double largest = 0;

    for (size_t i = 0; i < w->n; i++) {
        const double size = fabs(M[i * w->n + i]);
        largest = fmax(largest, size);
        w->unit[i] = size > ROUNDING_MANY * rounding[i] ? 1 / sqrt(size) : 0;
    }
    for (size_t pass = 0; pass < w->n; pass++)
        for (size_t i = 0; i < w->n; i++)
            if (w->unit[i] == 0 && rounding[i] == 0)
                w->unit[i] = borrow_unit(w, A, rows, i);
    for (size_t i = 0; i < w->n; i++)
        if (w->unit[i] == 0)
            w->unit[i] = largest > 0 ? 1 / sqrt(largest) : 1;
}

/* Whether M is positive definite by a wide margin, and therefore on every kernel: eigenvalues of
 * N^T M N are between those of M (Cauchy's interlacing theorem). */
static bool is_clearly_positive(size_t n, const double *M, const double *rounding)
{
    for (size_t i = 0; i < n; i++)
        if (!(M[i * n + i] > ROUNDING_MANY * rounding[i]))
            return false;
    return definite_clearly(n, M);
}

bool mass_divides(size_t n, const double *M, const double *A, const size_t *rows, size_t n_rows)
{
    double gram[DEFINITE_MOST * DEFINITE_MOST];

    if (n_rows > DEFINITE_MOST)
        return false;
    for (size_t k = 0; k < n_rows; k++)
        for (size_t l = 0; l <= k; l++) {
            const double *a = A + rows[k] * n, *b = A + rows[l] * n;
            double sum = 0;
            for (size_t i = 0; i < n; i++)
                sum += a[i] * b[i] / M[i * n + i];
            gram[k * n_rows + l] = gram[l * n_rows + k] = sum;
        }
    return definite_with_pivots(n_rows, gram, RECOVERED_PIVOT_RATIO);
}

Status regularity_of(const RegularityMatrices *matrices, const size_t *rows, size_t n_rows,
                     Regularity *ret, Error *err)
{
    const size_t n = matrices->n;
    const double *M = matrices->M, *M_rounding = matrices->M_rounding, *A = matrices->A;
    const double tolerance = (double)n * DBL_EPSILON * 1e3;

    /* the cheap test is enough for most mass matrices */
    if (is_clearly_positive(n, M, M_rounding)) {
        ret->regular = ret->positive = true;
        return OK;
    }
    Arena scratch = {0};
    Restriction w = restriction(&scratch, n, n_rows);
    Spectrum found;
    Status status = arena_status(&scratch, err);

    if (status == OK) {
        choose_units(&w, M, M_rounding, A, rows);
        status = spectrum(&w, M, A, rows, &found, err);
    }
    if (status == OK) {
        const double rounding = tolerance * w.size;
        ret->regular = found.smallest > rounding;
        ret->positive = ret->regular && found.lowest > 0;
        ret->cancels = w.size > 0 && found.largest <= rounding;
        if (!ret->regular && ret->direction)
            status = degenerate_direction(&w, rounding / found.largest, ret->direction, err);
    }
    arena_done(&scratch);
    return status;
}

Status mass_condition(size_t n, const double *M, const double *A, const size_t *rows, size_t n_rows,
                      double *ret, Error *err)
{
    Arena scratch = {0};
    Restriction w = restriction(&scratch, n, n_rows);
    Spectrum found;
    Status status = arena_status(&scratch, err);

    for (size_t i = 0; i < n && status == OK; i++)
        w.unit[i] = 1;
    if (status == OK)
        status = spectrum(&w, M, A, rows, &found, err);
    if (status == OK)
        *ret = found.largest / found.smallest;
    arena_done(&scratch);
    return status;
}

Status model_positive(const ModelEval *eval, const ModelPoint *point, const size_t *rows,
                      size_t n_rows, bool *ret_positive, Error *err)
{
    Regularity found = {0};
    Status status =
        regularity_of(&(RegularityMatrices){eval->model->n, point->M, point->M_rounding, point->A},
                      rows, n_rows, &found, err);

    *ret_positive = status == OK && found.positive;
    return status;
}
