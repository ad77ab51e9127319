/* Kinds of coordinates, from the dimensions of quantities that are added. */
#include "core/model/kinds.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/base/arena.h"
#include "core/numeric/dense.h"

/* Numbers with a larger numerator or denominator may carry a unit. */
enum { PURE_NUMBER_MAX = 12 };
/* Most base units of one dimension; most unknowns; most nodes of the pool. */
enum { MOST_UNITS = 6, MOST_UNKNOWNS = 400, MOST_NODES = 100000 };

/* Product of powers of the units of some unknowns; any: the dimension is unknown. */
typedef struct UnitProduct {
    bool any;
    uint8_t n;
    uint16_t unknown[MOST_UNITS];
    float exponent[MOST_UNITS];
} UnitProduct;

typedef struct Kinds {
    const Model *model;
    Arena *scratch;
    size_t n_unknowns; /* t, q, parameters */
    UnitProduct *of;   /* by id - 1 */
    double **pivots;   /* by unknown: the equation that eliminates it, 1 there; NULL: none */
    double *row;       /* n_unknowns */
} Kinds;

static const UnitProduct ANY = {.any = true}, NONE = {0};

static UnitProduct unit_of_unknown(size_t unknown)
{
    return (UnitProduct){.n = 1, .unknown = {(uint16_t)unknown}, .exponent = {1}};
}

/* a b^exponent */
static UnitProduct dimension_times(UnitProduct a, const UnitProduct *b, double exponent)
{
    if (a.any || b->any)
        return ANY;
    for (size_t k = 0; k < b->n; k++) {
        size_t i = 0;
        while (i < a.n && a.unknown[i] != b->unknown[k])
            i++;
        if (i == MOST_UNITS)
            return ANY;
        if (i == a.n) {
            a.unknown[a.n] = b->unknown[k];
            a.exponent[a.n++] = 0;
        }
        a.exponent[i] += (float)exponent * b->exponent[k];
    }
    return a;
}

/* Zero is not a pure number, because it may have any dimension; nor is 1e-12, the square of a small
 * length. */
static bool is_pure(double value)
{
    for (int denominator = 1; denominator <= PURE_NUMBER_MAX; denominator++) {
        const double numerator = fabs(value) * denominator, whole = round(numerator);
        if (whole >= 1 && whole <= PURE_NUMBER_MAX && fabs(numerator - whole) < ACCURACY_COMPARED)
            return true;
    }
    return false;
}

/* Reduces the exponents in k->row by the known equations. Returns the first unknown that is left,
 * or n_unknowns if all exponents vanish. */
static size_t kinds_reduce(Kinds *k)
{
    size_t left = k->n_unknowns;

    for (size_t c = 0; c < k->n_unknowns; c++) {
        const double factor = k->row[c], *equation = k->pivots[c];
        /* true exponents are sums of small fractions; a smaller one is rounding */
        if (fabs(factor) < ACCURACY_COMPARED)
            continue;
        if (!equation && left == k->n_unknowns)
            left = c;
        for (size_t l = c; equation && l < k->n_unknowns; l++)
            k->row[l] -= factor * equation[l];
    }
    return left;
}

/* Makes k->row the exponents of one unknown. */
static void kinds_take_unknown(Kinds *k, size_t unknown)
{
    memset(k->row, 0, k->n_unknowns * sizeof *k->row);
    k->row[unknown] = 1;
}

/* Adds the equation that a dimension is that of a number, reduced by the known equations. */
static void kinds_require(Kinds *k, const UnitProduct *d)
{
    if (d->any)
        return;
    memset(k->row, 0, k->n_unknowns * sizeof *k->row);
    for (size_t i = 0; i < d->n; i++)
        k->row[d->unknown[i]] += (double)d->exponent[i];
    const size_t pivot = kinds_reduce(k);
    if (pivot == k->n_unknowns)
        return;
    double *equation = arena_doubles(k->scratch, k->n_unknowns);
    for (size_t j = pivot; equation && j < k->n_unknowns; j++)
        equation[j] = k->row[j] / k->row[pivot];
    k->pivots[pivot] = equation;
}

/* Equates the dimensions of a and b. Returns one that is known, if any is. */
static UnitProduct kinds_equate(Kinds *k, const UnitProduct *a, const UnitProduct *b)
{
    if (a->any)
        return *b;
    const UnitProduct ratio = dimension_times(*a, b, -1);
    kinds_require(k, &ratio);
    return *a;
}

