/* Reads and compiles the reductions of a job. */
#include "core/prepare/reductions.h"

#include <string.h>

#include "core/base/name_set.h"
#include "core/prepare/named_values.h"

void reductions_free(Reductions *x)
{
    if (!x)
        return;
    observed_free(x->along);
    observed_free(x->at);
}

void reductions_rebind(Reductions *x)
{
    if (x && x->along)
        observed_rebind(x->along);
    if (x && x->at)
        observed_rebind(x->at);
}

static const char *member_of(const ReduceSpec *spec, const char *member, Arena *arena)
{
    return arena_join(arena, spec->pointer, "/", member);
}

static void find_event(const Simulation *s, const ReduceSpec *spec, Reduction *ret,
                       Diagnostics *diag)
{
    const char *pointer = member_of(spec, "event", diag->arena);
    size_t k = 0;

    if (!spec->event) {
        diagnostics_add(diag, pointer, -1, "name one of the job's events", "no event is given");
        return;
    }
    /* each event has a table with its name, in the same order */
    while (k < s->n_events && strcmp(s->columns.tables[k], spec->event) != 0)
        k++;
    if (k == s->n_events)
        unknown_name(diag, pointer, "event", spec->event, s->columns.tables, s->n_events);
    if (spec->take == REDUCE_FIRST_EVENT && spec->nth == 0)
        diagnostics_add(diag, member_of(spec, "nth", diag->arena), -1, NULL,
                        "events are counted from 1");
    ret->event = k;
    ret->nth = spec->nth;
}

/* Whether the job runs the analysis that the path begins with, up to the first dot. */
static bool job_finds(const Simulation *s, const JobSpec *job, const char *path, size_t length)
{
    const struct {
        const char *name;
        bool asked;
    } others[] = {{"accuracy", job->accuracy},
                  {"compare", job->n_compare > 0},
                  {"sensitivities", job->n_sensitivities > 0}};
    bool found = false;

    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        found = found || (others[k].asked && strlen(others[k].name) == length &&
                          strncmp(path, others[k].name, length) == 0);
    for (size_t k = 0; k < s->n_analyses && !found; k++) {
        const AnalysisRow *row = s->analyses[k].row; /* NULL after a mistake */
        found = row && strlen(row->analysis->name) == length &&
                strncmp(path, row->analysis->name, length) == 0;
    }
    return found;
}

static void find_finding(const Simulation *s, const JobSpec *job, const ReduceSpec *spec,
                         Reduction *ret, Diagnostics *diag)
{
    const char *path = spec->of.text ? spec->of.text : "";
    const size_t length = strcspn(path, ".");

    if (!job_finds(s, job, path, length))
        diagnostics_add(
            diag, member_of(spec, "of", diag->arena), -1,
            "name an analysis of the job's \"analyses\", or \"accuracy\", \"compare\" or "
            "\"sensitivities\" if the job has them, then the quantity: "
            "\"floquet.radius\"",
            "the job asks for no analysis \"%.*s\"", (int)(length < 80 ? length : 80), path);
    ret->path = arena_strdup(s->arena, path);
}

/* Texts to be compiled, as they are collected. */
typedef struct Texts {
    NamedText *texts;
    ParseFlags *flags;
    size_t n;
} Texts;

static size_t add_text(Texts *texts, NamedText text, ParseFlags flags)
{
    texts->texts[texts->n] = text;
    texts->flags[texts->n] = flags;
    return texts->n++;
}

static void take_cases(const Simulation *s, const ReduceSpec *spec, Reduction *ret, Texts *at,
                       Diagnostics *diag)
{
    double *numbers = arena_doubles(s->arena, spec->n_cases);

    if (spec->n_cases == 0)
        diagnostics_add(diag, member_of(spec, "when", diag->arena), -1,
                        "\"when\": [[\"x < 0\", 1], ..]", "the label has no conditions");
    ret->expr = at->n;
    ret->otherwise = spec->otherwise;
    ret->numbers = numbers;
    ret->n_cases = spec->n_cases;
    for (size_t k = 0; numbers && k < spec->n_cases; k++) {
        numbers[k] = spec->cases[k].number;
        add_text(at, spec->cases[k].when, PARSE_CONDITION);
    }
}

static void read_one(const Simulation *s, const JobSpec *job, const ReduceSpec *spec,
                     Reduction *ret, Texts *along, Texts *at, Diagnostics *diag)
{
    *ret = (Reduction){.name = arena_strdup(s->arena, spec->name), .take = spec->take};
    if (spec->take == REDUCE_FIRST_EVENT || spec->take == REDUCE_EVENT_COUNT)
        find_event(s, spec, ret, diag);
    /* a finding, a label, or an expression along the motion or at instants */
    if (spec->take == REDUCE_FINDING) {
        find_finding(s, job, spec, ret, diag);
    } else if (spec->take == REDUCE_LABEL) {
        take_cases(s, spec, ret, at, diag);
    } else if (spec->of.text && spec->take != REDUCE_EVENT_COUNT) {
        ret->has_expr = true;
        ret->expr =
            add_text(reduction_is_along(spec->take) ? along : at, spec->of, PARSE_EXPRESSION);
    } else if (spec->take != REDUCE_FIRST_EVENT && spec->take != REDUCE_EVENT_COUNT) {
        diagnostics_add(diag, member_of(spec, "of", diag->arena), -1,
                        "\"of\": \"x^2\", for example", "the reduction %.80s has no expression",
                        spec->name);
    }
}

