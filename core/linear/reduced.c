/* The tangent space by independent positions and velocities: the differentials of the constraints,
 * f_q dq = 0 and phi_q dq + phi_v dv = 0, are solved for the dependent ones. */
#include "core/linear/reduced.h"

#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/motion/choice.h"
#include "core/numeric/dense.h"

/* The constraints' differentials at the state: rows[n_f + n_rows][2 n], those of f first. */
typedef struct Differentials {
    size_t n, n_f, n_rows;
    double *rows;
} Differentials;

static Status take_differentials(const MotionQuestion *at, TangentSpace *space, Arena *arena,
                                 Differentials *ret, Error *err)
{
    const size_t n = at->model->n, dim = 2 * n, n_rows = at->options->n_rows;
    const size_t n_roots = dim - tangent_space_dimension(space);
    double *unit = arena_doubles(arena, dim * dim);

    *ret = (Differentials){.n = n, .n_f = n_roots - n_rows, .n_rows = n_rows};
    ret->rows = arena_doubles(arena, n_roots * dim);
    Status status = arena_status(arena, err);
    if (status != OK)
        return status;
    for (size_t i = 0; i < dim; i++)
        unit[i * dim + i] = 1;
    return tangent_space_along(space, (TangentState){at->t, at->q, at->v}, unit, dim, ret->rows,
                               err);
}

/* Chooses, as indices into dependent[n_rows], the coordinates that f determines: ret[n_f]. */
static Status choose_positions(const Differentials *d, const size_t *dependent, Arena *scratch,
                               size_t *ret, Error *err)
{
    double *columns = arena_doubles(scratch, d->n_rows * d->n_f);
    size_t rank = 0;
    Status status = arena_status(scratch, err);

    if (status != OK || d->n_f == 0)
        return status;
    for (size_t k = 0; k < d->n_rows; k++)
        for (size_t a = 0; a < d->n_f; a++)
            columns[k * d->n_f + a] = d->rows[a * 2 * d->n + dependent[k]];
    status = dense_independent_rows(columns, d->n_rows, d->n_f, ACCURACY_SOLVED, ret, &rank, err);
    if (status == OK && rank < d->n_f)
        status = error_set(err, ERR_NUMERIC, "the constraints lose rank at this state");
    return status;
}

/* The n numbers without taken[n_taken], ascending. */
static size_t complement(size_t n, const size_t *taken, size_t n_taken, size_t *ret)
{
    size_t count = 0, k = 0;

    for (size_t i = 0; i < n; i++) {
        if (k < n_taken && taken[k] == i)
            k++;
        else
            ret[count++] = i;
    }
    return count;
}

/* Solves rows[m][2 n] (dq, dv) = 0 for the m rows `unknown` of T, whose entries are 0 on entry. */
static Status solve_rows(const double *rows, size_t m, const size_t *unknown, const Reduced *r,
                         Arena *scratch, Error *err)
{
    const size_t dim = 2 * r->n, d = r->n_s + r->n_u;
    double *matrix = arena_doubles(scratch, m * m), *rhs = arena_doubles(scratch, m * d);
    Status status = arena_status(scratch, err);

    if (status != OK || m == 0)
        return status;
    /* the matrix of the unknown rows, and minus the product with the known ones */
    for (size_t a = 0; a < m; a++) {
        for (size_t k = 0; k < m; k++)
            matrix[a * m + k] = rows[a * dim + unknown[k]];
        for (size_t i = 0; i < dim; i++)
            for (size_t j = 0; rows[a * dim + i] != 0 && j < d; j++)
                rhs[a * d + j] -= rows[a * dim + i] * r->T[i * d + j];
    }
    status = dense_solve(matrix, m, rhs, d, err);
    for (size_t k = 0; status == OK && k < m; k++)
        memcpy(r->T + unknown[k] * d, rhs + k * d, d * sizeof *rhs);
    return status;
}

