/* Whether Chaplygin's multiplier exists (S. A. Chaplygin, 1911; N(t): B. Jovanovic, Lemma 6.1): the
 * conditions of reduction.h at random states. */
#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/motion/chaplygin/chaplygin.h"
#include "core/numeric/vectors.h"

enum { STATES = 12, ATTEMPTS = 96, MOST_FREEDOM = 8 };

/* Quantities evaluated at a state; matrices are m x m, row-major. */
typedef enum Item {
    ITEM_PI,        /* m */
    ITEM_PI_AT_0,   /* m: without velocities */
    ITEM_SIZE,      /* m: sum of |terms| of Pi */
    ITEM_MEASURE,   /* m: n_i, up to 1/(m - 1) */
    ITEM_SLOPE,     /* dPi_i/dxdot_j without velocities */
    ITEM_G,         /* the mass matrix */
    ITEM_GYRO,      /* d Delta_i/dx_j, Delta = L_xdot without velocities */
    ITEM_POTENTIAL, /* d Pi_i/dx_j without velocities */
    ITEM_CURL,      /* d n_i/dx_j, up to 1/(m - 1) */
    ITEM_TRACE,     /* 1: the contraction, m d ln N/dt of N(t) */
    ITEM_L,         /* 1 */
    N_ITEMS,
} Item;

typedef struct Test {
    Draw draw;
    const Reduction *red;
    size_t m, n;
    size_t start[N_ITEMS];
    Expr *roots;            /* n */
    double *unit;           /* n: of the roots */
    double *values, *other; /* n: at a state, and at one that differs in one respect */
    double *p;              /* m: G xdot */
    double kinetic;         /* twice the kinetic energy, of absolute terms */
    /* so far, over the states: Pi has parts of higher degree and linear ones; L has gyroscopic
     * terms, G depends on velocities, and the system on time */
    bool quadratic, linear, gyroscopic, unnatural, of_time;
    /* forces without a potential; linear parts that are no multiple of the momenta, or depend on
     * the place; quadratic ones without Chaplygin's form, or with n_i dx^i not closed */
    bool no_potential, not_proportional, of_place, not_solvable, not_closed;
    bool undefined; /* quantities at rest */
} Test;

static size_t item_size(Item item, size_t m)
{
    if (item <= ITEM_MEASURE)
        return m;
    return item <= ITEM_CURL ? m * m : 1;
}

static double value(const Test *t, Item item, size_t i)
{
    return t->values[t->start[item] + i];
}

static double entry(const Test *t, Item item, size_t i, size_t j)
{
    return t->values[t->start[item] + i * t->m + j];
}

static Expr *root(Test *t, Item item)
{
    return t->roots + t->start[item];
}

/* The size of the terms of Pi: |F_i| and |K_nu C^nu_i|. */
static void size_of_terms(Test *t)
{
    const Reduction *red = t->red;

    for (size_t i = 0; i < t->m; i++) {
        Expr sum = expr_abs(red->pool, red->F[i]);
        for (size_t nu = 0; nu < red->r; nu++) {
            Expr term = expr_mul(red->pool, red->K[nu], red->C[nu * t->m + i]);
            sum = expr_add(red->pool, sum, expr_abs(red->pool, term));
        }
        root(t, ITEM_SIZE)[i] = sum;
    }
}

/* Row i of a matrix item: the derivatives of e. */
static void slopes(Test *t, Item item, size_t i, Expr e, const Expr *by)
{
    expr_gradient(t->red->pool, e, by, t->m, root(t, item) + i * t->m);
}

static void test_at_rest(Test *t, const Expr *roots, size_t n, Expr *ret)
{
    const Reduction *red = t->red;

    if (!expr_substitute_finite(red->pool, roots, n, red->xdot, NULL, t->m, ret))
        t->undefined = true;
}

