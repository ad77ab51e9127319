/* Preparing a job: its document is read, its model is compiled or found in the cache, and all
 * checks are made that need no integration. */
#include "api/prepared_job.h"

#include "api/documents/drawing.h"
#include "api/ensemble_cost.h"
#include "core/base/clock.h"

/* The sources of models: the store (of an accepted job also its model id there), and the cache. */
typedef struct Models {
    TenantStore store;
    const char *accepted;
    CompiledCache *cache;
} Models;

static Status stored_model(void *self, const char *id, Arena *arena, const char **ret_text,
                           size_t *ret_size, Error *err)
{
    const Models *models = self;
    ModelRecord model;
    Status status = models->accepted ? store_model_kept(models->store, id, arena, &model, err)
                                     : store_model_get(models->store, id, arena, &model, err);
    if (status == OK) {
        *ret_text = model.document;
        *ret_size = model.document_size;
    }
    return status;
}

static bool known_model(void *self, const char *text, size_t size, Arena *arena,
                        ModelInput *ret_model)
{
    const Models *models = self;
    return compiled_cache_known(models->cache, models->store.tenant, text, size, arena, ret_model);
}

static void check_times(const JobInput *input, double timeout_most, Diagnostics *diag)
{
    if (timeout_most > 0.0 && input->timeout > timeout_most)
        diagnostics_add(diag, "/timeout", -1, NULL, "the timeout is at most %g s", timeout_most);
    if (input->not_after_ms && input->not_after_ms < clock_unix_ms())
        diagnostics_add(diag, "/not_after", -1,
                        "leave it out: a job is then begun whenever its turn comes",
                        "the instant has passed");
}

/* Names with an @ belong to tables that every job has. */
static void check_events(const JobSpec *spec, Diagnostics *diag)
{
    for (size_t k = 0; k < spec->n_events; k++)
        if (spec->events[k].name[0] == '@')
            diagnostics_add(diag, arena_join(diag->arena, "", spec->events[k].pointer, "/name"), -1,
                            "choose another name", "the name of an event must not begin with @");
}

static void check_notify(const NotifyInput *notify, const WebhookRules *rules, Arena *arena,
                         Diagnostics *diag)
{
    if (!notify->given || !rules)
        return;
    if (!rules->on) {
        diagnostics_add(diag, "/notify", -1,
                        "leave it out, or start the service with --webhooks on",
                        "this service sends no notifications");
        return;
    }
    const char *why = webhook_url_forbidden(&notify->url, &rules->ips, arena);
    if (why)
        diagnostics_add(diag, "/notify/url", -1,
                        "--webhook-allow allows addresses beyond the public internet",
                        "this service sends no notifications there: %s", why);
}

/* Checks the demands of a new job on the service. */
static Status check_service(const JobInput *input, const JobSetting *setting, Arena *arena,
                            Diagnostics *diag, Error *err)
{
    const size_t before = diag->total;

    check_times(input, setting->timeout_most, diag);
    check_events(&input->spec, diag);
    check_notify(&input->notify, setting->webhooks, arena, diag);
    if (diag->total > before)
        return error_set(err, ERR_INVALID, "the service cannot run the job as requested");
    return arena_status(arena, err);
}

static CacheKey key_of(const JobSetting *setting, const JobInput *input)
{
    return (CacheKey){setting->store.tenant, input->model.key, input->spec.formulation};
}

/* For source->quickly: the model from the cache; ERR_BUSY if any model would have to be
 * compiled. */
static Status find_compiled(PreparedJob *job, const JobSetting *setting, Error *err)
{
    const CacheKey key = key_of(setting, &job->input);
    const bool alone = job->input.spec.n_compare == 0;
    if (setting->cache && alone && !job->compiled)
        job->compiled = compiled_cache_find(setting->cache, &key);
    return job->compiled && alone ? OK : error_set(err, ERR_BUSY, "a model has to be compiled");
}

static Status prepared_job_compile(PreparedJob *job, const JobSetting *setting, Diagnostics *diag,
                                   Error *err)
{
    const ModelInput *model = &job->input.model;
    const CacheKey key = key_of(setting, &job->input);
    if (!setting->cache)
        return compiled_new(&model->document, key.formulation, diag, &job->compiled, err);
    Status status =
        compiled_cache_get(setting->cache, &key, &model->document, diag, &job->compiled, err);
    if (status == OK)
        compiled_cache_remember(setting->cache, key.tenant, model);
    return status;
}

/* A model whose text is known is not read. If its compiled form has left the cache, the job is read
 * again together with its model. */
static Status read_job(PreparedJob *job, const JobSetting *setting, const JobSource *source,
                       Arena *arena, Diagnostics *diag, bool *ret_is_json, Error *err)
{
    Models models = {setting->store, source->model_id, setting->cache};
    ModelSource from = {.self = &models};
    JobInput *input = &job->input;

    if (setting->store.store) {
        from.stored = stored_model;
        from.accepted = source->model_id;
    }
    from.known = setting->cache && !source->model_id ? known_model : NULL;
    /* read, and look for the compiled model */
    Status status =
        job_input_read(source->bytes, source->size, &from, arena, diag, input, ret_is_json, err);
    if (status != OK || !input->model.known)
        return status;
    const CacheKey key = key_of(setting, input);
    job->compiled = compiled_cache_find(setting->cache, &key);
    if (job->compiled)
        return OK;
    from.known = NULL;
    return job_input_read(source->bytes, source->size, &from, arena, diag, input, ret_is_json, err);
}

