/* The writer and the canonical text: numbers bit for bit, one text for all spellings. */
#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

#include "api/json/canonical.h"
#include "api/json/validate.h"
#include "api/json/writer.h"
#include "core/base/random.h"
#include "tests/suite.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

static bool is_json(const Text *text)
{
    JsonMistake mistake;
    Error err = {0};
    Status status = json_validate(text->data, text->length, NULL, &mistake, &err);
    ck_assert_msg(status == OK, "%s: %s", text_string(text), err.message);
    return status == OK;
}

START_TEST(numbers_survive_writer_validator_and_cjson_bit_for_bit)
{
    enum { N = 100000 };
    static double values[N];
    Text text = TEXT_INIT;
    JsonWriter writer;
    Random random;

    random_init(&random, 11);
    json_writer_init(&writer, &text);
    json_open_array(&writer);
    for (int i = 0; i < N; i++) {
        uint64_t bits = random_bits(&random);
        if (i % 2)
            values[i] = random_uniform(&random, -10, 10);
        else
            memcpy(&values[i], &bits, sizeof bits);
        if (!isfinite(values[i]))
            values[i] = -0.0;
        json_put_number(&writer, values[i]);
    }
    json_close_array(&writer);
    ck_assert(!writer.not_finite);
    ck_assert(is_json(&text));

    cJSON *tree = cJSON_ParseWithLength(text.data, text.length);
    ck_assert_ptr_nonnull(tree);
    int i = 0;
    for (const cJSON *item = tree->child; item; item = item->next, i++)
        ck_assert_mem_eq(&item->valuedouble, &values[i], sizeof values[i]);
    ck_assert_int_eq(i, N);
    cJSON_Delete(tree);
    text_done(&text);
}
END_TEST

START_TEST(numbers_that_are_not_finite_become_null_and_are_remembered)
{
    Text text = TEXT_INIT;
    JsonWriter writer;

    json_writer_init(&writer, &text);
    json_open_array(&writer);
    json_put_number(&writer, 1.5);
    ck_assert(!writer.not_finite);
    json_put_number(&writer, (double)NAN);
    json_put_number(&writer, -(double)INFINITY);
    json_put_number(&writer, 2);
    json_close_array(&writer);
    ck_assert(writer.not_finite);
    ck_assert_str_eq(text_string(&text), "[1.5,null,null,2]");
    text_done(&text);
}
END_TEST

START_TEST(any_text_is_escaped_so_that_it_reads_back)
{
    char every[256 * 3] = {0};
    size_t n = 0;
    for (int c = 1; c < 0x80; c++)
        every[n++] = (char)c;
    memcpy(every + n, "\xc3\xa9\xf0\x9d\x84\x9e", 6);

    Text text = TEXT_INIT;
    JsonWriter writer;
    json_writer_init(&writer, &text);
    json_open_object(&writer);
    json_member_string(&writer, every, every);
    json_close_object(&writer);
    ck_assert(is_json(&text));
    cJSON *tree = cJSON_ParseWithLength(text.data, text.length);
    ck_assert_str_eq(tree->child->string, every);
    ck_assert_str_eq(tree->child->valuestring, every);
    cJSON_Delete(tree);
    text_done(&text);
}
END_TEST

START_TEST(bytes_that_are_not_utf8_are_replaced)
{
    Text text = TEXT_INIT;
    json_quote(&text, "a\xff\xc3z", 4);
    ck_assert_str_eq(text_string(&text), "\"a\xef\xbf\xbd\xef\xbf\xbdz\"");
    ck_assert(is_json(&text));
    text_done(&text);
}
END_TEST

