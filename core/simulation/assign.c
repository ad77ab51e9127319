#include "core/simulation/assign.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void unknown_name(Diagnostics *diag, const char *pointer, const char *what, const char *name,
                  const char *const *names, size_t n)
{
    const char *near = nearest_name(name, strlen(name), names, n);
    char hint[128];

    snprintf(hint, sizeof hint, "did you mean \"%.100s\"?", near ? near : "");
    diagnostics_add(diag, pointer, -1, near ? hint : NULL, "unknown %s \"%s\"", what, name);
}

void assign_values(const NamedValue *values, size_t n_values, const char *what,
                   const char *const *names, size_t n, double *target, bool *given,
                   Diagnostics *diag)
{
    for (size_t k = 0; k < n_values; k++) {
        size_t i = 0;
        while (i < n && strcmp(names[i], values[k].name) != 0)
            i++;
        if (i == n) {
            unknown_name(diag, values[k].pointer, what, values[k].name, names, n);
        } else if (!isfinite(values[k].value)) {
            diagnostics_add(diag, values[k].pointer, -1, NULL, "the value is not a finite number");
        } else {
            target[i] = values[k].value;
            if (given)
                given[i] = true;
        }
    }
}
