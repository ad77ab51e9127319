/* The plain DOP853, one trajectory at a time. */
#include <math.h>
#include <string.h>

#include "bench/peers/peers.h"

#define REAL double
#define MASK bool
#define ZERO 0.0
#define RATES(name) hand_##name
#define SINE_COSINE(angle, sine, cosine) (*(sine) = sin(angle), *(cosine) = cos(angle))
#include "bench/peers/rates.h"

static inline double real_set(double a)
{
    return a;
}

static inline bool real_less(double a, double b)
{
    return a < b;
}

static inline bool real_any(bool a)
{
    return a;
}

static inline double real_select(bool mask, double yes, double no)
{
    return mask ? yes : no;
}

static inline double real_abs(double a)
{
    return fabs(a);
}

static inline double real_sqrt(double a)
{
    return sqrt(a);
}

#include "bench/peers/plain.h"

bool plain_one(const Problem *problem, double tolerance, double *q, double *v, double *ret_seconds,
               Work *ret_work)
{
    double y[STATE_MOST];

    (void)ret_seconds;
    memcpy(y, problem->start, sizeof y);
    *ret_work = PLAIN_SOLVERS[problem->index](problem->end, tolerance, y);
    problem->tell(y, q, v);
    return true;
}
