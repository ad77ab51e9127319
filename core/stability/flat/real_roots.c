/* Doubles propose roots, exact tests prove them, and balls show the sign of the quotient. */
#include "core/stability/flat/flat.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/accuracy.h"

enum { MOST_CANDIDATES = REAL_ROOTS_MOST * REAL_ROOTS_MOST, BISECTIONS = 200 };
/* Largest denominator of a root, or of its square, no unit. Convention. */
static const double MOST_DENOMINATOR = 64;

/* Magnitudes of roots that are written as fractions times a power of ten (no unit). Convention. */
static const double LEAST_ROOT = 1e-20, LARGEST_ROOT = 1e20;

typedef struct Polynomial {
    Expr coef[REAL_ROOTS_MOST];
    double value[REAL_ROOTS_MOST];
    unsigned degree;
    bool known; /* all coefficients, and not all are 0 */
} Polynomial;

static double value_at(const double *p, unsigned degree, double u, double *ret_terms)
{
    double sum = 0, terms = 0;

    for (unsigned k = degree + 1; k-- > 0;) {
        sum = sum * u + p[k];
        terms = terms * fabs(u) + fabs(p[k]);
    }
    if (ret_terms)
        *ret_terms = terms;
    return sum;
}

static double bisect(const double *p, unsigned degree, double a, double b)
{
    const bool rises = value_at(p, degree, a, NULL) < 0;

    for (int k = 0; k < BISECTIONS; k++) {
        const double middle = a + (b - a) / 2;
        if ((value_at(p, degree, middle, NULL) < 0) == rises)
            a = middle;
        else
            b = middle;
    }
    return a;
}

/* The real roots of a polynomial and of all its derivatives: a root of multiplicity m is a simple
 * one of the derivative of order m - 1. Between roots of the derivative it is monotonic. */
static size_t find_candidates(const Polynomial *of, double *ret)
{
    double p[REAL_ROOTS_MOST][REAL_ROOTS_MOST], ends[REAL_ROOTS_MOST + 2], bound = 1;
    size_t found = 0, n_ends = 2;

    /* the derivatives, and a bound for all roots (Cauchy; Gauss and Lucas) */
    for (unsigned k = 0; k <= of->degree; k++) {
        p[0][k] = of->value[k];
        bound = fmax(bound, 1 + fabs(of->value[k] / of->value[of->degree]));
    }
    for (unsigned order = 1; order < of->degree; order++)
        for (unsigned k = 0; k + order <= of->degree; k++)
            p[order][k] = (k + 1) * p[order - 1][k + 1];
    ends[0] = -bound;
    ends[1] = bound;
    for (unsigned order = of->degree; order-- > 0;) {
        const unsigned degree = of->degree - order;
        double roots[REAL_ROOTS_MOST];
        size_t n = 0;
        for (size_t i = 0; i + 1 < n_ends; i++) {
            const double a = value_at(p[order], degree, ends[i], NULL);
            const double b = value_at(p[order], degree, ends[i + 1], NULL);
            if ((a < 0) != (b < 0) && n < degree)
                roots[n++] = bisect(p[order], degree, ends[i], ends[i + 1]);
        }
        for (size_t i = 0; i < n && found < MOST_CANDIDATES; i++)
            ret[found++] = ends[i + 1] = roots[i];
        ends[n + 1] = bound;
        n_ends = n + 2;
    }
    return found;
}

/* A fraction near the number with a small denominator, times a power of ten, or EXPR_NONE. */
static Expr fraction(ExprPool *pool, double u)
{
    if (!(fabs(u) >= LEAST_ROOT && fabs(u) <= LARGEST_ROOT))
        return EXPR_NONE;
    const int digits = (int)floor(log10(fabs(u)));
    const double power = pow(10, abs(digits)), lead = digits < 0 ? u * power : u / power;
    const Expr scale = expr_const(pool, power);

    for (double below = 1; below <= MOST_DENOMINATOR; below++) {
        const double above = rint(lead * below);
        if (fabs(above / below - lead) > ACCURACY_DIFFERENCED)
            continue;
        const Expr part = expr_div(pool, expr_const(pool, above), expr_const(pool, below));
        return digits < 0 ? expr_div(pool, part, scale) : expr_mul(pool, part, scale);
    }
    return EXPR_NONE;
}

static Expr simple_number(ExprPool *pool, double u)
{
    const Expr exact = fraction(pool, u);
    if (!expr_is_none(exact))
        return exact;
    const Expr square = fraction(pool, u * u);
    if (expr_is_none(square))
        return EXPR_NONE;
    return expr_scale(pool, u < 0 ? -1 : 1, expr_call(pool, EXPR_SQRT, &square, 1));
}

/* The coefficients' values, and the degree. */
static Status take_values(const Flat *flat, size_t n, Polynomial *p, Error *err)
{
    Status status = OK;

    p->degree = 0;
    p->known = true;
    for (size_t k = 0; status == OK && p->known && k < n; k++) {
        status = flat_number(flat, p->coef[k], &p->value[k], &p->known, err);
        if (p->value[k] != 0)
            p->degree = (unsigned)k;
    }
    p->known = p->known && p->value[p->degree] != 0;
    return status;
}

