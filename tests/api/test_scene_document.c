/* Unit tests of api/: reading a scene and figures; their texts, and the samples of curves. */
#include <stdlib.h>
#include <string.h>

#include "api/documents/drawing_reader.h"
#include "tests/api/reading.h"
#include "tests/suite.h"

/* Reads {"scene": .., "figures": ..}. */
typedef struct Read {
    Arena arena;
    Diagnostics diag;
    DrawingTexts found;
} Read;

static void read_text(Read *read, const char *quoted)
{
    JsonReader reader = {.arena = &read->arena, .diag = &read->diag};
    char *text = unquoted(quoted);
    Error err = {0};
    cJSON *tree;

    *read = (Read){0};
    diagnostics_init(&read->diag, &read->arena);
    ck_assert_int_eq(json_parse(text, strlen(text), &read->diag, &tree, NULL, &err), OK);
    read_drawing(&reader, (JsonValue){tree, ""}, &read->found);
    ck_assert(!reader.no_memory);
    cJSON_Delete(tree);
    free(text);
}

/* The texts, each behind a semicolon, conditions behind a question mark. */
static void texts_are(const char *document, const char *expected)
{
    Text list = TEXT_INIT;
    Read read;

    read_text(&read, document);
    ck_assert_uint_eq(read.diag.total, 0);
    for (size_t k = 0; k < read.found.n; k++)
        text_printf(&list, "%s%s", read.found.conditions[k] ? "?" : ";", read.found.texts[k].text);
    ck_assert_str_eq(text_string(&list), expected);
    text_done(&list);
    arena_done(&read.arena);
}

START_TEST(texts_are_found_in_every_member)
{
    texts_are("{'scene': {'space': 2, 'up': 'x',"
              "  'frames': [{'name': 'f', 'in': 'ground', 'at': ['a', 1],"
              "               'turn': 'b'}],"
              "  'items': [{'shape': 'disc', 'radius': 'c', 'thickness': 'd',"
              "    'in': 'f', 'at': [0, 'e'], 'turn': 1, 'color': '#aB0123',"
              "    'opacity': 'f', 'label': 'no text', 'visible': 'g > 0',"
              "    'pattern': 'none', 'name': 'n',"
              "    'trail': {'on': 'f', 'last': 'h', 'color': 'time'}},"
              "   {'shape': 'gauge', 'value': 'i', 'at': 'corner'},"
              "   {'shape': 'spring', 'from': ['j', 0], 'to': [0, 'k'],"
              "    'coils': 'l', 'radius': 'm'},"
              "   {'shape': 'ground', 'size': 'n', 'slide': ['o', 1]},"
              "   {'shape': 'polyline', 'points': [[0, 0], ['p', 1]]},"
              "   {'shape': 'arrow', 'vector': ['q', 'r'], 'role': 'force',"
              "    'anchor': 'head'}],"
              "  'camera': {'follow': 'n', 'look_at': ['s', 0], 'span': 'u',"
              "    'projection': 'orthographic'}},"
              " 'figures': [{'title': 'no text', 'x': 'v', 'y': ['w', 1]}]}",
              ";a;b;c;d;e;f?g > 0;h;i;j;k;l;m;n;o;p;q;r;s;u;v;w");
}
END_TEST

START_TEST(turns_in_space_are_read)
{
    texts_are("{'scene': {'items': [{'shape': 'axes', 'length': 'a', 'turn': ["
              "  {'axis': ['b', 0, 1], 'angle': 'c'},"
              "  {'euler': 'zx', 'angles': ['d', 'e']},"
              "  {'along': [0, 'f', 1], 'spin': 'g'}, {'along': [0, 0, 1]},"
              "  {'matrix': [[1, 0, 0], [0, 'h', 0], [0, 0, 1]]},"
              "  {'quaternion': ['i', 0, 0, 'j']}]}],"
              " 'camera': {'view': [1, 'k', 2]}}}",
              ";a;b;c;d;e;f;g;h;i;j;k");
}
END_TEST

/* The text of a curve is checked once, with 1 for the variable, so that offsets stay. */
START_TEST(texts_of_curves_and_surfaces_are_checked_at_one)
{
    texts_are("{'scene': {'space': 2, 'items': ["
              "  {'shape': 'curve', 'point': ['cos(s)*ss', 's2 + 2e1*s'],"
              "   'range': ['a', 1], 'samples': 3},"
              "  {'shape': 'surface', 'point': ['u*v', 'us'],"
              "   'range': [[0, 'b'], ['c', 1]], 'samples': [2, 3]}]}}",
              ";a;cos(1)*ss;s2 + 2e1*1;b;c;1*1;us");
}
END_TEST

START_TEST(samples_are_exact_at_both_ends)
{
    static const SampleRange RANGE = {'s', "-r", "2*pi", 5};
    static const char *const EXPECTED[] = {"sin((-r))", "sin(((-r)*0.75 + (2*pi)*0.25))",
                                           "sin(((-r)*0.5 + (2*pi)*0.5))",
                                           "sin(((-r)*0.25 + (2*pi)*0.75))", "sin((2*pi))"};

    for (size_t at = 0; at < RANGE.samples; at++) {
        Text text = TEXT_INIT;
        sample_text("sin(s)", &RANGE, 1, &at, &text);
        ck_assert_str_eq(text_string(&text), EXPECTED[at]);
        text_done(&text);
    }
}
END_TEST

START_TEST(samples_are_counted_before_they_are_made)
{
    Read read;

    read_text(&read, "{'scene': {'items': [{'shape': 'surface', 'point': ['u', 'v',"
                     "'u*v'], 'range': [[0, 1], [0, 1]], 'samples': [51, 51]}]}}");
    ck_assert_uint_eq(read.diag.total, 1);
    ck_assert_str_eq(read.diag.items[0].pointer, "/scene/items/0/point");
    ck_assert_ptr_nonnull(strstr(read.diag.items[0].message, "4000 texts"));
    ck_assert_uint_eq(read.found.n, 3);
    arena_done(&read.arena);
}
END_TEST

SUITE(scene_document)
{
    TCase *tc = suite_case(suite, "scene_document");
    tcase_add_test(tc, texts_are_found_in_every_member);
    tcase_add_test(tc, turns_in_space_are_read);
    tcase_add_test(tc, texts_of_curves_and_surfaces_are_checked_at_one);
    tcase_add_test(tc, samples_are_exact_at_both_ends);
    tcase_add_test(tc, samples_are_counted_before_they_are_made);
}
