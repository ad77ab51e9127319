/* Tangent fields by vector products.
 *
 * Constraints with a numeric coefficient are solved for that velocity first. The remaining rows
 * fall into groups that share no coordinate. If a group of k rows couples k + 1 coordinates, its
 * one tangent direction is the vector product of the rows, which vanishes only if they are
 * dependent. A blade, dot(x) sin(phi) = dot(y) cos(phi), gets (cos(phi), sin(phi)). */
#include <stdint.h>
#include <string.h>

#include "core/motion/algebra/invert.h"
#include "core/motion/hamel/frame.h"

enum { ROWS_MAX = 3 }; /* most rows of a group */

typedef struct Products {
    Frame *f;
    Expr *work;    /* r x n: S after numeric pivots */
    size_t *pivot; /* r */
    size_t *group; /* r: for rows without a pivot, the index of the first row of their group */
    bool *is_pivot;
} Products;

static bool has(const Products *p, size_t row, size_t column)
{
    return !expr_is_zero(p->f->pool, p->work[row * p->f->n + column]);
}

static bool share_column(const Products *p, size_t a, size_t b)
{
    for (size_t j = 0; j < p->f->n; j++)
        if (has(p, a, j) && has(p, b, j))
            return true;
    return false;
}

static void find_groups(Products *p)
{
    const size_t r = p->f->r;

    for (size_t a = 0; a < r; a++)
        p->group[a] = a;
    for (size_t a = 0; a < r; a++)
        for (size_t b = 0; b < a; b++) {
            if (p->pivot[a] != SIZE_MAX || p->pivot[b] != SIZE_MAX || !share_column(p, a, b))
                continue;
            const size_t low = p->group[a] < p->group[b] ? p->group[a] : p->group[b];
            const size_t high = p->group[a] + p->group[b] - low;
            for (size_t c = 0; c < r; c++)
                if (p->group[c] == high)
                    p->group[c] = low;
        }
}

/* Rows and columns of the group. False: more than ROWS_MAX rows, or than one freedom. */
static bool list_group(const Products *p, size_t group, size_t *rows, size_t *ret_k,
                       size_t *columns)
{
    size_t k = 0, n_columns = 0;

    /* rows solved for one velocity belong to no group */
    for (size_t a = 0; a < p->f->r; a++) {
        if (p->pivot[a] != SIZE_MAX || p->group[a] != group)
            continue;
        if (k == ROWS_MAX)
            return false;
        rows[k++] = a;
    }
    for (size_t j = 0; j < p->f->n; j++) {
        bool used = false;
        for (size_t i = 0; i < k; i++)
            used = used || has(p, rows[i], j);
        if (!used)
            continue;
        if (n_columns == k + 1)
            return false;
        columns[n_columns++] = j;
    }
    *ret_k = k;
    return n_columns == k + 1;
}

/* Whether the expression has a minus sign in front. */
static bool is_negated(const ExprPool *pool, Expr e)
{
    double value;
    if (expr_is_const(pool, e, &value))
        return value < 0;
    ExprNode node = expr_node(pool, e);
    return node.op == EXPR_SUM && node.n == 1 && node.value == 0 && node.coefs[0] < 0;
}

static bool is_taken(const Frame *f, size_t n_fields, const char *name)
{
    for (size_t k = 0; k < n_fields; k++)
        if (strcmp(f->names[k], name) == 0)
            return true;
    return false;
}

/* Makes a name unique, because joined names may equal another one; NULL if out of memory. */
static const char *unique_name(Frame *f, size_t field, const char *name)
{
    while (name && is_taken(f, field, name))
        name = arena_printf(f->names_arena, "%s_", name);
    return name;
}

/* The vector product of k rows in the k + 1 columns, as field number `field`. If a component is a
 * number, it is scaled to 1 and gives the name; otherwise all coordinates together do. */
