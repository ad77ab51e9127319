/* Reading the ensemble of a job: the values of its members from `vary` or `ensemble.design`, the
 * stored data of each member, and its reductions in `ensemble.reduce`. */
#include "api/documents/read.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "api/documents/documents.h"
#include "api/json/canonical.h"
#include "core/base/hash.h"
#include "core/ensemble/member.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

/* Integers that a double holds exactly. */
enum { SEED_BITS = 53 };
static const int64_t INTEGER_MAX = INT64_C(1) << SEED_BITS;
/* In standard deviations: the distribution is negligible beyond TAIL_MOST, and bounds closer than
 * WIDTH_LEAST cannot be distinguished. */
static const double TAIL_MOST = 37, WIDTH_LEAST = 1e-6;

/* May or must a member be there? */
typedef enum Place { NONE, MAY, MUST } Place;

/* False after a mistake. `with` names the context: "take \"last\"". */
static bool check_place(JsonReader *reader, JsonValue object, JsonValue member, const char *name,
                        Place place, const char *with)
{
    if (place == MUST && !json_present(member))
        return json_wrong(reader, object, NULL, "the member \"%s\" is missing", name);
    if (place == NONE && json_present(member))
        return json_wrong(reader, member, NULL, "\"%s\" cannot be combined with %s", name, with);
    return true;
}

static void read_list(JsonReader *reader, JsonValue list, DesignAxis *axis)
{
    const size_t n = json_count(list);
    double *values = json_alloc(reader, n, sizeof *values);
    size_t k = 0;

    axis->kind = AXIS_LIST;
    if (n == 0)
        json_wrong(reader, list, NULL, "a list of values must not be empty");
    if (!values)
        return;
    /* numbers, or constant expressions */
    for (const cJSON *item = list.item->child; item; item = item->next, k++) {
        if (cJSON_IsNumber(item))
            values[k] = item->valuedouble;
        else
            read_constant(reader, json_element(reader, list, item, k), &values[k]);
    }
    axis->list = values;
    axis->count = n;
}

/* Reads "from", "to" and "log"; false after a mistake. */
static bool read_bounds(JsonReader *reader, JsonValue range, DesignAxis *axis)
{
    JsonValue from = read_required(reader, range, "from"), to = read_required(reader, range, "to");
    JsonValue log = json_member(reader, range, "log");
    const bool good = json_present(from) && json_present(to) &&
                      read_constant(reader, from, &axis->from) &&
                      read_constant(reader, to, &axis->to);

    axis->kind = AXIS_RANGE;
    if (json_present(log))
        json_bool(reader, log, &axis->log);
    if (good && axis->log && !(axis->from * copysign(1, axis->to) > 0 && axis->to != 0))
        return json_wrong(reader, log, "leave \"log\" out for equal steps",
                          "equal ratios need two ends of one sign, not %g and %g", axis->from,
                          axis->to);
    return good;
}

static void read_steps(JsonReader *reader, JsonValue range, DesignAxis *axis)
{
    static const char *const MEMBERS[] = {"from", "to", "count", "log"};
    int64_t n;

    json_object_of(reader, range, "a list of values, or a range", MEMBERS, LENGTH(MEMBERS));
    JsonValue count = read_required(reader, range, "count");
    read_bounds(reader, range, axis);
    if (json_present(count) &&
        json_integer(reader, count, "an integer of at least 1", 1, INTEGER_MAX, &n))
        axis->count = (uint64_t)n;
}

static void read_uniform(JsonReader *reader, JsonValue range, DesignAxis *axis)
{
    if (read_bounds(reader, range, axis) && !(axis->from < axis->to))
        json_wrong(reader, range, NULL, "\"from\" must be less than \"to\": %g, %g", axis->from,
                   axis->to);
}

/* Do the bounds leave a part of a normal distribution? In standard deviations. */
static bool hold_something(double least, double most)
{
    return least < TAIL_MOST && most > -TAIL_MOST && most - least > WIDTH_LEAST;
}

