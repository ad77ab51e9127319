/* Answers: problem documents, the job resource, evidence. */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/documents/documents.h"
#include "api/json/validate.h"
#include "tests/suite.h"

/* The tree of a text that must be strict JSON; empties the text. */
static cJSON *tree_of(Text *text)
{
    JsonMistake mistake;
    Error err = {0};
    ck_assert_msg(json_validate(text->data, text->length, NULL, &mistake, &err) == OK, "%s: %s",
                  text_string(text), err.message);
    cJSON *tree = cJSON_ParseWithLength(text->data, text->length);
    text_done(text);
    return tree;
}

/* The value at a path such as "errors/0/message"; fails the test when there is none. */
static const cJSON *at(const cJSON *tree, const char *path)
{
    char token[64];
    while (*path) {
        size_t n = strcspn(path, "/");
        snprintf(token, sizeof token, "%.*s", (int)n, path);
        tree = cJSON_IsArray(tree) ? cJSON_GetArrayItem(tree, atoi(token))
                                   : cJSON_GetObjectItemCaseSensitive(tree, token);
        ck_assert_msg(tree != NULL, "nothing at %s", token);
        path += n + (path[n] == '/');
    }
    return tree;
}

static const char *text_at(const cJSON *tree, const char *path)
{
    const cJSON *item = at(tree, path);
    ck_assert_msg(cJSON_IsString(item), "no text at %s", path);
    return item->valuestring;
}

START_TEST(a_problem_tells_all_mistakes)
{
    Arena *arena = arena_new(1 << 20);
    static Diagnostics diag;
    Text text = TEXT_INIT;

    diagnostics_init(&diag, arena);
    diagnostics_add(&diag, "/model/constraints/1", 13, "did you mean \"theta\"?",
                    "unknown name \"thta\" at column 14");
    diagnostics_add(&diag, "/time", -1, NULL, "the member \"end\" is missing");
    problem_write(&text, 422, "invalid_job", "The job cannot be simulated", NULL, "/v1/jobs",
                  &diag);
    cJSON *tree = tree_of(&text);
    ck_assert_int_eq(at(tree, "status")->valueint, 422);
    ck_assert_str_eq(text_at(tree, "code"), "invalid_job");
    ck_assert_str_eq(text_at(tree, "instance"), "/v1/jobs");
    ck_assert_str_eq(text_at(tree, "detail"),
                     "/model/constraints/1: unknown name \"thta\" at column 14; did you mean "
                     "\"theta\"? (and 1 more)");
    ck_assert_int_eq(at(tree, "errors/0/offset")->valueint, 13);
    ck_assert_str_eq(text_at(tree, "errors/0/hint"), "did you mean \"theta\"?");
    ck_assert_str_eq(text_at(tree, "errors/1/pointer"), "/time");
    ck_assert(!cJSON_HasObjectItem(at(tree, "errors/1"), "offset"));
    cJSON_Delete(tree);
    arena_free(arena);
}
END_TEST

START_TEST(a_problem_counts_what_it_does_not_list)
{
    Arena *arena = arena_new(1 << 20);
    static Diagnostics diag;
    Text text = TEXT_INIT;

    diagnostics_init(&diag, arena);
    for (int i = 0; i < 77; i++)
        diagnostics_add(&diag, "/model", -1, NULL, "mistake %d", i);
    problem_write(&text, 422, "invalid_job", "t", "d", NULL, &diag);
    cJSON *tree = tree_of(&text);
    ck_assert_int_eq(cJSON_GetArraySize(at(tree, "errors")), 50);
    ck_assert_int_eq(at(tree, "more_errors")->valueint, 27);
    ck_assert_str_eq(text_at(tree, "detail"), "d");
    cJSON_Delete(tree);
    arena_free(arena);
}
END_TEST

static JobRecord some_job(void)
{
    return (JobRecord){.id = "01890000-0000-7000-8000-000000000001",
                       .state = JOB_QUEUED,
                       .revision = 41,
                       .created_ms = 951782400123,
                       .model_id = "abc",
                       .model_name = "disc \"A\"",
                       .labels = "{\"a\":\"b\"}",
                       .formulation = "lagrange-dalembert",
                       .method = "auto",
                       .request_hash = "def"};
}

