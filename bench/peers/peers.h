/* Published problems whose exact final states are known, and those who integrate them.
 *
 * Every peer integrates the same problem from t = 0 to 20 at one tolerance, relative and absolute,
 * and is judged by its global error: the largest |y - exact| / max(1, |exact|) over coordinates and
 * velocities of the model. */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include <stdbool.h>
#include <stddef.h>

enum { STATE_MOST = 8, COORDINATES_MOST = 5, BATCH = 8 };

/* A vector of eight doubles, one of each trajectory. */
typedef double Batch __attribute__((vector_size(BATCH * sizeof(double))));

/* Those of rates.h, in the order of problems.json, with the number of quasi-coordinates. */
#define EACH_PROBLEM(X) X(p1, 5) X(p2, 5) X(p3, 7) X(p4, 7) X(p5, 2) X(p6, 8)

typedef void Rates(double t, const double *y, double *f);

typedef struct Problem {
    const char *id;
    size_t index;
    const char *document; /* the model and its initial state, as JSON; its end is left out */
    double end;
    size_t n; /* coordinates of the model */
    double exact_q[COORDINATES_MOST], exact_v[COORDINATES_MOST];
    /* By hand: equations of `size` quasi-coordinates. */
    size_t size;
    double start[STATE_MOST];
    Rates *rates;
    void (*tell)(const double *y, double *q, double *v); /* of the model; at the end */
} Problem;

typedef struct Work {
    unsigned long steps, evaluations; /* 0: not told */
} Work;

/* Reads bench/peers/problems.json; exits with a message on failure. Lives until the process
 * ends. */
size_t problems_read(const Problem **ret_problems);
double problem_error(const Problem *problem, const double *q, const double *v);

/* One trajectory at this tolerance (of a batch: of its first), its state at the end in q and v.
 * False: it did not get there. *ret_seconds is what it says itself of the time it took, for
 * those who make ready and look back too; else it is left alone. */
typedef bool Integrate(const Problem *problem, double tolerance, double *q, double *v,
                       double *ret_seconds, Work *ret_work);

Integrate plain_one, plain_batch, gsl_rk8pd, dalembert_dop853, dalembert_bdf;
/* Where SUNDIALS is installed; else they are false. */
Integrate sundials_erk, sundials_adams;

#endif