/* Divides u - c out as often as c is proved to be a root, or not (p->known false) to be one. */
static Status divide(const Flat *flat, Polynomial *p, Expr c, unsigned *ret_times, Error *err)
{
    ExprPool *pool = flat->pool;
    Status status = OK;

    *ret_times = 0;
    while (status == OK && p->known && p->degree > 0) {
        Expr rest[REAL_ROOTS_MOST];
        double value = 0;
        /* Horner's scheme: the quotient, and the value at c */
        rest[p->degree] = p->coef[p->degree];
        for (unsigned k = p->degree; k-- > 0;)
            rest[k] = expr_add(pool, p->coef[k], expr_mul(pool, c, rest[k + 1]));
        status = flat_number(flat, rest[0], &value, &p->known, err);
        if (status != OK || !p->known || value != 0)
            return status;
        for (unsigned k = 0; k < p->degree; k++)
            p->coef[k] = rest[k + 1];
        status = take_values(flat, p->degree, p, err);
        ++*ret_times;
    }
    return status;
}

/* The sign of a polynomial without roots that are known: that of the form of its degree. */
static Status sign_beside(const Flat *flat, const Polynomial *p, ExactSign *ret, Error *err)
{
    unsigned exponents[2 * REAL_ROOTS_MOST];
    ExactProblem problem = exact_about(&flat->e->place, p->coef, p->degree + 1);

    /* an odd degree or a negative leading coefficient */
    *ret = EXACT_NEGATIVE;
    if (p->degree % 2 == 1 || p->value[p->degree] < 0)
        return OK;
    /* as a form in two variables */
    for (unsigned k = 0, *two = exponents; k <= p->degree; k++, two += 2) {
        two[0] = k;
        two[1] = p->degree - k;
    }
    *ret = EXACT_POSITIVE;
    if (p->degree == 0)
        return OK;
    problem.n_stages = 0;
    return exact_form(&problem, 2, exponents, ret, err);
}

/* Takes a root, if it is one, and as often as it is. */
static Status take_root(const Flat *flat, Polynomial *left, Expr c, RealRoots *ret, Error *err)
{
    unsigned times = 0;
    const Status status = divide(flat, left, c, &times, err);

    if (times) {
        ret->root[ret->n] = c;
        ret->multiplicity[ret->n++] = times;
    }
    return status;
}

static bool is_near_root(const Polynomial *p, double u)
{
    double terms = 0;
    const double value = value_at(p->value, p->degree, u, &terms);

    return fabs(value) <= ACCURACY_CLEAR * terms;
}

/* The mean of all roots, which is the root if all are equal. It need not be a simple number. */
static Status take_mean_root(const Flat *flat, Polynomial *left, RealRoots *ret, Error *err)
{
    const unsigned n = left->degree;

    if (n < 2 || !is_near_root(left, -left->value[n - 1] / (n * left->value[n])))
        return OK;
    return take_root(flat, left,
                     expr_neg(flat->pool, expr_div(flat->pool, left->coef[n - 1],
                                                   expr_scale(flat->pool, n, left->coef[n]))),
                     ret, err);
}

Status real_roots(const Flat *flat, const Expr *coefs, size_t n, RealRoots *ret, Error *err)
{
    Polynomial left = {0};
    double candidates[MOST_CANDIDATES];
    bool odd = false;

    *ret = (RealRoots){.sign = EXACT_NO_SIGN};
    for (size_t k = 0; k < n; k++)
        left.coef[k] = coefs[k];
    /* divided by its known roots: zero, the mean of all, and simple numbers */
    Status status = take_values(flat, n, &left, err);
    if (status == OK && left.known)
        status = take_root(flat, &left, expr_const(flat->pool, 0), ret, err);
    if (status == OK && left.known)
        status = take_mean_root(flat, &left, ret, err);
    const size_t n_candidates =
        status == OK && left.known && left.degree ? find_candidates(&left, candidates) : 0;
    for (size_t i = 0; status == OK && left.known && left.degree && i < n_candidates; i++) {
        if (!is_near_root(&left, candidates[i]))
            continue;
        const Expr c = simple_number(flat->pool, candidates[i]);
        if (!expr_is_none(c))
            status = take_root(flat, &left, c, ret, err);
    }
    if (status == OK)
        status = expr_pool_status(flat->pool, err);
    /* it changes its sign at a root of odd multiplicity, else the quotient has the sign */
    for (size_t k = 0; k < ret->n; k++)
        odd = odd || ret->multiplicity[k] % 2;
    if (odd && left.known)
        ret->sign = EXACT_NEGATIVE;
    else if (status == OK && left.known)
        status = sign_beside(flat, &left, &ret->sign, err);
    return status;
}