START_TEST(commas_stand_between_members_and_elements_only)
{
    Text text = TEXT_INIT;
    JsonWriter writer, *w = &writer;

    json_writer_init(w, &text);
    json_open_object(w);
    json_member_array(w, "a");
    json_open_object(w);
    json_close_object(w);
    json_open_array(w);
    json_close_array(w);
    json_put_bool(w, true);
    json_close_array(w);
    json_member_unsigned(w, "u", UINT64_MAX);
    json_member_signed(w, "s", INT64_MIN);
    json_member_raw(w, "r", "{\"k\":1}");
    json_member_raw(w, "n", NULL);
    json_member_string(w, "z", NULL);
    json_close_object(w);
    ck_assert_str_eq(text_string(&text),
                     "{\"a\":[{},[],true],\"u\":18446744073709551615,\"s\":-9223372036854775808,"
                     "\"r\":{\"k\":1},\"n\":null,\"z\":null}");
    text_done(&text);
}
END_TEST

static void canonical(const char *json, Text *ret_text)
{
    cJSON *tree = cJSON_Parse(json);
    ck_assert_ptr_nonnull(tree);
    ck_assert_int_eq(json_canonical(tree, ret_text, NULL), OK);
    cJSON_Delete(tree);
}

static const char *const SAME[][2] = {
    {"{\"b\":1,\"a\":2}", " { \"a\" : 2.0 , \"b\" : 1e0 } "},
    {"{\"m\":{\"y\":[1,2],\"x\":{}}}", "{\"m\":{\"x\":{ },\"y\":[1.000,20e-1]}}"},
    {"[100, 1e-3, 1e300]", "[1e2,0.001,1000e297]"},
    {"{\"\\u0061\":\"\\u00e9\\/\"}", "{\"a\":\"\xc3\xa9/\"}"},
    {"{\"a\":1,\"B\":2,\"aa\":3}", "{\"aa\":3,\"B\":2,\"a\":1}"},
};

START_TEST(spellings_of_the_same_values_have_one_canonical_text)
{
    Text a = TEXT_INIT, b = TEXT_INIT;
    canonical(SAME[_i][0], &a);
    canonical(SAME[_i][1], &b);
    ck_assert_str_eq(text_string(&a), text_string(&b));
    ck_assert(is_json(&a));

    Text again = TEXT_INIT;
    canonical(text_string(&a), &again);
    ck_assert_str_eq(text_string(&again), text_string(&a));
    text_done(&a);
    text_done(&b);
    text_done(&again);
}
END_TEST

static const char *const DIFFERENT[][2] = {
    {"[1,2]", "[2,1]"},
    {"0", "-0.0"},
    {"1", "\"1\""},
    {"{\"a\":1}", "{\"A\":1}"},
    {"[]", "{}"},
    {"null", "false"},
    {"0.1", "0.10000000000000002"},
    {"[[]]", "[]"},
    {"{\"a\":[1]}", "{\"a\":{\"0\":1}}"},
};

START_TEST(different_values_have_different_canonical_texts)
{
    Text a = TEXT_INIT, b = TEXT_INIT;
    canonical(DIFFERENT[_i][0], &a);
    canonical(DIFFERENT[_i][1], &b);
    ck_assert_str_ne(text_string(&a), text_string(&b));
    text_done(&a);
    text_done(&b);
}
END_TEST

START_TEST(a_tree_deeper_than_json_may_be_is_refused)
{
    cJSON *tree = cJSON_CreateArray();
    for (int i = 0; i < JSON_MAX_DEPTH; i++) {
        cJSON *outer = cJSON_CreateArray();
        cJSON_AddItemToArray(outer, tree);
        tree = outer;
    }
    Text text = TEXT_INIT;
    ck_assert_int_eq(json_canonical(tree, &text, NULL), ERR_LIMIT);
    cJSON_Delete(tree);
    text_done(&text);
}
END_TEST

static void check_parts(const cJSON *tree, const cJSON *item)
{
    CanonicalPart part = {.item = item};
    Text own = TEXT_INIT, whole = TEXT_INIT;

    ck_assert_int_eq(json_canonical(item, &own, NULL), OK);
    ck_assert_int_eq(json_canonical_with(tree, &part, &whole, NULL), OK);
    ck_assert_uint_eq(part.length, own.length);
    ck_assert_mem_eq(whole.data + part.start, own.data, own.length);
    text_done(&own);
    text_done(&whole);
    for (const cJSON *child = item->child; child; child = child->next)
        check_parts(tree, child);
}

