/* Model documents: what is read, and what is refused where. */
#include <stdlib.h>
#include <string.h>

#include "tests/api/reading.h"
#include "tests/suite.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])
#define L "'lagrangian':'dot(x)^2/2'"

static const char FULL[] =
    "{'name':'disc','description':'a disc','coordinates':['x',{'name':'a','period':6.25,"
    "'unit':'rad'}],'parameters':{'m':3,'k':-0.5},'definitions':{'u':'m*dot(x)'},"
    "'lagrangian':'u*dot(x)/2','constraints':[{'name':'roll','equation':'dot(x)=dot(a)'},'x-a'],"
    "'forces':{'x':'-k*x'},'symmetries':[{'name':'s','generator':{'x':'1','a':'1'}}],'base':['a'],"
    "'frame':[{'name':'X','field':{'x':'1','a':'1'}}],"
    "'chart':{'coordinates':['b'],'map':{'x':'b','a':'b'},'clock':-2}}";

START_TEST(every_member_is_read_with_its_place)
{
    Reading *r = read_model_text(FULL);
    ck_assert_msg(r->status == OK, "%s", r->error.message);
    const ModelDocument *d = &r->model.document;

    ck_assert_str_eq(d->name, "disc");
    ck_assert_str_eq(d->description, "a disc");
    ck_assert_uint_eq(d->n_coordinates, 2);
    ck_assert_str_eq(d->coordinates[0].name, "x");
    ck_assert_str_eq(d->coordinates[0].pointer, "/coordinates/0");
    ck_assert(d->coordinates[0].period == 0 && d->coordinates[1].period == 6.25);
    ck_assert_str_eq(d->coordinates[1].unit.text, "rad");
    ck_assert_uint_eq(d->n_parameters, 2);
    ck_assert_str_eq(d->parameters[0].name, "k"); /* by name */
    ck_assert(d->parameters[0].value == -0.5);
    ck_assert_str_eq(d->definitions[0].pointer, "/definitions/u");
    ck_assert_str_eq(d->lagrangian.text, "u*dot(x)/2");
    ck_assert_str_eq(d->lagrangian.pointer, "/lagrangian");
    ck_assert_uint_eq(d->n_constraints, 2);
    ck_assert_str_eq(d->constraints[0].name, "roll");
    ck_assert_str_eq(d->constraints[0].name_pointer, "/constraints/0/name");
    ck_assert_str_eq(d->constraints[0].pointer, "/constraints/0/equation");
    ck_assert_ptr_null(d->constraints[1].name);
    ck_assert_str_eq(d->constraints[1].pointer, "/constraints/1");
    ck_assert_str_eq(d->forces[0].name, "x");
    ck_assert_uint_eq(d->symmetries[0].n_components, 2);
    ck_assert_str_eq(d->symmetries[0].components[0].pointer, "/symmetries/0/generator/a");
    ck_assert_str_eq(d->base[0].name, "a");
    ck_assert_str_eq(d->frame[0].components[0].text, "1");
    ck_assert_str_eq(d->chart.map[0].pointer, "/chart/map/a");
    ck_assert(d->chart.clock == -2);
    reading_free(r);
}
END_TEST

