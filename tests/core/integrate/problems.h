/* Problems with known solutions, and an observer that writes everything down. */
#ifndef TESTS_CORE_INTEGRATE_PROBLEMS_H
#define TESTS_CORE_INTEGRATE_PROBLEMS_H

#include <check.h>

#include "core/integrate/methods.h"

enum { MAX_DIM = 16, MAX_ROWS = 4096 };

typedef struct Problem {
    const char *name;
    OdeSystem system;
    double t0, t_end;
    double y0[MAX_DIM];
    void (*exact)(double t, double *ret_y);
} Problem;

extern const Problem oscillator, kepler, time_dependent;
extern const Problem *const SMOOTH[];
extern const size_t N_SMOOTH;

typedef struct Row {
    char kind; /* 's'ample, 'e'vent, 'a'ccepted step */
    size_t index;
    int direction;
    double t, h;
    double y[MAX_DIM];
} Row;

/* What to do and what has happened in a run. */
typedef struct Run {
    const OdeMethod *method;
    OdeSystem system;
    OdeOptions options;
    double t0, t_end;
    size_t n_samples;
    const double *times; /* NULL: equally spaced */
    double y[MAX_DIM];
    Status (*on_event)(struct Run *run, size_t guard, int direction, double t, double *y,
                       OdeAction *ret_action);
    Status (*poll)(void *self, Error *err);
    bool steps; /* write accepted steps down as well */
    OdeOutcome outcome;
    Row rows[MAX_ROWS];
    size_t n_rows;
    double last_sample_t;
    uint64_t n_seen;
    int mode; /* for switches */
} Run;

/* A run of a problem; tolerance for both rtol and atol. Freed with free(). */
Run *run_new(const Problem *problem, const char *method, double tolerance);
void run_go(Run *run);
/* Runs, and expects that it ends OK. */
void run_well(Run *run);
double run_error(const Run *run, void (*exact)(double t, double *ret_y));
const Row *run_row(const Run *run, char kind, size_t number);

#endif
