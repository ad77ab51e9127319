/* {"observe": {NAME: EXPRESSION}}: observables of a job that has run. */
#include "api/documents/documents.h"
#include "api/documents/read.h"

Status observe_input_read(const char *bytes, size_t size, Arena *arena, Diagnostics *diag,
                          const NamedText **ret_observe, size_t *ret_n, bool *ret_is_json,
                          Error *err)
{
    static const char *const MEMBERS[] = {"observe"};
    JsonReader reader = {.arena = arena, .diag = diag};
    JobSpec spec = {0};
    cJSON *tree = NULL;

    /* read all, then check that there is something to observe */
    Status status = json_parse(bytes, size, diag, &tree, ret_is_json, err);
    if (status != OK)
        return status;
    const JsonValue wish = {tree, ""};
    if (json_object_of(&reader, wish, "an object with \"observe\"", MEMBERS, 1)) {
        const JsonValue observe = read_required(&reader, wish, MEMBERS[0]);
        read_observe(&reader, observe, OBSERVE_MOST, &spec);
        if (json_present(observe) && diag->total == 0 && spec.n_observe == 0)
            json_wrong(&reader, observe, NULL, "there are no observables");
    }
    status = json_read_end(&reader, 0, err);
    cJSON_Delete(tree);
    *ret_observe = spec.observe;
    *ret_n = spec.n_observe;
    return status;
}
