/* Sizes of the state's components: those of the job; or 1 if the job gives an absolute tolerance
 * without sizes; else from the motion. */
#include "core/prepare/nominal.h"

#include <math.h>
#include <string.h>

#include "core/prepare/named_values.h"

/* x, y, .., dot(x), dot(y), .., p(x), p(y), .. */
static const char **state_names(const Simulation *s)
{
    const Model *model = s->compiled->model;
    const size_t n = model->n;
    const char **names = ARENA_NEW(s->arena, 3 * n, const char *);

    for (size_t i = 0; names && i < n; i++) {
        names[i] = model->names.coordinates[i];
        names[n + i] = arena_join(s->arena, "dot(", names[i], ")");
        names[2 * n + i] = arena_join(s->arena, "p(", names[i], ")");
    }
    return names;
}

/* The index of the name among q, v and momenta, or 3 n. */
static size_t place_of(const Simulation *s, const char *name)
{
    const size_t n = s->compiled->model->n;
    size_t i = 0;

    while (name && i < 3 * n &&
           (*s->integration.state_names[i] != *name ||
            strcmp(s->integration.state_names[i], name) != 0))
        i++;
    return name ? i : 3 * n;
}

Status nominal_read(Simulation *s, const JobSpec *spec, Diagnostics *diag, Error *err)
{
    const size_t n = s->compiled->model->n;

    s->integration.nominal = arena_doubles(s->arena, 2 * n);
    s->integration.sized = ARENA_NEW(s->arena, 2 * n, bool);
    s->integration.state_names = state_names(s);
    Status status = arena_status(s->arena, err);
    if (status != OK)
        return status;
    /* default sizes are 1; each given size has to be positive */
    for (size_t i = 0; i < 2 * n; i++)
        s->integration.nominal[i] = 1;
    s->integration.absolute = spec->integrator.n_nominal == 0 && spec->integrator.atol_given;
    for (size_t k = 0; k < spec->integrator.n_nominal; k++)
        if (!(spec->integrator.nominal[k].value > 0))
            diagnostics_add(diag, spec->integrator.nominal[k].pointer, -1, NULL,
                            "a size must be positive");
    const NamedTargets state = {"coordinate or velocity", s->integration.state_names,
                                s->compiled->model->units.state, 2 * n};
    named_values_assign(spec->integrator.nominal, spec->integrator.n_nominal, &state,
                        s->integration.nominal, s->integration.sized, diag);
    return OK;
}

/* Behind q and v come columns d(q, v)/dc, row by row. Their derivatives have the kinds of q and
 * v, because the unit of c divides both. */
static void kinds_of_columns(const Simulation *s, size_t dim, size_t *kinds, size_t *integrals)
{
    const size_t rows = s->motion->dim, m = s->sensitivities->m;

    for (size_t k = rows; k < dim; k++) {
        const size_t row = (k - rows) / m, c = (k - rows) % m;
        kinds[k] = rows + kinds[row] * m + c;
        integrals[k] = integrals[row] < rows ? rows + integrals[row] * m + c : dim;
    }
}

Status nominal_options(const Simulation *s, size_t dim, Arena *arena, OdeOptions *options,
                       Error *err)
{
    const Model *model = s->compiled->model;
    const size_t n = model->n;
    double *nominal = arena_doubles(arena, dim);
    size_t *kinds = arena_sizes(arena, dim), *integrals = arena_sizes(arena, dim);
    size_t *first = arena_sizes(arena, 3 * n), *place = arena_sizes(arena, 3 * n);
    Status status = arena_status(arena, err);

    if (status != OK)
        return status;
    for (size_t i = 0; i < 3 * n; i++)
        first[i] = place[i] = dim;
    for (size_t k = 0; k < dim; k++) {
        const size_t i = k < s->motion->dim ? place_of(s, s->motion->state_names[k]) : 3 * n;
        kinds[k] = k;
        integrals[k] = dim;
        nominal[k] = s->integration.absolute;
        if (i == 3 * n)
            continue;
        place[i] = k;
        /* velocities are of one kind if their coordinates are; so are momenta */
        const size_t kind = i - i % n + model->kinds.first[i % n];
        if (first[kind] == dim)
            first[kind] = k;
        kinds[k] = first[kind];
        if (i < 2 * n && s->integration.sized[i])
            nominal[k] = s->integration.nominal[i];
        if (i >= n && i < 2 * n)
            integrals[k] = place[i - n];
    }
    if (s->sensitivities)
        kinds_of_columns(s, dim, kinds, integrals);
    options->nominal = nominal;
    options->kinds = kinds;
    options->integrals = integrals;
    return OK;
}

void nominal_met(const Simulation *s, const double *largest, double *ret)
{
    const size_t n = s->compiled->model->n, *kinds = s->compiled->model->kinds.first;

    for (size_t i = 0; i < 2 * n; i++) {
        ret[i] = s->integration.nominal[i];
        if (s->integration.sized[i] || s->integration.absolute)
            continue;
        ret[i] = 0;
        for (size_t k = 0; k < n; k++)
            if (kinds[k] == kinds[i % n])
                ret[i] = fmax(ret[i], largest[i - i % n + k]);
    }
}

const char *nominal_without_effect(const Simulation *s)
{
    const size_t n = s->compiled->model->n;
    bool any = false;

    for (size_t i = 0; i < 2 * n; i++)
        any = any || s->integration.sized[i];
    if (!any)
        return NULL;
    bool *integrated = ARENA_NEW(s->arena, 3 * n + 1, bool);

    for (size_t k = 0; integrated && k < s->motion->dim; k++)
        integrated[place_of(s, s->motion->state_names[k])] = true;
    for (size_t i = 0; integrated && i < 2 * n; i++)
        if (s->integration.sized[i] && !integrated[i])
            return s->integration.state_names[i];
    return NULL;
}
