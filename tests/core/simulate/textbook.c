/* The loop in E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I,
 * section II.10: no sizes but 1, no noise, no projection, no watches. */
#include "tests/core/simulate/textbook.h"

#include <math.h>
#include <string.h>

#include "core/integrate/dop853_tableau.h"

enum { ROWS = TEXTBOOK_MAX_DIM + 1 };

typedef struct Textbook {
    MotionEval *eval;
    size_t dim;
    const TextbookSpan *span;
    double k[DOP853_STAGES][ROWS]; /* k[0], then differences to it */
    double y_new[ROWS];
} Textbook;

static double tolerance(const Textbook *b, const double *y, size_t i)
{
    return b->span->atol + b->span->rtol * fmax(fabs(y[i]), fabs(b->y_new[i]));
}

static double sum_of(const Textbook *b, const Dop853Row *row, size_t i)
{
    double sum = 0;

    for (int j = 0; j < row->n; j++)
        sum += row->weight[j] * b->k[row->stage[j]][i];
    return sum;
}

/* One attempt; its error over the tolerance. */
static double attempt(Textbook *b, double t, double h, const double *y)
{
    double place[ROWS], square5 = 0, square3 = 0;

    for (size_t s = 1; s < DOP853_STAGES; s++) {
        const double at = t + DOP853_A[s].weight[0] * h;
        for (size_t i = 0; i < b->dim; i++)
            place[i] = y[i] + h * sum_of(b, &DOP853_A[s], i);
        motion_eval_rates(b->eval, &at, place, b->k[s]);
        for (size_t i = 0; i < b->dim; i++)
            b->k[s][i] -= b->k[0][i];
    }
    for (size_t i = 0; i < b->dim; i++)
        b->y_new[i] = y[i] + h * sum_of(b, &DOP853_B, i);
    for (size_t i = 0; i < b->dim; i++) {
        const double e5 = h * sum_of(b, &DOP853_E5, i) / tolerance(b, y, i);
        const double e3 = (b->y_new[i] - y[i] + h * sum_of(b, &DOP853_E3, i)) / tolerance(b, y, i);
        square5 += e5 * e5;
        square3 += e3 * e3;
    }
    const double all = square5 + 0.01 * square3;
    return all > 0 ? square5 / sqrt(all * (double)b->dim) : all;
}

/* Of size 1 where the change is what the tolerance allows. */
static double norm(const Textbook *b, const double *a, const double *y)
{
    double sum = 0;

    for (size_t i = 0; i < b->dim; i++) {
        const double x = a[i] / (b->span->atol + b->span->rtol * fabs(y[i]));
        sum += x * x;
    }
    return sqrt(sum / (double)b->dim);
}

/* An explicit Euler step shows how the rates bend. */
static double first_step(Textbook *b, double t, const double *y, double longest)
{
    const double size = norm(b, y, y), rate = norm(b, b->k[0], y);
    const double h = size < 1e-5 || rate < 1e-5 ? 1e-6 : fmin(0.01 * size / rate, longest);
    const double at = t + h;
    double place[ROWS], change[ROWS];

    for (size_t i = 0; i < b->dim; i++)
        place[i] = y[i] + h * b->k[0][i];
    motion_eval_rates(b->eval, &at, place, change);
    for (size_t i = 0; i < b->dim; i++)
        change[i] -= b->k[0][i];
    const double most = fmax(norm(b, change, y) / h, rate);
    const double guess = most <= 1e-15 ? fmax(1e-6, 1e-3 * h) : pow(0.01 / most, 1.0 / 8);
    return fmin(fmin(100 * h, guess), longest);
}

size_t textbook_dop853(MotionEval *eval, size_t dim, const TextbookSpan *span, double *y)
{
    Textbook b = {.eval = eval, .dim = dim, .span = span};
    size_t steps = 0;
    double t = span->t0, most = 6;

    motion_eval_rates(eval, &t, y, b.k[0]);
    double h = first_step(&b, t, y, span->end - t);
    while (t < span->end && steps < span->most_steps) {
        const double error = attempt(&b, t, h, y);
        const double change = fmin(most, fmax(1.0 / 3, 0.9 * pow(fmax(error, 1e-20), -1.0 / 8)));
        steps++;
        most = error <= 1 ? 6 : 1;
        if (error <= 1) {
            t = h < span->end - t ? t + h : span->end;
            memcpy(y, b.y_new, dim * sizeof *y);
            motion_eval_renew(eval, t, y);
            motion_eval_rates(eval, &t, y, b.k[0]);
        }
        h = fmin(isfinite(error) ? h * change : h / 5, span->end - t);
    }
    return t < span->end ? 0 : steps;
}
