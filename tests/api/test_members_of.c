/* Documents of members of another ensemble: the merge patches of RFC 7396, and the table that is
 * made. */
#include <stdio.h>
#include <string.h>

#include "api/documents/members_of.h"
#include "tests/suite.h"

static Arena *arena;
static Error err;

static void setup(void)
{
    arena = arena_new(0);
}

static void teardown(void)
{
    arena_free(arena);
}

/* Members 2 and 0 of three with the values 10, 20, 30 of parameters.a. */
static MembersSource source_of(const char *document)
{
    static const double VALUES[] = {10, 20, 30};
    static const uint64_t MEMBERS[] = {2, 0};
    static const DesignAxis AXES[] = {
        {.path = "parameters.a", .kind = AXIS_LIST, .list = VALUES, .count = 3}};
    const DesignSpec spec = {.kind = DESIGN_GRID, .axes = AXES, .n_axes = 1};
    Design *design = NULL;

    ck_assert_int_eq(design_new(&spec, 0x100, arena, &design, &err), OK);
    return (MembersSource){.document = {.bytes = document, .size = strlen(document)},
                           .design = design,
                           .axes = AXES,
                           .n_axes = 1,
                           .members = MEMBERS,
                           .n = 2};
}

static const char TABLE[] = "\"design\":{\"kind\":\"table\",\"of\":{\"job\":\"J\"},\"columns\":{"
                            "\"of.member\":[2,0],\"parameters.a\":[30,10]}}";

static void check(const MembersSource *source, const char *patch, const char *expected)
{
    const MembersOf of = {.job = "J"};
    Text text = TEXT_INIT;

    ck_assert_int_eq(members_of_write(source, &of, patch, strlen(patch), &text, &err), OK);
    ck_assert_str_eq(text_string(&text), expected);
    text_done(&text);
}

/* Appendix A, where documents are objects. */
START_TEST(documents_are_merged_as_the_standard_says)
{
    static const char *const CASES[][3] = {
        {"{\"a\":\"b\"}", "{\"a\":\"c\"}", "{\"a\":\"c\"}"},
        {"{\"a\":\"b\"}", "{\"b\":\"c\"}", "{\"a\":\"b\",\"b\":\"c\"}"},
        {"{\"a\":\"b\"}", "{\"a\":null}", "{}"},
        {"{\"a\":\"b\",\"b\":\"c\"}", "{\"a\":null}", "{\"b\":\"c\"}"},
        {"{\"a\":[\"b\"]}", "{\"a\":\"c\"}", "{\"a\":\"c\"}"},
        {"{\"a\":\"c\"}", "{\"a\":[\"b\"]}", "{\"a\":[\"b\"]}"},
        {"{\"a\":{\"b\":\"c\"}}", "{\"a\":{\"b\":\"d\",\"c\":null}}", "{\"a\":{\"b\":\"d\"}}"},
        {"{\"a\":[{\"b\":\"c\"}]}", "{\"a\":[1]}", "{\"a\":[1]}"},
        {"[\"a\",\"b\"]", "[\"c\",\"d\"]", "[\"c\",\"d\"]"},
        {"{\"a\":\"foo\"}", "\"bar\"", "\"bar\""},
        {"{\"e\":null}", "{\"a\":1}", "{\"e\":null,\"a\":1}"},
        {"[1,2]", "{\"a\":\"b\",\"c\":null}", "{\"a\":\"b\"}"},
        {"{}", "{\"a\":{\"bb\":{\"ccc\":null}}}", "{\"a\":{\"bb\":{}}}"},
        {"{\"x\":1,\"y\":2,\"z\":3}", "{\"y\":{\"b\":1}}", "{\"x\":1,\"y\":{\"b\":1},\"z\":3}"},
    };
    char document[200], patch[200], expected[400];

    snprintf(document, sizeof document, "{\"model\":{},\"value\":%s}", CASES[_i][0]);
    snprintf(patch, sizeof patch, "{\"value\":%s}", CASES[_i][1]);
    snprintf(expected, sizeof expected, "{\"model\":{},\"value\":%s,\"ensemble\":{%s}}",
             CASES[_i][2], TABLE);
    const MembersSource source = source_of(document);
    check(&source, patch, expected);
}
END_TEST

START_TEST(what_was_varied_becomes_a_table)
{
    char expected[400];
    MembersSource source =
        source_of("{\"model\":{\"id\":\"m\"},\"vary\":{\"parameters.a\":[10,20,30]},"
                  "\"ensemble\":{\"combine\":\"zip\",\"keep\":\"events\",\"timeout\":3}}");

    snprintf(expected, sizeof expected,
             "{\"model\":{\"id\":\"m\"},\"ensemble\":{\"keep\":\"summary\",\"timeout\":3,%s}}",
             TABLE);
    check(&source,
          "{\"vary\":null,\"ensemble\":{\"members_of\":{\"job\":\"J\"},\"keep\":\"summary\"}}",
          expected);
    /* a model that is known is written out, and one that is named stands for all of it */
    source.document.model = "{\"name\":\"M\"}";
    source.document.model_size = strlen(source.document.model);
    snprintf(expected, sizeof expected,
             "{\"model\":{\"name\":\"M\"},\"ensemble\":{\"keep\":\"events\",\"timeout\":3,%s}}",
             TABLE);
    check(&source, "{}", expected);
    snprintf(expected, sizeof expected,
             "{\"ensemble\":{\"keep\":\"events\",\"timeout\":3,%s},\"model\":{\"id\":\"n\"}}",
             TABLE);
    check(&source, "{\"model\":{\"id\":\"n\"}}", expected);
}
END_TEST

START_TEST(other_documents_are_left_alone)
{
    static const char *const OTHERS[] = {"{\"ensemble\":{\"keep\":\"events\"}}",
                                         "{\"members_of\":1}",
                                         "members_of",
                                         "",
                                         "[\"\\u0041\"]",
                                         "{\"ensemble\":[\"members_of\"]}"};
    Diagnostics diag;
    MembersOf of;
    bool given = true;

    diagnostics_init(&diag, arena);
    const char *text = OTHERS[_i];
    ck_assert_int_eq(members_of_read(text, strlen(text), arena, &diag, &given, &of, &err), OK);
    ck_assert(!given);
    ck_assert_uint_eq(diag.total, 0);
}
END_TEST

SUITE(members_of)
{
    TCase *tc = suite_case(suite, "members of");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, documents_are_merged_as_the_standard_says, 0, 14);
    tcase_add_test(tc, what_was_varied_becomes_a_table);
    tcase_add_loop_test(tc, other_documents_are_left_alone, 0, 6);
}