START_TEST(the_text_of_a_part_stands_in_that_of_the_whole)
{
    cJSON *tree = cJSON_Parse("{\"b\": [1, {\"z\": -0.5, \"a\": [[], {}]}, null], \"a\": \"\\\"\", "
                              "\"\": {\"m\": {\"q\": true}}}");
    ck_assert_ptr_nonnull(tree);
    check_parts(tree, tree);
    cJSON_Delete(tree);
}
END_TEST

/* The text in the span of each member, read alone, against the member of the whole. */
START_TEST(the_span_of_a_member_holds_its_value)
{
    static const char *const JSON[] = {
        "{}",
        "[]",
        "7",
        "[{\"a\":1}]",
        "{\"a\":1}",
        " { \"a\" : 1 , \"b\"\n:\t[ ] } ",
        "{\"ab\":{\"a\":{\"b\":2},\"x\":[1,{\"b\":3}]},\"a\":\"}\\\",\\\\\",\"b\":[\"b\",[[]]] }",
        "{\"\":-1e5,\"b\":\"a\",\"a\":null}",
        "{\"x\":\"a\",\"y\":{\"a\":1},\"a\":{ \"a\":[ ] }\n}"};
    static const char *const NAMES[] = {"a", "b", "ab", "", "x", "a long name that is nowhere"};
    for (size_t k = 0; k < sizeof JSON / sizeof *JSON; k++) {
        cJSON *tree = cJSON_Parse(JSON[k]);
        ck_assert_ptr_nonnull(tree);
        for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
            const cJSON *member =
                cJSON_IsObject(tree) ? cJSON_GetObjectItemCaseSensitive(tree, NAMES[i]) : NULL;
            JsonSpan span;
            const bool found = json_member_span(JSON[k], strlen(JSON[k]), NAMES[i], &span);
            ck_assert_int_eq(found, member != NULL);
            if (!found)
                continue;
            JsonFacts facts;
            JsonMistake mistake;
            Text own = TEXT_INIT, expected = TEXT_INIT;
            const char *start = JSON[k] + span.start;
            ck_assert(*start != ' ' && start[span.size - 1] != ' ');
            ck_assert_int_eq(json_validate(start, span.size, &facts, &mistake, NULL), OK);
            cJSON *alone = json_tree(start, span.size, &facts);
            ck_assert_int_eq(json_canonical(alone, &own, NULL), OK);
            ck_assert_int_eq(json_canonical(member, &expected, NULL), OK);
            ck_assert_str_eq(own.data, expected.data);
            cJSON_Delete(alone);
            text_done(&own);
            text_done(&expected);
        }
        cJSON_Delete(tree);
    }
}
END_TEST

SUITE(canonical)
{
    TCase *tc = suite_case(suite, "writer");
    tcase_add_test(tc, numbers_survive_writer_validator_and_cjson_bit_for_bit);
    tcase_add_test(tc, numbers_that_are_not_finite_become_null_and_are_remembered);
    tcase_add_test(tc, any_text_is_escaped_so_that_it_reads_back);
    tcase_add_test(tc, bytes_that_are_not_utf8_are_replaced);
    tcase_add_test(tc, commas_stand_between_members_and_elements_only);
    tc = suite_case(suite, "canonical");
    tcase_add_loop_test(tc, spellings_of_the_same_values_have_one_canonical_text, 0,
                        (int)LENGTH(SAME));
    tcase_add_test(tc, the_span_of_a_member_holds_its_value);
    tcase_add_test(tc, the_text_of_a_part_stands_in_that_of_the_whole);
    tcase_add_loop_test(tc, different_values_have_different_canonical_texts, 0,
                        (int)LENGTH(DIFFERENT));
    tcase_add_test(tc, a_tree_deeper_than_json_may_be_is_refused);
}
