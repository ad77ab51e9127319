/* Paths are resolved once to places in copies of the job's lists, where values are written. */
#include "core/ensemble/member.h"

#include <string.h>

enum { PARAMETERS, Q, V, CHART_Q, CHART_V, LISTS };

static const char *const PREFIXES[LISTS] = {"parameters.", "initial.q.", "initial.v.",
                                            "initial.chart.q.", "initial.chart.v."};
static const char MU_PREFIX[] = "initial.mu.";

/* A list of the job, copied with space for all axes, and its places in the job. */
typedef struct List {
    NamedValue *values;
    const NamedValue **of_job;
    size_t *n;
} List;

struct Member {
    JobSpec job;
    List lists[LISTS];
    MultiplierSpec *mu;
    size_t n_axes;
    double **places; /* n_axes */
    double of_member;
};

/* The path without `prefix`; NULL: it does not begin with it. */
static const char *after_prefix(const char *path, const char *prefix)
{
    const size_t length = strlen(prefix);
    return strncmp(path, prefix, length) == 0 && path[length] ? path + length : NULL;
}

/* The place of a name in a list; it is added if the document lacks it. */
static double *place_in(List *list, const char *name, const char *pointer)
{
    size_t i = 0;

    while (i < *list->n && strcmp(list->values[i].name, name) != 0)
        i++;
    if (i == *list->n)
        list->values[(*list->n)++] = (NamedValue){.name = name};
    list->values[i].pointer = pointer;
    return &list->values[i].value;
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

/* Copies the lists, because members write into them. */
static void copy_lists(Member *m, Arena *arena)
{
    InitialSpec *initial = &m->job.initial;
    const List lists[LISTS] = {{NULL, &m->job.parameters, &m->job.n_parameters},
                               {NULL, &initial->q, &initial->n_q},
                               {NULL, &initial->v, &initial->n_v},
                               {NULL, &initial->chart_q, &initial->n_chart_q},
                               {NULL, &initial->chart_v, &initial->n_chart_v}};

    /* each has room for the values of all axes */
    for (size_t k = 0; k < LISTS; k++) {
        List *list = &m->lists[k];
        *list = lists[k];
        list->values = ARENA_NEW(arena, *list->n + m->n_axes, NamedValue);
        if (list->values && *list->n)
            memcpy(list->values, *list->of_job, *list->n * sizeof *list->values);
        *list->of_job = list->values;
    }
    m->mu = ARENA_NEW(arena, initial->n_mu + m->n_axes, MultiplierSpec);
    if (m->mu && initial->n_mu)
        memcpy(m->mu, initial->mu, initial->n_mu * sizeof *m->mu);
    initial->mu = m->mu;
}

static void refuse_path(const DesignAxis *axis, Diagnostics *diag)
{
    diagnostics_add(diag, axis->pointer, -1,
                    "write \"parameters.NAME\", \"initial.q.NAME\", \"initial.v.NAME\", "
                    "\"initial.t\" or \"time.end\"",
                    "\"%.80s\" is no number that can be varied", axis->path);
}

bool member_path_check(const DesignAxis *axis, Diagnostics *diag)
{
    static const char *const WHOLE[] = {DESIGN_OF_MEMBER, "initial.t", "time.end"};
    bool known = after_prefix(axis->path, MU_PREFIX) != NULL;

    for (size_t k = 0; k < LISTS; k++)
        known = known || after_prefix(axis->path, PREFIXES[k]);
    for (size_t k = 0; k < sizeof WHOLE / sizeof *WHOLE; k++)
        known = known || strcmp(axis->path, WHOLE[k]) == 0;
    if (!known)
        refuse_path(axis, diag);
    return known;
}

/* NULL and an error: the path names no number. */
static double *find_place(Member *m, const DesignAxis *axis, Diagnostics *diag)
{
    JobSpec *job = &m->job;
    const char *name;

    /* if a coordinate of the chart is varied, the start is in the chart */
    for (size_t k = 0; k < LISTS; k++)
        if ((name = after_prefix(axis->path, PREFIXES[k]))) {
            job->initial.in_chart = job->initial.in_chart || k == CHART_Q || k == CHART_V;
            return place_in(&m->lists[k], name, axis->pointer);
        }
    if ((name = after_prefix(axis->path, MU_PREFIX)) && !job->initial.mu_momentum) {
        job->initial.mu_given = true;
        return place_of_multiplier(m->mu, &job->initial.n_mu, name, axis->pointer);
    }
    if (strcmp(axis->path, DESIGN_OF_MEMBER) == 0)
        return &m->of_member;
    if (strcmp(axis->path, "initial.t") == 0)
        return &job->initial.t;
    if (strcmp(axis->path, "time.end") == 0 && job->time.kind != TIME_AT)
        return &job->time.end;
    if (strcmp(axis->path, "time.end") == 0)
        diagnostics_add(diag, axis->pointer, -1, "give \"end\" with \"samples\" or \"every\"",
                        "the job's instants are listed in \"time.at\": there is no end to vary");
    else
        refuse_path(axis, diag);
    return NULL;
}

/* Reports varied values that the job would ignore beside others. */
static void check_initial(const Member *m, const DesignAxis *axes, Diagnostics *diag)
{
    const bool equilibrium = m->job.initial.equilibrium.given;
    const bool plain = m->job.initial.n_q || m->job.initial.n_v, charted = m->job.initial.in_chart;

    /* each varied coordinate or velocity of the initial state */
    for (size_t a = 0; a < m->n_axes; a++) {
        const char *path = axes[a].path;
        if (strncmp(path, "initial.", 8) != 0 || strcmp(path, "initial.t") == 0 ||
            after_prefix(path, MU_PREFIX))
            continue;
        if (equilibrium)
            diagnostics_add(diag, axes[a].pointer, -1, "leave out \"initial.equilibrium\"",
                            "the job starts from an equilibrium: \"%.80s\" is not read", path);
        else if (plain && charted)
            diagnostics_add(diag, axes[a].pointer, -1,
                            "give all of the initial state in the chart, or none of it",
                            "\"%.80s\" is varied, and other values are given %s the chart", path,
                            after_prefix(path, "initial.chart.") ? "outside" : "in");
    }
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
    copy_lists(m, arena);
    if (arena_failed(arena))
        return arena_status(arena, err);
    /* find each path once; two axes may not vary the same number */
    for (size_t a = 0; a < n_axes; a++) {
        places[a] = find_place(m, &axes[a], diag);
        for (size_t b = 0; places[a] && b < a; b++)
            if (places[b] == places[a])
                diagnostics_add(diag, axes[a].pointer, -1, NULL, "\"%.80s\" is varied twice",
                                axes[a].path);
    }
    if (base->boundary.given)
        diagnostics_add(diag, "/boundary", -1, NULL,
                        "a boundary value problem has no members: nothing of it can be varied");
    check_initial(m, axes, diag);
    if (diag->total > before)
        return error_set(err, ERR_INVALID, "the varied quantities have mistakes");
    *ret_member = m;
    return OK;
}

const JobSpec *member_job(Member *member, const double *values)
{
    for (size_t a = 0; a < member->n_axes; a++)
        *member->places[a] = values[a];
    return &member->job;
}

static const char *const REASONS[MEMBER_STATES] = {
    [MEMBER_MODEL] = "model",
    [MEMBER_NUMERIC] = "numeric",
    [MEMBER_LIMIT] = "limit",
    [MEMBER_TIMEOUT] = "timeout",
    [MEMBER_WORKER_LOST] = "worker_lost",
    [MEMBER_INTERNAL] = "internal",
    [MEMBER_CANCELLED] = "cancelled",
};

const char *member_state_reason(MemberState state)
{
    return REASONS[state];
}

MemberState member_state_of(Status status)
{
    switch (status) {
    case OK:
        return MEMBER_SUCCEEDED;
    case ERR_INVALID:
    case ERR_NOT_FOUND:
        return MEMBER_MODEL;
    case ERR_NUMERIC:
        return MEMBER_NUMERIC;
    case ERR_LIMIT:
        return MEMBER_LIMIT;
    case ERR_TIMEOUT:
        return MEMBER_TIMEOUT;
    case ERR_CANCELLED:
        return MEMBER_CANCELLED;
    /* the rest are failures of the machine or of the program */
    case ERR_CONFLICT:
    case ERR_BUSY:
    case ERR_NO_MEMORY:
    case ERR_NO_SPACE:
    case ERR_IO:
    case ERR_DAMAGED:
    case ERR_INTERNAL:
        break;
    }
    return MEMBER_INTERNAL;
}
