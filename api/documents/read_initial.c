/* Reading the start of a motion: a state in the model's or the chart's coordinates, or the two ends
 * of a least-action problem. */
#include <string.h>

#include "api/documents/read.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

static void read_consistency(JsonReader *reader, JsonValue value, JobSpec *spec)
{
    static const char *const NAMES[] = {"require", "project"};
    size_t index;

    if (json_present(value) && json_choice(reader, value, NAMES, LENGTH(NAMES), &index))
        spec->initial.consistency = index == 0 ? CONSISTENCY_REQUIRE : CONSISTENCY_PROJECT;
}

/* The names are looked up when the model is known: core/prepare/initial_names.c. */
static void read_hold(JsonReader *reader, JsonValue list, JobSpec *spec)
{
    size_t n = 0;

    if (!json_present(list) || !json_is_array(reader, list, "a list of coordinates") ||
        !json_at_most(reader, list, MODEL_MAX_COORDINATES))
        return;
    NamedText *names = json_alloc(reader, json_count(list), sizeof *names);
    for (JsonValue v = json_first(reader, list); names && json_present(v);
         v = json_following(reader, list, v)) {
        names[n].pointer = v.pointer;
        n += json_string(reader, v, "the name of a coordinate", &names[n].name);
    }
    spec->initial.hold = names;
    spec->initial.n_hold = n;
}

/* Reads multipliers: by name from an object, or in the order of the constraints from a list. */
static void read_multipliers(JsonReader *reader, JsonValue values, JobSpec *spec)
{
    size_t n = json_count(values), k = 0;
    MultiplierSpec *mu = json_alloc(reader, n, sizeof *mu);

    if (!mu)
        return;
    /* a number, or an expression */
    for (JsonValue v = json_first(reader, values); json_present(v);
         v = json_following(reader, values, v), k++) {
        mu[k].name = cJSON_IsObject(values.item) ? json_name(reader, v) : NULL;
        mu[k].pointer = v.pointer;
        if (cJSON_IsString(v.item))
            json_string(reader, v, "an expression as text", &mu[k].text);
        else
            json_number(reader, v, "a number, or an expression such as \"2*dot(x) + cos(y)\"",
                        &mu[k].value);
    }
    spec->initial.mu = mu;
    spec->initial.n_mu = n;
}

static void read_mu(JsonReader *reader, JsonValue mu, JobSpec *spec)
{
    if (!json_present(mu))
        return;
    spec->initial.mu_given = true;
    if (!cJSON_IsString(mu.item) && !json_at_most(reader, mu, MODEL_MAX_CONSTRAINTS))
        return;
    if (cJSON_IsArray(mu.item) || cJSON_IsObject(mu.item))
        read_multipliers(reader, mu, spec);
    else if (cJSON_IsString(mu.item) && strcmp(mu.item->valuestring, "momentum") == 0)
        spec->initial.mu_momentum = true;
    else
        json_expected(reader, mu,
                      "a list of values in the order of the constraints, an object of values by "
                      "constraint, or \"momentum\"");
}

/* Reads the state in the chart's coordinates instead of the model's. */
static void read_in_chart(JsonReader *reader, JsonValue initial, JobSpec *spec)
{
    static const char *const MEMBERS[] = {"q", "v"};
    JsonValue chart = json_member(reader, initial, "chart");

    if (!json_present(chart))
        return;
    json_object_of(reader, chart, "an object with the state in the chart's coordinates", MEMBERS,
                   LENGTH(MEMBERS));
    spec->initial.in_chart = true;
    read_named_values(reader, json_member(reader, chart, "q"), true, MODEL_MAX_COORDINATES,
                      &spec->initial.chart_q, &spec->initial.n_chart_q);
    read_named_values(reader, json_member(reader, chart, "v"), true, MODEL_MAX_COORDINATES,
                      &spec->initial.chart_v, &spec->initial.n_chart_v);
    /* not together with the model's coordinates */
    for (size_t i = 0; i < LENGTH(MEMBERS); i++) {
        JsonValue other = json_member(reader, initial, MEMBERS[i]);
        if (json_present(other))
            json_wrong(reader, other,
                       "give all values under \"initial.chart\", or none of them there",
                       "the chart's coordinates and the model's cannot be mixed");
    }
}

