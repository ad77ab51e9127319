/* The route table, the codes of problems, api/openapi.json and docs/reference/problems.md say the
 * same. */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "api/accept.h"
#include "api/api.h"
#include "api/errors.h"
#include "api/openapi.h"
#include "api/problem_data.h"
#include "core/base/text.h"
#include "tests/suite.h"

static cJSON *contract;

static void read_contract(void)
{
    contract = cJSON_ParseWithLength(OPENAPI_TEXT, (size_t)OPENAPI_SIZE);
    ck_assert_ptr_nonnull(contract);
}

static void free_contract(void)
{
    cJSON_Delete(contract);
}

static const cJSON *member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static const cJSON *operation_of(const Route *route)
{
    const cJSON *path = member(member(contract, "paths"), route->path);
    for (const cJSON *item = path ? path->child : NULL; item; item = item->next)
        if (strcasecmp(item->string, route->method) == 0)
            return item;
    return NULL;
}

START_TEST(every_route_is_in_the_contract)
{
    const Route *route = &api_routes[_i];
    ck_assert_msg(operation_of(route) != NULL, "%s %s", route->method, route->path);
}
END_TEST

START_TEST(everything_in_the_contract_has_a_route)
{
    for (const cJSON *path = member(contract, "paths")->child; path; path = path->next)
        for (const cJSON *item = path->child; item; item = item->next) {
            bool found = strcmp(item->string, "parameters") == 0;
            for (size_t i = 0; i < api_n_routes && !found; i++)
                found = strcmp(api_routes[i].path, path->string) == 0 &&
                        strcasecmp(api_routes[i].method, item->string) == 0;
            ck_assert_msg(found, "%s %s has no route", item->string, path->string);
        }
}
END_TEST

/* Whether the space separated list holds the name. */
static bool holds(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *p = list; (p = strstr(p, name)); p += length)
        if ((p == list || p[-1] == ' ') && (p[length] == ' ' || p[length] == '\0'))
            return true;
    return false;
}

START_TEST(query_parameters_agree)
{
    const Route *route = &api_routes[_i];
    const cJSON *parameters = member(operation_of(route), "parameters"), *parameter;
    size_t described = 0, known = 0;
    bool tenant = false;
    cJSON_ArrayForEach(parameter, parameters)
    {
        const char *name = cJSON_GetStringValue(member(parameter, "name"));
        /* what all routes that read take stands in one place */
        if (member(parameter, "$ref")) {
            ck_assert_int_eq(route->role, ROLE_READ);
            tenant = true;
            continue;
        }
        if (strcmp(cJSON_GetStringValue(member(parameter, "in")), "query") != 0)
            continue;
        ck_assert_msg(holds(route->query, name), "%s %s does not know %s", route->method,
                      route->path, name);
        described++;
    }
    for (const char *p = route->query; *p; p += strcspn(p, " "), p += *p == ' ')
        known++;
    ck_assert(tenant == (route->role == ROLE_READ));
    ck_assert_msg(described == known, "%s %s: %zu parameters described, %zu known", route->method,
                  route->path, described, known);
}
END_TEST

START_TEST(path_parameters_agree)
{
    const Route *route = &api_routes[_i];
    const cJSON *path = member(member(contract, "paths"), route->path),
                *operation = operation_of(route);
    size_t braces = 0, described = 0;
    const cJSON *lists[] = {member(path, "parameters"), member(operation, "parameters")}, *item;
    for (const char *p = route->path; *p; p++)
        braces += *p == '{';
    for (size_t i = 0; i < 2; i++)
        cJSON_ArrayForEach(item, lists[i]) described +=
            member(item, "in") && strcmp(cJSON_GetStringValue(member(item, "in")), "path") == 0;
    ck_assert_uint_eq(braces, described);
}
END_TEST

START_TEST(bodies_and_media_types_agree)
{
    const Route *route = &api_routes[_i];
    const cJSON *operation = operation_of(route);
    ck_assert_int_eq(route->takes_body, member(operation, "requestBody") != NULL);
    const cJSON *success = member(member(operation, "responses"), "200");
    const cJSON *content = member(success, "content");
    size_t length;
    const char *offer;
    int n = 0;
    for (size_t i = 0; content && (offer = accept_offer(route->types, i, &length)); i++, n++) {
        char type[64] = {0};
        memcpy(type, offer, length);
        ck_assert_msg(member(content, type) != NULL, "%s: %s is not described", route->path, type);
    }
    if (content)
        ck_assert_int_eq(n, cJSON_GetArraySize(content));
}
END_TEST

/* Every local reference leads somewhere. Recurses to the depth of our own file. */
// NOLINTNEXTLINE(misc-no-recursion)
static void check_references(const cJSON *item)
{
    static const char PREFIX[] = "#/components/";
    for (const cJSON *child = item->child; child; child = child->next) {
        if (child->string && strcmp(child->string, "$ref") == 0) {
            const char *target = cJSON_GetStringValue(child);
            char kind[64] = {0};
            ck_assert(strncmp(target, PREFIX, strlen(PREFIX)) == 0);
            target += strlen(PREFIX);
            size_t length = strcspn(target, "/");
            memcpy(kind, target, length);
            const cJSON *list = member(member(contract, "components"), kind);
            ck_assert_msg(member(list, target + length + 1) != NULL, "%s", target);
        }
        check_references(child);
    }
}

