/* Vector fields on the extended configuration space (q, t), their brackets, and the ranks of what
 * they span at states.
 *
 * A field may carry components beyond (q, t), on which no component depends: with the value
 * theta_X of X(f) as one of them, the bracket of two fields carries X(theta_Y) - Y(theta_X), the
 * value of [X, Y](f).
 *
 * What cancels is told from what is small by the size of the terms: a component below 1e-11 of its
 * terms is zero, one above 1e-7 is not, and a state with one between is not used. */
#ifndef CORE_INVARIANTS_STRUCTURE_FIELDS_H
#define CORE_INVARIANTS_STRUCTURE_FIELDS_H

#include "core/invariants/analysis.h"

/* Ranks are tried at no more states than this, the start among them. */
enum { FIELDS_MAX_STATES = 41 };

typedef struct Fields {
    const AnalysisContext *context;
    ExprPool *pool;   /* of its own: brackets may fill it */
    size_t dim;       /* components of a field */
    size_t n_symbols; /* n + 1: q, t; the first components belong to them */
    Expr *symbols;    /* n_symbols */
    double *units;    /* dim: of components, the sizes of coordinates and a time; 1 beyond */
    size_t count, capacity;
    Expr *components;    /* [count][dim] */
    Expr *sizes;         /* [count][dim]: the sum of the terms' absolute values */
    double *field_units; /* [count] */
    Expr **slopes;     /* [count]: of the components by the symbols [dim][n_symbols], when wanted */
    Trajectory states; /* random admissible ones, then the start */
    bool *usable;      /* by state */
    bool *was_usable;  /* before the last fields were evaluated, */
    size_t before;     /* of which there were so many then */
    size_t evaluated;  /* fields with numbers: */
    double *numbers;   /* [evaluated][n_states][dim], cleaned, in units of fields and components */
    double *number_sizes;
    double largest; /* relative to its terms, of the components evaluated last */
    Arena arena;    /* holds all arrays */
} Fields;

/* Clones the pool: its expressions are known here, not the other way round. `extra`: components
 * beyond (q, t). Call fields_done() in any case. */
Status fields_init(Fields *fields, const AnalysisContext *context, const ExprPool *pool,
                   size_t extra, Error *err) MUST_CHECK;
void fields_done(Fields *fields);

/* Adds a field given by its components[dim], of which `unit` times as much is neither small nor large. */
Status fields_add(Fields *fields, const Expr *components, double unit, Error *err) MUST_CHECK;
/* The same with the sizes against which its components are small. */
Status fields_add_sized(Fields *fields, const Expr *components, const Expr *sizes, double unit,
                        Error *err) MUST_CHECK;
/* Adds [field i, field j], its unit the product of theirs, unless it vanishes structurally, or equals a field from `first` on. */
Status fields_add_bracket(Fields *fields, size_t i, size_t j, size_t first, Error *err) MUST_CHECK;

/* Computes the fields added since the last call at all states. */
Status fields_evaluate(Fields *fields, Error *err) MUST_CHECK;
/* Forgets the fields added since then. Where the pool is full no others can be added. */
void fields_drop(Fields *fields);
/* Forgets those that were evaluated last, and what their rounding made unusable. */
void fields_undo(Fields *fields);

/* Ranks over states, of the first `dim` components of the first `count` fields. */
typedef struct FieldsRank {
    size_t generic; /* reached at two random states */
    size_t most;    /* not exceeded at any: decided when equal */
    size_t start;
    size_t states; /* that were usable */
} FieldsRank;

Status fields_rank(const Fields *fields, size_t count, size_t dim, FieldsRank *ret,
                   Error *err) MUST_CHECK;

/* The rank of a matrix whose entries are zero or meant: what is certain, and what is possible.
 * Overwrites it with its equilibrated form. */
Status rank_of_matrix(double *a, size_t rows, size_t columns, size_t *ret_certain,
                      size_t *ret_possible, Error *err) MUST_CHECK;

#endif
