/* POST /v1/jobs:cancel and /v1/jobs:delete: many jobs at once, by their ids or by a filter.
 *
 * First at most BATCH_MAX jobs are found. Then they are changed in transactions of PAGE jobs, so
 * that other writers can go in between. The answer lists each job that was refused. */
#include <string.h>

#include "api/documents/batch.h"
#include "api/routes/common.h"
#include "api/routes/routes.h"

enum { PAGE = 500 };

typedef Status BulkAct(TenantStore store, const char *const *ids, size_t n, Status *ret_each,
                       Error *err);

typedef struct Bulk {
    BulkAct *act;
    const JobState *states; /* n_states: only jobs in these states can be changed */
    size_t n_states;
    const char **ids; /* n, of at most BATCH_MAX */
    size_t n;
    JobFilter filter;
    bool more; /* the filter matches more jobs */
} Bulk;

static Status add_id(Bulk *bulk, Arena *arena, const char *id)
{
    bulk->ids[bulk->n] = arena_strdup(arena, id);
    return bulk->ids[bulk->n++] ? OK : ERR_NO_MEMORY;
}

static void read_ids(JsonReader *reader, JsonValue list, Bulk *bulk)
{
    if (!json_is_array(reader, list, "a list of ids"))
        return;
    if (json_count(list) == 0 || json_count(list) > BATCH_MAX) {
        json_wrong(reader, list, NULL, "\"ids\" has 1 to %d entries, not %zu", BATCH_MAX,
                   json_count(list));
        return;
    }
    size_t k = 0;
    for (const cJSON *item = list.item->child; item; item = item->next, k++) {
        const char *id = NULL;
        if (!json_string(reader, json_element(reader, list, item, k), "an id", &id))
            continue;
        if (add_id(bulk, reader->arena, id) != OK)
            reader->no_memory = true;
    }
}

static void read_state(JsonReader *reader, JsonValue value, Bulk *bulk)
{
    const char *names[5];
    size_t index;
    for (size_t k = 0; k < bulk->n_states; k++)
        names[k] = job_state_name(bulk->states[k]);
    if (!json_present(value) || !json_choice(reader, value, names, bulk->n_states, &index))
        return;
    bulk->filter.by_state = true;
    bulk->filter.state = bulk->states[index];
}

static void read_filter_labels(JsonReader *reader, JsonValue value, JobFilter *filter)
{
    if (!json_present(value) || !json_is_object(reader, value, "an object of texts") ||
        !json_at_most(reader, value, JOB_MAX_LABELS))
        return;
    JobLabel *labels = json_alloc(reader, json_count(value), sizeof *labels);
    for (JsonValue label = json_first(reader, value); json_present(label) && labels;
         label = json_following(reader, value, label)) {
        JobLabel *next = &labels[filter->n_labels++];
        next->key = json_name(reader, label);
        json_string(reader, label, "a text", &next->value);
    }
    filter->labels = labels;
}

/* An empty filter is a mistake: a client that means all jobs must say so by a state, a model or
 * labels. */
static void read_filter(JsonReader *reader, JsonValue value, Bulk *bulk)
{
    static const char *const MEMBERS[] = {"state", "model", "labels"};
    json_object_of(reader, value, "a filter", MEMBERS, 3);
    if (json_is_object(reader, value, "a filter") && json_count(value) == 0)
        json_wrong(reader, value, NULL, "a filter names a state, a model or labels");
    JsonValue model = json_member(reader, value, "model");
    read_state(reader, json_member(reader, value, "state"), bulk);
    if (json_present(model))
        json_string(reader, model, "the id of a model", &bulk->filter.model_id);
    read_filter_labels(reader, json_member(reader, value, "labels"), &bulk->filter);
}

static void read_wish(JsonReader *reader, JsonValue wish, void *self)
{
    Bulk *bulk = self;
    static const char *const MEMBERS[] = {"ids", "filter"};
    if (!json_object_of(reader, wish, "an object with ids or a filter", MEMBERS, 2))
        return;
    JsonValue ids = json_member(reader, wish, "ids"), by = json_member(reader, wish, "filter");
    if (json_present(ids) == json_present(by))
        json_wrong(reader, wish, NULL, "give \"ids\" or a \"filter\"");
    else if (json_present(ids))
        read_ids(reader, ids, bulk);
    else
        read_filter(reader, by, bulk);
}

