/* The classical Runge-Kutta method of order 4 with a fixed step, for comparisons and for those who
 * want to choose the step themselves. Kutta 1901; Hairer, Norsett, Wanner, section II.1.
 *
 * Dense output by the cubic through both ends and their rates: its error, of order h^4, does not
 * accumulate, so that samples between steps have order 4 too. */
#include "core/integrate/combine.h"
#include "core/integrate/method.h"

#include <math.h>
#include <string.h>

enum { STAGES = 4 };

typedef struct Rk4 {
    double *k[STAGES]; /* [rows][lanes]; k[0] is the step's own */
    double *slope;     /* the increment over h */
    const Combine *combine;
} Rk4;

static size_t rk4_work_size(const OdeSystem *system, size_t lanes)
{
    const size_t room = combine_room((system->dim + system->extra) * lanes);
    return sizeof(Rk4) + STAGES * room * sizeof(double);
}

static void rk4_start(OdeStep *step)
{
    const size_t room = combine_room(step->rows * step->lanes);
    Rk4 *m = step->work;
    double *next = (double *)(void *)(m + 1);
    m->combine = combine_best();
    for (size_t s = 1; s < STAGES; s++, next += room)
        m->k[s] = next;
    m->slope = next;
}

static bool rk4_attempt(OdeStep *step)
{
    static const double c[STAGES] = {0, 0.5, 0.5, 1};
    static const double b[STAGES] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    const size_t lanes = step->lanes;
    Rk4 *m = step->work;

    m->k[0] = step->rates; /* which may have changed places */
    for (size_t s = 1; s < STAGES; s++) {
        m->combine->first(step, c[s], c[s], m->k[s - 1]);
        if (!ode_rates(step, step->scratch.place, step->scratch.place + lanes, m->k[s],
                       step->active))
            return false;
    }
    for (size_t i = 0; i < step->rows * lanes; i++) {
        double sum = b[0] * m->k[0][i];
        for (size_t s = 1; s < STAGES; s++)
            sum += b[s] * m->k[s][i];
        m->slope[i] = sum;
    }
    m->combine->advance(step, m->slope);
    memset(step->error, 0, lanes * sizeof *step->error);
    for (size_t r = 0; r < step->dim; r++)
        for (size_t l = 0; l < lanes; l++)
            if (!isfinite(step->y_new[r * lanes + l]))
                step->error[l] = NAN;
    return true;
}

static double rk4_next(OdeStep *step)
{
    return copysign(step->fixed_h, step->h[0]);
}

const OdeMethod ode_rk4 = {
    .name = "rk4",
    .order = 4,
    .dense_order = 3,
    .gap = 0.5,
    .fixed_step = true,
    .work_size = rk4_work_size,
    .start = rk4_start,
    .attempt = rk4_attempt,
    .accept = rk4_next,
    .reject = rk4_next,
    .dense = ode_hermite,
    .shares_attempts = true,
};
