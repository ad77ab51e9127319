/* Quantiles by GSL, each from the end of the distribution at which probabilities have digits. */
#include "core/numeric/normal.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

/* NOLINTNEXTLINE(misc-no-recursion): once */
double normal_quantile(double u, double least, double most)
{
    if (least > 0)
        return -normal_quantile(1 - u, -most, -least);
    const double below = gsl_cdf_ugaussian_P(least);
    /* from the tail that contains the upper bound */
    const double within =
        most > 0 ? 1 - below - gsl_cdf_ugaussian_Q(most) : gsl_cdf_ugaussian_P(most) - below;
    const double left = below + u * within;
    const double x = left < 0.5
                         ? gsl_cdf_ugaussian_Pinv(left)
                         : gsl_cdf_ugaussian_Qinv(gsl_cdf_ugaussian_Q(most) + (1 - u) * within);
    return fmin(fmax(x, least), most);
}