/* Fills input and compiled. */
static Status read_and_compile(PreparedJob *job, const JobSetting *setting, const JobSource *source,
                               Arena *arena, Diagnostics *diag, bool *ret_is_json, Error *err)
{
    const bool accepted = source->model_id != NULL;
    const CacheKey key = {setting->store.tenant, source->model_id, source->formulation};

    if (accepted && setting->cache)
        job->compiled = compiled_cache_find(setting->cache, &key);
    if (job->compiled)
        return job_input_reread(source->bytes, source->size, arena, diag, &job->input, err);

    Status status = read_job(job, setting, source, arena, diag, ret_is_json, err);
    if (status == OK && !accepted)
        status = check_service(&job->input, setting, arena, diag, err);
    if (status != OK)
        return status;
    if (source->quickly)
        return find_compiled(job, setting, err);
    return job->compiled ? OK : prepared_job_compile(job, setting, diag, err);
}

static Status check_size(const PreparedJob *job, const JobSetting *setting, Diagnostics *diag,
                         Error *err)
{
    const double bytes = ensemble_bytes(job->ensemble, job->input.ensemble.keep);
    if (setting->ensemble_most <= 0.0 || bytes <= setting->ensemble_most)
        return OK;
    diagnostics_add(diag, "/ensemble", -1,
                    "use fewer members or samples; \"keep\": \"summary\" keeps one row for each "
                    "member",
                    "the results have about %.3g bytes; at most %.3g are kept", bytes,
                    setting->ensemble_most);
    return error_set(err, ERR_INVALID, "the ensemble is too large");
}

static Status prepare_ensemble(PreparedJob *job, const JobSetting *setting, bool accepted,
                               Diagnostics *diag, Error *err)
{
    const JobInput *input = &job->input;
    Status status =
        ensemble_new(job->compiled, &input->spec, &input->ensemble,
                     &(EnsembleLimits){&setting->limits, accepted ? 0 : setting->members_most},
                     diag, &job->ensemble, err);
    return status != OK || accepted ? status : check_size(job, setting, diag, err);
}

/* Appends a warning to those of the document. */
static Status add_warning(JobInput *input, const char *warning, Arena *arena, Error *err)
{
    const char **items = ARENA_NEW(arena, input->n_warnings + 1, const char *);
    if (!items)
        return arena_status(arena, err);
    for (size_t i = 0; i < input->n_warnings; i++)
        items[i] = input->warnings[i];
    items[input->n_warnings++] = arena_strdup(arena, warning);
    input->warnings = items;
    return arena_status(arena, err);
}

/* Adds the warnings that need the compiled model or the setting. */
static Status add_warnings(PreparedJob *job, const JobSetting *setting, Arena *arena, Error *err)
{
    JobInput *input = &job->input;
    const char *units = compiled_model(job->compiled)->units.warning;
    Status status = units ? add_warning(input, units, arena, err) : OK;
    if (status == OK && input->notify.given && !setting->webhooks)
        status = add_warning(
            input, "notify has no effect here: only the service sends notifications", arena, err);
    return status;
}

/* Finds the mistakes in the drawings of the job and of its model. */
static Status check_drawings(const PreparedJob *job, Diagnostics *diag, Error *err)
{
    const JobInput *input = &job->input;
    const Status first = drawing_check(job->compiled, NULL, &input->model.drawing, diag, err);
    const Status second =
        first == OK || first == ERR_INVALID
            ? drawing_check(job->compiled, &input->spec, &input->drawing, diag, err)
            : OK;
    return first != OK ? first : second;
}

Status prepared_job_read(PreparedJob *ret_job, const JobSetting *setting, const JobSource *source,
                         Arena *arena, Diagnostics *diag, bool *ret_is_json, Error *err)
{
    PreparedJob job = {0};
    Status status = read_and_compile(&job, setting, source, arena, diag, ret_is_json, err);
    if (status == OK)
        status = add_warnings(&job, setting, arena, err);
    if (status == OK)
        *ret_job = job;
    else
        prepared_job_done(&job);
    return status;
}

Status prepared_job_init(PreparedJob *ret_job, const JobSetting *setting, const JobSource *source,
                         Arena *arena, Diagnostics *diag, bool *ret_is_json, Error *err)
{
    PreparedJob job;
    Status status = prepared_job_read(&job, setting, source, arena, diag, ret_is_json, err);
    if (status != OK)
        return status;
    if (job.input.design)
        status = prepare_ensemble(&job, setting, source->model_id != NULL, diag, err);
    else
        status = simulation_new(job.compiled, &job.input.spec, &setting->limits, diag,
                                &job.simulation, err);
    /* drawings do not matter to an accepted job; their mistakes are told together with others */
    if (!source->model_id && (status == OK || status == ERR_INVALID)) {
        const Status drawn = check_drawings(&job, diag, err);
        status = status == OK ? drawn : status;
    }
    if (status == OK)
        *ret_job = job;
    else
        prepared_job_done(&job);
    return status;
}

void prepared_job_done(PreparedJob *job)
{
    ensemble_free(job->ensemble);
    simulation_free(job->simulation);
    compiled_unref(job->compiled);
}
