/* Values by name into arrays by index; unknown names come with the nearest known one. */
#include "core/prepare/named_values.h"

#include <math.h>
#include <string.h>

/* The one of `names` in "dot(NAME)": columns have such names, the members of "v" do not. */
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
    const int word = (int)strcspn(what, " "); /* "coordinate of the chart" */
    const char *kinds = arena_printf(diag->arena, "%.*ss%s", word, what, what + word);
    const char *hint = meant   ? arena_printf(diag->arena, "the key is \"%.100s\"", meant)
                       : kinds ? names_hint(diag, name, kinds, names, n)
                               : NULL;

    diagnostics_add(diag, pointer, -1, hint, "unknown %s \"%s\"", what, name);
}

StateTargets state_targets(const Model *m, bool in_chart)
{
    const size_t n = in_chart ? m->given.chart.n : m->n;
    const char *what = in_chart ? "coordinate of the chart" : "coordinate";
    const char *const *names = in_chart ? (const char *const *)m->given.chart.names
                                        : (const char *const *)m->names.coordinates;
    const Unit *units = in_chart ? m->units.chart : m->units.state;

    return (StateTargets){{what, names, units, n}, {what, names, units ? units + n : NULL, n}};
}

NamedTargets parameter_targets(const Model *m)
{
    return (NamedTargets){"parameter", m->names.params, m->units.parameters, m->n_params};
}

/* Names are short. */
static bool same_name(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

size_t named_targets_look_up(const NamedTargets *targets, const char *name, size_t guess,
                             const char *pointer, Diagnostics *diag)
{
    const size_t n = targets->n;
    size_t i = guess < n ? guess : 0, looked_at = 0;

    while (looked_at < n && !same_name(targets->names[i], name)) {
        i = i + 1 == n ? 0 : i + 1;
        looked_at++;
    }
    if (looked_at < n)
        return i;
    unknown_name(diag, pointer, targets->what, name, targets->names, n);
    return n;
}

void named_values_assign(const NamedValue *values, size_t n_values, const NamedTargets *targets,
                         double *target, bool *given, Diagnostics *diag)
{
    for (size_t k = 0; k < n_values; k++) {
        const size_t i = named_targets_look_up(targets, values[k].name, k, values[k].pointer, diag);
        if (i == targets->n)
            continue;
        const double number = values[k].value;
        const double value = targets->units ? unit_to_si(&targets->units[i], number) : number;
        const bool fits = value == number && isfinite(value);
        const char *misfit = fits ? NULL : unit_misfit(number, value);
        if (misfit) {
            diagnostics_add(diag, values[k].pointer, -1, NULL, "%s", misfit);
        } else {
            target[i] = value;
            if (given)
                given[i] = true;
        }
    }
}

bool named_values_have(const NamedValue *values, size_t n, const char *name)
{
    for (size_t k = 0; k < n; k++)
        if (strcmp(values[k].name, name) == 0)
            return true;
    return false;
}
