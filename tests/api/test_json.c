/* The validator in front of cJSON: what is JSON, what is not, and where. */
#include <cjson/cJSON.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/json/keys.h"
#include "api/json/reader.h"
#include "api/json/validate.h"
#include "core/base/random.h"
#include "core/base/text.h"
#include "tests/suite.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])
#define BYTES(literal) literal, sizeof(literal) - 1

/* Texts that are not JSON, with the byte of the mistake, its pointer and a part of the message. */
static const struct {
    const char *text;
    size_t size, offset;
    const char *pointer, *message;
} WRONG[] = {
    {BYTES(""), 0, "", "is empty"},
    {BYTES("  \n"), 0, "", "is empty"},
    {BYTES("\xef\xbb\xbf{}"), 0, "", "byte order mark"},
    /* numbers */
    {BYTES("01"), 0, "", "0 and another digit"},
    {BYTES("-01"), 1, "", "0 and another digit"},
    {BYTES("1."), 2, "", "decimal point"},
    {BYTES(".5"), 0, "", "a value"},
    {BYTES("+1"), 0, "", "a value"},
    {BYTES("-"), 1, "", "a digit"},
    {BYTES("1e"), 2, "", "exponent"},
    {BYTES("1e+"), 3, "", "exponent"},
    {BYTES("1-2"), 1, "", "follows"},
    {BYTES("0x10"), 1, "", "follows"},
    {BYTES("1_000"), 1, "", "follows"},
    {BYTES("NaN"), 0, "", "a value"},
    {BYTES("Infinity"), 0, "", "a value"},
    {BYTES("-Infinity"), 1, "", "a digit"},
    {BYTES("{\"a\":[0,1e999]}"), 8, "/a/1", "too large"},
    {BYTES("[-1e400]"), 1, "/0", "too large"},
    {BYTES("[1e-999]"), 1, "/0", "too small"},
    /* literals */
    {BYTES("True"), 0, "", "a value"},
    {BYTES("nul"), 0, "", "a value"},
    {BYTES("truex"), 4, "", "follows"},
    /* structure */
    {BYTES("{} x"), 3, "", "follows"},
    {BYTES("{}{}"), 2, "", "follows"},
    {BYTES("[1,]"), 3, "/1", "a value"},
    {BYTES("[,1]"), 1, "/0", "a value"},
    {BYTES("[1 2]"), 3, "/0", "',' or ']'"},
    {BYTES("[1}"), 2, "/0", "',' or ']'"},
    {BYTES("[1"), 2, "/0", "found the end"},
    {BYTES("{\"a\":1,}"), 7, "", "a member name"},
    {BYTES("{,}"), 1, "", "a member name"},
    {BYTES("{a:1}"), 1, "", "a member name"},
    {BYTES("{'a':1}"), 1, "", "a member name"},
    {BYTES("{1:1}"), 1, "", "a member name"},
    {BYTES("{\"a\" 1}"), 5, "/a", "':'"},
    {BYTES("{\"a\":}"), 5, "/a", "a value"},
    {BYTES("{\"a\":1"), 6, "/a", "found the end"},
    {BYTES("{\"a\""), 4, "/a", "':'"},
    {BYTES("{"), 1, "", "a member name"},
    {BYTES("/* no */ 1"), 0, "", "a value"},
    {BYTES("[1,// no\n2]"), 3, "/1", "a value"},
    {BYTES("[1\v,2]"), 2, "/0", "byte 0x0b"},
    {BYTES("[1]\0"), 3, "", "byte 0x00"},
    {BYTES("\xc2\xa0"
           "1"),
     0, "", "byte 0xc2"},
    /* member names */
    {BYTES("{\"a\":1,\"b\":2,\"a\":3}"), 13, "/a", "twice"},
    {BYTES("{\"a\":1,\"\\u0061\":3}"), 7, "/a", "twice"},
    {BYTES("{\"m\":{\"x\":1,\"x\":1}}"), 12, "/m/x", "twice"},
    {BYTES("{\"\":1,\"\":1}"), 6, "/", "twice"},
    {BYTES("{\"a/b~c\":[1e999]}"), 10, "/a~1b~0c/0", "too large"},
    /* strings */
    {BYTES("\"abc"), 0, "", "no end"},
    {BYTES("\"abc\\\""), 0, "", "no end"},
    {BYTES("\"abc\\"), 4, "", "ends inside"},
    {BYTES("\"a\nb\""), 2, "", "control character"},
    {BYTES("\"a\tb\""), 2, "", "control character"},
    {BYTES("\"a\0b\""), 2, "", "control character"},
    {BYTES("\"a\\u0000b\""), 2, "", "\\u0000"},
    {BYTES("{\"a\\u0000\":1}"), 3, "", "\\u0000"},
    {BYTES("\"\\x41\""), 2, "", "after a backslash"},
    {BYTES("\"\\'\""), 2, "", "after a backslash"},
    {BYTES("\"\\U0041\""), 2, "", "after a backslash"},
    {BYTES("\"\\u12\""), 1, "", "four hexadecimal"},
    {BYTES("\"\\u12g4\""), 1, "", "four hexadecimal"},
    {BYTES("\"\\ud800\""), 1, "", "surrogate"},
    {BYTES("\"\\udc00\""), 1, "", "surrogate"},
    {BYTES("\"\\ud800\\ud800\""), 1, "", "surrogate"},
    {BYTES("\"\\ud800x\""), 1, "", "surrogate"},
    {BYTES("\"\\udc00\\ud800\""), 1, "", "surrogate"},
    /* UTF-8: lone continuation, overlong, surrogate, beyond U+10FFFF, cut off */
    {BYTES("\"\x80\""), 1, "", "not UTF-8"},
    {BYTES("\"\xc0\x80\""), 1, "", "not UTF-8"},
    {BYTES("\"\xc1\xbf\""), 1, "", "not UTF-8"},
    {BYTES("\"\xe0\x80\x80\""), 1, "", "not UTF-8"},
    {BYTES("\"\xe0\x9f\xbf\""), 1, "", "not UTF-8"},
    {BYTES("\"\xed\xa0\x80\""), 1, "", "not UTF-8"},
    {BYTES("\"\xf0\x8f\xbf\xbf\""), 1, "", "not UTF-8"},
    {BYTES("\"\xf4\x90\x80\x80\""), 1, "", "not UTF-8"},
    {BYTES("\"\xf5\x80\x80\x80\""), 1, "", "not UTF-8"},
    {BYTES("\"\xff\""), 1, "", "not UTF-8"},
    {BYTES("\"\xc3\""), 1, "", "not UTF-8"},
    {BYTES("\"\xe2\x82\""), 1, "", "not UTF-8"},
    {BYTES("\"\xf0\x9d\x84"), 1, "", "not UTF-8"},
    {BYTES("[1 \n\n"), 2, "/0", "found the end of the text"},
    {BYTES("{\"\xe2\x28\xa1\":1}"), 2, "", "not UTF-8"},
};