/* Adds the newest jobs of one state that match the filter. */
static Status find_state(const ApiContext *ctx, const ApiRequest *req, JobFilter filter, Bulk *bulk,
                         Error *err)
{
    Status status = OK;
    bool more = true;
    filter.by_state = true;
    filter.limit = PAGE;
    /* page by page, until BATCH_MAX jobs are found */
    while (status == OK && more && !bulk->more) {
        JobRecord *jobs = NULL;
        size_t n = 0;
        Arena page = {0};
        status = store_job_list(ctx->store, &filter, &page, &jobs, &n, &more, err);
        for (size_t k = 0; k < n && status == OK && !bulk->more; k++) {
            bulk->more = bulk->n == BATCH_MAX;
            if (!bulk->more)
                status = add_id(bulk, req->arena, jobs[k].id);
        }
        if (status == OK && n > 0)
            filter.before = bulk->ids[bulk->n - 1];
        arena_done(&page);
    }
    return status;
}

static Status find_jobs(const ApiContext *ctx, const ApiRequest *req, Bulk *bulk, Error *err)
{
    Status status = OK;
    for (size_t k = 0; k < bulk->n_states && status == OK && !bulk->more; k++) {
        JobFilter one = bulk->filter;
        one.state = bulk->states[k];
        if (!bulk->filter.by_state || bulk->filter.state == bulk->states[k])
            status = find_state(ctx, req, one, bulk, err);
    }
    return status;
}

/* Writes a job that was not changed, with the reason. */
static void put_refused(JsonWriter *writer, const char *id, Status status)
{
    const Problem problem = problem_of(status);
    json_open_object(writer);
    json_member_string(writer, "id", id);
    json_member_string(writer, "code", problem_code(problem));
    json_member_string(writer, "detail", problem_title(problem));
    json_close_object(writer);
}

static void tell_host(const ApiContext *ctx, const char *id)
{
    resource_cache_forget(ctx->resources, id);
    ctx->host.job_changed(ctx->host.self, id, true);
}

static Status act_on_all(const ApiContext *ctx, const Bulk *bulk, JsonWriter *writer, Error *err)
{
    Status each[PAGE], status = OK;
    uint64_t changed = 0;
    json_member_array(writer, "refused");
    /* one transaction for each page */
    for (size_t k = 0; k < bulk->n && status == OK; k += PAGE) {
        const size_t n = bulk->n - k < PAGE ? bulk->n - k : PAGE;
        status = bulk->act(ctx->store, bulk->ids + k, n, each, err);
        for (size_t i = 0; i < n && status == OK; i++) {
            changed += each[i] == OK;
            if (each[i] == OK)
                tell_host(ctx, bulk->ids[k + i]);
            else
                put_refused(writer, bulk->ids[k + i], each[i]);
        }
    }
    json_close_array(writer);
    json_member_unsigned(writer, "changed", changed);
    return status;
}

static Status bulk_answer(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                          Bulk *bulk, Error *err)
{
    JsonWriter writer;
    if (reply_later(res))
        return OK;
    /* which jobs */
    bulk->filter.since = -1;
    bulk->ids = ARENA_NEW(req->arena, BATCH_MAX, const char *);
    if (!bulk->ids)
        return arena_status(req->arena, err);
    Status status = reply_read_body(req, res, read_wish, bulk, err);
    if (status == OK && bulk->n == 0)
        status = find_jobs(ctx, req, bulk, err);
    /* change them */
    if (status == OK && !api_claim(res->claim, API_CLAIM_STORING))
        status = error_set(err, ERR_CANCELLED, "the client was told to try again");
    if (status != OK)
        return status;
    json_writer_init(&writer, &res->body);
    json_open_object(&writer);
    status = act_on_all(ctx, bulk, &writer, err);
    json_member_bool(&writer, "more", bulk->more);
    json_close_object(&writer);
    return status;
}

Status jobs_bulk_cancel(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    static const JobState OPEN[] = {JOB_QUEUED, JOB_RUNNING};
    Bulk bulk = {.act = store_jobs_cancel, .states = OPEN, .n_states = 2};
    return bulk_answer(ctx, req, res, &bulk, err);
}

Status jobs_bulk_delete(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    static const JobState DONE[] = {JOB_SUCCEEDED, JOB_FAILED, JOB_CANCELLED};
    Bulk bulk = {.act = store_jobs_delete, .states = DONE, .n_states = 3};
    return bulk_answer(ctx, req, res, &bulk, err);
}
