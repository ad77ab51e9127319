/* Gauss's distribution. */
#ifndef CORE_NUMERIC_NORMAL_H
#define CORE_NUMERIC_NORMAL_H

/* The quantile u in [0, 1] of the standard normal distribution between two bounds, least < most,
 * either of which may be infinite; to rounding also far out in a tail. */
double normal_quantile(double u, double least, double most);

#endif