static void multiply_rows(Products *p, const size_t *rows, size_t k, const size_t *columns,
                          size_t field)
{
    Frame *f = p->f;
    Expr minor[ROWS_MAX * ROWS_MAX], product[ROWS_MAX + 1];
    double scale = 0;
    const char *name = NULL;

    /* component j: the determinant without column j, signs alternating */
    for (size_t j = 0; j <= k; j++) {
        for (size_t a = 0; a < k; a++)
            for (size_t c = 0; c < k; c++)
                minor[a * k + c] = p->work[rows[a] * f->n + columns[c < j ? c : c + 1]];
        product[j] = small_determinant(f->pool, k, minor, k);
        if (j % 2)
            product[j] = expr_neg(f->pool, product[j]);
        double value;
        if (scale == 0 && expr_is_const(f->pool, product[j], &value) && value != 0) {
            scale = 1 / value;
            name = f->model->names.coordinates[columns[j]];
        }
    }
    for (size_t j = 0; j <= k && scale == 0; j++) {
        const char *coordinate = f->model->names.coordinates[columns[j]];
        name = name ? arena_printf(f->names_arena, "%s_%s", name, coordinate) : coordinate;
    }
    if (scale == 0)
        scale = is_negated(f->pool, product[0]) ? -1 : 1;
    for (size_t j = 0; j <= k; j++)
        f->X[field * f->n + columns[j]] = expr_scale(f->pool, scale, product[j]);
    f->names[field] = name;
}

/* Fills in the velocities with a numeric pivot, from the others. */
static void fill_pivots(Products *p)
{
    Frame *f = p->f;
    const size_t n = f->n;

    for (size_t field = 0; field < f->m; field++)
        for (size_t a = 0; a < f->r; a++) {
            if (p->pivot[a] == SIZE_MAX)
                continue;
            Expr sum = expr_const(f->pool, 0);
            for (size_t j = 0; j < n; j++)
                if (j != p->pivot[a])
                    sum = expr_sub(f->pool, sum,
                                   expr_mul(f->pool, p->work[a * n + j], f->X[field * n + j]));
            f->X[field * n + p->pivot[a]] = sum;
        }
}

static bool build_products(Products *p)
{
    Frame *f = p->f;
    const size_t n = f->n;
    size_t field = 0, rows[ROWS_MAX], columns[ROWS_MAX + 1], k;

    for (size_t i = 0; i < f->m * n; i++)
        f->X[i] = expr_const(f->pool, 0);
    /* one field for each group */
    find_groups(p);
    for (size_t group = 0; group < f->r; group++) {
        if (p->pivot[group] != SIZE_MAX || p->group[group] != group)
            continue;
        if (!list_group(p, group, rows, &k, columns))
            return false;
        multiply_rows(p, rows, k, columns, field++);
    }
    /* one for each coordinate that no constraint couples */
    for (size_t j = 0; j < n; j++) {
        bool coupled = p->is_pivot[j];
        for (size_t a = 0; a < f->r; a++)
            coupled = coupled || (p->pivot[a] == SIZE_MAX && has(p, a, j));
        if (coupled)
            continue;
        f->X[field * n + j] = expr_const(f->pool, 1);
        f->names[field++] = f->model->names.coordinates[j];
    }
    for (size_t i = 0; i < field && !arena_failed(f->names_arena); i++)
        f->names[i] = unique_name(f, i, f->names[i]);
    fill_pivots(p);
    return !arena_failed(f->names_arena);
}

bool frame_products(Frame *f)
{
    const size_t n = f->n, r = f->r;
    Products p = {.f = f};
    bool *preferred = ARENA_NEW(&f->arena, n, bool);

    p.work = ARENA_NEW(&f->arena, r * n, Expr);
    p.pivot = arena_sizes(&f->arena, r);
    p.group = arena_sizes(&f->arena, r);
    p.is_pivot = ARENA_NEW(&f->arena, n, bool);
    if (arena_failed(&f->arena) || r == 0)
        return false;
    /* numeric pivots, dependent velocities first */
    memcpy(p.work, f->S, r * n * sizeof *p.work);
    for (size_t k = 0; k < r; k++)
        preferred[f->dependent[k]] = true;
    eliminate_numeric(f->pool, p.work, r, n, n, preferred, p.pivot);
    for (size_t a = 0; a < r; a++)
        if (p.pivot[a] != SIZE_MAX)
            p.is_pivot[p.pivot[a]] = true;
    return build_products(&p);
}