/* T for the chosen coordinates. Positions come first because velocities depend on them. */
static Status fill_tangents(const Differentials *diff, const size_t *positions,
                            const size_t *dependent, Arena *scratch, Reduced *r, Error *err)
{
    const size_t n = r->n, d = r->n_s + r->n_u;
    size_t *unknown = arena_sizes(scratch, diff->n_rows);
    Status status = arena_status(scratch, err);

    if (status != OK)
        return status;
    /* independent coordinates are unit vectors */
    for (size_t k = 0; k < r->n_s; k++)
        r->T[r->positions[k] * d + k] = 1;
    for (size_t k = 0; k < r->n_u; k++)
        r->T[(n + r->velocities[k]) * d + r->n_s + k] = 1;
    /* solve f for dependent positions, then phi for dependent velocities */
    status = solve_rows(diff->rows, diff->n_f, positions, r, scratch, err);
    for (size_t k = 0; k < diff->n_rows; k++)
        unknown[k] = n + dependent[k];
    if (status == OK)
        status = solve_rows(diff->rows + diff->n_f * 2 * n, diff->n_rows, unknown, r, scratch, err);
    return status;
}

Status reduced_coordinates(const MotionQuestion *at, TangentSpace *space, Arena *arena,
                           Reduced *ret, Error *err)
{
    const size_t n = at->model->n, n_rows = at->options->n_rows;
    Arena scratch = {0};
    size_t *dependent = arena_sizes(&scratch, n_rows), *positions = arena_sizes(&scratch, n_rows);
    Differentials diff = {0};
    Reduced r = {.n = n, .positions = arena_sizes(arena, n), .velocities = arena_sizes(arena, n)};
    Status status = arena_status(&scratch, err);

    if (status == OK)
        status = arena_status(arena, err);
    if (status == OK && n_rows)
        status = motion_choose_dependent(at, dependent, err);
    if (status == OK)
        status = take_differentials(at, space, &scratch, &diff, err);
    if (status == OK)
        status = choose_positions(&diff, dependent, &scratch, positions, err);
    if (status == OK) {
        /* holonomic constraints fix positions, all of them velocities: the others are free */
        for (size_t k = 0; k < diff.n_f; k++)
            positions[k] = dependent[positions[k]];
        r.n_s = complement(n, positions, diff.n_f, r.positions);
        r.n_u = complement(n, dependent, n_rows, r.velocities);
        r.T = arena_doubles(arena, 2 * n * (r.n_s + r.n_u));
        status = arena_status(arena, err);
    }
    if (status == OK)
        status = fill_tangents(&diff, positions, dependent, &scratch, &r, err);
    arena_done(&scratch);
    if (status == OK)
        *ret = r;
    return status;
}

void reduced_matrix(const Reduced *r, const double *B, bool sizes, double *ret)
{
    const size_t dim = 2 * r->n, d = r->n_s + r->n_u;

    for (size_t i = 0; i < d; i++) {
        const double *row =
            B + dim * (i < r->n_s ? r->positions[i] : r->n + r->velocities[i - r->n_s]);
        for (size_t j = 0; j < d; j++) {
            double sum = 0;
            for (size_t k = 0; k < dim; k++) {
                const double term = row[k] * r->T[k * d + j];
                sum += sizes ? fabs(term) : term;
            }
            ret[i * d + j] = sum;
        }
    }
}

void reduced_mass(const Reduced *r, const double *M, double *ret)
{
    const size_t n = r->n, d = r->n_s + r->n_u;
    const double *N = r->T + n * d + r->n_s; /* N[i][k] at N[i * d + k] */

    for (size_t a = 0; a < r->n_u; a++)
        for (size_t b = 0; b < r->n_u; b++) {
            double sum = 0;
            for (size_t i = 0; i < n; i++)
                for (size_t j = 0; N[i * d + a] != 0 && j < n; j++)
                    sum += N[i * d + a] * M[i * n + j] * N[j * d + b];
            ret[a * r->n_u + b] = sum;
        }
}
