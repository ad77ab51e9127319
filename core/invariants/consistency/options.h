/* Additions of a client to the section mu = p: another complement, or constants of motion. */
#ifndef CORE_INVARIANTS_CONSISTENCY_OPTIONS_H
#define CORE_INVARIANTS_CONSISTENCY_OPTIONS_H

#include "core/invariants/analysis.h"

typedef struct SectionOptions {
    const ModelField *complement; /* n_complement; NULL: none given */
    size_t n_complement;
    bool given; /* the complement, by the client */
    bool adds, adds_to_fields;
    Expr *by_constraint; /* model->r: added to the multiplier of the equation as written */
    Expr *by_field;      /* n_complement: added to the momentum of this field */
} SectionOptions;

/* "complement": a list of vector fields, as symmetries are written; "add": expressions of the
 * state by the name of a constraint or of a field of the complement, given or the model's own.
 * Built in `pool`, a clone of the model's; mistakes go to diag (then ERR_INVALID). Arrays live in
 * diag->arena. `options` may be NULL. */
Status section_options_read(const Model *model, ExprPool *pool, const Value *options,
                            Diagnostics *diag, SectionOptions *ret, Error *err) MUST_CHECK;

#endif
