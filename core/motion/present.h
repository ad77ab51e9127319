/* The equations of a formulation as a person reads them.
 *
 * A formulation adds equations lhs = rhs over a pool of its own (a clone of the model's), with
 * symbols for its own quantities. Roles are headings: "quasi-velocities", "motion", ... */
#ifndef CORE_MOTION_PRESENT_H
#define CORE_MOTION_PRESENT_H

#include "core/base/arena.h"
#include "core/model/model.h"

typedef struct PresentedEquation {
    const char *role, *name;
    Expr lhs, rhs; /* rhs EXPR_NONE: only an expression */
} PresentedEquation;

typedef struct Presentation {
    const Model *model;
    ExprPool *pool;
    Arena *arena;
    PresentedEquation *items; /* n */
    size_t n, capacity;
    /* Names of the symbols from model->first_free on: text and LaTeX; C uses w[0], w[1], ... */
    const char **text_names, **latex_names;
    size_t n_symbols, symbols_capacity;
    bool failed; /* out of memory: sticky */
} Presentation;

Status presentation_init(Presentation *presentation, const Model *model, Error *err) MUST_CHECK;
void presentation_done(Presentation *presentation);

/* A new quantity; the names are copied. */
Expr presentation_symbol(Presentation *presentation, const char *text, const char *latex);
/* A name as LaTeX writes it, in the presentation's arena. */
const char *presentation_latex(Presentation *presentation, const char *name);
/* Names are copied; role is a literal. */
void presentation_add(Presentation *presentation, const char *role, const char *name, Expr lhs,
                      Expr rhs);
Status presentation_status(const Presentation *presentation, Error *err) MUST_CHECK;

#endif
