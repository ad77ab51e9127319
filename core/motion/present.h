/* The equations of a formulation, for a reader.
 *
 * A formulation adds equations lhs = rhs over a pool of its own (a clone of the model's), with
 * symbols for its own quantities. Roles are headings: "quasi-velocities", "motion", ...
 *
 * Failure is sticky: names made in the arena need no check; presentation_status() reports it. */
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
    size_t n;
    /* Names of the symbols from model->sym.first_free on: text and LaTeX; C uses w[0], w[1], ... */
    const char **text_names, **latex_names;
    size_t n_symbols;
} Presentation;

Status presentation_init(Presentation *presentation, const Model *model, Error *err) MUST_CHECK;
void presentation_done(Presentation *presentation);

/* A new quantity. In its text and its LaTeX each @ is the next of the names; NULL: none. */
Expr presentation_symbol(Presentation *presentation, const char *text, const char *latex,
                         const char *const *names);
/* Lists "text = value", unless it is zero; returns its symbol, or the number if it is one. */
Expr presentation_name(Presentation *presentation, const char *role, const char *text,
                       const char *latex, const char *const *names, Expr value);
/* Names are copied; role is a literal. */
void presentation_add(Presentation *presentation, const char *role, const char *name, Expr lhs,
                      Expr rhs);
Status presentation_status(const Presentation *presentation, Error *err) MUST_CHECK;

#endif
