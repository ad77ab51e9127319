/* Reading the computation of a motion: the instants of its samples, and the integrator with its
 * tolerances. */
#include "api/documents/read.h"

#include "core/integrate/methods.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

/* The largest integers; a double holds them exactly. */
static const int64_t MAX_SAMPLES = 1000000000, MAX_STEPS = 1000000000000;
static const double RTOL_MIN = 1e-15, RTOL_MAX = 0.1;

/* Does at[k] follow at[k - 1] in the direction of the list? The first may follow or equal t0. */
static bool in_order(const double *at, size_t k, double t0, double direction)
{
    if (k == 0)
        return direction * (at[0] - t0) >= 0;
    return direction * (at[k] - at[k - 1]) > 0;
}

static void read_at(JsonReader *reader, JsonValue list, JobSpec *spec)
{
    static const char EXPECTED[] = "a list of at least one instant";

    if (!json_is_array(reader, list, EXPECTED))
        return;
    size_t n = json_count(list), k = 0, total = reader->diag->total;
    double *at = json_alloc(reader, n, sizeof *at);
    if (!at) {
        json_wrong(reader, list, NULL, "\"time.at\" must be %s, not an empty one", EXPECTED);
        return;
    }
    /* numbers, or constant expressions */
    for (const cJSON *item = list.item->child; item; item = item->next, k++) {
        if (cJSON_IsNumber(item))
            at[k] = item->valuedouble;
        else
            read_constant(reader, json_element(reader, list, item, k), &at[k]);
    }
    if (reader->diag->total > total)
        return;
    spec->time.kind = TIME_AT;
    spec->time.at = at;
    spec->time.n_at = n;
}

/* Checks time.at after the start and the list are known. */
static void read_check_at(JsonReader *reader, JsonValue list, const JobSpec *spec)
{
    const TimeSpec *time = &spec->time;
    double last = time->at[time->n_at - 1];
    double direction = last > spec->initial.t ? 1 : -1;

    if (spec->boundary.given && direction * (last - spec->boundary.end.t) > 0)
        json_wrong(reader, list, NULL, "%g lies beyond the end of the path, which is at t = %g",
                   last, spec->boundary.end.t);
    if (time->n_at == 1 && last == spec->initial.t)
        return;
    /* the first instant out of order */
    size_t k = 0;
    for (const cJSON *item = list.item->child; item; item = item->next, k++) {
        if (in_order(time->at, k, spec->initial.t, direction))
            continue;
        json_wrong(reader, json_element(reader, list, item, k),
                   "list the instants in one direction from initial.t, each once",
                   "%g does not follow %g", time->at[k],
                   k == 0 ? spec->initial.t : time->at[k - 1]);
        return;
    }
}

static void read_samples(JsonReader *reader, JsonValue value, JobSpec *spec)
{
    int64_t samples;

    spec->time.kind = TIME_SAMPLES;
    if (json_present(value) &&
        json_integer(reader, value, "an integer of at least 2", 2, INT64_C(1) << 53, &samples)) {
        if (samples > MAX_SAMPLES)
            json_expected(reader, value, "at most 1000000000");
        spec->time.samples = (uint64_t)samples;
        spec->time.samples_given = true;
    }
}

static void read_every(JsonReader *reader, JsonValue value, JobSpec *spec)
{
    spec->time.kind = TIME_EVERY;
    if (read_constant(reader, value, &spec->time.every) && !(spec->time.every > 0))
        json_wrong(reader, value, "the direction follows from time.end",
                   "\"time.every\" must be a positive number, not %g", spec->time.every);
}

static const char CHOICES[] =
    "give \"end\" with \"samples\", \"end\" with \"every\", or \"at\" alone";

