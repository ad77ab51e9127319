/* The cache of compiled models, and the jobs that are prepared with it. */
#include "api/cache.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "api/prepared_job.h"
#include "api/printed.h"
#include "api/routes/equations.h"
#include "tests/suite.h"

static const CoordinateText X = {.name = "x", .pointer = "/coordinates/0"};
static const char FORMULATION[] = "lagrange-dalembert";

static ModelDocument oscillator(void)
{
    return (ModelDocument){.name = "",
                           .description = "",
                           .coordinates = &X,
                           .n_coordinates = 1,
                           .lagrangian = {.text = "dot(x)^2/2 - x^2/2", .pointer = "/lagrangian"}};
}

static Compiled *get_of(CompiledCache *cache, int64_t tenant, const char *id)
{
    Arena *arena = arena_new((size_t)1 << 20);
    Diagnostics diag;
    ModelDocument document = oscillator();
    Compiled *compiled = NULL;
    diagnostics_init(&diag, arena);
    ck_assert_int_eq(compiled_cache_get(cache, &(CacheKey){tenant, id, FORMULATION}, &document,
                                        &diag, &compiled, NULL),
                     OK);
    arena_free(arena);
    return compiled;
}

static Compiled *get(CompiledCache *cache, const char *id)
{
    return get_of(cache, 1, id);
}

START_TEST(a_model_is_compiled_once)
{
    CompiledCache *cache = compiled_cache_new(3);
    Compiled *first = get(cache, "a"), *again = get(cache, "a");
    ck_assert_ptr_eq(first, again);
    CompiledCacheCounts counts = compiled_cache_counts(cache);
    ck_assert_uint_eq(counts.hits, 1);
    ck_assert_uint_eq(counts.misses, 1);
    ck_assert_uint_eq(counts.models, 1);
    compiled_unref(first);
    compiled_cache_free(cache);
    /* a reference outlives the cache */
    ck_assert_str_eq(compiled_formulation(again), FORMULATION);
    compiled_unref(again);
}
END_TEST

START_TEST(a_model_of_one_tenant_is_compiled_anew_for_another)
{
    CompiledCache *cache = compiled_cache_new(3);
    Compiled *theirs = get_of(cache, 1, "a");
    ck_assert_ptr_null(compiled_cache_find(cache, &(CacheKey){2, "a", FORMULATION}));
    Compiled *ours = get_of(cache, 2, "a");
    ck_assert_ptr_ne(ours, theirs);
    ck_assert_uint_eq(compiled_cache_counts(cache).hits, 0);
    ck_assert_uint_eq(compiled_cache_counts(cache).models, 2);
    compiled_unref(ours);
    compiled_unref(theirs);
    compiled_cache_free(cache);
}
END_TEST

START_TEST(equations_printed_for_one_tenant_are_not_found_for_another)
{
    CompiledCache *cache = compiled_cache_new(1);
    Compiled *compiled = get(cache, "a");
    Arena *arena = arena_new((size_t)1 << 20);
    ApiContext theirs = {.store = {.tenant = 1}, .printed = printed_cache_new(2)}, ours = theirs;
    const ApiRequest req = {.arena = arena};
    Text printed = TEXT_INIT, found = TEXT_INIT;
    Diagnostics diag;
    diagnostics_init(&diag, arena);
    ours.store.tenant = 2;
    ck_assert_int_eq(
        equations_print(&theirs, &req, "a", compiled, PRINT_TEXT, &diag, &printed, NULL), OK);
    ck_assert(equations_find(&theirs, &req, "a", FORMULATION, PRINT_TEXT, &found));
    ck_assert_str_eq(text_string(&found), text_string(&printed));
    ck_assert(!equations_find(&ours, &req, "a", FORMULATION, PRINT_TEXT, &found));
    text_done(&printed);
    text_done(&found);
    printed_cache_free(theirs.printed);
    compiled_unref(compiled);
    arena_free(arena);
    compiled_cache_free(cache);
}
END_TEST

START_TEST(the_least_recently_used_model_leaves)
{
    CompiledCache *cache = compiled_cache_new(2);
    compiled_unref(get(cache, "a"));
    compiled_unref(get(cache, "b"));
    compiled_unref(get(cache, "a"));
    compiled_unref(get(cache, "c")); /* b leaves */
    compiled_unref(get(cache, "a"));
    ck_assert_uint_eq(compiled_cache_counts(cache).misses, 3);
    compiled_unref(get(cache, "b"));
    ck_assert_uint_eq(compiled_cache_counts(cache).misses, 4);
    ck_assert_uint_eq(compiled_cache_counts(cache).models, 2);
    compiled_cache_free(cache);
}
END_TEST

