/* Flags of a distribution: the spans of its brackets.
 *
 * The small flag, whose ranks are the growth vector: D_1 = D, D_{k+1} = D_k + [D, D_k]. The
 * derived flag: D^(0) = D, D^(k+1) = D^(k) + [D^(k), D^(k)]; the annihilator of D^(k) is the k-th
 * derived system of the constraint forms. Both end at the smallest involutive distribution that
 * contains D, whose leaves no motion can leave. */
#ifndef CORE_INVARIANTS_STRUCTURE_GROWTH_H
#define CORE_INVARIANTS_STRUCTURE_GROWTH_H

#include "core/invariants/analysis.h"

/* Vector fields on the extended configuration space (q, t), and their brackets. A field may carry
 * components beyond (q, t), on which no component depends: with the value theta_X of X(f) as one of
 * them, the bracket of two fields carries X(theta_Y) - Y(theta_X), the value of [X, Y](f).
 *
 * The size of the terms tells cancellation from small values: a component below VERDICT_HOLDS of
 * its terms is zero, one above VERDICT_FAILS is not, and a state with one in between is not
 * used. */

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
    Arena arena; /* owns the arrays */
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

/* Steps of a flag. Convention. */
enum { GROWTH_MAX_STEPS = 12 };

typedef struct Growth {
    size_t length;                    /* at least 1 when there are fields */
    size_t tried;                     /* steps that were made: the last ones may repeat a rank */
    size_t generic[GROWTH_MAX_STEPS]; /* ranks almost everywhere: at random states, or proved */
    size_t fields[GROWTH_MAX_STEPS];  /* the number of fields after each step */
    size_t start[GROWTH_MAX_STEPS];   /* ranks at the start; may take longer than elsewhere */
    size_t start_length;
    bool decided;  /* the ranks hold at VERDICT_ENOUGH_STATES, none was close to another */
    bool complete; /* the last rank is that of the involutive closure */
    bool blurred;  /* rounding hides the last brackets; they may be proved */
    bool proved;   /* `generic` and `complete` are: see growth_prove() */
    Proof proof;   /* of all steps; PROOF_SAMPLES with a doubt: there is none */
    size_t states;
} Growth;

/* The fields come as the generators of D alone; their brackets are appended. Stops if nothing is
 * gained, if `most` is reached, or if there are too many brackets or rounding hides them: then
 * not complete. dim: of the components that count. derived: the derived flag, not the small one. */
Status growth_init(Growth *growth, Fields *fields, bool derived, size_t dim, size_t most,
                   Error *err) MUST_CHECK;
/* Drops the last brackets if they are blurred: the flag is then as far as numbers show it. */
void growth_sharpen(Fields *fields, Growth *growth);

/* Tries to prove the generic ranks; changes only these, `complete` and the proof. The fields are
 * those of the flag. */
Status growth_prove(const Fields *fields, size_t dim, size_t most, Growth *growth,
                    Error *err) MUST_CHECK;

#endif