START_TEST(a_queued_job_has_a_place_in_the_queue)
{
    JobRecord job = some_job();
    Text text = TEXT_INIT;

    job_write(&text, &job, NULL, &(JobPlace){3, 12.5});
    cJSON *tree = tree_of(&text);
    ck_assert_str_eq(text_at(tree, "state"), "queued");
    ck_assert(cJSON_IsFalse(at(tree, "done")));
    ck_assert(at(tree, "queue/position")->valuedouble == 3);
    ck_assert(at(tree, "queue/eta_s")->valuedouble == 12.5);
    ck_assert_str_eq(text_at(tree, "created"), "2000-02-29T00:00:00.123Z");
    ck_assert(cJSON_IsNull(at(tree, "started")) && cJSON_IsNull(at(tree, "error")));
    ck_assert_str_eq(text_at(tree, "model/name"), "disc \"A\"");
    ck_assert_str_eq(text_at(tree, "labels/a"), "b");
    ck_assert_str_eq(text_at(tree, "links/cancel"),
                     "/v1/jobs/01890000-0000-7000-8000-000000000001/cancel");
    ck_assert_int_eq(cJSON_GetArraySize(at(tree, "warnings")), 0);
    cJSON_Delete(tree);
}
END_TEST

START_TEST(a_running_job_shows_its_progress)
{
    JobRecord job = some_job();
    JobProgress progress = {
        .phase = "integrating", .fraction = 0.25, .t = 5, .eta_s = -1, .steps = 1234};
    Text text = TEXT_INIT;

    job.state = JOB_RUNNING;
    job_write(&text, &job, &progress, NULL);
    cJSON *tree = tree_of(&text);
    ck_assert_str_eq(text_at(tree, "phase"), "integrating");
    ck_assert(at(tree, "progress/fraction")->valuedouble == 0.25);
    ck_assert(at(tree, "progress/steps")->valuedouble == 1234);
    ck_assert(cJSON_IsNull(at(tree, "progress/eta_s")) && cJSON_IsNull(at(tree, "queue")));
    cJSON_Delete(tree);
}
END_TEST

START_TEST(verdicts_are_counted)
{
    /* what is observed: conserved, not, not, not but of another question, nothing */
    const Verdict verdicts[] = {
        {.predicted = PREDICTED_YES, .observed = true, .conserved = true},
        {.predicted = PREDICTED_YES, .observed = true},
        {.predicted = PREDICTED_NO, .observed = true},
        {.predicted = PREDICTED_YES, .observed = true, .apart = true},
        {.predicted = PREDICTED_YES},
        {.predicted = PREDICTED_NO, .observed = true, .conserved = true},
        {.predicted = PREDICTED_UNDECIDED, .observed = true},
    };
    const VerdictCounts counts = verdicts_count(verdicts, 7);
    ck_assert_uint_eq(counts.yes, 4);
    ck_assert_uint_eq(counts.no, 2);
    ck_assert_uint_eq(counts.undecided, 1);
    ck_assert_uint_eq(counts.disagree, 1);
}
END_TEST

START_TEST(a_digest_is_shown_with_its_job)
{
    const VerdictCounts verdicts = {1, 2, 3, 1};
    const JobDigest digest = {7, 0.5, NAN, &verdicts, 2.5, NULL};
    JobRecord job = some_job();
    Text digest_text = TEXT_INIT, text = TEXT_INIT;

    job_digest_write(&digest_text, &digest);
    job.state = JOB_SUCCEEDED;
    job.digest = text_string(&digest_text);
    job_write(&text, &job, NULL, NULL);
    cJSON *tree = tree_of(&text);
    ck_assert_int_eq(at(tree, "digest/steps")->valueint, 7);
    ck_assert(at(tree, "digest/worst_residual")->valuedouble == 0.5);
    ck_assert(cJSON_IsNull(at(tree, "digest/energy_balance")));
    ck_assert_int_eq(at(tree, "digest/verdicts/undecided")->valueint, 3);
    ck_assert(at(tree, "digest/wall_s")->valuedouble == 2.5);
    cJSON_Delete(tree);
    text_done(&digest_text);
}
END_TEST

START_TEST(a_failed_job_carries_its_problem)
{
    JobRecord job = some_job();
    Text text = TEXT_INIT;

    job.state = JOB_FAILED;
    job.reason = "numeric";
    job.error = "{\"status\":500}";
    job.warnings = "[\"w\"]";
    job.result_hash = "fff";
    job.reused.job = "01890000-0000-7000-8000-000000000000";
    job.reused.finished_ms = 951782400123;
    job_write(&text, &job, NULL, NULL);
    cJSON *tree = tree_of(&text);
    ck_assert(cJSON_IsTrue(at(tree, "done")) && cJSON_IsTrue(at(tree, "cached")));
    ck_assert_str_eq(text_at(tree, "reason"), "numeric");
    ck_assert_int_eq(at(tree, "error/status")->valueint, 500);
    ck_assert_str_eq(text_at(tree, "warnings/0"), "w");
    ck_assert_str_eq(text_at(tree, "provenance/result_hash"), "fff");
    ck_assert_str_eq(text_at(tree, "provenance/reused/job"), job.reused.job);
    ck_assert_str_eq(text_at(tree, "provenance/reused/finished"), "2000-02-29T00:00:00.123Z");
    ck_assert(!cJSON_HasObjectItem(at(tree, "links"), "cancel"));
    cJSON_Delete(tree);
}
END_TEST