/* The end of a boundary problem is known already. */
static void read_time_end(JsonReader *reader, JsonValue time, JobSpec *spec)
{
    JsonValue end = json_member(reader, time, "end");
    const BoundarySpec *boundary = &spec->boundary;

    if (!json_present(end)) {
        if (!boundary->given)
            json_wrong(reader, time, CHOICES, "the member \"end\" is missing");
        return;
    }
    if (!read_constant(reader, end, &spec->time.end))
        return;
    if (boundary->given && spec->time.end != boundary->end.t)
        json_wrong(reader, end, "leave it out", "the path ends at boundary.end.t, which is %g",
                   boundary->end.t);
    else if (spec->time.end == spec->initial.t)
        json_wrong(reader, end, NULL, "\"time.end\" must differ from initial.t, which is %g",
                   spec->initial.t);
}

void read_time(JsonReader *reader, JsonValue time, JobSpec *spec)
{
    static const char *const MEMBERS[] = {"end", "samples", "every", "at"};

    spec->time.end = spec->boundary.end.t;
    if (!json_present(time))
        return;
    json_object_of(reader, time, "an object", MEMBERS, LENGTH(MEMBERS));
    if (!cJSON_IsObject(time.item))
        return;
    JsonValue end = json_member(reader, time, "end"), at = json_member(reader, time, "at");
    JsonValue samples = json_member(reader, time, "samples");
    JsonValue every = json_member(reader, time, "every");
    /* either a list of instants, or an end with a number of samples or a period */
    if (json_present(at)) {
        if (json_present(end) || json_present(samples) || json_present(every))
            json_wrong(reader, time, CHOICES, "\"at\" excludes all other members");
        read_at(reader, at, spec);
        if (spec->time.kind == TIME_AT)
            read_check_at(reader, at, spec);
        return;
    }
    read_time_end(reader, time, spec);
    if (json_present(every) && json_present(samples))
        json_wrong(reader, time, CHOICES, "\"samples\" and \"every\" exclude each other");
    else if (json_present(every))
        read_every(reader, every, spec);
    else
        read_samples(reader, samples, spec);
}

/* The members of an integrator other than its method. */
static const IntegratorOption INTEGRATOR_OPTIONS[] = {
    {"rtol", .free = true, .number = offsetof(JobSpec, integrator.rtol),
     .meaning = "relative tolerance: error of a step relative to each coordinate and velocity; "
                "from 1e-15 to 0.1"},
    {"atol", .free = true, .number = offsetof(JobSpec, integrator.atol),
     .meaning = "absolute tolerance near zero, times the size: nominal; else 1 if atol is given; "
                "else the size along the motion. Default: rtol / 100"},
    {"nominal", .free = true,
     .meaning = "sizes of coordinates and velocities, by name; default: sizes along the motion"},
    {"max_step", .free = true, .meaning = "the largest step; default: no limit"},
    {"step", .fixed = true, .required = true, .meaning = "the size of every step"},
    {"projection", .free = true, .fixed = true, .flag = offsetof(JobSpec, integrator.projection),
     .meaning = "project each step onto the constraints"},
    {"max_steps", .free = true, .fixed = true,
     .meaning = "number of steps after which the run fails; default: 10,000,000, or the limit "
                "of the service if that is lower"},
};

size_t integrator_options(const IntegratorOption **ret_options)
{
    *ret_options = INTEGRATOR_OPTIONS;
    return LENGTH(INTEGRATOR_OPTIONS);
}

static void read_tolerances(JsonReader *reader, JsonValue rtol, JsonValue atol, JobSpec *spec)
{
    static const char RTOL[] = "a number in [1e-15, 0.1]", ATOL[] = "a positive number";

    if (json_present(rtol) && json_number(reader, rtol, RTOL, &spec->integrator.rtol) &&
        !(spec->integrator.rtol >= RTOL_MIN && spec->integrator.rtol <= RTOL_MAX))
        json_expected(reader, rtol, RTOL);
    if (json_present(atol) && json_number(reader, atol, ATOL, &spec->integrator.atol) &&
        !(spec->integrator.atol > 0))
        json_expected(reader, atol, ATOL);
    spec->integrator.rtol_given = json_present(rtol);
    spec->integrator.atol_given = json_present(atol);
}