static UnitProduct of_symbol(const Kinds *k, uint32_t symbol)
{
    const Model *m = k->model;
    const size_t n = m->n, first_parameter = 1 + 3 * n;

    if (symbol == 0)
        return unit_of_unknown(0);
    if (symbol < first_parameter) {
        const UnitProduct time = unit_of_unknown(0);
        const size_t dots = (symbol - 1) / n;
        return dimension_times(unit_of_unknown(1 + (symbol - 1) % n), &time, -(double)dots);
    }
    if (symbol < first_parameter + m->n_params)
        return unit_of_unknown(1 + n + (symbol - first_parameter));
    return ANY;
}

static UnitProduct of_sum(Kinds *k, const ExprNode *node)
{
    UnitProduct sum = ANY;

    for (uint32_t i = 0; i < node->n; i++)
        if (is_pure(node->coefs[i]))
            sum = kinds_equate(k, &sum, &k->of[node->args[i].id - 1]);
    return sum;
}

static UnitProduct of_product(const Kinds *k, const ExprNode *node)
{
    UnitProduct product = NONE;

    for (uint32_t i = 0; i < node->n; i++)
        product = dimension_times(product, &k->of[node->args[i].id - 1], node->coefs[i]);
    return product;
}

/* Requires operands from the given one on to have one dimension, and returns it. */
static UnitProduct of_equals(Kinds *k, const ExprNode *node, uint32_t first)
{
    UnitProduct all = ANY;

    for (uint32_t i = first; i < node->n; i++)
        all = kinds_equate(k, &all, &k->of[node->args[i].id - 1]);
    return all;
}

static UnitProduct of_node(Kinds *k, const ExprNode *node)
{
    switch ((int)node->op) {
    case EXPR_CONST:
        return is_pure(node->value) ? NONE : ANY;
    case EXPR_SYMBOL:
        return of_symbol(k, node->symbol);
    case EXPR_SUM:
        return of_sum(k, node);
    case EXPR_PRODUCT:
        return of_product(k, node);
    case EXPR_SQRT:
        return dimension_times(NONE, &k->of[node->args[0].id - 1], 0.5);
    case EXPR_CBRT:
        return dimension_times(NONE, &k->of[node->args[0].id - 1], 1.0 / 3);
    case EXPR_ABS:
    case EXPR_HYPOT:
    case EXPR_MIN:
    case EXPR_MAX:
        return of_equals(k, node, 0);
    case EXPR_IF:
        return of_equals(k, node, 1);
    case EXPR_ATAN2:
    case EXPR_LT:
    case EXPR_LE:
    case EXPR_EQ:
        of_equals(k, node, 0);
        return NONE;
    case EXPR_SIGN:
    case EXPR_NOT:
    case EXPR_AND:
    case EXPR_OR:
        return NONE;
    case EXPR_POW:
    case EXPR_FACTOR:
    case EXPR_SOLVE:
    case EXPR_ELEMENT:
    case EXPR_RCOND:
        return ANY;
    default: /* sin, exp, ... of a pure number */
        kinds_require(k, &k->of[node->args[0].id - 1]);
        return NONE;
    }
}

static void mark_needed(const Model *m, bool *needed, uint32_t size)
{
    needed[m->L.id] = true;
    for (size_t i = 0; i < m->n; i++)
        needed[m->F[i].id] = true;
    for (size_t a = 0; a < m->r; a++)
        needed[(expr_is_none(m->constraints[a].f) ? m->constraints[a].phi : m->constraints[a].f)
                   .id] = true;
    for (uint32_t id = size; id > 0; id--) {
        if (!needed[id])
            continue;
        const ExprNode node = expr_node(m->pool, (Expr){id});
        for (uint32_t i = 0; i < node.n; i++)
            needed[node.args[i].id] = true;
    }
}

/* Collects all equations of the model. */
static void kinds_collect(Kinds *k, const bool *needed, uint32_t size)
{
    const Model *m = k->model;

    for (uint32_t id = 1; id <= size; id++) {
        if (!needed[id])
            continue;
        const ExprNode node = expr_node(m->pool, (Expr){id});
        k->of[id - 1] = of_node(k, &node);
    }
    /* a force times its coordinate is an energy */
    for (size_t i = 0; i < m->n; i++) {
        const UnitProduct q = unit_of_unknown(1 + i), *energy = &k->of[m->L.id - 1];
        if (expr_is_const(m->pool, m->F[i], NULL))
            continue;
        const UnitProduct work = dimension_times(k->of[m->F[i].id - 1], &q, 1);
        const UnitProduct ratio = dimension_times(work, energy, -1);
        kinds_require(k, &ratio);
    }
}

