/* Values by name into arrays by index; unknown names come with the nearest known one. */
#include "core/simulation/prepare/named_values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The one of names in "dot(NAME)": columns are called so, the members of "v" are not. */
static const char *name_in_dot(const char *text, const char *const *names, size_t n)
{
    static const char DOT[] = "dot(";
    const size_t start = sizeof DOT - 1, length = strlen(text);

    if (strncmp(text, DOT, start) != 0 || text[length - 1] != ')')
        return NULL;
    for (size_t i = 0; i < n; i++)
        if (strlen(names[i]) == length - start - 1 &&
            strncmp(text + start, names[i], length - start - 1) == 0)
            return names[i];
    return NULL;
}

void unknown_name(Diagnostics *diag, const char *pointer, const char *what, const char *name,
                  const char *const *names, size_t n)
{
    const char *meant = name_in_dot(name, names, n);
    const char *near = meant ? meant : nearest_name(name, strlen(name), names, n);
    char hint[128];

    snprintf(hint, sizeof hint, meant ? "the key is \"%.100s\"" : "did you mean \"%.100s\"?",
             near ? near : "");
    diagnostics_add(diag, pointer, -1, near ? hint : NULL, "unknown %s \"%s\"", what, name);
}

void named_values_assign(const NamedValue *values, size_t n_values, const char *what,
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
