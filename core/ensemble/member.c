/* Paths are turned into places in copies of the job's lists, once; a member's values are written there. */
#include "core/ensemble/member.h"

#include <string.h>

struct Member {
    JobSpec job;
    size_t n_axes;
    double **places; /* n_axes */
};

/* A list of named values that paths lead into. */
typedef struct List {
    const char *prefix;
    const NamedValue **values;
    size_t *n;
} List;

enum { LISTS = 5 };

static void lists_of(JobSpec *job, List ret[LISTS])
{
    ret[0] = (List){"parameters.", &job->parameters, &job->n_parameters};
    ret[1] = (List){"initial.q.", &job->q, &job->n_q};
    ret[2] = (List){"initial.v.", &job->v, &job->n_v};
    ret[3] = (List){"initial.chart.q.", &job->chart_q, &job->n_chart_q};
    ret[4] = (List){"initial.chart.v.", &job->chart_v, &job->n_chart_v};
}

/* What follows `prefix`; NULL where the path does not begin with it. */
static const char *after_prefix(const char *path, const char *prefix)
{
    const size_t length = strlen(prefix);
    return strncmp(path, prefix, length) == 0 && path[length] ? path + length : NULL;
}

/* The place of a name in a list with room for it; it is added where the document has none. */
static double *place_in(NamedValue *values, size_t *n, const char *name, const char *pointer)
{
    size_t i = 0;

    while (i < *n && strcmp(values[i].name, name) != 0)
        i++;
    if (i == *n)
        values[(*n)++] = (NamedValue){.name = name};
    values[i].pointer = pointer;
    return &values[i].value;
}

static double *place_of_multiplier(MultiplierSpec *mu, size_t *n, const char *name,
                                   const char *pointer)
{
    size_t i = 0;

    while (i < *n && !(mu[i].name && strcmp(mu[i].name, name) == 0))
        i++;
    if (i == *n)
        mu[(*n)++] = (MultiplierSpec){.name = name};
    mu[i].text = NULL;
    mu[i].pointer = pointer;
    return &mu[i].value;
}

/* Copies of the lists, with room for all axes. */
static void copy_lists(JobSpec *job, size_t n_axes, Arena *arena)
{
    List lists[LISTS];
    MultiplierSpec *mu = ARENA_NEW(arena, job->n_mu + n_axes, MultiplierSpec);

    lists_of(job, lists);
    for (size_t k = 0; k < LISTS; k++) {
        NamedValue *copy = ARENA_NEW(arena, *lists[k].n + n_axes, NamedValue);
        if (copy && *lists[k].n)
            memcpy(copy, *lists[k].values, *lists[k].n * sizeof *copy);
        *lists[k].values = copy;
    }
    if (mu && job->n_mu)
        memcpy(mu, job->mu, job->n_mu * sizeof *mu);
    job->mu = mu;
}

/* NULL and a mistake where a path leads nowhere. */
static double *find_place(JobSpec *job, const DesignAxis *axis, Diagnostics *diag)
{
    List lists[LISTS];
    const char *name;

    lists_of(job, lists);
    for (size_t k = 0; k < LISTS; k++)
        if ((name = after_prefix(axis->path, lists[k].prefix))) {
            job->in_chart = job->in_chart || k >= 3;
            return place_in((NamedValue *)*lists[k].values, lists[k].n, name, axis->pointer);
        }
    if ((name = after_prefix(axis->path, "initial.mu.")) && !job->mu_momentum) {
        job->mu_given = true;
        return place_of_multiplier((MultiplierSpec *)job->mu, &job->n_mu, name, axis->pointer);
    }
    if (strcmp(axis->path, "initial.t") == 0)
        return &job->t0;
    if (strcmp(axis->path, "time.end") == 0 && job->time.kind != TIME_AT)
        return &job->time.end;
    if (strcmp(axis->path, "time.end") == 0)
        diagnostics_add(diag, axis->pointer, -1, "give \"end\" with \"samples\" or \"every\"",
                        "the job's instants are listed in \"time.at\": there is no end to vary");
    else
        diagnostics_add(diag, axis->pointer, -1,
                        "write \"parameters.NAME\", \"initial.q.NAME\", \"initial.v.NAME\", "
                        "\"initial.t\" or \"time.end\"",
                        "\"%.80s\" is no number that can be varied", axis->path);
    return NULL;
}

Status member_new(const JobSpec *base, const DesignAxis *axes, size_t n_axes, Arena *arena,
                  Diagnostics *diag, Member **ret_member, Error *err)
{
    const size_t before = diag->total;
    Member *m = ARENA_NEW(arena, 1, Member);
    double **places = ARENA_NEW(arena, n_axes, double *);

    if (arena_failed(arena))
        return arena_status(arena, err);
    *m = (Member){.job = *base, .n_axes = n_axes, .places = places};
    copy_lists(&m->job, n_axes, arena);
    if (arena_failed(arena))
        return arena_status(arena, err);
    for (size_t a = 0; a < n_axes; a++) {
        places[a] = find_place(&m->job, &axes[a], diag);
        for (size_t b = 0; places[a] && b < a; b++)
            if (places[b] == places[a])
                diagnostics_add(diag, axes[a].pointer, -1, NULL, "\"%.80s\" is varied twice",
                                axes[a].path);
    }
    if (diag->total > before)
        return error_set(err, ERR_INVALID, "what is varied has mistakes");
    *ret_member = m;
    return OK;
}

const JobSpec *member_job(Member *member, const double *values)
{
    for (size_t a = 0; a < member->n_axes; a++)
        *member->places[a] = values[a];
    return &member->job;
}
