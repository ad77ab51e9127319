/* Inside core/prepare/: values that a job gives by name. */
#ifndef CORE_PREPARE_NAMED_VALUES_H
#define CORE_PREPARE_NAMED_VALUES_H

#include "core/base/diagnostics.h"
#include "core/job.h"
#include "core/model/model.h"

/* "unknown coordinate "thta"", with the nearest of names[n] as a hint. */
void unknown_name(Diagnostics *diag, const char *pointer, const char *what, const char *name,
                  const char *const *names, size_t n);

/* A set of names to which values can be given. */
typedef struct NamedTargets {
    const char *what; /* the kind of thing that a name denotes */
    const char *const *names;
    const Unit *units; /* units of the values; NULL: no conversion */
    size_t n;
} NamedTargets;

/* Coordinates of the model or of its chart, and their velocities by the same names. */
typedef struct StateTargets {
    NamedTargets q, v;
} StateTargets;

StateTargets state_targets(const Model *model, bool in_chart);
NamedTargets parameter_targets(const Model *model);

/* The index of the name; an unknown one is a mistake, and gives targets->n. The search begins at
 * `guess`, because values mostly come in the order of the names. */
size_t named_targets_look_up(const NamedTargets *targets, const char *name, size_t guess,
                             const char *pointer, Diagnostics *diag);

/* Writes the given values in SI units over target[n], and marks them in given[n] (may be NULL).
 * Unknown names and values that are not finite are mistakes. */
void named_values_assign(const NamedValue *values, size_t n_values, const NamedTargets *targets,
                         double *target, bool *given, Diagnostics *diag);

/* Whether a value of this name is given. */
bool named_values_have(const NamedValue *values, size_t n, const char *name);

#endif