/* 3,500 sines each: a model of kilobytes is megabytes when it is compiled. */
START_TEST(large_models_leave_room_for_few)
{
    enum { ROOM = 8, MODELS = 6 };
    CompiledCache *cache = compiled_cache_new(ROOM);
    Arena *arena = arena_new((size_t)1 << 20);
    for (int i = 0; i < MODELS; i++) {
        ModelDocument document = oscillator();
        Diagnostics diag;
        Compiled *compiled = NULL;
        Text text = TEXT_INIT;
        char id[8];
        text_puts(&text, "dot(x)^2/2");
        for (int k = 0; k < 3500; k++)
            text_printf(&text, " + sin(%d.5*x)", k + 10000 * i);
        document.lagrangian.text = text_string(&text);
        snprintf(id, sizeof id, "m%d", i);
        diagnostics_init(&diag, arena);
        ck_assert_int_eq(compiled_cache_get(cache, &(CacheKey){1, id, FORMULATION}, &document,
                                            &diag, &compiled, NULL),
                         OK);
        compiled_unref(compiled);
        text_done(&text);
        ck_assert_ptr_nonnull(compiled =
                                  compiled_cache_find(cache, &(CacheKey){1, id, FORMULATION}));
        compiled_unref(compiled);
    }
    ck_assert_uint_lt(compiled_cache_counts(cache).models, MODELS);
    ck_assert_uint_gt(compiled_cache_counts(cache).models, 1);
    arena_free(arena);
    compiled_cache_free(cache);
}
END_TEST

START_TEST(mistakes_are_told_every_time_and_not_kept)
{
    CompiledCache *cache = compiled_cache_new(2);
    Arena *arena = arena_new((size_t)1 << 20);
    ModelDocument document = oscillator();
    document.lagrangian.text = "dot(y)^2";
    for (int i = 0; i < 2; i++) {
        Diagnostics diag;
        Compiled *compiled = NULL;
        diagnostics_init(&diag, arena);
        ck_assert_int_eq(compiled_cache_get(cache, &(CacheKey){1, "w", FORMULATION}, &document,
                                            &diag, &compiled, NULL),
                         ERR_INVALID);
        ck_assert_uint_eq(diag.total, 1);
        ck_assert_ptr_null(compiled);
    }
    ck_assert_uint_eq(compiled_cache_counts(cache).models, 0);
    arena_free(arena);
    compiled_cache_free(cache);
}
END_TEST

static void *hammer(void *cls)
{
    CompiledCache *cache = cls;
    for (int i = 0; i < 50; i++) {
        char id[8];
        snprintf(id, sizeof id, "m%d", i % 5);
        compiled_unref(get(cache, id));
    }
    return NULL;
}

START_TEST(threads_share_it)
{
    CompiledCache *cache = compiled_cache_new(3);
    pthread_t threads[4];
    for (size_t i = 0; i < 4; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, hammer, cache), 0);
    for (size_t i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    ck_assert_uint_eq(compiled_cache_counts(cache).models, 3);
    compiled_cache_free(cache);
}
END_TEST

#define JOB_WITH(model)                                                                      \
    "{\"model\":" model ",\"initial\":{\"q\":{\"x\":1}},\"time\":{\"end\":1,\"samples\":3}," \
    "\"observe\":{\"speed\":\"abs(dot(x))\"}}"

static const char JOB[] = JOB_WITH("{\"coordinates\":[\"x\"],\"lagrangian\":\"dot(x)^2\"}");

static Status prepare(const JobSetting *setting, const char *text, const char *model_id,
                      Arena *arena, PreparedJob *ret_job)
{
    const JobSource source = {text, strlen(text), model_id, FORMULATION, false};
    Diagnostics diag;
    diagnostics_init(&diag, arena);
    return prepared_job_init(ret_job, setting, &source, arena, &diag, NULL, NULL);
}

START_TEST(of_an_accepted_job_the_model_is_not_read_again)
{
    const JobSetting setting = {.cache = compiled_cache_new(2)};
    Arena *arena = arena_new((size_t)1 << 24);
    PreparedJob first, again;
    const char *const *names;
    ck_assert_int_eq(prepare(&setting, JOB, NULL, arena, &first), OK);
    ck_assert_int_eq(
        prepare(&setting, JOB_WITH("\"not looked at\""), first.input.model.id, arena, &again), OK);
    ck_assert_ptr_eq(first.compiled, again.compiled);
    ck_assert_uint_eq(simulation_columns(again.simulation, &names), 4);
    ck_assert_str_eq(names[3], "speed");
    prepared_job_done(&first);
    prepared_job_done(&again);
    arena_free(arena);
    compiled_cache_free(setting.cache);
}
END_TEST