static void fill_roots(Test *t)
{
    const Reduction *red = t->red;
    const size_t m = t->m;
    Expr delta[MOST_FREEDOM];
    Symmetric solver;

    memcpy(root(t, ITEM_PI), red->Pi, m * sizeof(Expr));
    memcpy(root(t, ITEM_G), red->G, m * m * sizeof(Expr));
    test_at_rest(t, red->Pi, m, root(t, ITEM_PI_AT_0));
    size_of_terms(t);
    expr_gradient(red->pool, red->L, red->xdot, m, delta);
    test_at_rest(t, delta, m, delta);
    for (size_t i = 0; i < m; i++) {
        slopes(t, ITEM_SLOPE, i, red->Pi[i], red->xdot);
        slopes(t, ITEM_GYRO, i, delta[i], red->x);
        slopes(t, ITEM_POTENTIAL, i, root(t, ITEM_PI_AT_0)[i], red->x);
    }
    test_at_rest(t, root(t, ITEM_SLOPE), m * m, root(t, ITEM_SLOPE));
    /* the contraction is linear in the velocities: (m - 1) n.xdot for N(x), a number for N(t) */
    reduction_solver(red, true, &solver);
    Expr trace = reduction_contraction(red, &solver);
    expr_gradient(red->pool, trace, red->xdot, m, root(t, ITEM_MEASURE));
    for (size_t i = 0; i < m; i++)
        slopes(t, ITEM_CURL, i, root(t, ITEM_MEASURE)[i], red->x);
    root(t, ITEM_TRACE)[0] = trace;
    root(t, ITEM_L)[0] = red->L;
}

/* The size of base coordinate i. */
static double base_size(const Test *t, size_t i)
{
    return t->draw.size[t->red->lift.base[i]];
}

/* In units of the sizes of coordinates and time, every item is an energy or a pure number. So items
 * of lengths and of angles can be compared with each other and with kinetic energy. */
static void fill_units(Test *t)
{
    static const int POWER_OF_TIME[N_ITEMS] = {
        [ITEM_SLOPE] = -1, [ITEM_G] = -2, [ITEM_GYRO] = -1, [ITEM_TRACE] = 1};

    for (Item item = 0; item < N_ITEMS; item++) {
        const size_t size = item_size(item, t->m);
        for (size_t k = 0; k < size; k++) {
            double unit = pow(t->draw.time, POWER_OF_TIME[item]);
            if (item <= ITEM_MEASURE)
                unit *= base_size(t, k);
            else if (item <= ITEM_CURL)
                unit *= base_size(t, k / t->m) * base_size(t, k % t->m);
            t->unit[t->start[item] + k] = unit;
        }
    }
}

static Status test_init(Test *t, const MotionQuestion *question, const Reduction *red, Error *err)
{
    *t = (Test){.red = red, .m = red->m};
    /* lay out the items one after the other */
    for (Item item = 0; item < N_ITEMS; item++) {
        t->start[item] = t->n;
        t->n += item_size(item, t->m);
    }
    t->roots = ARENA_NEW(red->arena, t->n, Expr);
    t->unit = arena_doubles(red->arena, t->n);
    t->values = arena_doubles(red->arena, t->n);
    t->other = arena_doubles(red->arena, t->n);
    t->p = arena_doubles(red->arena, t->m);
    Status status = draw_init(&t->draw, question, red->pool, red->arena, err);
    if (status != OK)
        return status;
    fill_units(t);
    fill_roots(t);
    status = arena_status(red->arena, err);
    return status == OK ? expr_pool_status(red->pool, err) : status;
}

static double xdot(const Test *t, size_t i)
{
    return t->draw.symbols[expr_node(t->red->pool, t->red->xdot[i]).symbol] * t->draw.time /
           base_size(t, i);
}

/* Items at the state of the draw, in their units; false if one is not finite. */
static bool evaluate(Test *t, double *ret_values)
{
    const bool finite = draw_eval(&t->draw, t->roots, t->n, ret_values);

    for (size_t k = 0; k < t->n; k++)
        ret_values[k] *= t->unit[k];
    return finite;
}