START_TEST(what_is_not_json_is_refused_at_its_place)
{
    JsonMistake mistake;
    Error err = {0};

    /* a heap copy of the exact size lets the sanitizer see reads past the end */
    char *copy = malloc(WRONG[_i].size + 1);
    memcpy(copy, WRONG[_i].text, WRONG[_i].size);
    char *exact = realloc(copy, WRONG[_i].size ? WRONG[_i].size : 1);
    Status status = json_validate(exact, WRONG[_i].size, NULL, &mistake, &err);
    free(exact);
    ck_assert_msg(status == ERR_INVALID, "accepted: %s", WRONG[_i].text);
    ck_assert_msg(mistake.offset == WRONG[_i].offset, "%s: offset %zu: %s", WRONG[_i].text,
                  mistake.offset, mistake.message);
    ck_assert_msg(strcmp(mistake.pointer, WRONG[_i].pointer) == 0, "%s: pointer %s", WRONG[_i].text,
                  mistake.pointer);
    ck_assert_msg(strstr(mistake.message, WRONG[_i].message) != NULL, "%s: %s", WRONG[_i].text,
                  mistake.message);
}
END_TEST

static const char *const RIGHT[] = {"0",
                                    "-0",
                                    "-0.0e-0",
                                    "1E+2",
                                    "1e308",
                                    "5e-324",
                                    "0e999999",
                                    "-1.7976931348623157e308",
                                    "true",
                                    "false",
                                    "null",
                                    "\"\"",
                                    " [ ] ",
                                    "\t{\r\n}",
                                    "[[],{},[{}]]",
                                    "{\"a\":{\"a\":{\"a\":1}},\"A\":2,\"\":3}",
                                    "[{\"a\":1},{\"a\":2}]",
                                    "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud834\\udd1e\"",
                                    "\"\x7f\xc3\xa9\xe2\x82\xac\xf0\x9d\x84\x9e\"",
                                    "\"\xef\xbf\xbf\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf\"",
                                    "\"\xef\xbb\xbf\"",
                                    "{\"x\":1,\"\\u0058\":2}"};

