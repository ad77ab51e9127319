/* Reading the observations of a job: the columns of `observe` and the list of events. */
#include "api/documents/read.h"

#include <string.h>

#include "api/documents/documents.h"
#include "core/base/name_set.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

static void read_direction(JsonReader *reader, JsonValue value, int *ret_direction)
{
    static const char *const NAMES[] = {"falling", "any", "rising"};
    size_t index;

    if (json_present(value) && json_choice(reader, value, NAMES, LENGTH(NAMES), &index))
        *ret_direction = (int)index - 1;
}

void read_observe(JsonReader *reader, JsonValue observe, size_t most, JobSpec *spec)
{
    read_named_texts(reader, observe, "an object of expressions by name", most, &spec->observe,
                     &spec->n_observe);
    if (!spec->n_observe)
        return;
    for (JsonValue v = json_first(reader, observe); json_present(v);
         v = json_following(reader, observe, v))
        if (v.item->string[0] == '\0')
            json_wrong(reader, v, NULL, "the name of a column must not be empty");
}

/* An event's name is the name of a table: unique, and not empty. */
static void check_name(JsonReader *reader, JsonValue value, const char *name, NameSet *names)
{
    if (name[0] == '\0')
        json_expected(reader, value, "a name");
    if (!name_set_add(names, name))
        json_wrong(reader, value, NULL, "two events have the name \"%s\"", name);
}

static const char TIMES[] = "give one of \"when\", \"every\" and \"at\"";

static void read_event_at(JsonReader *reader, JsonValue list, EventSpec *event)
{
    if (!json_is_array(reader, list, "a list of at least one instant"))
        return;
    size_t n = json_count(list), k = 0;
    double *at = json_alloc(reader, n, sizeof *at);
    if (!at || n == 0) {
        json_expected(reader, list, "a list of at least one instant");
        return;
    }
    for (const cJSON *item = list.item->child; item; item = item->next, k++)
        read_constant(reader, json_element(reader, list, item, k), &at[k]);
    event->at = at;
    event->n_at = n;
}

/* Reads the instants of an event: roots of a guard, or given times. */
static void read_event_times(JsonReader *reader, JsonValue value, EventSpec *event)
{
    JsonValue when = json_member(reader, value, "when"), at = json_member(reader, value, "at");
    JsonValue every = json_member(reader, value, "every");
    JsonValue offset = json_member(reader, value, "offset");
    JsonValue direction = json_member(reader, value, "direction");
    const int given = json_present(when) + json_present(at) + json_present(every);

    event->when = (NamedText){.name = event->name, .pointer = when.pointer};
    /* an offset only goes with a period */
    if (json_present(offset) && !json_present(every))
        json_wrong(reader, offset, NULL, "\"offset\" needs \"every\"");
    else if (json_present(offset) && read_constant(reader, offset, &event->offset) &&
             !(event->offset >= 0))
        json_expected(reader, offset, "a number that is not negative");
    /* exactly one of the three gives the instants */
    if (given != 1) {
        if (given == 0)
            json_wrong(reader, value, TIMES, "the member \"when\" is missing");
        else
            json_wrong(reader, value, NULL, "%s", TIMES);
        return;
    }
    /* a guard, with the direction of its crossing */
    if (json_present(when)) {
        json_string(reader, when, "an expression as text", &event->when.text);
        read_direction(reader, direction, &event->direction);
        return;
    }
    if (json_present(direction))
        json_wrong(reader, direction, NULL, "\"direction\" needs \"when\"");
    /* or instants */
    event->kind = json_present(every) ? EVENT_EVERY : EVENT_AT;
    if (json_present(at))
        read_event_at(reader, at, event);
    else if (read_constant(reader, every, &event->every) && !(event->every > 0))
        json_expected(reader, every, "a positive number");
}

static void read_event(JsonReader *reader, JsonValue value, EventSpec *event, NameSet *names)
{
    static const char *const MEMBERS[] = {"name", "when",      "every",    "offset",
                                          "at",   "direction", "terminal", "set"};

    event->pointer = value.pointer;
    json_object_of(reader, value, "an object with \"name\" and \"when\"", MEMBERS, LENGTH(MEMBERS));
    if (!cJSON_IsObject(value.item))
        return;
    JsonValue name = read_required(reader, value, "name");
    JsonValue terminal = json_member(reader, value, "terminal");
    if (json_present(name) && json_string(reader, name, "a name", &event->name))
        check_name(reader, name, event->name, names);
    /* its instants, and its effects */
    read_event_times(reader, value, event);
    if (json_present(terminal))
        json_bool(reader, terminal, &event->terminal);
    read_named_texts(reader, json_member(reader, value, "set"),
                     "an object of expressions by coordinate or velocity",
                     (size_t)2 * MODEL_MAX_COORDINATES, &event->set, &event->n_set);
}

void read_events(JsonReader *reader, JsonValue list, JobSpec *spec)
{
    size_t n = 0;

    if (!json_present(list) || !json_is_array(reader, list, "a list of events") ||
        !json_at_most(reader, list, JOB_MAX_EVENTS))
        return;
    EventSpec *events = json_alloc(reader, json_count(list), sizeof *events);
    NameSet names = name_set(json_count(list), reader->arena);
    if (!events)
        return;
    for (JsonValue v = json_first(reader, list); json_present(v);
         v = json_following(reader, list, v))
        read_event(reader, v, &events[n++], &names);
    spec->events = events;
    spec->n_events = n;
}
