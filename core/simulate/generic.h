/* Inside core/simulate/: a generic state from which a motion could start, for requests without a
 * job. */
#ifndef CORE_SIMULATE_GENERIC_H
#define CORE_SIMULATE_GENERIC_H

#include "core/prepare/compiled.h"

typedef struct Generic {
    const Compiled *compiled;
    ModelEval *eval; /* with the document's parameters */
    /* a state was found; if false, only the next two members are usable */
    bool found;
    bool irregular;        /* M is singular on the constraints at all states tried */
    const char *objection; /* the message about a singular M; else the objection to the last state
                              tried */
    double t;
    double *q, *v;        /* n */
    double *size, time;   /* n: size of each coordinate, from the parameters or 1; and of time */
    size_t *rows;         /* report.rank: the independent constraints */
    InitialReport report; /* in the arena */
} Generic;

/* Searches for an admissible state near random ones. Free `eval` also after a failure. */
Status generic_init(Generic *generic, const Compiled *compiled, Arena *arena,
                    Error *err) MUST_CHECK;

/* The question that formulations are asked at the generic state. */
MotionQuestion generic_question(const Generic *generic, const MotionOptions *options);

/* Whether the formulation applies at the generic state, and its options, with an elimination
 * suitable for texts (unrolled if that is sound). Objections go to diag (then ERR_INVALID). */
Status generic_options(const Generic *generic, const Formulation *formulation, Arena *arena,
                       MotionOptions *ret_options, Diagnostics *diag, Error *err) MUST_CHECK;

#endif
