/* Inside core/simulate/: the printing of equations. */
#ifndef CORE_SIMULATE_PRINTING_H
#define CORE_SIMULATE_PRINTING_H

#include "core/prepare/compiled.h"

typedef struct Printing {
    const Model *model;
    ExprPool *pool; /* of the printed expressions: a clone of the model's */
    PrintFormat format;
    PrintNames names; /* of the pool's symbols */
    Arena *arena;
    PrintedEquation *items;
    size_t n, capacity; /* heap until printing_end() */
    size_t items_bytes; /* of the items' texts */
    Text whole, one;
    Error *err;
    Status status; /* sticky */
} Printing;

void printing_fail(Printing *p, Status status);

/* Appends an equation as an item of its own; rhs may be EXPR_NONE. A text that is too long gives an
 * item with a note. */
void printing_item(Printing *p, const char *role, const char *name, Expr lhs, Expr rhs);

/* Appends to `whole` C declarations of the parts that expr_share() has found, such as
 * "const double w0 = ..;". printing_part_name(): the name of part k, in the arena (NULL if it is
 * full). */
void printing_parts(Printing *p, const Expr *parts, size_t n);
const char *printing_part_name(const Printing *p, size_t k);
/* Appends to `whole` C assignments: array[k] = values[k]. */
void printing_array(Printing *p, const char *array, const Expr *values, size_t n);

/* All items under headings, in the order of their first ones: text and LaTeX. */
void printing_document(Printing *p, const char *title);

/* A C function that computes the first-order system of a formulation. */
void printing_first_order(Printing *p, const Formulation *formulation,
                          const MotionOptions *options);

#endif