START_TEST(json_is_accepted_and_cjson_reads_it)
{
    JsonMistake mistake;
    Error err = {0};

    ck_assert_msg(json_validate(RIGHT[_i], strlen(RIGHT[_i]), NULL, &mistake, &err) == OK, "%s: %s",
                  RIGHT[_i], err.message);
    cJSON *tree = cJSON_ParseWithLength(RIGHT[_i], strlen(RIGHT[_i]));
    ck_assert_ptr_nonnull(tree);
    cJSON_Delete(tree);
}
END_TEST

START_TEST(place_is_told_in_lines_and_characters)
{
    static const char TEXT[] = "{\n  \"name\": \"caf\xc3\xa9\", x\n}";
    JsonMistake mistake;

    ck_assert_int_eq(json_validate(BYTES(TEXT), NULL, &mistake, NULL), ERR_INVALID);
    ck_assert_uint_eq(mistake.line, 2);
    ck_assert_uint_eq(mistake.column, 19);
    ck_assert_uint_eq(mistake.offset, 20);
}
END_TEST

static Status validate_nested(size_t depth, const char *open, const char *close,
                              JsonMistake *mistake)
{
    Text text = TEXT_INIT;
    for (size_t i = 0; i < depth; i++)
        text_puts(&text, open);
    text_puts(&text, "1");
    for (size_t i = 0; i < depth; i++)
        text_puts(&text, close);
    Status status = json_validate(text.data, text.length, NULL, mistake, NULL);
    text_done(&text);
    return status;
}

START_TEST(nesting_ends_at_the_stated_depth)
{
    JsonMistake mistake;

    ck_assert_int_eq(validate_nested(JSON_MAX_DEPTH, "[", "]", &mistake), OK);
    ck_assert_int_eq(validate_nested(JSON_MAX_DEPTH, "{\"a\":", "}", &mistake), OK);
    ck_assert_int_eq(validate_nested(JSON_MAX_DEPTH + 1, "[", "]", &mistake), ERR_INVALID);
    ck_assert_ptr_nonnull(strstr(mistake.message, "nested deeper than 64"));
    ck_assert_uint_eq(mistake.offset, JSON_MAX_DEPTH);
    ck_assert_int_eq(validate_nested(5000000, "[", "]", &mistake), ERR_INVALID);
}
END_TEST

START_TEST(a_long_pointer_is_cut_between_tokens)
{
    Text text = TEXT_INIT;
    JsonMistake mistake;

    for (int i = 0; i < 10; i++) {
        text_puts(&text, "{\"");
        for (int k = 0; k < 100; k++)
            text_putc(&text, 'k');
        text_puts(&text, "\":");
    }
    ck_assert_int_eq(json_validate(text.data, text.length, NULL, &mistake, NULL), ERR_INVALID);
    ck_assert_uint_eq(strlen(mistake.pointer) % 101, 0);
    ck_assert_uint_ge(strlen(mistake.pointer), 202);
    text_done(&text);
}
END_TEST

