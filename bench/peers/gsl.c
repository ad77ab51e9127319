/* GSL's rk8pd (the GNU Scientific Library's explicit method of order 8 by Prince and Dormand) with
 * the equations by hand, as its manual shows it: evolve and control, from one end to the other. */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <string.h>

#include "bench/peers/peers.h"

typedef struct Counted {
    Rates *rates;
    Work work;
} Counted;

static int counted_rates(double t, const double y[], double f[], void *self)
{
    Counted *counted = self;
    counted->rates(t, y, f);
    counted->work.evaluations++;
    return GSL_SUCCESS;
}

bool gsl_rk8pd(const Problem *problem, double tolerance, double *q, double *v, double *ret_seconds,
               Work *ret_work)
{
    Counted counted = {.rates = problem->rates};
    const gsl_odeiv2_system system = {counted_rates, NULL, problem->size, &counted};
    gsl_odeiv2_step *step = gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk8pd, problem->size);
    gsl_odeiv2_control *control = gsl_odeiv2_control_y_new(tolerance, tolerance);
    gsl_odeiv2_evolve *evolve = gsl_odeiv2_evolve_alloc(problem->size);
    double y[STATE_MOST], t = 0, h = 1e-3;
    int status = GSL_SUCCESS;

    (void)ret_seconds;
    memcpy(y, problem->start, sizeof y);
    while (status == GSL_SUCCESS && t < problem->end)
        status = gsl_odeiv2_evolve_apply(evolve, control, step, &system, &t, problem->end, &h, y);
    counted.work.steps = evolve->count + evolve->failed_steps;
    *ret_work = counted.work;
    gsl_odeiv2_evolve_free(evolve);
    gsl_odeiv2_control_free(control);
    gsl_odeiv2_step_free(step);
    problem->tell(y, q, v);
    return status == GSL_SUCCESS;
}