/* A normal distribution, truncated if bounds are given. */
static void read_normal(JsonReader *reader, JsonValue range, DesignAxis *axis)
{
    JsonValue mean = read_required(reader, range, "mean"), sd = read_required(reader, range, "sd");
    JsonValue from = json_member(reader, range, "from"), to = json_member(reader, range, "to");
    bool good = json_present(mean) && json_present(sd) &&
                read_constant(reader, mean, &axis->mean) && read_constant(reader, sd, &axis->sd);

    axis->kind = AXIS_NORMAL;
    axis->least = -HUGE_VAL;
    axis->most = HUGE_VAL;
    if (good && !(axis->sd > 0))
        good = json_expected(reader, sd, "a positive number");
    /* the bounds */
    if (json_present(from))
        good = read_constant(reader, from, &axis->least) && good;
    if (json_present(to))
        good = read_constant(reader, to, &axis->most) && good;
    if (good && !hold_something((axis->least - axis->mean) / axis->sd,
                                (axis->most - axis->mean) / axis->sd))
        json_wrong(reader, range, "if the distribution is nearly constant there, use a uniform one",
                   "the distribution is negligible between the bounds %g and %g", axis->least,
                   axis->most);
}

/* Reads a range of a random design. `normal`: the design allows normal distributions. */
static void read_distribution(JsonReader *reader, JsonValue range, bool normal, DesignAxis *axis)
{
    static const char *const UNIFORM[] = {"from", "to", "log"};
    static const char *const NORMAL[] = {"mean", "sd", "from", "to"};
    JsonValue mean = json_member(reader, range, "mean"), sd = json_member(reader, range, "sd");

    /* uniform */
    if (!json_present(mean) && !json_present(sd)) {
        if (json_object_of(reader, range, "an object with \"from\" and \"to\"", UNIFORM,
                           LENGTH(UNIFORM)))
            read_uniform(reader, range, axis);
        return;
    }
    /* normal */
    json_object_of(reader, range, "an object with \"mean\" and \"sd\"", NORMAL, LENGTH(NORMAL));
    if (normal)
        read_normal(reader, range, axis);
    else
        json_wrong(reader, range,
                   "the kinds \"normal\", \"lhs\", \"sobol\" and \"saltelli\" have them",
                   "a design of kind \"uniform\" has no normal distributions");
}

typedef enum AxesKind { AXES_STEPS, AXES_TABLE, AXES_UNIFORM, AXES_ANY } AxesKind;

/* Reads an object of axes by path. */
static void read_axes(JsonReader *reader, JsonValue object, AxesKind kind, DesignSpec *design)
{
    const size_t n = json_count(object);
    size_t k = 0;

    if (!json_is_object(reader, object, "an object by path, such as \"parameters.l\""))
        return;
    if (n == 0)
        json_wrong(reader, object, NULL, "nothing is varied");
    /* the column of the numbers of other members varies nothing */
    const bool numbered = json_present(json_member(reader, object, DESIGN_OF_MEMBER));
    if (n == 0 || !json_at_most(reader, object, JOB_MAX_VARIED + numbered))
        return;
    DesignAxis *axes = json_alloc(reader, n, sizeof *axes);
    if (!axes)
        return;
    /* each by the kind of axes: values, steps of a range, or a distribution */
    for (JsonValue v = json_first(reader, object); json_present(v);
         v = json_following(reader, object, v), k++) {
        axes[k].path = json_name(reader, v);
        axes[k].pointer = v.pointer;
        if (!member_path_check(&axes[k], reader->diag))
            continue; /* its value is not checked */
        if (kind == AXES_TABLE && !json_is_array(reader, v, "a list of numbers"))
            continue;
        if (strcmp(axes[k].path, DESIGN_OF_MEMBER) == 0 && kind != AXES_TABLE)
            json_wrong(reader, v, NULL, "only a table may have the numbers of other members");
        else if (cJSON_IsArray(v.item) && (kind == AXES_STEPS || kind == AXES_TABLE))
            read_list(reader, v, &axes[k]);
        else if (kind == AXES_STEPS && json_is_object(reader, v, "a list of values, or a range"))
            read_steps(reader, v, &axes[k]);
        else if (kind > AXES_TABLE && json_is_object(reader, v, "a range"))
            read_distribution(reader, v, kind == AXES_ANY, &axes[k]);
    }
    design->axes = axes;
    design->n_axes = n;
}

/* Members are numbered by integers from 0 on. */
static void check_numbers(JsonReader *reader, const DesignSpec *design)
{
    for (size_t a = 0; a < design->n_axes; a++) {
        const DesignAxis *axis = &design->axes[a];
        bool good = true;
        for (uint64_t k = 0; k < axis->count && axis->list && good; k++)
            good = axis->list[k] >= 0 && axis->list[k] < (double)INTEGER_MAX &&
                   axis->list[k] == floor(axis->list[k]);
        if (!good && strcmp(axis->path, DESIGN_OF_MEMBER) == 0)
            diagnostics_add(reader->diag, axis->pointer, -1, NULL,
                            "the numbers of members are integers from 0 on");
    }
}