static const struct {
    const char *text, *pointer, *fragment;
} WRONG[] = {
    {"[]", "", "must be a model document"},
    {"'x'", "", "must be a model document"},
    {"{}", "", "\"coordinates\" is missing"},
    {"{}", "", "\"lagrangian\" is missing"},
    {"{'coordinates':['x']}", "", "\"lagrangian\" is missing"},
    {"{'Lagrangian':'1','coordinates':['x']," L "}", "/Lagrangian", "did you mean \"lagrangian\"?"},
    {"{'constraint':[],'coordinates':['x']," L "}", "/constraint", "did you mean \"constraints\"?"},
    {"{'zzz':[],'coordinates':['x']," L "}", "/zzz", "known members: name, description"},
    {"{'a/b~c':1,'coordinates':['x']," L "}", "/a~1b~0c", "unknown member"},
    {"{'coordinates':[]," L "}", "/coordinates", "at least one"},
    {"{'coordinates':'x'," L "}", "/coordinates", "must be a list of coordinates, not \"x\""},
    {"{'coordinates':{}," L "}", "/coordinates", "not an object"},
    {"{'coordinates':['x',3]," L "}", "/coordinates/1", "\"coordinates[1]\" must be a name"},
    {"{'coordinates':[null]," L "}", "/coordinates/0", "not null"},
    {"{'coordinates':[{'period':1}]," L "}", "/coordinates/0", "\"name\" is missing"},
    {"{'coordinates':[{'name':'x','perod':1}]," L "}", "/coordinates/0/perod",
     "did you mean \"period\"?"},
    {"{'coordinates':[{'name':'x','period':0}]," L "}", "/coordinates/0/period",
     "must be a positive number, not 0"},
    {"{'coordinates':[{'name':'x','period':'2*pi'}]," L "}", "/coordinates/0/period",
     "must be a positive number"},
    {"{'coordinates':[{'name':'x','unit':1}]," L "}", "/coordinates/0/unit", "must be text"},
    {"{'name':1,'coordinates':['x']," L "}", "/name", "\"name\" must be text, not 1"},
    {"{'description':[],'coordinates':['x']," L "}", "/description", "not a list"},
    {"{'coordinates':['x'],'lagrangian':3}", "/lagrangian", "an expression as text, not 3"},
    {"{'parameters':{'m':'3'},'coordinates':['x']," L "}", "/parameters/m",
     "a number, or an object with \"value\" and \"unit\", not \"3\""},
    {"{'parameters':{'m':null},'coordinates':['x']," L "}", "/parameters/m", "not null"},
    {"{'parameters':[1],'coordinates':['x']," L "}", "/parameters", "an object of numbers"},
    {"{'definitions':{'u':1},'coordinates':['x']," L "}", "/definitions/u", "as text, not 1"},
    {"{'definitions':['u'],'coordinates':['x']," L "}", "/definitions", "an object of expressions"},
    {"{'constraints':'x','coordinates':['x']," L "}", "/constraints", "a list of equations"},
    {"{'constraints':[1],'coordinates':['x']," L "}", "/constraints/0", "an equation as text"},
    {"{'constraints':[{'name':'r'}],'coordinates':['x']," L "}", "/constraints/0",
     "\"equation\" is missing"},
    {"{'constraints':[{'equation':1}],'coordinates':['x']," L "}", "/constraints/0/equation",
     "not 1"},
    {"{'constraints':[{'equation':'x','kind':'linear'}],'coordinates':['x']," L "}",
     "/constraints/0/kind", "unknown member"},
    {"{'forces':{'x':[]},'coordinates':['x']," L "}", "/forces/x", "not a list"},
    {"{'symmetries':{},'coordinates':['x']," L "}", "/symmetries", "a list of vector fields"},
    {"{'symmetries':[{'name':'r'}],'coordinates':['x']," L "}", "/symmetries/0",
     "\"generator\" is missing"},
    {"{'symmetries':[{'name':'r','field':{}}],'coordinates':['x']," L "}", "/symmetries/0/field",
     "unknown member"},
    {"{'symmetries':[{'name':'r','generator':{'x':1}}],'coordinates':['x']," L "}",
     "/symmetries/0/generator/x", "not 1"},
    {"{'base':[1],'coordinates':['x']," L "}", "/base/0", "the name of a coordinate"},
    {"{'frame':[{'field':{'x':'1'}}],'coordinates':['x']," L "}", "/frame/0", "\"name\""},
    {"{'chart':{'map':{}},'coordinates':['x']," L "}", "/chart", "\"coordinates\" is missing"},
    {"{'chart':{'coordinates':['a'],'map':{'x':1}},'coordinates':['x']," L "}", "/chart/map/x",
     "not 1"},
    {"{'chart':{'coordinates':['a'],'map':{'x':'a'},'clock':'0'},'coordinates':['x']," L "}",
     "/chart/clock", "a number"},
};

START_TEST(a_wrong_model_is_refused_at_its_place)
{
    Reading *r = read_model_text(WRONG[_i].text);
    ck_assert(r->is_json);
    expect_mistake(r, WRONG[_i].pointer, WRONG[_i].fragment);
    reading_free(r);
}
END_TEST

START_TEST(all_mistakes_are_told_at_once)
{
    Reading *r = read_model_text("{'nam':'x','coordinates':[1,'x'],'parameters':{'m':true},"
                                 "'constraints':[[]],'lagrangian':{}}");
    ck_assert_uint_eq(r->diag.total, 5);
    expect_mistake(r, "/nam", "did you mean \"name\"?");
    expect_mistake(r, "/coordinates/0", "not 1");
    expect_mistake(r, "/parameters/m", "not true");
    expect_mistake(r, "/constraints/0", "not a list");
    expect_mistake(r, "/lagrangian", "not an object");
    reading_free(r);
}
END_TEST

