/* The one search for a fraction near a number: denominators in ascending order. */
#include "core/base/fraction.h"

#include <math.h>

#include "core/base/accuracy.h"

/* Largest denominators and numerators of a fraction near a number, and of an exact one. */
enum { NEAR_DENOMINATOR = 64, NEAR_NUMERATOR = 10000, EXACT_MOST = 1000 };

/* p/q with the smallest q up to most_q that differs from x by at most `same` times x. */
static bool search(double x, int most_q, int most_p, double same, Fraction *ret)
{
    if (!(fabs(x) <= most_p))
        return false;
    for (int q = 1; q <= most_q; q++) {
        const double p = nearbyint(x * q);
        if (fabs(p) > most_p || (p == 0 && x != 0))
            continue;
        if (fabs(p / q - x) <= same * fabs(x)) {
            *ret = (Fraction){.numerator = p, .denominator = q};
            return true;
        }
    }
    return false;
}

bool fraction_near(double x, Fraction *ret)
{
    return search(x, NEAR_DENOMINATOR, NEAR_NUMERATOR, ACCURACY_COMPARED, ret);
}

double fraction_round(double x)
{
    Fraction fraction;
    return fraction_near(x, &fraction) ? fraction.numerator / fraction.denominator : x;
}

bool fraction_exact(double x, Fraction *ret)
{
    return search(x, EXACT_MOST, EXACT_MOST, 0, ret);
}

bool fraction_convergent(double x, double same, Fraction *ret)
{
    double p = 1, q = 0, p_before = 0, q_before = 1, rest = fabs(x);

    /* the next convergent, with p_next / q_next = [whole; ..] */
    while (isfinite(rest)) {
        const double whole = floor(rest), p_next = whole * p + p_before,
                     q_next = whole * q + q_before;
        if (!(p_next * q_next <= FRACTION_MAX_PRODUCT))
            return false;
        p_before = p;
        q_before = q;
        p = p_next;
        q = q_next;
        if (fabs(p / q - fabs(x)) <= same * fabs(x)) {
            *ret = (Fraction){.numerator = x < 0 ? -p : p, .denominator = q};
            return true;
        }
        /* the next term is of the reciprocal of the rest */
        rest = 1 / (rest - whole);
    }
    return false;
}

double fraction_divisor(double a, double b)
{
    while (b != 0) {
        double rest = fmod(a, b);
        a = b;
        b = rest;
    }
    return fabs(a);
}