static void read_method(JsonReader *reader, JsonValue value, JobSpec *spec)
{
    static const char *const LATER[] = {"taylor", "gauss", "dla"};
    NameChoice choice = {.later = LATER, .n_later = LENGTH(LATER), .noun = "method"};

    choice.n = ode_method_names(&choice.names);
    if (json_present(value))
        read_choice(reader, value, &choice, &spec->integrator.method);
}

static void read_positive(JsonReader *reader, JsonValue value, double *ret)
{
    static const char POSITIVE[] = "a positive number";

    if (json_present(value) && json_number(reader, value, POSITIVE, ret) && !(*ret > 0))
        json_expected(reader, value, POSITIVE);
}

/* Checks that the step size fits the method, and reads it. Tolerances have no effect on a fixed
 * step size. */
static void read_step(JsonReader *reader, JsonValue integrator, JobSpec *spec, Warnings *warnings)
{
    JsonValue step = json_member(reader, integrator, "step");
    const OdeMethod *method = ode_method_find(spec->integrator.method);
    bool fixed = method && ode_method_fixed_step(method);

    /* an adaptive method has no step */
    if (!fixed && json_present(step)) {
        json_wrong(reader, step,
                   "fixed steps need a method such as \"rk4\"; here rtol and atol set the accuracy",
                   "the method \"%s\" chooses its steps itself", spec->integrator.method);
        return;
    }
    if (!fixed)
        return;
    /* a fixed step size is required */
    if (!json_present(step))
        json_wrong(reader, integrator, NULL,
                   "the method \"%s\" has a fixed step: the member \"step\" is missing",
                   spec->integrator.method);
    read_positive(reader, step, &spec->integrator.step);
    if (json_present(json_member(reader, integrator, "rtol")) ||
        json_present(json_member(reader, integrator, "atol")) ||
        json_present(json_member(reader, integrator, "nominal")))
        warn(warnings,
             "integrator.rtol, atol and nominal have no effect on a method of fixed step");
}

void read_integrator(JsonReader *reader, JsonValue integrator, JobSpec *spec, Warnings *warnings)
{
    const char *members[1 + LENGTH(INTEGRATOR_OPTIONS)] = {"method"};
    int64_t steps;

    if (!json_present(integrator))
        return;
    for (size_t k = 0; k < LENGTH(INTEGRATOR_OPTIONS); k++)
        members[1 + k] = INTEGRATOR_OPTIONS[k].name;
    json_object_of(reader, integrator, "an object", members, LENGTH(members));
    if (!cJSON_IsObject(integrator.item))
        return;
    /* the method and its accuracy */
    read_method(reader, json_member(reader, integrator, "method"), spec);
    read_tolerances(reader, json_member(reader, integrator, "rtol"),
                    json_member(reader, integrator, "atol"), spec);
    read_step(reader, integrator, spec, warnings);
    read_positive(reader, json_member(reader, integrator, "max_step"), &spec->integrator.max_step);
    read_named_values(reader, json_member(reader, integrator, "nominal"), false,
                      (size_t)2 * MODEL_MAX_COORDINATES, &spec->integrator.nominal,
                      &spec->integrator.n_nominal);
    /* projection and limits */
    JsonValue projection = json_member(reader, integrator, "projection");
    JsonValue max_steps = json_member(reader, integrator, "max_steps");
    if (json_present(projection))
        spec->integrator.projection_given =
            json_bool(reader, projection, &spec->integrator.projection);
    if (json_present(max_steps) &&
        json_integer(reader, max_steps, "an integer from 1 to 10^12", 1, MAX_STEPS, &steps))
        spec->integrator.max_steps = (uint64_t)steps;
}
