/* Reading the formulation of a job, and the formulations to compare it with. */
#include <string.h>

#include "api/documents/read.h"
#include "core/motion/formulations.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

static const char LEAST_ACTION[] = "least-action";

static NameChoice formulation_choice(void)
{
    static const char *const ALL[] = {"lagrange-dalembert", "hamel",        "voronec",
                                      "chaplygin",          "hamiltonian",  "vakonomic",
                                      "intrinsic",          "moving-frame", LEAST_ACTION};
    NameChoice choice = {.later = ALL, .n_later = LENGTH(ALL), .noun = "formulation"};

    choice.n = formulation_names(&choice.names);
    return choice;
}

/* Boundary values go with least-action only, and least-action needs them. */
static void check_boundary(JsonReader *reader, JsonValue job, JsonValue formulation)
{
    JsonValue boundary = json_member(reader, job, "boundary");
    bool wanted = cJSON_IsString(formulation.item) &&
                  strcmp(formulation.item->valuestring, LEAST_ACTION) == 0;

    if (json_present(boundary) && !wanted)
        json_wrong(reader, boundary, "add \"formulation\": \"least-action\"",
                   "only the formulation least-action takes a boundary problem");
    else if (wanted && !json_present(boundary))
        json_wrong(reader, formulation,
                   "for example \"boundary\": {\"start\": {\"t\": 0, \"q\": {..}}, \"end\": "
                   "{\"t\": 1, \"q\": {..}}} instead of \"initial\"",
                   "the formulation least-action takes a boundary problem");
}

static bool is_new(JsonReader *reader, JsonValue value, const char *name, const JobSpec *spec,
                   const char *const *names, size_t n)
{
    if (strcmp(name, spec->formulation) == 0)
        return json_wrong(reader, value, NULL, "\"%s\" is the formulation of the job itself", name);
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return json_wrong(reader, value, NULL, "\"%s\" is named twice", name);
    return true;
}

static void read_compare(JsonReader *reader, JsonValue job, JobSpec *spec)
{
    JsonValue list = json_member(reader, job, "compare");
    const NameChoice choice = formulation_choice();
    size_t n = 0;

    if (!json_present(list) || !json_is_array(reader, list, "a list of formulations") ||
        !json_at_most(reader, list, JOB_MAX_COMPARED))
        return;
    const char **names = json_alloc(reader, json_count(list), sizeof *names);
    /* each formulation once */
    for (JsonValue v = json_first(reader, list); names && json_present(v);
         v = json_following(reader, list, v)) {
        const char *name;
        if (!read_choice(reader, v, &choice, &name))
            continue;
        if (strcmp(name, LEAST_ACTION) == 0)
            json_wrong(reader, v, NULL, "least-action takes a boundary problem, not a motion");
        else if (is_new(reader, v, name, spec, names, n))
            names[n++] = name;
    }
    if (json_count(list) > 0 && json_present(json_member(reader, job, "boundary")))
        json_wrong(reader, list, NULL, "a boundary problem has no motion to compare with");
    spec->compare = names;
    spec->n_compare = n;
}

void read_formulations(JsonReader *reader, JsonValue job, JobSpec *spec)
{
    JsonValue formulation = json_member(reader, job, "formulation");
    const NameChoice choice = formulation_choice();

    if (json_present(formulation))
        spec->formulation_given = read_choice(reader, formulation, &choice, &spec->formulation);
    check_boundary(reader, job, formulation);
    read_compare(reader, job, spec);
}