/* Reads the origin of a table's rows. */
static void read_origin(JsonReader *reader, JsonValue of, DesignSpec *design)
{
    static const char *const MEMBERS[] = {"job", "where"};
    JsonValue where = json_member(reader, of, "where");

    if (!json_object_of(reader, of, "an object with \"job\"", MEMBERS, LENGTH(MEMBERS)) &&
        !cJSON_IsObject(of.item))
        return;
    JsonValue job = read_required(reader, of, "job");
    if (json_present(job))
        json_string(reader, job, "the id of a job", &design->of_job);
    if (json_present(where))
        json_string(reader, where, "a condition as text", &design->of_where);
}

/* The k-th member has the k-th value of each axis, so all axes need the same length. */
static void check_lengths(JsonReader *reader, const DesignSpec *design)
{
    const DesignAxis *axes = design->axes;

    for (size_t a = 1; a < design->n_axes; a++)
        if (axes[a].count && axes[0].count && axes[a].count != axes[0].count)
            diagnostics_add(reader->diag, axes[a].pointer, -1, NULL,
                            "%" PRIu64 " values, but %.80s has %" PRIu64
                            ": each member takes one value of each",
                            axes[a].count, axes[0].path, axes[0].count);
}

static const char *read_vary(JsonReader *reader, JsonValue vary, JsonValue combine,
                             DesignSpec *design)
{
    static const char *const NAMES[] = {"grid", "zip"};
    size_t index = 0;

    if (json_present(combine))
        json_choice(reader, combine, NAMES, LENGTH(NAMES), &index);
    design->kind = index == 0 ? DESIGN_GRID : DESIGN_ZIP;
    read_axes(reader, vary, AXES_STEPS, design);
    if (design->kind == DESIGN_ZIP)
        check_lengths(reader, design);
    return NAMES[index];
}

/* The default seed. Equal designs have the same seed for any order of their JSON members. */
static uint64_t seed_of(JsonReader *reader, JsonValue design)
{
    Text text = TEXT_INIT;
    Error ignored = {0};
    uint64_t seed = 0;

    if (json_canonical(design.item, &text, &ignored) != OK)
        reader->no_memory = true;
    const Hash hash = hash_bytes(text_string(&text), text.length);
    for (size_t i = 0; i < sizeof seed; i++)
        seed = seed << 8 | hash.bytes[i];
    text_done(&text);
    return seed >> (64 - SEED_BITS);
}

static const struct {
    const char *name;
    DesignKind kind;
    AxesKind axes;
} DESIGNS[] = {{"uniform", DESIGN_RANDOM, AXES_UNIFORM}, {"normal", DESIGN_RANDOM, AXES_ANY},
               {"lhs", DESIGN_LATIN, AXES_ANY},          {"sobol", DESIGN_SOBOL, AXES_ANY},
               {"saltelli", DESIGN_SALTELLI, AXES_ANY},  {"table", DESIGN_ZIP, AXES_TABLE}};

/* Reads "count", "seed" and "ranges" of a random design, or "columns" of a table. */
static void read_design_members(JsonReader *reader, JsonValue value, size_t kind,
                                DesignSpec *design)
{
    const bool table = DESIGNS[kind].axes == AXES_TABLE;
    const char *with = table ? "a table" : "random designs";
    JsonValue count = json_member(reader, value, "count"),
              seed = json_member(reader, value, "seed");
    JsonValue ranges = json_member(reader, value, "ranges"),
              columns = json_member(reader, value, "columns"),
              of = json_member(reader, value, "of");
    int64_t n;

    /* a random design: its number of members, seed and ranges */
    design->kind = DESIGNS[kind].kind;
    if (check_place(reader, value, count, "count", table ? NONE : MUST, with) && !table &&
        json_integer(reader, count, "an integer of at least 1", 1, INTEGER_MAX, &n))
        design->count = (uint64_t)n;
    if (check_place(reader, value, seed, "seed", table ? NONE : MAY, with) && !table) {
        design->seed = json_present(seed) ? 0 : seed_of(reader, value);
        if (json_present(seed) &&
            json_integer(reader, seed, "an integer from 0 to 2^53", 0, INTEGER_MAX, &n))
            design->seed = (uint64_t)n;
    }
    if (check_place(reader, value, ranges, "ranges", table ? NONE : MUST, with) && !table)
        read_axes(reader, ranges, DESIGNS[kind].axes, design);
    /* a table: its columns, and the job of origin */
    if (check_place(reader, value, columns, "columns", table ? MUST : NONE, with) && table) {
        read_axes(reader, columns, AXES_TABLE, design);
        check_lengths(reader, design);
        check_numbers(reader, design);
    }
    if (check_place(reader, value, of, "of", table ? MAY : NONE, with) && json_present(of))
        read_origin(reader, of, design);
}