/* Does q_i / q_j, or q_i if j = n, have no dimension in any units? */
static bool is_pure_ratio(Kinds *k, size_t i, size_t j)
{
    kinds_take_unknown(k, 1 + i);
    if (j < k->model->n)
        k->row[1 + j] = -1;
    return kinds_reduce(k) == k->n_unknowns;
}

/* The equations of the model, in scratch memory; *ret_small: the model is small enough for them. */
static Status kinds_open(Kinds *k, const Model *model, Arena *scratch, bool *ret_small, Error *err)
{
    const uint32_t size = expr_pool_size(model->pool);

    *k = (Kinds){.model = model, .scratch = scratch, .n_unknowns = 1 + model->n + model->n_params};
    *ret_small = k->n_unknowns <= MOST_UNKNOWNS && size <= MOST_NODES;
    if (!*ret_small)
        return OK;
    bool *needed = ARENA_NEW(scratch, size + 1, bool);
    k->of = ARENA_NEW(scratch, size, UnitProduct);
    k->pivots = ARENA_NEW(scratch, k->n_unknowns, double *);
    k->row = arena_doubles(scratch, k->n_unknowns);
    Status status = arena_status(scratch, err);
    if (status != OK)
        return status;
    mark_needed(model, needed, size);
    kinds_collect(k, needed, size);
    return arena_status(scratch, err);
}

Status kinds_find(const Model *model, size_t *ret_kinds, bool *ret_pure, Error *err)
{
    Arena scratch = {0};
    Kinds k;
    bool small;

    for (size_t i = 0; i < model->n; i++) {
        ret_kinds[i] = i;
        ret_pure[i] = false;
    }
    Status status = kinds_open(&k, model, &scratch, &small, err);
    small = small && status == OK;
    /* join coordinates whose ratio is a pure number */
    for (size_t i = 1; small && i < model->n; i++)
        for (size_t j = 0; j < i && ret_kinds[i] == i; j++)
            if (ret_kinds[j] == j && is_pure_ratio(&k, i, j))
                ret_kinds[i] = j;
    for (size_t i = 0; small && i < model->n; i++)
        ret_pure[i] = is_pure_ratio(&k, i, model->n);
    arena_done(&scratch);
    return status;
}

/* Dimensions of the parameters that are finite and nonzero, as columns; and their logarithms. */
typedef struct Measures {
    size_t n;
    double *matrix;    /* n_unknowns x n */
    double *logarithm; /* n */
    double *exponent;  /* n: scratch */
} Measures;

static Status measures_init(Measures *m, Kinds *k, const double *params, Error *err)
{
    const size_t n_params = k->model->n_params, first = 1 + k->model->n;
    size_t column = 0;

    *m = (Measures){0};
    for (size_t p = 0; p < n_params; p++)
        m->n += params[p] != 0 && isfinite(params[p]);
    m->matrix = arena_doubles(k->scratch, k->n_unknowns * m->n);
    m->logarithm = arena_doubles(k->scratch, m->n);
    m->exponent = arena_doubles(k->scratch, m->n);
    Status status = arena_status(k->scratch, err);
    /* the reduced exponents of each are a column */
    for (size_t p = 0; status == OK && p < n_params; p++) {
        if (params[p] == 0 || !isfinite(params[p]))
            continue;
        kinds_take_unknown(k, first + p);
        (void)kinds_reduce(k);
        for (size_t c = 0; c < k->n_unknowns; c++)
            m->matrix[c * m->n + column] = k->row[c];
        m->logarithm[column++] = log(fabs(params[p]));
    }
    return status;
}

/* The product of powers of parameters with the dimension in k->row and the least exponents; 1 if
 * there is none. */
static Status measures_size(const Measures *m, Kinds *k, double *ret, Error *err)
{
    double logarithm = 0, off = 0;

    *ret = 1;
    if (kinds_reduce(k) == k->n_unknowns || m->n == 0)
        return OK;
    Status status = dense_least_norm(m->matrix, k->n_unknowns, m->n, k->row, ACCURACY_COMPARED,
                                     m->exponent, err);
    for (size_t c = 0; status == OK && c < k->n_unknowns; c++) {
        double left = k->row[c];
        for (size_t p = 0; p < m->n; p++)
            left -= m->matrix[c * m->n + p] * m->exponent[p];
        off = fmax(off, fabs(left));
    }
    /* the product, if it has the dimension and is a number */
    for (size_t p = 0; status == OK && p < m->n; p++)
        logarithm += m->exponent[p] * m->logarithm[p];
    if (status == OK && off < ACCURACY_COMPARED * (double)k->n_unknowns &&
        isfinite(exp(logarithm)) && exp(logarithm) > 0)
        *ret = exp(logarithm);
    return status;
}

