/* Stored models: byte for byte, listed, deleted. */
#include <stdio.h>

#include "tests/db/fixture.h"
#include "tests/suite.h"

static Fixture f;

static void setup(void)
{
    fixture_init(&f);
}

static void teardown(void)
{
    fixture_done(&f);
}

static bool put(const char *id, const char *name, const char *document, size_t size)
{
    bool created;
    ck_ok(store_model_put(default_tenant(f.store), id, name, document, size, &created, err));
    return created;
}

START_TEST(a_model_is_stored_byte_for_byte_and_once)
{
    static const char document[] = "{\"name\": \"\xc3\xa9\", \0}";
    const int64_t before = store_revision(default_tenant(f.store));
    ck_assert(put("id-1", "sled \xe2\x82\xac", document, sizeof document - 1));
    ck_assert_int_gt(store_revision(default_tenant(f.store)), before);
    ck_assert(!put("id-1", "other", "other", 5));

    fixture_reopen(&f);
    ModelRecord model;
    ck_ok(store_model_get(default_tenant(f.store), "id-1", f.arena, &model, err));
    ck_assert_str_eq(model.id, "id-1");
    ck_assert_str_eq(model.name, "sled \xe2\x82\xac");
    ck_assert_uint_eq(model.document_size, sizeof document - 1);
    ck_assert_mem_eq(model.document, document, sizeof document - 1);
    ck_assert_int_gt(model.created_ms, 0);
    StoreCounts counts;
    ck_ok(store_counts(default_tenant(f.store), &counts, err));
    ck_assert_uint_eq(counts.models, 1);
}
END_TEST

START_TEST(models_are_listed_newest_first_page_by_page)
{
    bool more;
    char id[20];
    for (int i = 0; i < 10; i++) {
        snprintf(id, sizeof id, "id-%d", (7 * i) % 10);
        put(id, id, "{}", 2);
    }
    const char *after = NULL;
    ModelRecord *models;
    size_t n;
    for (int i = 9; i >= 0; i--) {
        snprintf(id, sizeof id, "id-%d", (7 * i) % 10);
        ck_ok(
            store_model_list(default_tenant(f.store), after, 1, f.arena, &models, &n, &more, err));
        ck_assert_uint_eq(n, 1);
        ck_assert_str_eq(models[0].id, id);
        ck_assert_uint_eq(models[0].document_size, 2);
        ck_assert_ptr_null(models[0].document);
        after = models[0].id;
    }
    ck_ok(store_model_list(default_tenant(f.store), after, 5, f.arena, &models, &n, &more, err));
    ck_assert_uint_eq(n, 0);
    ck_ok(store_model_list(default_tenant(f.store), NULL, (size_t)-1, f.arena, &models, &n, &more,
                           err));
    ck_assert_uint_eq(n, 10);
    ck_fails(store_model_list(default_tenant(f.store), "none", 5, f.arena, &models, &n, &more, err),
             ERR_NOT_FOUND);
}
END_TEST

START_TEST(a_deleted_model_is_gone)
{
    ModelRecord model;
    put("id-1", "name", "{}", 2);
    ck_ok(store_model_delete(default_tenant(f.store), "id-1", err));
    ck_fails(store_model_delete(default_tenant(f.store), "id-1", err), ERR_NOT_FOUND);
    ck_fails(store_model_get(default_tenant(f.store), "id-1", f.arena, &model, err), ERR_NOT_FOUND);
    StoreCounts counts;
    ck_ok(store_counts(default_tenant(f.store), &counts, err));
    ck_assert_uint_eq(counts.models, 0);
    ck_assert(put("id-1", "name", "{}", 2));
}
END_TEST

static JobRecord add_naming(const char *id)
{
    JobRecord job;
    bool replayed;
    JobDraft draft = draft_of("{\"model\": {\"id\": \"..\"}}");
    draft.model_id = id;
    draft.model = "{\"of\": \"the job\"}";
    draft.model_size = strlen(draft.model);
    ck_ok(store_job_add(default_tenant(f.store), &draft, f.arena, &job, &replayed, err));
    return job;
}

static void finish_and_delete(const char *id)
{
    JobLease lease = claim_job(&f);
    ck_assert_str_eq(lease.job.id, id);
    finish_job(&f, &lease, JOB_SUCCEEDED);
    ck_ok(store_job_delete(default_tenant(f.store), id, err));
}

static size_t count_models(void)
{
    bool more;
    StoreCounts counts;
    ModelRecord *models;
    size_t n;
    ck_ok(store_counts(default_tenant(f.store), &counts, err));
    ck_ok(store_model_list(default_tenant(f.store), NULL, 10, f.arena, &models, &n, &more, err));
    ck_assert_uint_eq(counts.models, n);
    return n;
}

START_TEST(a_deleted_model_is_kept_for_its_jobs_and_goes_with_the_last)
{
    ModelRecord model;
    put("id-1", "name", "{}", 2);
    const JobRecord first = add_naming("id-1"), second = add_naming("id-1");
    ck_ok(store_model_delete(default_tenant(f.store), "id-1", err));
    for (int i = 0; i < 2; i++) {
        ck_assert_uint_eq(count_models(), 0);
        ck_fails(store_model_get(default_tenant(f.store), "id-1", f.arena, &model, err),
                 ERR_NOT_FOUND);
        ck_fails(store_model_delete(default_tenant(f.store), "id-1", err), ERR_NOT_FOUND);
        ck_ok(store_model_kept(default_tenant(f.store), "id-1", f.arena, &model, err));
        ck_assert_str_eq(model.document, "{}");
        fixture_reopen(&f);
    }
    finish_and_delete(first.id);
    ck_ok(store_model_kept(default_tenant(f.store), "id-1", f.arena, &model, err));
    finish_and_delete(second.id);
    ck_fails(store_model_kept(default_tenant(f.store), "id-1", f.arena, &model, err),
             ERR_NOT_FOUND);
}
END_TEST

START_TEST(a_model_that_goes_while_a_job_that_names_it_is_added_is_kept)
{
    ModelRecord model;
    const JobRecord job = add_naming("id-1"); /* read before the model was deleted */
    ck_assert_uint_eq(count_models(), 0);
    ck_ok(store_model_kept(default_tenant(f.store), "id-1", f.arena, &model, err));
    ck_assert_str_eq(model.document, "{\"of\": \"the job\"}");
    ck_assert(put("id-1", "name", "{\"of\": \"the job\"}", 17)); /* stored once more */
    ck_assert_uint_eq(count_models(), 1);
    finish_and_delete(job.id);
    ck_ok(store_model_get(default_tenant(f.store), "id-1", f.arena, &model, err));
}
END_TEST

SUITE(models)
{
    TCase *tc = suite_case(suite, "models");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, a_model_is_stored_byte_for_byte_and_once);
    tcase_add_test(tc, models_are_listed_newest_first_page_by_page);
    tcase_add_test(tc, a_deleted_model_is_gone);
    tcase_add_test(tc, a_deleted_model_is_kept_for_its_jobs_and_goes_with_the_last);
    tcase_add_test(tc, a_model_that_goes_while_a_job_that_names_it_is_added_is_kept);
}
