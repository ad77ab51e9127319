/* Vector fields on the extended configuration space (q, t), their brackets, and the ranks of
 * their spans at states.
 *
 * A field may carry components beyond (q, t), on which no component depends: with the value
 * theta_X of X(f) as one of them, the bracket of two fields carries X(theta_Y) - Y(theta_X), the
 * value of [X, Y](f).
 *
 * The size of the terms tells cancellation from small values: a component below VERDICT_HOLDS of
 * its terms is zero, one above VERDICT_FAILS is not, and a state with one in between is not
 * used. */
#ifndef CORE_INVARIANTS_STRUCTURE_FIELDS_H
#define CORE_INVARIANTS_STRUCTURE_FIELDS_H

#include "core/invariants/analysis.h"

/* States at which ranks are computed, the start among them: more than VERDICT_ENOUGH_STATES,
 * because some are not usable. Convention. */
enum { FIELDS_MAX_STATES = 41 };

typedef struct Fields {
    AnalysisContext context; /* with a pool of its own: brackets may fill it */
    ExprPool *pool;          /* the context's */
    size_t dim;              /* components of a field */
    size_t n_symbols;        /* n + 1: q, t; the first components belong to them */
    Expr *symbols;           /* n_symbols */
    double *units;           /* dim: of components, the sizes of coordinates and a time; 1 beyond */
    size_t count, capacity;
    Expr *components;    /* [count][dim] */
    Expr *sizes;         /* [count][dim]: the sum of the terms' absolute values */
    double *field_units; /* [count] */
    Expr **slopes;       /* [count]: of the components by the symbols [dim][n_symbols], or NULL */
    Trajectory states;   /* random admissible ones, then the start */
    bool *usable;        /* by state */
    bool *was_usable;    /* before the last fields were evaluated, */
    size_t before;       /* and the number of fields then */
    size_t evaluated;    /* fields with numbers */
    double *numbers; /* [evaluated][n_states][dim], cleaned, in units of fields and components */
    double *number_sizes;
    double largest; /* relative to its terms, of the components evaluated last */
    Arena arena;    /* owns the arrays */
} Fields;

/* Clones the context's pool: its expressions are known here, not the other way round. `extra`:
 * components beyond (q, t). Call fields_done() in any case. */
Status fields_init(Fields *fields, const AnalysisContext *context, size_t extra,
                   Error *err) MUST_CHECK;
void fields_done(Fields *fields);

/* Adds a field given by its components[dim]; `unit` times the field is neither small nor large. */
Status fields_add(Fields *fields, const Expr *components, double unit, Error *err) MUST_CHECK;
/* The same with the sizes to which its components are compared. */
Status fields_add_sized(Fields *fields, const Expr *components, const Expr *sizes, double unit,
                        Error *err) MUST_CHECK;
/* Adds [field i, field j], its unit the product of theirs, unless it vanishes structurally, or
 * equals a field from `first` on. */
Status fields_add_bracket(Fields *fields, size_t i, size_t j, size_t first, Error *err) MUST_CHECK;

/* Computes the fields added since the last call at all states. */
Status fields_evaluate(Fields *fields, Error *err) MUST_CHECK;
/* Drops the fields added since then. If the pool is full no others can be added. */
void fields_drop(Fields *fields);
/* Drops the fields that were evaluated last; states that they made unusable are usable again. */
void fields_undo(Fields *fields);

/* Ranks over states, of the first `dim` components of the first `count` fields. */
typedef struct FieldsRank {
    size_t generic; /* attained at two random states */
    size_t most;    /* not exceeded at any: decided when equal */
    size_t start;
    size_t states; /* that were usable */
} FieldsRank;

Status fields_rank(const Fields *fields, size_t count, size_t dim, FieldsRank *ret,
                   Error *err) MUST_CHECK;

/* The rank of a matrix whose rounding was set to zero: certain, and possible. Overwrites it with
 * its equilibrated form. */
Status rank_of_matrix(double *a, size_t rows, size_t columns, size_t *ret_certain,
                      size_t *ret_possible, Error *err) MUST_CHECK;

#endif
