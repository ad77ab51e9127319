/* Inside core/simulation/: a generic state: one from which a motion could start, when no job names
 * one. */
#ifndef CORE_SIMULATION_DESCRIBE_GENERIC_H
#define CORE_SIMULATION_DESCRIBE_GENERIC_H

#include "core/simulation/compiled.h"

typedef struct Generic {
    const Compiled *compiled;
    ModelEval *eval;       /* with the document's parameters */
    bool found;            /* a state; else the rest is of no use, but for the */
    bool irregular;        /* M is singular on the constraints at the states that there are */
    const char *objection; /* that it is; else what was wrong with the last state that was tried */
    double t;
    double *q, *v;        /* n */
    double *size, time;   /* n: of coordinates: what the parameters tell, or 1 */
    size_t *rows;         /* report.rank: the independent constraints */
    InitialReport report; /* in the arena */
} Generic;

/* Looks for an admissible state near random ones. Call generic_done() in any case. */
Status generic_init(Generic *generic, const Compiled *compiled, Arena *arena,
                    Error *err) MUST_CHECK;
void generic_done(Generic *generic);

/* What formulations are asked there. */
MotionQuestion generic_question(const Generic *generic, const MotionOptions *options);

/* Whether the formulation applies there, and with which options, whose elimination is one for texts
 * (unrolled where that is sound). What does not apply goes to diag (then ERR_INVALID). */
Status generic_options(const Generic *generic, const Formulation *formulation, Arena *arena,
                       MotionOptions *ret_options, Diagnostics *diag, Error *err) MUST_CHECK;

#endif