/* One object with n members of distinct names, about ten bytes each. */
static void wide_object(Text *text, int n)
{
    text_putc(text, '{');
    for (int i = 0; i < n; i++)
        text_printf(text, "%s\"k%d\":0", i ? "," : "", i);
    text_putc(text, '}');
}

/* Slots looked at to find all names again. */
static uint64_t probes(const JsonKeys *keys)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < keys->n_slots; i++) {
        if (!keys->slots[i])
            continue;
        const JsonKeyEntry *entry = &keys->entries[(uint32_t)keys->slots[i] - 1];
        sum += 1 + ((i - (size_t)entry->hash) & (keys->n_slots - 1));
    }
    return sum;
}

START_TEST(a_name_is_found_after_few_probes_among_any_number)
{
    JsonKeys keys;
    json_keys_init(&keys);
    for (uint64_t n = 1; n <= 300000; n++) {
        char name[16];
        const int length = snprintf(name, sizeof name, "k%d", (int)n);
        ck_assert_int_eq(json_keys_add(&keys, 1, name, (size_t)length), JSON_KEY_NEW);
        if (n >= 1000 && (n & (n - 1)) == 0)
            ck_assert_uint_le(probes(&keys), 2 * n);
    }
    ck_assert_uint_le(probes(&keys), 2 * 300000);
    json_keys_done(&keys);
}
END_TEST

/* An object of n names whose members are objects of m names each. */
static void nested_objects(Text *text, int n, int m)
{
    text_putc(text, '{');
    for (int i = 0; i < n; i++) {
        text_printf(text, "%s\"k%d\":", i ? "," : "", i);
        wide_object(text, m);
    }
}

/* Around the number of names from which there is a table, and far beyond it. */
START_TEST(a_name_given_twice_is_found_whatever_stands_inside_and_before)
{
    static const int COUNTS[] = {1, 15, 16, 17, 18, 40, 300};
    const int n_counts = sizeof COUNTS / sizeof COUNTS[0];
    for (int k = 0; k < n_counts * n_counts; k++) {
        const int n = COUNTS[k % n_counts], m = COUNTS[k / n_counts];
        JsonMistake mistake;
        Text text = TEXT_INIT;
        nested_objects(&text, n, m);
        const size_t open = text.length;
        text_putc(&text, '}');
        ck_assert_int_eq(json_validate(text.data, text.length, NULL, &mistake, NULL), OK);
        for (int twice = 0; twice<n; twice += n> 20 ? 7 : 1) {
            text.length = open;
            text_printf(&text, ",\"k%d\":0}", twice);
            ck_assert_int_eq(json_validate(text.data, text.length, NULL, &mistake, NULL),
                             ERR_INVALID);
            ck_assert_uint_eq(mistake.offset, open + 1);
        }
        text_done(&text);
    }
}
END_TEST

START_TEST(as_many_member_names_as_there_may_be_are_told_apart)
{
    Text text = TEXT_INIT;
    JsonMistake mistake;
    JsonFacts facts;

    wide_object(&text, JSON_MAX_NAMES - 1);
    ck_assert_int_eq(json_validate(text.data, text.length, &facts, &mistake, NULL), OK);
    ck_assert_uint_eq(facts.values, JSON_MAX_NAMES);
    ck_assert_uint_eq(facts.names, JSON_MAX_NAMES - 1);

    text.data[text.length - 1] = ',';
    text_puts(&text, "\"k7\":1}");
    ck_assert_int_eq(json_validate(text.data, text.length, &facts, &mistake, NULL), ERR_INVALID);
    ck_assert_str_eq(mistake.pointer, "/k7");
    text_done(&text);
}
END_TEST

/* cJSON would be asked for the memory of a tree. */
static size_t n_nodes;
static void *count_node(size_t size)
{
    n_nodes++;
    return malloc(size);
}