static const char *read_design(JsonReader *reader, JsonValue value, DesignSpec *design)
{
    static const char *const MEMBERS[] = {"kind", "count", "seed", "ranges", "columns", "of"};
    const char *names[LENGTH(DESIGNS)];
    size_t kind;

    json_object_of(reader, value, "an object with \"kind\"", MEMBERS, LENGTH(MEMBERS));
    if (!cJSON_IsObject(value.item))
        return NULL;
    for (size_t i = 0; i < LENGTH(DESIGNS); i++)
        names[i] = DESIGNS[i].name;
    JsonValue name = read_required(reader, value, "kind");
    if (!json_present(name) || !json_choice(reader, name, names, LENGTH(names), &kind))
        return NULL;
    read_design_members(reader, value, kind, design);
    return names[kind];
}

static const struct {
    const char *name;
    ReduceTake take;
    Place of, event, nth, when, otherwise;
} TAKES[] = {
    {"last", REDUCE_LAST, MUST, NONE, NONE, NONE, NONE},
    {"min", REDUCE_MIN, MUST, NONE, NONE, NONE, NONE},
    {"max", REDUCE_MAX, MUST, NONE, NONE, NONE, NONE},
    {"mean", REDUCE_MEAN, MUST, NONE, NONE, NONE, NONE},
    {"rms", REDUCE_RMS, MUST, NONE, NONE, NONE, NONE},
    {"first_event", REDUCE_FIRST_EVENT, MAY, MUST, MAY, NONE, NONE},
    {"event_count", REDUCE_EVENT_COUNT, NONE, MUST, NONE, NONE, NONE},
    {"label", REDUCE_LABEL, NONE, NONE, NONE, MUST, MAY},
    {"finding", REDUCE_FINDING, MUST, NONE, NONE, NONE, NONE},
};

/* Reads the name of one of the job's events. */
static void read_event_name(JsonReader *reader, JsonValue value, const JobSpec *spec,
                            const char **ret_name)
{
    const char **names = json_alloc(reader, spec->n_events, sizeof *names);
    const char *given = NULL;
    size_t n = 0;

    if (!json_string(reader, value, "the name of an event", &given) || !given)
        return;
    /* is it known? */
    for (size_t i = 0; names && i < spec->n_events; i++)
        if (spec->events[i].name)
            names[n++] = spec->events[i].name;
    for (size_t i = 0; i < n; i++)
        if (strcmp(given, names[i]) == 0) {
            *ret_name = given;
            return;
        }
    /* otherwise suggest a name */
    const char *near = n ? nearest_name(given, strlen(given), names, n) : NULL;
    json_wrong(reader, value,
               near ? arena_printf(reader->arena, "did you mean \"%s\"?", near)
                    : "an event is an item of the job's \"events\"",
               "the job has no event \"%.80s\"", given);
}

/* Reads [[CONDITION, INTEGER], ..]. */
static void read_cases(JsonReader *reader, JsonValue list, ReduceSpec *reduce)
{
    static const char EXPECTED[] = "a list of pairs, a condition as text and an integer";
    size_t k = 0;

    /* the list */
    if (!cJSON_IsArray(list.item) || json_count(list) == 0) {
        json_expected(reader, list, EXPECTED);
        return;
    }
    if (!json_at_most(reader, list, JOB_MAX_CONDITIONS))
        return;
    ReduceCase *cases = json_alloc(reader, json_count(list), sizeof *cases);
    if (!cases)
        return;
    /* its pairs */
    for (JsonValue v = json_first(reader, list); json_present(v);
         v = json_following(reader, list, v), k++) {
        int64_t number = 0;
        if (!cJSON_IsArray(v.item) || json_count(v) != 2) {
            json_expected(reader, v, "a pair, a condition as text and an integer");
            continue;
        }
        JsonValue when = json_first(reader, v);
        cases[k].when = (NamedText){.name = reduce->name, .pointer = when.pointer};
        json_string(reader, when, "a condition as text", &cases[k].when.text);
        json_integer(reader, json_following(reader, v, when), "an integer", -INTEGER_MAX,
                     INTEGER_MAX, &number);
        cases[k].number = (double)number;
    }
    reduce->cases = cases;
    reduce->n_cases = k;
}