Status kinds_of_parameters(const Model *model, const double *params, double *ret_q,
                           double *ret_time, Error *err)
{
    Arena scratch = {0};
    Measures measures;
    Kinds k;
    bool small;

    *ret_time = 1;
    for (size_t i = 0; i < model->n; i++)
        ret_q[i] = 1;
    Status status = kinds_open(&k, model, &scratch, &small, err);
    small = small && status == OK;
    if (small)
        status = measures_init(&measures, &k, params, err);
    /* unknown 0 is the time; a model that is too large keeps 1 for all */
    for (size_t i = 0; small && status == OK && i <= model->n; i++) {
        kinds_take_unknown(&k, i);
        status = measures_size(&measures, &k, i == 0 ? ret_time : &ret_q[i - 1], err);
    }
    arena_done(&scratch);
    return status;
}

/* fmax() without a call; `value` if `other` is a NaN. */
static inline double larger(double value, double other)
{
    return other > value ? other : value;
}

double kinds_largest(const Model *model, const double *x, size_t i)
{
    double size = 0;

    for (size_t j = 0; j < model->n; j++)
        if (model->kinds.first[j] == model->kinds.first[i])
            size = larger(size, fabs(x[j]));
    return size;
}

void kinds_velocity_units(const Model *model, const double *M, double *ret_units)
{
    const size_t n = model->n, *kinds = model->kinds.first;

    memset(ret_units, 0, n * sizeof *ret_units);
    for (size_t i = 0; i < n; i++)
        ret_units[kinds[i]] += fabs(M[i * n + i]);
    for (size_t i = n; i-- > 0;) {
        const double inertia = ret_units[kinds[i]];
        ret_units[i] = inertia > 0 && isfinite(inertia) ? 1 / sqrt(inertia) : 1;
    }
}

void kinds_sizes(const Model *model, const double *q, const double *v, double time, double *ret_q,
                 double *ret_v)
{
    const double way = fabs(time);

    for (size_t i = 0; i < model->n; i++) {
        const double place = kinds_largest(model, q, i), speed = kinds_largest(model, v, i);
        ret_q[i] = larger(place, speed * way);
        ret_v[i] = way > 0 ? larger(speed, place / way) : speed;
    }
}

/* The largest of the sizes, each divided by its unit. */
static double effort_of(size_t n, const double *unit, const double *sizes)
{
    double effort = 0;

    for (size_t i = 0; i < n; i++)
        effort = fmax(effort, sizes[i] / unit[i]);
    return effort;
}

/* Lengths: the positions; if all are zero, the distances covered at the speeds; if these are zero,
 * too, lengths at which the heaviest kind has 1. */
static void find_lengths(const Model *model, const double *unit, const double *q, const double *v,
                         double way, double *ret)
{
    const size_t n = model->n;
    double effort, smallest = INFINITY;

    for (size_t i = 0; i < n; i++) {
        ret[i] = fmax(kinds_largest(model, q, i), model->kinds.pure[i] ? 1 : 0);
        smallest = fmin(smallest, unit[i]);
    }
    effort = effort_of(n, unit, ret);
    for (size_t i = 0; effort == 0 && i < n; i++)
        ret[i] = way * kinds_largest(model, v, i);
    effort = effort_of(n, unit, ret);
    for (size_t i = 0; i < n; i++) {
        const double alike = effort > 0 ? effort * unit[i] : unit[i] / smallest;
        /* a size below this part of the others of its kind is rounding */
        ret[i] = ret[i] > ACCURACY_COMPARED * alike ? ret[i] : alike;
    }
}

void kinds_scales(const Model *model, const double *M, const double *q, const double *v,
                  double time, double *ret_q, double *ret_v)
{
    /* speed of a kind at rest, relative to the fastest kind; a convention */
    static const double SLOW_SPEED_RATIO = 0.1;
    const double way = fabs(time) > 0 ? fabs(time) : 1;
    const size_t n = model->n;
    double *unit = ret_v, fastest = 0;

    kinds_velocity_units(model, M, unit);
    find_lengths(model, unit, q, v, way, ret_q);
    for (size_t i = 0; i < n; i++)
        fastest = fmax(fastest, kinds_largest(model, v, i) / unit[i]);
    for (size_t i = 0; i < n; i++)
        ret_v[i] = fastest > 0
                       ? fmax(kinds_largest(model, v, i), SLOW_SPEED_RATIO * fastest * unit[i])
                       : ret_q[i] / way;
}