START_TEST(the_text_of_a_model_is_known_to_its_tenant_alone)
{
    static const int64_t THEIRS = 1, OURS = 2;
    const JobSetting setting = {.store = {.tenant = THEIRS}, .cache = compiled_cache_new(2)};
    Arena *arena = arena_new((size_t)1 << 24);
    PreparedJob job;
    ModelInput known;
    ck_assert_int_eq(prepare(&setting, JOB, NULL, arena, &job), OK);
    const char *text = job.input.model.text;
    const size_t size = job.input.model.text_size;
    ck_assert(compiled_cache_known(setting.cache, THEIRS, text, size, arena, &known));
    ck_assert_str_eq(known.id, job.input.model.id);
    ck_assert(!compiled_cache_known(setting.cache, OURS, text, size, arena, &known));
    prepared_job_done(&job);
    arena_free(arena);
    compiled_cache_free(setting.cache);
}
END_TEST

START_TEST(an_accepted_job_whose_model_has_left_the_cache_is_read_anew)
{
    const JobSetting setting = {.cache = compiled_cache_new(2)};
    Arena *arena = arena_new((size_t)1 << 24);
    PreparedJob job;
    ck_assert_int_eq(prepare(&setting, JOB_WITH("\"not a model\""), "gone", arena, &job),
                     ERR_INVALID);
    ck_assert_int_eq(prepare(&setting, JOB, "gone", arena, &job), OK);
    ck_assert_uint_eq(compiled_cache_counts(setting.cache).models, 1);
    prepared_job_done(&job);
    arena_free(arena);
    compiled_cache_free(setting.cache);
}
END_TEST

static Diagnostics prepare_told(const JobSetting *setting, const char *text,
                                const char *formulation, Arena *arena, PreparedJob *ret_job,
                                Status *ret_status)
{
    char *job = arena_printf(arena, "%.*s,\"formulation\":\"%s\"}", (int)strlen(text) - 1, text,
                             formulation);
    const JobSource source = {.bytes = job, .size = strlen(job)};
    Diagnostics diag;
    diagnostics_init(&diag, arena);
    *ret_job = (PreparedJob){0};
    *ret_status = prepared_job_init(ret_job, setting, &source, arena, &diag, NULL, NULL);
    return diag;
}

/* With and without a cache that has seen the model: the same names, texts and mistakes. */
static void check_same(const JobSetting *setting, const char *text, const char *formulation,
                       bool known)
{
    const JobSetting plain = {0};
    Arena *arena = arena_new((size_t)1 << 24);
    PreparedJob one, other;
    Status status, expected;
    const Diagnostics told = prepare_told(setting, text, formulation, arena, &one, &status);
    const Diagnostics heard = prepare_told(&plain, text, formulation, arena, &other, &expected);

    ck_assert_int_eq(status, expected);
    ck_assert_uint_eq(told.total, heard.total);
    for (size_t k = 0; k < told.count; k++) {
        ck_assert_str_eq(told.items[k].pointer, heard.items[k].pointer);
        ck_assert_str_eq(told.items[k].message, heard.items[k].message);
    }
    if (status == OK) {
        ck_assert_int_eq(one.input.model.known, known);
        ck_assert_str_eq(one.input.request_hash, other.input.request_hash);
        ck_assert_str_eq(one.input.model.id, other.input.model.id);
        ck_assert_str_eq(one.input.model.name, other.input.model.name);
        ck_assert_str_eq(one.input.model.canonical, other.input.model.canonical);
        ck_assert_uint_eq(one.input.model.canonical_size, other.input.model.canonical_size);
        ck_assert_str_eq(one.input.labels, other.input.labels);
    }
    prepared_job_done(&one);
    prepared_job_done(&other);
    arena_free(arena);
}

#define NAMED "{ \"name\" : \"a \\\"b\\\" }\",\"lagrangian\":\"dot(x)^2\", \"coordinates\":[\"x\"]}"