START_TEST(values_and_names_are_counted_before_there_is_a_tree)
{
    cJSON_Hooks hooks = {count_node, free};
    cJSON_InitHooks(&hooks);
    for (int names = 0; names < 2; names++) {
        for (size_t beyond = 0; beyond < 2; beyond++) {
            Text text = TEXT_INIT;
            Arena *arena = arena_new(1 << 20);
            Diagnostics diag;
            cJSON *tree = NULL;
            bool is_json = false;
            diagnostics_init(&diag, arena);
            if (names) {
                wide_object(&text, JSON_MAX_NAMES + (int)beyond);
            } else {
                text_putc(&text, '[');
                for (size_t i = 0; i < JSON_MAX_VALUES - 2 + beyond; i++)
                    text_puts(&text, "1,");
                text_puts(&text, "1]");
            }
            n_nodes = 0;
            Status status = json_parse(text.data, text.length, &diag, &tree, &is_json, NULL);
            ck_assert_int_eq(status, beyond ? ERR_INVALID : OK);
            ck_assert(is_json);
            ck_assert_uint_eq(diag.total, beyond);
            ck_assert(!beyond || n_nodes == 0);
            cJSON_Delete(tree);
            arena_free(arena);
            text_done(&text);
        }
    }
    cJSON_InitHooks(NULL);
}
END_TEST

/* 0 or 1 and many zeros in front of a decimal point or behind it. */
static void put_long_number(Text *text, int zeros, const char *end)
{
    text_puts(text, end[0] == '.' ? "-1" : "0.");
    for (int i = 0; i < zeros; i++)
        text_putc(text, '0');
    text_puts(text, end);
}

START_TEST(numbers_of_any_length_are_numbers)
{
    for (int zeros = 50; zeros < 300; zeros++) {
        Text text = TEXT_INIT;
        char exponent[32], point[32];
        cJSON *tree = NULL;
        snprintf(exponent, sizeof exponent, "123e%d", zeros + 3);
        snprintf(point, sizeof point, ".0E-%d", zeros);
        text_puts(&text, "{\"say \\\"1000\":[");
        put_long_number(&text, zeros, exponent); /* 0.00..00123e.. = 123 */
        text_puts(&text, " ,");
        put_long_number(&text, zeros, point); /* -100..00.0E-.. = -1 */
        text_puts(&text, ",7],\"d\":\"");
        put_long_number(&text, zeros, exponent);
        text_puts(&text, "\"}");
        ck_assert_int_eq(json_parse(text.data, text.length, NULL, &tree, NULL, NULL), OK);
        const cJSON *list = tree->child;
        ck_assert_str_eq(list->string, "say \"1000");
        ck_assert_int_eq(cJSON_GetArraySize(list), 3);
        ck_assert(list->child->valuedouble == 123.0);
        ck_assert(list->child->next->valuedouble == -1.0);
        ck_assert(list->child->next->next->valuedouble == 7.0);
        ck_assert_uint_gt(strlen(list->next->valuestring), (size_t)zeros);
        cJSON_Delete(tree);
        text_done(&text);
    }
}
END_TEST

START_TEST(names_of_closed_objects_are_forgotten)
{
    Text text = TEXT_INIT;
    JsonMistake mistake;

    text_putc(&text, '[');
    for (int i = 0; i < 2000; i++)
        text_printf(&text, "%s{\"a\":{\"a\":1,\"b\":[{\"a\":1}]},\"b\":2,\"n%d\":3}", i ? "," : "",
                    i % 7);
    text_putc(&text, ']');
    ck_assert_int_eq(json_validate(text.data, text.length, NULL, &mistake, NULL), OK);
    text_done(&text);
}
END_TEST

/* Random nested objects with few names; every object remembers its names in a plain bit set.
 * *ret_first: the byte of the first name that stands twice, SIZE_MAX when there is none. */