/* Reads the members that go with take number `take`. */
static void read_taken(JsonReader *reader, JsonValue value, size_t take, const JobSpec *spec,
                       ReduceSpec *reduce)
{
    const char *with =
        arena_printf(reader->arena, "\"take\": \"%s\"", TAKES[take].name); /* NULL: told later */
    JsonValue of = json_member(reader, value, "of"), event = json_member(reader, value, "event");
    JsonValue nth = json_member(reader, value, "nth"), when = json_member(reader, value, "when");
    JsonValue otherwise = json_member(reader, value, "else");
    int64_t integer;

    if (!with) {
        reader->no_memory = true;
        return;
    }
    reduce->take = TAKES[take].take;
    if (check_place(reader, value, of, "of", TAKES[take].of, with) && json_present(of)) {
        reduce->of.pointer = of.pointer;
        json_string(reader, of,
                    reduce->take == REDUCE_FINDING ? "a path such as \"floquet.radius\""
                                                   : "an expression as text",
                    &reduce->of.text);
    }
    if (check_place(reader, value, event, "event", TAKES[take].event, with) && json_present(event))
        read_event_name(reader, event, spec, &reduce->event);
    if (check_place(reader, value, nth, "nth", TAKES[take].nth, with) && json_present(nth) &&
        json_integer(reader, nth, "an integer of at least 1", 1, INTEGER_MAX, &integer))
        reduce->nth = (uint64_t)integer;
    if (check_place(reader, value, when, "when", TAKES[take].when, with) && json_present(when))
        read_cases(reader, when, reduce);
    if (check_place(reader, value, otherwise, "else", TAKES[take].otherwise, with) &&
        json_present(otherwise) &&
        json_integer(reader, otherwise, "an integer", -INTEGER_MAX, INTEGER_MAX, &integer))
        reduce->otherwise = (double)integer;
}

static void read_reduction(JsonReader *reader, JsonValue value, const JobSpec *spec,
                           ReduceSpec *reduce)
{
    static const char *const MEMBERS[] = {"of", "take", "event", "nth", "when", "else"};
    const char *names[LENGTH(TAKES)];
    size_t index;

    *reduce = (ReduceSpec){.name = json_name(reader, value),
                           .nth = 1,
                           .otherwise = (double)NAN,
                           .pointer = value.pointer};
    reduce->of.name = reduce->name;
    if (value.item->string[0] == '\0')
        json_wrong(reader, value, NULL, "the name of a column must not be empty");
    if (strcmp(value.item->string, "reason") == 0) /* beside "state", see summary.h */
        json_wrong(reader, value, "choose another name", "there is a column \"reason\" already");
    json_object_of(reader, value, "an object with \"take\"", MEMBERS, LENGTH(MEMBERS));
    if (!cJSON_IsObject(value.item))
        return;
    for (size_t i = 0; i < LENGTH(TAKES); i++)
        names[i] = TAKES[i].name;
    JsonValue take = read_required(reader, value, "take");
    if (json_present(take) && json_choice(reader, take, names, LENGTH(names), &index))
        read_taken(reader, value, index, spec, reduce);
}

static void read_reductions(JsonReader *reader, JsonValue object, JobSpec *spec)
{
    const size_t n = json_count(object);
    size_t k = 0;

    if (!json_present(object) || !json_is_object(reader, object, "an object of columns by name") ||
        !json_at_most(reader, object, JOB_MAX_REDUCTIONS))
        return;
    ReduceSpec *reduce = json_alloc(reader, n, sizeof *reduce);
    if (!reduce)
        return;
    for (JsonValue v = json_first(reader, object); json_present(v);
         v = json_following(reader, object, v))
        read_reduction(reader, v, spec, &reduce[k++]);
    spec->reduce = reduce;
    spec->n_reduce = n;
}

/* Reads names of columns of the trajectory; they are looked up when the columns are known. */
static void read_over_time(JsonReader *reader, JsonValue list, EnsembleSpec *ret)
{
    static const char EXPECTED[] = "a list of names of columns, such as [\"x\", \"energy\"]";
    size_t n = 0;

    if (!json_is_array(reader, list, EXPECTED) || !json_at_most(reader, list, JOB_MAX_OVER_TIME))
        return;
    NamedText *names = json_alloc(reader, json_count(list), sizeof *names);
    for (JsonValue v = json_first(reader, list); names && json_present(v);
         v = json_following(reader, list, v)) {
        names[n].pointer = v.pointer;
        n += json_string(reader, v, "the name of a column", &names[n].name) && names[n].name;
    }
    ret->over_time = names;
    ret->n_over_time = n;
}

