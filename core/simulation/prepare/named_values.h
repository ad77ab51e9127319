/* Inside core/simulation/: values that a job gives by name. */
#ifndef CORE_SIMULATION_PREPARE_NAMED_VALUES_H
#define CORE_SIMULATION_PREPARE_NAMED_VALUES_H

#include "core/base/diagnostics.h"
#include "core/job.h"

/* "unknown coordinate "thta"", with the nearest of names[n] as a hint. */
void unknown_name(Diagnostics *diag, const char *pointer, const char *what, const char *name,
                  const char *const *names, size_t n);

/* Writes given values over what is in target[n], by names[n], and marks them in given[n] (may be
 * NULL). `what` is what a name stands for. Unknown names and values that are not finite are
 * mistakes. */
void named_values_assign(const NamedValue *values, size_t n_values, const char *what,
                         const char *const *names, size_t n, double *target, bool *given,
                         Diagnostics *diag);

#endif
