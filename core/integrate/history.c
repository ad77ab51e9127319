/* Hermite's interpolation by divided differences, each state a double node. */
#include "core/integrate/history.h"

#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"

enum { MAX_TRUST_HALVINGS = 5 };

void history_lay_out(History *h, size_t rows, Cutter *cutter)
{
    h->rows = rows;
    for (size_t k = 0; k < HISTORY_STATES; k++) {
        h->y[k] = cut(cutter, rows, sizeof(double));
        h->rates[k] = cut(cutter, rows, sizeof(double));
    }
    h->differences = cut(cutter, 2 * HISTORY_STATES * rows, sizeof(double));
}

void history_forget(History *h)
{
    h->n = 0;
}

/* The arrays of the oldest state become those of the next. */
static void rotate(History *h)
{
    double *y = h->y[0], *rates = h->rates[0];
    for (size_t k = 0; k + 1 < HISTORY_STATES; k++) {
        h->t[k] = h->t[k + 1];
        h->y[k] = h->y[k + 1];
        h->rates[k] = h->rates[k + 1];
    }
    h->y[HISTORY_STATES - 1] = y;
    h->rates[HISTORY_STATES - 1] = rates;
    h->n--;
}

void history_add(History *h, double t, const double *y, const double *rates)
{
    if (h->n == HISTORY_STATES)
        rotate(h);
    h->t[h->n] = t;
    memcpy(h->y[h->n], y, h->rows * sizeof *y);
    memcpy(h->rates[h->n], rates, h->rows * sizeof *rates);
    h->n++;
}

void history_interpolate(History *h)
{
    const size_t rows = h->rows, nodes = 2 * h->n;

    for (size_t i = 0; i < nodes; i++)
        memcpy(h->differences + i * rows, h->y[i / 2], rows * sizeof(double));
    /* row i: over the nodes i - order .. i, from the last one down, for each needs its neighbour */
    for (size_t order = 1; order < nodes; order++) {
        for (size_t i = nodes - 1; i >= order; i--) {
            const double length = h->t[i / 2] - h->t[(i - order) / 2];
            double *to = h->differences + i * rows;
            for (size_t r = 0; r < rows; r++)
                to[r] = length == 0 ? h->rates[i / 2][r] : (to[r] - (to - rows)[r]) / length;
        }
    }
}

/* The terms of the two highest orders at t, and the way from the last state to there. */
static void last_terms(const History *h, double t, double *ret_terms, double *ret_way)
{
    const size_t rows = h->rows, nodes = 2 * h->n;
    double product = 1, terms = 0, way = 0;

    for (size_t order = 0; order + 2 < nodes; order++)
        product *= t - h->t[order / 2];
    for (size_t r = 0; r < rows; r++) {
        const double last = h->differences[(nodes - 1) * rows + r] * (t - h->t[(nodes - 2) / 2]);
        const double term = product * (fabs(h->differences[(nodes - 2) * rows + r]) + fabs(last));
        const double rise = h->rates[h->n - 1][r] * (t - h->t[h->n - 1]);
        terms += term * term;
        way += rise * rise;
    }
    *ret_terms = sqrt(terms);
    *ret_way = sqrt(way);
}

double history_trust(const History *h, double t, double far)
{
    double terms, way;

    for (int k = 0; k < MAX_TRUST_HALVINGS; k++, far /= 2) {
        last_terms(h, t + far, &terms, &way);
        /* the polynomial is trusted as far as its last terms are small */
        if (terms <= NEGLIGIBLE_PART * way)
            break;
    }
    return fabs(far);
}

void history_state(const History *h, double t, double *ret_y)
{
    const size_t rows = h->rows;

    memset(ret_y, 0, rows * sizeof *ret_y);
    for (size_t order = 2 * h->n; order-- > 0;)
        for (size_t r = 0; r < rows; r++)
            ret_y[r] = h->differences[order * rows + r] + (t - h->t[order / 2]) * ret_y[r];
}