/* Reads the stored data of the members, and the conditions that end the whole ensemble. */
static void read_conduct(JsonReader *reader, JsonValue ensemble, EnsembleSpec *ret)
{
    static const char *const KEEP[] = {"summary", "events", "trajectories"};
    static const char *const ON_ERROR[] = {"continue", "stop"};
    JsonValue keep = json_member(reader, ensemble, "keep");
    JsonValue over_time = json_member(reader, ensemble, "over_time");
    JsonValue on_error = json_member(reader, ensemble, "on_error");
    JsonValue timeout = json_member(reader, ensemble, "timeout");
    size_t index;

    /* the stored data */
    if (json_present(keep) && json_choice(reader, keep, KEEP, LENGTH(KEEP), &index))
        ret->keep = (EnsembleKeep)index;
    if (json_present(over_time))
        read_over_time(reader, over_time, ret);
    /* the conditions to stop */
    if (json_present(on_error) && json_choice(reader, on_error, ON_ERROR, LENGTH(ON_ERROR), &index))
        ret->stop_on_error = index == 1;
    if (json_present(timeout) &&
        json_number(reader, timeout, "a positive number of seconds", &ret->timeout) &&
        !(ret->timeout > 0))
        json_expected(reader, timeout, "a positive number of seconds");
}

/* Members come from either "vary" or "ensemble.design". False after a mistake. */
static bool check_source(JsonReader *reader, JsonValue vary, JsonValue ensemble, JsonValue design,
                         const JobSpec *spec)
{
    const bool varied = json_count(vary) > 0 || !cJSON_IsObject(vary.item);

    if (json_present(vary) && varied && json_present(design))
        return json_wrong(reader, design, "leave one of them out",
                          "\"vary\" and \"ensemble.design\" exclude each other");
    if (!(json_present(vary) && varied) && !json_present(design))
        return json_wrong(reader, json_present(ensemble) ? ensemble : vary,
                          "give \"vary\": {\"parameters.NAME\": [..]}, or \"ensemble.design\"",
                          "nothing is varied in the ensemble");
    if (spec->boundary.given)
        return json_wrong(reader, json_present(design) ? design : vary,
                          "post a job for each boundary problem",
                          "members start from \"initial\", and a boundary problem has none");
    return true;
}

/* Earlier versions accepted an empty "vary"; such accepted documents remain plain jobs. False after
 * a mistake. */
static bool check_vary(JsonReader *reader, JsonValue vary, const JobSpec *spec)
{
    if (spec->accepted || !cJSON_IsObject(vary.item) || vary.item->child)
        return true;
    return json_wrong(reader, vary, "leave it out, or give {\"parameters.NAME\": [..]}",
                      "nothing is varied");
}

/* Is the value present and not {}? */
static bool asks(JsonValue value)
{
    return json_present(value) && !(cJSON_IsObject(value.item) && !value.item->child);
}

const char *read_ensemble(JsonReader *reader, JsonValue job, JobSpec *spec, EnsembleSpec *ret)
{
    static const char *const MEMBERS[] = {"combine", "design",    "members_of", "keep",
                                          "reduce",  "over_time", "on_error",   "timeout"};
    JsonValue vary = json_member(reader, job, "vary");
    JsonValue ensemble = json_member(reader, job, "ensemble");
    const char *kind = NULL;

    const bool sound = check_vary(reader, vary, spec);
    if (!asks(vary) && !asks(ensemble))
        return NULL;
    /* the source of the members */
    if (json_present(ensemble))
        json_object_of(reader, ensemble, "an object", MEMBERS, LENGTH(MEMBERS));
    JsonValue design = json_member(reader, ensemble, "design");
    JsonValue combine = json_member(reader, ensemble, "combine");
    if (sound && check_source(reader, vary, ensemble, design, spec)) {
        if (!json_present(design))
            kind = read_vary(reader, vary, combine, &ret->design);
        else if (check_place(reader, ensemble, combine, "combine", NONE, "\"design\""))
            kind = read_design(reader, design, &ret->design);
    }
    /* their results */
    read_conduct(reader, ensemble, ret);
    read_reductions(reader, json_member(reader, ensemble, "reduce"), spec);
    return kind;
}