static bool small(double difference, double size)
{
    return fabs(difference) <= ACCURACY_SOLVED * size;
}

/* Compares the item in `values` and `other`, relative to the largest entry of both. */
static bool same(const Test *t, Item item)
{
    const size_t n = item_size(item, t->m), first = t->start[item];
    double size = fmax(vector_largest(t->values + first, n), vector_largest(t->other + first, n));

    for (size_t i = first; i < first + n; i++)
        if (!small(t->values[i] - t->other[i], size))
            return false;
    return true;
}

static bool symmetric(const Test *t, Item item, double size)
{
    size = fmax(size, vector_largest(t->values + t->start[item], t->m * t->m));
    for (size_t i = 0; i < t->m; i++)
        for (size_t j = 0; j < i; j++)
            if (!small(entry(t, item, i, j) - entry(t, item, j, i), size))
                return false;
    return true;
}

static void momenta(Test *t)
{
    t->kinetic = 0;
    for (size_t i = 0; i < t->m; i++) {
        t->p[i] = 0;
        for (size_t j = 0; j < t->m; j++) {
            double term = entry(t, ITEM_G, i, j) * xdot(t, j);
            t->p[i] += term;
            t->kinetic += fabs(term * xdot(t, i));
        }
    }
}

/* Whether the quadratic part of Pi is n_i (p.xdot) - (n.xdot) p_i. */
static bool chaplygin_form(const Test *t, size_t i, double quadratic_part, double size)
{
    double twice = 0, along = 0, degree = (double)t->m - 1;

    for (size_t j = 0; j < t->m; j++) {
        twice += t->p[j] * xdot(t, j);
        along += value(t, ITEM_MEASURE, j) * xdot(t, j) / degree;
    }
    double first = value(t, ITEM_MEASURE, i) / degree * twice, second = along * t->p[i];
    return small(quadratic_part - first + second, size + fabs(first) + fabs(second));
}

static void look_at_state(Test *t)
{
    const size_t m = t->m;
    double slope_size = vector_largest(t->values + t->start[ITEM_SLOPE], m * m);
    double n_size = vector_largest(t->values + t->start[ITEM_MEASURE], m);

    /* Pi by degree in the velocities: at rest, linear, and the rest, which counts as quadratic */
    momenta(t);
    for (size_t i = 0; i < m; i++) {
        double linear = 0, size = value(t, ITEM_SIZE, i) + t->kinetic;
        for (size_t j = 0; j < m; j++) {
            linear += entry(t, ITEM_SLOPE, i, j) * xdot(t, j);
            /* -n0 p_i has the slopes -n0 G_ij, n0 = contraction / m */
            double expected = -value(t, ITEM_TRACE, 0) / (double)m * entry(t, ITEM_G, i, j);
            if (!small(entry(t, ITEM_SLOPE, i, j) - expected, slope_size))
                t->not_proportional = true;
        }
        double quadratic = value(t, ITEM_PI, i) - value(t, ITEM_PI_AT_0, i) - linear;
        t->linear = t->linear || !small(linear, size);
        t->quadratic = t->quadratic || !small(quadratic, size);
        if (m > 1 && !chaplygin_form(t, i, quadratic, size))
            t->not_solvable = true;
    }
    /* closed forms: Delta_i dx^i, the forces at rest, n_i dx^i */
    t->gyroscopic = t->gyroscopic || !symmetric(t, ITEM_GYRO, vector_largest(t->p, m));
    t->no_potential = t->no_potential || !symmetric(t, ITEM_POTENTIAL, t->kinetic);
    t->not_closed = t->not_closed || !symmetric(t, ITEM_CURL, n_size * n_size);
}

/* The state in `other` becomes the current one. */
static void move_on(Test *t)
{
    memcpy(t->values, t->other, t->n * sizeof *t->values);
}