START_TEST(many_mistakes_are_counted_but_cost_little)
{
    Text text = TEXT_INIT;
    text_puts(&text, "{'coordinates':['x']," L);
    for (int i = 0; i < 90000; i++)
        text_printf(&text, ",'lagrangiam%d':1", i);
    text_puts(&text, "}");
    Reading *r = read_model_text(text_string(&text));
    ck_assert_int_eq(r->status, ERR_INVALID);
    ck_assert_uint_eq(r->diag.count, DIAGNOSTICS_MAX);
    ck_assert_uint_eq(r->diag.total, 90000);
    reading_free(r);
    text_done(&text);
}
END_TEST

START_TEST(what_is_not_json_is_told_apart)
{
    Reading *r = read_model_text("{'coordinates':['x'],}");
    ck_assert_int_eq(r->status, ERR_INVALID);
    ck_assert(!r->is_json);
    ck_assert_uint_eq(r->diag.total, 1);
    ck_assert_int_eq(r->diag.items[0].offset, 21);
    expect_mistake(r, "", "line 1, column 22");
    reading_free(r);
}
END_TEST

START_TEST(the_id_of_a_model_does_not_depend_on_its_spelling)
{
    Reading *a = read_model_text("{'coordinates':['x'],'parameters':{'m':100,'k':2}," L "}");
    Reading *b = read_model_text("{ " L " , 'parameters':{'k':2.0,'m':1e2},'coordinates':[ 'x' ]}");
    Reading *c = read_model_text("{'coordinates':['x'],'parameters':{'m':100,'k':3}," L "}");
    ck_assert_int_eq(a->status, OK);
    ck_assert_str_eq(a->model.id, b->model.id);
    ck_assert_str_eq(a->model.canonical, b->model.canonical);
    ck_assert_str_ne(a->model.id, c->model.id);
    ck_assert_uint_eq(strlen(a->model.id), 64);
    ck_assert_uint_eq(a->model.canonical_size, strlen(a->model.canonical));
    reading_free(a);
    reading_free(b);
    reading_free(c);
}
END_TEST

START_TEST(too_little_memory_is_not_the_client_s_mistake)
{
    char *text = unquoted(FULL);
    int passed = 0;

    for (size_t limit = 64; !passed && limit < 1 << 20; limit += 64) {
        Arena *arena = arena_new(limit);
        static Diagnostics diag;
        ModelInput input;
        Error err = {0};
        diagnostics_init(&diag, arena);
        Status status = model_input_read(text, strlen(text), arena, &diag, &input, NULL, &err);
        passed = status == OK;
        ck_assert_msg(passed || status == ERR_NO_MEMORY, "%zu bytes: %s", limit, err.message);
        arena_free(arena);
    }
    ck_assert(passed);
    free(text);
}
END_TEST

START_TEST(members_of_a_model_are_taken_in_one_order)
{
    Reading *a = read_model_text(FULL);
    Reading *b = read_model_text(
        "{'parameters':{'k':-0.5,'m':3},'coordinates':['x','a'],'lagrangian':'dot(x)^2/2',"
        "'symmetries':[{'generator':{'a':'1','x':'1'},'name':'s'}]}");
    ck_assert(a->status == OK && b->status == OK);
    const ModelDocument *left = &a->model.document, *right = &b->model.document;

    ck_assert_uint_eq(left->n_parameters, right->n_parameters);
    for (size_t i = 0; i < left->n_parameters; i++)
        ck_assert_str_eq(left->parameters[i].name, right->parameters[i].name);
    for (size_t i = 0; i < left->symmetries[0].n_components; i++)
        ck_assert_str_eq(left->symmetries[0].components[i].name,
                         right->symmetries[0].components[i].name);
    reading_free(a);
    reading_free(b);
}
END_TEST

SUITE(model_document)
{
    TCase *tc = suite_case(suite, "model");
    tcase_add_test(tc, every_member_is_read_with_its_place);
    tcase_add_loop_test(tc, a_wrong_model_is_refused_at_its_place, 0, (int)LENGTH(WRONG));
    tcase_add_test(tc, all_mistakes_are_told_at_once);
    tcase_add_test(tc, many_mistakes_are_counted_but_cost_little);
    tcase_add_test(tc, what_is_not_json_is_told_apart);
    tcase_add_test(tc, the_id_of_a_model_does_not_depend_on_its_spelling);
    tcase_add_test(tc, members_of_a_model_are_taken_in_one_order);
    tcase_add_test(tc, too_little_memory_is_not_the_client_s_mistake);
}