static Status compile_texts(const Simulation *s, const JobSpec *job, const Texts *texts,
                            Diagnostics *diag, Observed **ret, Error *err)
{
    if (texts->n == 0)
        return OK;
    const ObservedOf of = simulation_observed_of(s);
    const ObservedTexts all = {.texts = texts->texts, .flags = texts->flags, .n = texts->n};
    return observed_values_new(&of, job, &all, diag, ret, err);
}

/* Compiles both lists, so that all mistakes are reported at once. */
static Status compile_both(const Simulation *s, const JobSpec *job, const Texts *along,
                           const Texts *at, Diagnostics *diag, Reductions *x, Error *err)
{
    Status status = compile_texts(s, job, along, diag, &x->along, err);

    if (status == OK && x->along)
        status = observed_enclose(x->along, err);
    if (status == OK || status == ERR_INVALID)
        status = compile_texts(s, job, at, diag, &x->at, err);
    return status;
}

static Texts new_texts(size_t most, Arena *arena)
{
    return (Texts){ARENA_NEW(arena, most, NamedText), ARENA_NEW(arena, most, ParseFlags), 0};
}

static void check_names(const JobSpec *spec, Diagnostics *diag)
{
    NameSet names = name_set(spec->n_reduce, diag->arena);

    for (size_t k = 0; k < spec->n_reduce; k++)
        if (!name_set_add(&names, spec->reduce[k].name))
            diagnostics_add(diag, spec->reduce[k].pointer, -1, NULL,
                            "there are two reductions \"%.80s\"", spec->reduce[k].name);
}

Dimension reductions_dimension(const Reductions *x, size_t k)
{
    const Reduction *item = &x->items[k];

    if (item->take == REDUCE_LABEL || item->take == REDUCE_EVENT_COUNT ||
        item->take == REDUCE_FINDING)
        return (Dimension){0};
    if (!item->has_expr) /* the time of an event */
        return dimension_base(BASE_S);
    return observed_dimension(reduction_is_along(item->take) ? x->along : x->at, item->expr);
}

/* Sorts the texts of all reductions into those along the motion and those at instants. */
static Status gather(const Simulation *s, const JobSpec *spec, Reduction *items, Texts *ret_along,
                     Texts *ret_at, Diagnostics *diag, Error *err)
{
    size_t n_texts = spec->n_reduce;

    /* space for all expressions: values, and conditions of labels */
    for (size_t k = 0; k < spec->n_reduce; k++)
        n_texts += spec->reduce[k].n_cases;
    *ret_along = new_texts(n_texts, s->arena);
    *ret_at = new_texts(n_texts, s->arena);
    for (size_t k = 0; k < spec->n_reduce && !arena_failed(s->arena); k++)
        read_one(s, spec, &spec->reduce[k], &items[k], ret_along, ret_at, diag);
    return arena_status(s->arena, err);
}

Status reductions_take_motion(Simulation *s, const JobSpec *spec, Diagnostics *diag, Error *err)
{
    Reductions *x = s->reductions;
    Texts along = {0}, at = {0};

    if (!x || !(observed_is_stale(x->along, s->motion) || observed_is_stale(x->at, s->motion)))
        return OK;
    Reduction *items = ARENA_NEW(s->arena, spec->n_reduce, Reduction);
    Status status = arena_status(s->arena, err);
    if (status == OK)
        status = gather(s, spec, items, &along, &at, diag, err);
    observed_free(x->along);
    observed_free(x->at);
    x->along = x->at = NULL;
    return status == OK ? compile_both(s, spec, &along, &at, diag, x, err) : status;
}

Status reductions_read(Simulation *s, const JobSpec *spec, Diagnostics *diag, Error *err)
{
    const size_t n = spec->n_reduce, before = diag->total;
    Texts along = {0}, at = {0};

    if (n == 0)
        return OK;
    Reductions *x = ARENA_NEW(s->arena, 1, Reductions);
    Reduction *items = ARENA_NEW(s->arena, n, Reduction);
    if (arena_failed(s->arena))
        return arena_status(s->arena, err);
    x->n = n;
    x->items = items;
    s->reductions = x;
    check_names(spec, diag);
    /* two lists of texts: values along the motion, and values at single states */
    Status status = gather(s, spec, items, &along, &at, diag, err);
    for (size_t k = 0; k < n; k++)
        x->drifts = x->drifts || items[k].take == REDUCE_DRIFT;
    x->n_along = along.n;
    x->n_at = at.n;
    if (status == OK)
        status = compile_both(s, spec, &along, &at, diag, x, err);
    if (status == OK && diag->total != before)
        status = error_set(err, ERR_INVALID, "the reductions have mistakes");
    return status;
}