/* Reads "near" or "offset", each with "q" and "v". */
static void read_state_of(JsonReader *reader, JsonValue state, const NamedValue **ret_q,
                          size_t *ret_n_q, const NamedValue **ret_v, size_t *ret_n_v)
{
    static const char *const MEMBERS[] = {"q", "v"};

    if (!json_present(state) ||
        !json_object_of(reader, state, "an object with \"q\" and \"v\"", MEMBERS, LENGTH(MEMBERS)))
        return;
    read_named_values(reader, json_member(reader, state, "q"), true, MODEL_MAX_COORDINATES, ret_q,
                      ret_n_q);
    read_named_values(reader, json_member(reader, state, "v"), true, MODEL_MAX_COORDINATES, ret_v,
                      ret_n_v);
}

/* Reads an equilibrium to start from, instead of the state. */
static void read_equilibrium(JsonReader *reader, JsonValue initial, JobSpec *spec)
{
    static const char *const MEMBERS[] = {"near", "offset"}, *const OTHERS[] = {"q", "v", "chart"};
    JsonValue value = json_member(reader, initial, "equilibrium");
    EquilibriumSpec *e = &spec->initial.equilibrium;

    if (!json_present(value))
        return;
    e->given = true;
    /* the guess and the offset */
    if (json_object_of(reader, value, "an object with \"near\" and \"offset\"", MEMBERS,
                       LENGTH(MEMBERS))) {
        read_state_of(reader, json_member(reader, value, "near"), &e->near_q, &e->n_near_q,
                      &e->near_v, &e->n_near_v);
        read_state_of(reader, json_member(reader, value, "offset"), &e->offset_q, &e->n_offset_q,
                      &e->offset_v, &e->n_offset_v);
    }
    /* not together with a state */
    for (size_t i = 0; i < LENGTH(OTHERS); i++) {
        JsonValue other = json_member(reader, initial, OTHERS[i]);
        if (json_present(other))
            json_wrong(reader, other,
                       "give the start of the search under \"near\", and a deviation under "
                       "\"offset\"",
                       "the equilibrium is the state: \"%s\" cannot be given too", OTHERS[i]);
    }
}

void read_initial(JsonReader *reader, JsonValue initial, JobSpec *spec)
{
    static const char *const MEMBERS[] = {"t",  "q",     "v",           "consistency",
                                          "mu", "chart", "equilibrium", "hold"};

    if (!json_present(initial))
        return;
    json_object_of(reader, initial, "an object with the initial state", MEMBERS, LENGTH(MEMBERS));
    if (!cJSON_IsObject(initial.item))
        return;
    /* the state */
    JsonValue t = json_member(reader, initial, "t");
    if (json_present(t))
        read_constant(reader, t, &spec->initial.t);
    read_named_values(reader, json_member(reader, initial, "q"), true, MODEL_MAX_COORDINATES,
                      &spec->initial.q, &spec->initial.n_q);
    read_named_values(reader, json_member(reader, initial, "v"), true, MODEL_MAX_COORDINATES,
                      &spec->initial.v, &spec->initial.n_v);
    /* its constraints and multipliers */
    read_consistency(reader, json_member(reader, initial, "consistency"), spec);
    read_hold(reader, json_member(reader, initial, "hold"), spec);
    read_mu(reader, json_member(reader, initial, "mu"), spec);
    read_in_chart(reader, initial, spec);
    read_equilibrium(reader, initial, spec);
}

/* Reads the values of `member` ("q" or "v") in `object`, or in its "chart" if the boundary's start
 * has one. The start is read first. */
