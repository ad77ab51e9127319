/* Models for tests, written as short texts. */
#ifndef TESTS_CORE_MODEL_SKETCH_H
#define TESTS_CORE_MODEL_SKETCH_H

#include "core/model/state.h"

enum { SKETCH_MAX = 8 };

/* A text "NAME: EXPRESSION" has a name; constraints may go without. */
typedef struct Sketch {
    const char *coordinates; /* "x y z" */
    const char *parameters;  /* "m=1 g=9.8" */
    const char *definitions[SKETCH_MAX];
    const char *lagrangian;
    const char *constraints[SKETCH_MAX];
    const char *forces[SKETCH_MAX];
    const char *symmetries[SKETCH_MAX]; /* "NAME: x = 1, y = -x" */
    const char *frame[SKETCH_MAX];      /* likewise */
    const char *base;                   /* "x y" */
    const char *chart;                  /* "a b: x = cos(a), y = b" */
} Sketch;

/* One model with all that is computed from it; aborts the test where something fails that must
 * not. */
typedef struct Bench {
    Arena *arena;
    Diagnostics diag;
    Model *model;
    ModelPrograms *programs;
    ModelEval *eval;
} Bench;

/* The document with pointers as of a job: "/model/lagrangian", ... */
ModelDocument sketch_document(const Sketch *sketch, Arena *arena);

void bench_init(Bench *bench, const Sketch *sketch);
void bench_build(Bench *bench, const ModelDocument *document);
void bench_done(Bench *bench);

/* Values of expressions at a state with the document's parameters. */
void bench_values(const Bench *bench, double t, const double *q, const double *v, const Expr *e,
                  size_t n, double *ret_values);

#endif