static void random_objects(Random *random, Text *text, size_t *ret_first)
{
    uint64_t seen[8] = {0};
    size_t depth = 1;

    *ret_first = SIZE_MAX;
    text_puts(text, "{");
    for (int i = 0; i < 30; i++) {
        uint64_t bits = random_bits(random), name = bits % 60;
        if (bits >> 32 & 1 && depth > 1 && seen[depth - 1]) {
            text_puts(text, "}");
            depth--;
            continue;
        }
        text_puts(text, seen[depth - 1] ? "," : "");
        if (seen[depth - 1] >> name & 1 && *ret_first == SIZE_MAX)
            *ret_first = text->length;
        seen[depth - 1] |= UINT64_C(1) << name;
        text_printf(text, name % 3 ? "\"%c\":" : "\"\\u%04x\":", (int)('A' + name));
        bool opens = (bits >> 34) % 3 == 0 && depth < 8;
        text_puts(text, opens ? "{" : "1");
        if (opens)
            seen[depth++] = 0;
    }
    for (; depth > 0; depth--)
        text_puts(text, "}");
}

START_TEST(names_are_compared_within_their_object_only)
{
    size_t first, duplicates = 0;
    Random random;

    random_init(&random, 5);
    for (int i = 0; i < 3000; i++) {
        Text text = TEXT_INIT;
        JsonMistake mistake = {0};
        random_objects(&random, &text, &first);
        Status status = json_validate(text.data, text.length, NULL, &mistake, NULL);
        ck_assert_int_eq(status, first == SIZE_MAX ? OK : ERR_INVALID);
        if (status != OK)
            ck_assert_msg(mistake.offset == first, "%s\n%zu, not %zu: %s", text.data,
                          mistake.offset, first, mistake.message);
        duplicates += status != OK;
        text_done(&text);
    }
    ck_assert(duplicates > 100 && duplicates < 2900);
}
END_TEST

/* cJSON accepts more than JSON but refuses nothing that is JSON, so what passes here must pass
 * there, whatever the bytes. */
START_TEST(mutated_documents_never_pass_where_cjson_fails)
{
    static const char TEXT[] =
        "{\"a\":[1,-2.5e-3,true,null,\"x\\u00e9\\n\"],\"b\":{\"c\":{}},\"d\":0}";
    char bytes[sizeof TEXT];
    size_t accepted = 0;
    Random random;

    random_init(&random, 7);
    for (int i = 0; i < 200000; i++) {
        size_t size = sizeof TEXT - 1;
        memcpy(bytes, TEXT, sizeof TEXT);
        for (int k = 0; k < 1 + i % 3; k++) {
            uint64_t bits = random_bits(&random);
            size_t at = (size_t)(bits % size);
            bytes[at] = bits & 0x100000 ? TEXT[(bits >> 32) % size] : (char)(bits >> 24);
        }
        JsonMistake mistake;
        JsonFacts facts;
        Status status = json_validate(bytes, size, &facts, &mistake, NULL);
        ck_assert(status == OK || (status == ERR_INVALID && mistake.offset <= size));
        if (status == OK) {
            cJSON *tree = json_tree(bytes, size, &facts);
            ck_assert_ptr_nonnull(tree);
            cJSON_Delete(tree);
            accepted++;
        }
    }
    ck_assert_uint_gt(accepted, 1000);
}
END_TEST

SUITE(json)
{
    TCase *tc = suite_case(suite, "grammar");
    tcase_add_loop_test(tc, what_is_not_json_is_refused_at_its_place, 0, (int)LENGTH(WRONG));
    tcase_add_loop_test(tc, json_is_accepted_and_cjson_reads_it, 0, (int)LENGTH(RIGHT));
    tcase_add_test(tc, numbers_of_any_length_are_numbers);
    tcase_add_test(tc, place_is_told_in_lines_and_characters);
    tcase_add_test(tc, nesting_ends_at_the_stated_depth);
    tcase_add_test(tc, a_long_pointer_is_cut_between_tokens);
    tcase_add_test(tc, a_name_is_found_after_few_probes_among_any_number);
    tcase_add_test(tc, a_name_given_twice_is_found_whatever_stands_inside_and_before);
    tcase_add_test(tc, as_many_member_names_as_there_may_be_are_told_apart);
    tcase_add_test(tc, values_and_names_are_counted_before_there_is_a_tree);
    tcase_add_test(tc, names_of_closed_objects_are_forgotten);
    tcase_add_test(tc, names_are_compared_within_their_object_only);
    tcase_add_test(tc, mutated_documents_never_pass_where_cjson_fails);
}