static void read_values(JsonReader *reader, JsonValue object, const char *member,
                        const BoundarySpec *boundary, const NamedValue **ret, size_t *ret_n)
{
    JsonValue chart = json_member(reader, object, "chart"),
              direct = json_member(reader, object, member);

    /* either all values in the chart, or none */
    if (json_present(chart) != boundary->in_chart)
        json_wrong(reader, json_present(chart) ? chart : object,
                   "give the ends and the guesses all under \"chart\", or none of them there",
                   "the chart's coordinates and the model's cannot be mixed");
    else if (json_present(chart) && json_present(direct))
        json_wrong(reader, direct, "give it under \"chart\"",
                   "the chart's coordinates and the model's cannot be mixed");
    else if (!json_present(chart))
        read_named_values(reader, direct, true, MODEL_MAX_COORDINATES, ret, ret_n);
    else if (json_object_of(reader, chart, "an object with values in the chart's coordinates",
                            &member, 1))
        read_named_values(reader, read_required(reader, chart, member), true, MODEL_MAX_COORDINATES,
                          ret, ret_n);
}

/* False after a mistake. */
static bool read_end(JsonReader *reader, JsonValue end, const BoundarySpec *boundary,
                     BoundaryEnd *ret)
{
    static const char *const MEMBERS[] = {"t", "q", "chart"};
    size_t before = reader->diag->total;

    if (!json_present(end) ||
        !json_object_of(reader, end, "an object with \"t\" and \"q\"", MEMBERS, LENGTH(MEMBERS)))
        return false;
    JsonValue t = read_required(reader, end, "t");
    if (json_present(t))
        read_constant(reader, t, &ret->t);
    read_values(reader, end, "q", boundary, &ret->q, &ret->n_q);
    return reader->diag->total == before;
}

static void read_velocity_guesses(JsonReader *reader, JsonValue list, BoundarySpec *ret)
{
    static const char *const MEMBERS[] = {"v", "chart"};
    size_t n = json_count(list), k = 0;

    if (!json_present(list) || !json_is_array(reader, list, "a list of guesses") ||
        !json_at_most(reader, list, JOB_MAX_GUESSES))
        return;
    BoundaryGuess *guesses = json_alloc(reader, n, sizeof *guesses);
    if (!guesses)
        return;
    /* each guess of the velocities */
    for (JsonValue guess = json_first(reader, list); json_present(guess);
         guess = json_following(reader, list, guess), k++) {
        if (!json_object_of(reader, guess, "an object with the velocities \"v\" at the start",
                            MEMBERS, LENGTH(MEMBERS)))
            continue;
        if (!json_present(json_member(reader, guess, "chart")))
            read_required(reader, guess, "v");
        read_values(reader, guess, "v", ret, &guesses[k].v, &guesses[k].n_v);
    }
    ret->guesses = guesses;
    ret->n_guesses = n;
}

void read_boundary(JsonReader *reader, JsonValue boundary, JobSpec *spec)
{
    static const char *const MEMBERS[] = {"start", "end", "guesses"};
    BoundarySpec *b = &spec->boundary;

    if (!json_present(boundary))
        return;
    b->given = true;
    json_object_of(reader, boundary, "an object with \"start\" and \"end\"", MEMBERS,
                   LENGTH(MEMBERS));
    if (!cJSON_IsObject(boundary.item))
        return;
    /* the ends, then the guesses */
    JsonValue from = read_required(reader, boundary, "start");
    JsonValue to = read_required(reader, boundary, "end");
    b->in_chart = cJSON_IsObject(from.item) && json_present(json_member(reader, from, "chart"));
    bool start = read_end(reader, from, b, &b->start), end = read_end(reader, to, b, &b->end);
    read_velocity_guesses(reader, json_member(reader, boundary, "guesses"), b);
    /* the end is later */
    if (start && end && !(b->start.t < b->end.t))
        json_wrong(reader, json_member(reader, to, "t"),
                   b->start.t > b->end.t ? "exchange the two ends" : NULL,
                   "the end must be later than the start, which is at t = %g", b->start.t);
    spec->initial.t = b->start.t;
}
