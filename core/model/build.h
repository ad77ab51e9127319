/* The state that the steps of model_build() share.
 *
 * Mistakes of the document go to diag and never stop a step. Two errors stop everything and are
 * sticky: no_memory, and the status of the pool. */
#ifndef CORE_MODEL_BUILD_H
#define CORE_MODEL_BUILD_H

#include "core/base/arena.h"
#include "core/model/build_names.h"
#include "core/model/storage.h"

typedef struct Builder {
    const ModelDocument *document;
    const char *root; /* pointer of the model in its document */
    Diagnostics *diag;
    size_t mistakes_before;
    Model *model;
    ModelStorage *storage;
    Arena *arena; /* the model's */
    ExprPool *pool;
    ExprScope *scope;
    NameTable names;
    Expr *A, *M, *l; /* model->A, M and l while they are written */
    Constraint *constraints;
    double *periods, *chart_periods, *values; /* the model's, while they are written */
    const char *deriving; /* pointer of the text whose derivatives are formed; NULL: none */
    bool without_units;   /* units are ignored */
    bool no_memory;
} Builder;

/* Zeroed memory of the model; NULL makes the builder fail. */
void *builder_alloc(Builder *b, size_t n, size_t size);
const char *builder_copy(Builder *b, const char *text);
/* True while parsing further texts can find more mistakes. */
bool builder_usable(const Builder *b);

/* The coordinate of that name; SIZE_MAX after a diagnostic. */
size_t builder_coordinate(Builder *b, const char *name, const char *pointer);
/* Parses in the model's scope; EXPR_NONE after a diagnostic or when the builder has failed. */
Expr builder_parse_measured(Builder *b, const NamedText *text, ParseFlags flags,
                            Dimension *ret_dimension);
uint32_t builder_symbol(const Builder *b, Expr symbol);
/* True when one of the symbols numbered first .. first + n - 1 occurs under the expressions. */
bool builder_uses(Builder *b, const Expr *e, size_t n_e, uint32_t first, size_t n);

/* Units of all names; then the document's numbers are converted. */
void build_units(Builder *b);

/* Names of constraints: given, or c1, c2, ... */
void build_constraint_names(Builder *b);
/* Definitions in dependency order, each parsed and added to the scope. */
void build_definitions(Builder *b);
/* Forces, symmetries, base, frame, chart. */
void build_forces(Builder *b);
void build_geometry(Builder *b);
/* Kind, velocity form and its derivatives of constraint a. */
void build_constraint(Builder *b, size_t a, Expr equation);
/* Entries of A and parts of M that stay fixed along every motion (Model.fixed). */
void build_fixed(Builder *b);

#endif