START_TEST(evidence_is_json_even_when_the_motion_left_the_numbers)
{
    static const ConstraintEvidence CONSTRAINTS[] = {
        {"rolling_x", "velocity", 1e-15, 3e-16, (double)NAN}};
    static const Verdict VERDICTS[] = {{.name = "energy",
                                        .observed = true,
                                        .kind = "energy",
                                        .expression = "dot(x)^2/2",
                                        .predicted = PREDICTED_YES,
                                        .evidence = EVIDENCE_RANDOM_STATES,
                                        .states = 64,
                                        .largest = 3e-16,
                                        .initial = 1.25,
                                        .final = (double)INFINITY,
                                        .reason = "a \"reason\""}};
    static const double STATE[] = {1, (double)NAN};
    const char *warnings[] = {"stiff"};
    SimulationResult result = {.end.status = ERR_NUMERIC,
                               .end.reason = "numeric",
                               .end.message = "at t = 3",
                               .end.t = 3,
                               .constraints = CONSTRAINTS,
                               .n_constraints = 1,
                               .energy = {.balance_max = (double)INFINITY, .initial = 1.25},
                               .steps.accepted = 10,
                               .provenance.method = "dop853",
                               .provenance.rtol = 1e-10,
                               .found.verdicts = VERDICTS,
                               .found.n_verdicts = 1,
                               .warnings = warnings,
                               .n_warnings = 1,
                               .final.q = STATE,
                               .final.v = STATE,
                               .final.n = 2};
    Text text = TEXT_INIT;

    diagnostics_write(&text, &result, NULL);
    cJSON *tree = tree_of(&text);
    ck_assert_str_eq(text_at(tree, "constraints/0/name"), "rolling_x");
    ck_assert(at(tree, "constraints/0/max")->valuedouble == 1e-15);
    ck_assert(cJSON_IsNull(at(tree, "constraints/0/max_absolute")));
    ck_assert(cJSON_IsNull(at(tree, "energy/balance_max")));
    ck_assert(at(tree, "energy/initial")->valuedouble == 1.25);
    ck_assert(at(tree, "steps/accepted")->valuedouble == 10);
    ck_assert(at(tree, "tolerances/rtol")->valuedouble == 1e-10);
    ck_assert(cJSON_IsNull(at(tree, "final/q/1")));
    ck_assert_str_eq(text_at(tree, "warnings/0"), "stiff");
    cJSON_Delete(tree);

    text = (Text)TEXT_INIT;
    invariants_write(&text, &result);
    tree = tree_of(&text);
    ck_assert_str_eq(text_at(tree, "invariants/0/predicted"), "yes");
    ck_assert_str_eq(text_at(tree, "invariants/0/evidence/kind"), "random_states");
    ck_assert(at(tree, "invariants/0/observed/initial")->valuedouble == 1.25);
    ck_assert_str_eq(text_at(tree, "invariants/0/reason"), "a \"reason\"");
    cJSON_Delete(tree);
}
END_TEST

START_TEST(equations_carry_their_format)
{
    static const PrintedEquation ITEMS[] = {{"x", "motion", "m*ddot(x) = -k*x"}};
    const PrintedEquations equations = {ITEMS, 1, "whole\ntext"};
    Text text = TEXT_INIT;

    equations_write(&text, &equations, PRINT_LATEX, "lagrange-dalembert");
    cJSON *tree = tree_of(&text);
    ck_assert_str_eq(text_at(tree, "format"), "latex");
    ck_assert_str_eq(text_at(tree, "equations/0/role"), "motion");
    ck_assert_str_eq(text_at(tree, "whole"), "whole\ntext");
    cJSON_Delete(tree);
}
END_TEST

SUITE(answers)
{
    TCase *tc = suite_case(suite, "answers");
    tcase_add_test(tc, a_problem_tells_all_mistakes);
    tcase_add_test(tc, a_problem_counts_what_it_does_not_list);
    tcase_add_test(tc, a_queued_job_has_a_place_in_the_queue);
    tcase_add_test(tc, a_running_job_shows_its_progress);
    tcase_add_test(tc, verdicts_are_counted);
    tcase_add_test(tc, a_digest_is_shown_with_its_job);
    tcase_add_test(tc, a_failed_job_carries_its_problem);
    tcase_add_test(tc, evidence_is_json_even_when_the_motion_left_the_numbers);
    tcase_add_test(tc, equations_carry_their_format);
}