/* Changes the velocities, then time, then the base coordinates, and notes which items depend on
 * them. False if an item is not finite. */
static bool look_beside(Test *t)
{
    /* change one kind of number at a time, so that a difference is due to it */
    for (size_t i = 0; i < t->red->model->n; i++)
        draw_velocity(&t->draw, i);
    if (!evaluate(t, t->other))
        return false;
    t->unnatural = t->unnatural || !same(t, ITEM_G);
    move_on(t);
    draw_time(&t->draw);
    if (!evaluate(t, t->other))
        return false;
    t->of_time = t->of_time || !same(t, ITEM_L) || !same(t, ITEM_PI) || !same(t, ITEM_MEASURE);
    move_on(t);
    for (size_t i = 0; i < t->m; i++)
        draw_coordinate(&t->draw, t->red->lift.base[i]);
    if (!evaluate(t, t->other))
        return false;
    t->of_place = t->of_place || !same(t, ITEM_TRACE);
    return true;
}

static Multiplier verdict(const Test *t, const char **ret_reason)
{
    *ret_reason = NULL;
    if (t->no_potential) {
        *ret_reason = "forces on the base that do not depend on velocities have no potential";
        return MULTIPLIER_NONE;
    }
    if (!t->quadratic && !t->linear)
        return MULTIPLIER_ONE;
    /* multipliers of time or place need a quadratic kinetic energy */
    if (t->unnatural)
        *ret_reason = "the reduced Lagrangian is not quadratic in the velocities";
    else if (t->gyroscopic)
        *ret_reason = "the reduced Lagrangian has gyroscopic terms";
    /* terms linear in the velocities alone: N(t) */
    else if (!t->quadratic && t->not_proportional)
        *ret_reason = "the terms linear in the velocities (JK1 and forces) are no multiple of the "
                      "momenta";
    else if (!t->quadratic && t->of_place)
        *ret_reason = "d ln N/dt would depend on the base coordinates";
    else if (!t->quadratic)
        return MULTIPLIER_TIME;
    /* quadratic ones alone: N of the base coordinates */
    else if (t->linear)
        *ret_reason = "there are terms linear in the velocities (JK1 or forces) beside quadratic "
                      "ones";
    else if (t->of_time)
        *ret_reason = "the reduced system depends on time";
    else if (t->m == 1 || t->not_solvable)
        *ret_reason = "the terms quadratic in the velocities do not have Chaplygin's form";
    else if (t->not_closed)
        *ret_reason = "d ln N is not closed (the reduced system has no invariant measure with a "
                      "density on the base)";
    return *ret_reason ? MULTIPLIER_NONE : MULTIPLIER_BASE;
}

Status chaplygin_multiplier(const MotionQuestion *question, const Reduction *red,
                            Multiplier *ret_multiplier, const char **ret_reason, Error *err)
{
    Test test;
    size_t states = 0;

    *ret_multiplier = MULTIPLIER_NONE;
    *ret_reason = red->m ? "it is looked for with at most 8 reduced degrees of freedom"
                         : "no degree of freedom is left";
    if (red->m == 0 || red->m > MOST_FREEDOM)
        return OK;
    Status status = test_init(&test, question, red, err);
    if (status == OK && test.undefined) {
        *ret_reason = "the reduced forces, or their derivatives by the velocities, are not defined "
                      "at rest";
        return OK;
    }
    /* one of these random states is enough to refute a property */
    for (int k = 0; status == OK && k < ATTEMPTS && states < STATES; k++) {
        draw_anew(&test.draw);
        if (!evaluate(&test, test.values))
            continue;
        look_at_state(&test);
        states += look_beside(&test);
    }
    if (status == OK && states == STATES)
        *ret_multiplier = verdict(&test, ret_reason);
    else
        *ret_reason = "the reduced equations are not finite at random states";
    return status;
}