START_TEST(references_lead_somewhere)
{
    check_references(contract);
}
END_TEST

static const cJSON *schema(const char *name)
{
    return member(member(member(contract, "components"), "schemas"), name);
}

/* Whether it is the const, or in the enum, of the schema. */
static bool allows(const cJSON *of, const char *text)
{
    const cJSON *item, *one = member(of, "const");
    bool found = one && strcmp(cJSON_GetStringValue(one), text) == 0;
    cJSON_ArrayForEach(item, member(of, "enum")) found =
        found || strcmp(cJSON_GetStringValue(item), text) == 0;
    return found;
}

/* The code that the contract has for a status. */
static const cJSON *codes_of(int status)
{
    const cJSON *branch;
    cJSON_ArrayForEach(branch, member(schema("Problem"), "anyOf"))
    {
        const cJSON *properties = member(branch, "properties");
        if (cJSON_GetNumberValue(member(member(properties, "status"), "const")) == status)
            return member(properties, "code");
    }
    return NULL;
}

static int n_codes(const cJSON *of)
{
    const cJSON *list = member(of, "enum");
    return list ? cJSON_GetArraySize(list) : 1;
}

#define ONE(name, status, code, title) +1
enum { N_PROBLEMS = PROBLEM_LIST(ONE) - 1 }; /* without PROBLEM_NONE */
#undef ONE

START_TEST(codes_of_problems_agree)
{
    int in_branches = 0;
    const cJSON *all = member(member(schema("Problem"), "properties"), "code"), *branch;
    for (int k = PROBLEM_NONE + 1; k <= N_PROBLEMS; k++) {
        const char *code = problem_code((Problem)k);
        ck_assert_msg(allows(all, code), "%s", code);
        ck_assert_msg(allows(codes_of(problem_status((Problem)k)), code), "%s", code);
    }
    cJSON_ArrayForEach(branch, member(schema("Problem"), "anyOf")) in_branches +=
        n_codes(member(member(branch, "properties"), "code"));
    ck_assert_int_eq(n_codes(all), N_PROBLEMS);
    ck_assert_int_eq(in_branches, N_PROBLEMS);
}
END_TEST

static const char *const REASONS[] = {
#define REASON(reason, status, title) reason,
    FAILURE_LIST(REASON)
#undef REASON
};
enum { N_REASONS = sizeof REASONS / sizeof REASONS[0] };

START_TEST(reasons_of_failed_jobs_agree)
{
    const cJSON *code = member(member(schema("Failure"), "properties"), "code");
    const cJSON *reason = member(member(schema("Job"), "properties"), "reason");
    for (int k = 0; k < N_REASONS; k++) {
        ck_assert_msg(allows(code, REASONS[k]), "%s", REASONS[k]);
        ck_assert_str_eq(cJSON_GetStringValue(cJSON_GetArrayItem(member(reason, "enum"), k)),
                         REASONS[k]);
    }
    ck_assert_int_eq(n_codes(code), N_REASONS);
    ck_assert_int_eq(n_codes(reason), N_REASONS + 1); /* null */
}
END_TEST

static void check_meaning(const char *code, const char *of, int status)
{
    for (size_t i = 0; i < PROBLEM_DATA_COUNT; i++) {
        const ProblemMeaning *row = &PROBLEM_DATA[i];
        if (strcmp(row->code, code) != 0 || strcmp(row->of, of) != 0)
            continue;
        ck_assert_int_eq(row->status, status);
        ck_assert(*row->when && *row->remedy);
        return;
    }
    ck_abort_msg("docs/reference/problems.md lacks %s of %ss", code, of);
}

START_TEST(every_code_is_in_the_registry)
{
    for (int k = PROBLEM_NONE + 1; k <= N_PROBLEMS; k++)
        check_meaning(problem_code((Problem)k), "answer", problem_status((Problem)k));
    for (int k = 0; k < N_REASONS; k++)
        check_meaning(REASONS[k], "job", failure_status(REASONS[k]));
    ck_assert_uint_eq(PROBLEM_DATA_COUNT, N_PROBLEMS + N_REASONS);
}
END_TEST

SUITE(openapi)
{
    TCase *tcase = suite_case(suite, "openapi");
    int n = (int)api_n_routes;
    tcase_add_checked_fixture(tcase, read_contract, free_contract);
    tcase_add_loop_test(tcase, every_route_is_in_the_contract, 0, n);
    tcase_add_test(tcase, everything_in_the_contract_has_a_route);
    tcase_add_loop_test(tcase, query_parameters_agree, 0, n);
    tcase_add_loop_test(tcase, path_parameters_agree, 0, n);
    tcase_add_loop_test(tcase, bodies_and_media_types_agree, 0, n);
    tcase_add_test(tcase, references_lead_somewhere);
    tcase_add_test(tcase, codes_of_problems_agree);
    tcase_add_test(tcase, reasons_of_failed_jobs_agree);
    tcase_add_test(tcase, every_code_is_in_the_registry);
}