START_TEST(a_job_of_a_model_in_the_same_bytes_is_the_same_job)
{
    static const char *const JOBS[] = {
        JOB, JOB_WITH(NAMED),
        "{\"time\":{\"end\":1},\"labels\":{\"model\":\"{}\"},\"initial\":{\"q\":{\"x\":1}},"
        "\"observe\":{\"z\":\"x\",\"a\":\"dot(x)\"} , \"model\" :\n " NAMED " }"};
    const JobSetting setting = {.cache = compiled_cache_new(4)};

    check_same(&setting, JOBS[0], FORMULATION, false);
    check_same(&setting, JOBS[0], FORMULATION, true);
    check_same(&setting, JOBS[1], FORMULATION, false);
    check_same(&setting, JOBS[2], FORMULATION, true);    /* another place, the same bytes */
    check_same(&setting, JOBS[0], "hamiltonian", false); /* known, but not compiled */
    check_same(&setting, JOBS[0], "hamiltonian", true);
    ck_assert_uint_eq(compiled_cache_counts(setting.cache).models, 3);
    compiled_cache_free(setting.cache);
}
END_TEST

START_TEST(mistakes_beside_a_known_model_are_told_as_ever)
{
    static const char *const WRONG[] = {
        "{\"model\":" NAMED ",\"initial\":{\"q\":{\"y\":1}},\"time\":{\"end\":1}}",
        "{\"model\":" NAMED ",\"initial\":{\"q\":{\"x\":1}},\"time\":{\"end\":1},\"modell\":0}",
        "{\"model\":" NAMED ",\"initial\":{\"q\":{\"x\":1}},\"time\":{\"end\":1},\"model\":1}",
        "{\"model\":" NAMED ",\"initial\":{\"q\":{\"x\":1}},\"time\":{\"end\":1}"};
    const JobSetting setting = {.cache = compiled_cache_new(2)};

    check_same(&setting, JOB_WITH(NAMED), FORMULATION, false);
    for (size_t k = 0; k < sizeof WRONG / sizeof *WRONG; k++)
        check_same(&setting, WRONG[k], FORMULATION, true);
    compiled_cache_free(setting.cache);
}
END_TEST

START_TEST(what_only_names_a_model_is_looked_up_each_time)
{
    static const char JOB_BY_NAME[] =
        "{\"model\":{\"catalog\":\"nonholonomic-particle\"},"
        "\"initial\":{\"q\":{\"x\":0,\"y\":0,\"z\":0}},\"time\":{\"end\":1}}";
    const JobSetting setting = {.cache = compiled_cache_new(2)};

    check_same(&setting, JOB_BY_NAME, FORMULATION, false);
    check_same(&setting, JOB_BY_NAME, FORMULATION, false);
    ck_assert_uint_eq(compiled_cache_counts(setting.cache).hits, 1);
    compiled_cache_free(setting.cache);
}
END_TEST

START_TEST(a_model_that_has_left_the_cache_is_not_known)
{
    const JobSetting setting = {.cache = compiled_cache_new(1)};

    check_same(&setting, JOB, FORMULATION, false);
    check_same(&setting, JOB_WITH(NAMED), FORMULATION, false); /* the other leaves */
    check_same(&setting, JOB, FORMULATION, false);
    check_same(&setting, JOB, FORMULATION, true);
    compiled_cache_free(setting.cache);
}
END_TEST

SUITE(cache)
{
    TCase *tcase = suite_case(suite, "models");
    tcase_add_test(tcase, a_model_is_compiled_once);
    tcase_add_test(tcase, a_model_of_one_tenant_is_compiled_anew_for_another);
    tcase_add_test(tcase, equations_printed_for_one_tenant_are_not_found_for_another);
    tcase_add_test(tcase, the_least_recently_used_model_leaves);
    tcase_add_test(tcase, large_models_leave_room_for_few);
    tcase_add_test(tcase, mistakes_are_told_every_time_and_not_kept);
    tcase_add_test(tcase, threads_share_it);
    tcase_add_test(tcase, of_an_accepted_job_the_model_is_not_read_again);
    tcase_add_test(tcase, the_text_of_a_model_is_known_to_its_tenant_alone);
    tcase_add_test(tcase, an_accepted_job_whose_model_has_left_the_cache_is_read_anew);
    tcase_add_test(tcase, a_job_of_a_model_in_the_same_bytes_is_the_same_job);
    tcase_add_test(tcase, mistakes_beside_a_known_model_are_told_as_ever);
    tcase_add_test(tcase, what_only_names_a_model_is_looked_up_each_time);
    tcase_add_test(tcase, a_model_that_has_left_the_cache_is_not_known);
}
