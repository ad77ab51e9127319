/* Ensembles in job documents: which members they have, what is kept and taken of them, and what is
 * refused where. */
#include <math.h>
#include <string.h>

#include "core/base/text.h"
#include "tests/api/reading.h"
#include "tests/suite.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])
#define JOB                                                                           \
    "'model':{'coordinates':['x'],'parameters':{'l':1},'lagrangian':'l*dot(x)^2/2'}," \
    "'initial':{'q':{'x':1}},'time':{'end':1},'events':[{'name':'top','when':'x'}],"
#define DESIGN(members) "{" JOB "'ensemble':{'design':{" members "}}}"
#define RANGE "'ranges':{'parameters.l':{'from':1,'to':2}}"
#define REDUCE(members) \
    "{" JOB "'vary':{'parameters.l':[1]},'ensemble':{'reduce':{'a':" members "}}}"

static Reading *read_well(const char *text)
{
    Reading *r = read_job_text(text);
    ck_assert_msg(r->status == OK, "%s", r->error.message);
    ck_assert_ptr_nonnull(r->job.design);
    return r;
}

START_TEST(lists_and_ranges_are_read)
{
    Reading *r = read_well("{" JOB "'vary':{'parameters.l':[1,'pi/2',-0.0],"
                           "'initial.q.x':{'from':'-pi','to':2,'count':7},"
                           "'time.end':{'from':1e-3,'to':1e3,'count':10000000,'log':true}}}");
    const DesignSpec *design = &r->job.ensemble.design;

    ck_assert_str_eq(r->job.design, "grid");
    ck_assert_int_eq(design->kind, DESIGN_GRID);
    ck_assert_uint_eq(design->n_axes, 3);
    const DesignAxis *l = &design->axes[0], *x = &design->axes[1], *end = &design->axes[2];
    ck_assert_str_eq(l->path, "parameters.l");
    ck_assert_str_eq(l->pointer, "/vary/parameters.l");
    ck_assert_int_eq(l->kind, AXIS_LIST);
    ck_assert_uint_eq(l->count, 3);
    ck_assert(l->list[0] == 1 && l->list[1] == acos(0) && signbit(l->list[2]));
    ck_assert_int_eq(x->kind, AXIS_RANGE);
    ck_assert(x->from == -acos(-1) && x->to == 2 && x->count == 7 && !x->log);
    ck_assert(end->from == 1e-3 && end->to == 1e3 && end->count == 10000000 && end->log);
    ck_assert_int_eq(r->job.ensemble.keep, KEEP_SUMMARY);
    ck_assert(!r->job.ensemble.stop_on_error && r->job.ensemble.timeout == 0);
    ck_assert_uint_eq(r->job.spec.n_reduce, 0);
    reading_free(r);
}
END_TEST

START_TEST(lists_may_be_zipped)
{
    Reading *r = read_well("{" JOB "'vary':{'parameters.l':[1,2],'initial.q.x':{'from':1,'to':2,"
                           "'count':2}},'ensemble':{'combine':'zip'}}");
    ck_assert_int_eq(r->job.ensemble.design.kind, DESIGN_ZIP);
    reading_free(r);
}
END_TEST

static const struct {
    const char *name;
    DesignKind kind;
} KINDS[] = {{"uniform", DESIGN_RANDOM},
             {"normal", DESIGN_RANDOM},
             {"lhs", DESIGN_LATIN},
             {"sobol", DESIGN_SOBOL},
             {"saltelli", DESIGN_SALTELLI}};

START_TEST(random_designs_are_read)
{
    Text text = TEXT_INIT;
    text_printf(&text,
                DESIGN("'kind':'%s','count':100,'seed':9007199254740992,"
                       "'ranges':{'initial.v.x':{'from':-1,'to':'pi'}}"),
                KINDS[_i].name);
    Reading *r = read_well(text_string(&text));
    const DesignSpec *design = &r->job.ensemble.design;
    ck_assert_str_eq(r->job.design, KINDS[_i].name);
    ck_assert_int_eq(design->kind, KINDS[_i].kind);
    ck_assert_uint_eq(design->count, 100);
    ck_assert_uint_eq(design->seed, UINT64_C(1) << 53);
    ck_assert_uint_eq(design->n_axes, 1);
    ck_assert_str_eq(design->axes[0].path, "initial.v.x");
    ck_assert_str_eq(design->axes[0].pointer, "/ensemble/design/ranges/initial.v.x");
    ck_assert(design->axes[0].from == -1 && design->axes[0].to == acos(-1));
    reading_free(r);
    text_done(&text);
}
END_TEST

START_TEST(normal_distributions_may_be_cut_off)
{
    Reading *r = read_well(DESIGN("'kind':'normal','count':3,'ranges':{"
                                  "'parameters.l':{'mean':1,'sd':0.1},"
                                  "'initial.q.x':{'mean':0,'sd':2,'from':0},"
                                  "'initial.v.x':{'from':1,'to':10,'log':true}}"));
    const DesignAxis *axes = r->job.ensemble.design.axes;
    ck_assert_int_eq(axes[0].kind, AXIS_NORMAL);
    ck_assert(axes[0].mean == 1 && axes[0].sd == 0.1);
    ck_assert(isinf(axes[0].least) && axes[0].least < 0 && isinf(axes[0].most));
    ck_assert(axes[1].least == 0 && isinf(axes[1].most));
    ck_assert_int_eq(axes[2].kind, AXIS_RANGE);
    ck_assert(axes[2].log);
    reading_free(r);
}
END_TEST

START_TEST(a_table_has_the_members_as_they_stand)
{
    Reading *r = read_well(DESIGN("'kind':'table','columns':{'parameters.l':[1,2,3],"
                                  "'initial.q.x':[0,'pi',-1]}"));
    const DesignSpec *design = &r->job.ensemble.design;
    ck_assert_int_eq(design->kind, DESIGN_ZIP);
    ck_assert_uint_eq(design->axes[1].count, 3);
    ck_assert(design->axes[1].list[1] == acos(-1));
    ck_assert_str_eq(design->axes[1].pointer, "/ensemble/design/columns/initial.q.x");
    reading_free(r);
}
END_TEST

static uint64_t seed_of(const char *text)
{
    Reading *r = read_well(text);
    const uint64_t seed = r->job.ensemble.design.seed;
    reading_free(r);
    return seed;
}

START_TEST(a_seed_that_is_not_given_follows_from_the_design)
{
    const uint64_t seed = seed_of(DESIGN("'kind':'lhs','count':10," RANGE));
    ck_assert(seed > 0 && seed < UINT64_C(1) << 53);
    ck_assert_uint_eq(seed, seed_of(DESIGN(RANGE ", 'count':1e1,'kind':'lhs'")));
    ck_assert_uint_ne(seed, seed_of(DESIGN("'kind':'lhs','count':11," RANGE)));
    ck_assert_uint_eq(0, seed_of(DESIGN("'kind':'lhs','count':10,'seed':0," RANGE)));
}
END_TEST

START_TEST(what_is_kept_is_read)
{
    Reading *r = read_well("{" JOB "'vary':{'parameters.l':[1]},'ensemble':{'keep':'trajectories',"
                           "'on_error':'stop','timeout':0.5}}");
    ck_assert_int_eq(r->job.ensemble.keep, KEEP_TRAJECTORIES);
    ck_assert(r->job.ensemble.stop_on_error && r->job.ensemble.timeout == 0.5);
    reading_free(r);
    r = read_well("{" JOB "'vary':{'parameters.l':[1]},'ensemble':{'keep':'events'}}");
    ck_assert_int_eq(r->job.ensemble.keep, KEEP_EVENTS);
    reading_free(r);
}
END_TEST

START_TEST(reductions_are_read)
{
    Reading *r = read_well(
        "{" JOB "'vary':{'parameters.l':[1]},'ensemble':{'reduce':{"
        "'top':{'of':'x^2','take':'max'},'when':{'take':'first_event','event':'top','nth':3},"
        "'n':{'take':'event_count','event':'top'},"
        "'basin':{'take':'label','when':[['x < 0',1],['x > 1',-2]],'else':0},"
        "'r':{'of':'floquet.radius','take':'finding'},"
        "'side':{'take':'label','when':[['x < 0',1]]}}}}");
    const ReduceSpec *reduce = r->job.spec.reduce;

    ck_assert_uint_eq(r->job.spec.n_reduce, 6);
    ck_assert_str_eq(reduce[0].name, "top");
    ck_assert_int_eq(reduce[0].take, REDUCE_MAX);
    ck_assert_str_eq(reduce[0].of.text, "x^2");
    ck_assert_str_eq(reduce[0].of.pointer, "/ensemble/reduce/top/of");
    ck_assert_int_eq(reduce[1].take, REDUCE_FIRST_EVENT);
    ck_assert_str_eq(reduce[1].event, "top");
    ck_assert(reduce[1].nth == 3 && !reduce[1].of.text);
    ck_assert_int_eq(reduce[2].take, REDUCE_EVENT_COUNT);
    ck_assert_int_eq(reduce[3].take, REDUCE_LABEL);
    ck_assert_uint_eq(reduce[3].n_cases, 2);
    ck_assert_str_eq(reduce[3].cases[1].when.text, "x > 1");
    ck_assert_str_eq(reduce[3].cases[1].when.pointer, "/ensemble/reduce/basin/when/1/0");
    ck_assert(reduce[3].cases[1].number == -2 && reduce[3].otherwise == 0);
    ck_assert_int_eq(reduce[4].take, REDUCE_FINDING);
    ck_assert_str_eq(reduce[4].of.text, "floquet.radius");
    ck_assert(isnan(reduce[5].otherwise));
    reading_free(r);
}
END_TEST

static const struct {
    const char *text, *pointer, *fragment;
} WRONG[] = {
    /* lists and ranges */
    {"{" JOB "'vary':[]}", "/vary", "an object by path, such as \"parameters.l\", not a list"},
    {"{" JOB "'vary':{'parameters.l':[]}}", "/vary/parameters.l", "must not be empty"},
    {"{" JOB "'vary':{'parameters.l':1}}", "/vary/parameters.l", "a list of values, or a range"},
    {"{" JOB "'vary':{'parameters.l':[1,'long']}}", "/vary/parameters.l/1",
     "unknown name \"long\""},
    {"{" JOB "'vary':{'parameters.l':[1,null]}}", "/vary/parameters.l/1", "a number, or"},
    {"{" JOB "'vary':{'parameters.l':[1],'parameters.l':[2]}}", "/vary/parameters.l", "twice"},
    {"{" JOB "'vary':{'parameters.l':{'from':1,'to':2,'count':0}}}", "/vary/parameters.l/count",
     "at least 1, not 0"},
    {"{" JOB "'vary':{'parameters.l':{'from':1,'to':2,'count':2.5}}}", "/vary/parameters.l/count",
     "not 2.5"},
    {"{" JOB "'vary':{'parameters.l':{'from':1,'to':2}}}", "/vary/parameters.l",
     "\"count\" is missing"},
    {"{" JOB "'vary':{'parameters.l':{'from':1,'to':2,'cuont':3}}}", "/vary/parameters.l/cuont",
     "did you mean \"count\"?"},
    {"{" JOB "'vary':{'parameters.l':{'from':-1,'to':2,'count':3,'log':true}}}",
     "/vary/parameters.l/log", "of one sign, not -1 and 2"},
    {"{" JOB "'vary':{'parameters.l':{'from':0,'to':2,'count':3,'log':true}}}",
     "/vary/parameters.l/log", "of one sign"},
    {"{" JOB "'vary':{'parameters.l':[1,2],'initial.q.x':[1]},'ensemble':{'combine':'zip'}}",
     "/vary/initial.q.x", "1 values, but parameters.l has 2"},
    {"{" JOB "'vary':{'parameters.l':[1]},'ensemble':{'combine':'product'}}", "/ensemble/combine",
     "one of grid, zip"},
    /* where the members come from */
    {"{" JOB "'ensemble':{'combine':'grid'}}", "/ensemble", "nothing is varied"},
    {"{" JOB "'vary':{}}", "/vary", "nothing is varied"},
    {"{" JOB "'vary':{},'ensemble':{'keep':'events'}}", "/vary", "nothing is varied"},
    {"{" JOB "'vary':{'parameters.l':[1]},'ensemble':{'design':{'kind':'lhs'}}}",
     "/ensemble/design", "leave one of them out"},
    {"{" JOB "'ensemble':{'combine':'zip','design':{'kind':'lhs','count':2," RANGE "}}}",
     "/ensemble/combine", "cannot be combined with \"design\""},
    {"{'formulation':'least-action','model':{'coordinates':['x'],'lagrangian':'dot(x)^2'},"
     "'boundary':{'start':{'t':0,'q':{'x':0}},'end':{'t':1,'q':{'x':1}}},"
     "'vary':{'parameters.l':[1]}}",
     "/vary", "a boundary problem has none"},
    {"{" JOB "'vary':{'parameters.l':[1]},'ensemble':{'statistics':{}}}", "/ensemble/statistics",
     "unknown member"},
    /* designs */
    {DESIGN("'count':3," RANGE), "/ensemble/design", "\"kind\" is missing"},
    {DESIGN("'kind':'latin','count':3," RANGE), "/ensemble/design/kind", "one of uniform, normal"},
    {DESIGN("'kind':'lhs'," RANGE), "/ensemble/design", "\"count\" is missing"},
    {DESIGN("'kind':'lhs','count':0," RANGE), "/ensemble/design/count", "at least 1, not 0"},
    {DESIGN("'kind':'lhs','count':'many'," RANGE), "/ensemble/design/count", "not \"many\""},
    {DESIGN("'kind':'lhs','count':3,'seed':-1," RANGE), "/ensemble/design/seed", "from 0 to 2^53"},
    {DESIGN("'kind':'lhs','count':3,'seed':0.5," RANGE), "/ensemble/design/seed", "not 0.5"},
    {DESIGN("'kind':'lhs','count':3"), "/ensemble/design", "\"ranges\" is missing"},
    {DESIGN("'kind':'lhs','count':3,'ranges':{}"), "/ensemble/design/ranges", "nothing is varied"},
    {DESIGN("'kind':'lhs','count':3,'ranges':{'parameters.l':[1,2]}"),
     "/ensemble/design/ranges/parameters.l", "a range, not a list"},
    {DESIGN("'kind':'lhs','count':3,'ranges':{'parameters.l':{'from':2,'to':1}}"),
     "/ensemble/design/ranges/parameters.l", "less than"},
    {DESIGN("'kind':'lhs','count':3,'ranges':{'parameters.l':{'from':1,'to':2,'count':4}}"),
     "/ensemble/design/ranges/parameters.l/count", "unknown member"},
    {DESIGN("'kind':'uniform','count':3,'ranges':{'parameters.l':{'mean':1,'sd':2}}"),
     "/ensemble/design/ranges/parameters.l", "no normal distributions"},
    {DESIGN("'kind':'normal','count':3,'ranges':{'parameters.l':{'mean':1}}"),
     "/ensemble/design/ranges/parameters.l", "\"sd\" is missing"},
    {DESIGN("'kind':'normal','count':3,'ranges':{'parameters.l':{'mean':1,'sd':0}}"),
     "/ensemble/design/ranges/parameters.l/sd", "positive number"},
    {DESIGN("'kind':'normal','count':3,'ranges':{'parameters.l':{'mean':1,'sd':1,'from':50}}"),
     "/ensemble/design/ranges/parameters.l", "the distribution is negligible"},
    {DESIGN(
         "'kind':'normal','count':3,'ranges':{'parameters.l':{'mean':1,'sd':1,'from':1,'to':1}}"),
     "/ensemble/design/ranges/parameters.l", "the distribution is negligible"},
    {DESIGN("'kind':'lhs','count':3," RANGE ",'columns':{'parameters.l':[1]}"),
     "/ensemble/design/columns", "cannot be combined with random designs"},
    {DESIGN("'kind':'table'," RANGE), "/ensemble/design/ranges", "cannot be combined with a table"},
    {DESIGN("'kind':'table'"), "/ensemble/design", "\"columns\" is missing"},
    {DESIGN("'kind':'table','seed':3,'columns':{'parameters.l':[1]}"), "/ensemble/design/seed",
     "cannot be combined with a table"},
    {DESIGN("'kind':'table','columns':{'parameters.l':{'from':1,'to':2,'count':3}}"),
     "/ensemble/design/columns/parameters.l", "a list of numbers"},
    {DESIGN("'kind':'table','columns':{'parameters.l':[1,2],'initial.q.x':[1,2,3]}"),
     "/ensemble/design/columns/initial.q.x", "3 values, but parameters.l has 2"},
    /* what is kept */
    {"{" JOB "'vary':{'parameters.l':[1]},'ensemble':{'keep':'all'}}", "/ensemble/keep",
     "one of summary, events, trajectories"},
    {"{" JOB "'vary':{'parameters.l':[1]},'ensemble':{'on_error':'ignore'}}", "/ensemble/on_error",
     "one of continue, stop"},
    {"{" JOB "'vary':{'parameters.l':[1]},'ensemble':{'timeout':0}}", "/ensemble/timeout",
     "positive number of seconds"},
    {"{" JOB "'vary':{'parameters.l':[1]},'ensemble':{'keeps':'summary'}}", "/ensemble/keeps",
     "did you mean \"keep\"?"},
    /* reductions */
    {REDUCE("{'of':'x'}"), "/ensemble/reduce/a", "\"take\" is missing"},
    {REDUCE("{'of':'x','take':'maximum'}"), "/ensemble/reduce/a/take", "one of last, min, max"},
    {REDUCE("{'take':'max'}"), "/ensemble/reduce/a", "\"of\" is missing"},
    {REDUCE("{'take':'max','of':2}"), "/ensemble/reduce/a/of", "an expression as text"},
    {REDUCE("{'take':'max','of':'x','event':'top'}"), "/ensemble/reduce/a/event",
     "cannot be combined with \"take\": \"max\""},
    {REDUCE("{'take':'max','of':'x','nth':2}"), "/ensemble/reduce/a/nth",
     "cannot be combined with"},
    {REDUCE("{'take':'first_event'}"), "/ensemble/reduce/a", "\"event\" is missing"},
    {REDUCE("{'take':'first_event','event':'tpo'}"), "/ensemble/reduce/a/event",
     "did you mean \"top\"?"},
    {REDUCE("{'take':'first_event','event':'top','nth':0}"), "/ensemble/reduce/a/nth",
     "at least 1"},
    {REDUCE("{'take':'event_count','event':'top','of':'x'}"), "/ensemble/reduce/a/of",
     "cannot be combined with"},
    {REDUCE("{'take':'label'}"), "/ensemble/reduce/a", "\"when\" is missing"},
    {REDUCE("{'take':'label','when':[]}"), "/ensemble/reduce/a/when", "a list of pairs"},
    {REDUCE("{'take':'label','when':[['x > 0']]}"), "/ensemble/reduce/a/when/0", "a pair"},
    {REDUCE("{'take':'label','when':[['x > 0',0.5]]}"), "/ensemble/reduce/a/when/0/1",
     "an integer, not 0.5"},
    {REDUCE("{'take':'label','when':[[1,1]]}"), "/ensemble/reduce/a/when/0/0",
     "a condition as text"},
    {REDUCE("{'take':'label','when':[['x > 0',1]],'else':'none'}"), "/ensemble/reduce/a/else",
     "an integer"},
    {REDUCE("{'take':'max','of':'x','over':1}"), "/ensemble/reduce/a/over", "unknown member"},
    {"{" JOB "'vary':{'parameters.l':[1]},'ensemble':{'reduce':{'':{'take':'max','of':'x'}}}}",
     "/ensemble/reduce/", "must not be empty"},
    {"{" JOB
     "'vary':{'parameters.l':[1]},'ensemble':{'reduce':{'reason':{'take':'max','of':'x'}}}}",
     "/ensemble/reduce/reason", "already"},
    {"{" JOB "'vary':{'parameters.l':[1]},'ensemble':{'reduce':[]}}", "/ensemble/reduce",
     "an object of columns by name"},
};

START_TEST(a_wrong_ensemble_is_refused_at_its_place)
{
    Reading *r = read_job_text(WRONG[_i].text);
    expect_mistake(r, WRONG[_i].pointer, WRONG[_i].fragment);
    reading_free(r);
}
END_TEST

/* Limits of lists are those of new documents. */
START_TEST(a_document_that_was_accepted_keeps_its_long_lists)
{
    Text text = TEXT_INIT;

    text_puts(&text, "{" JOB "'vary':{");
    for (int k = 0; k < JOB_MAX_VARIED + 1; k++)
        text_printf(&text, "%s'parameters.p%d':[1]", k ? "," : "", k);
    text_puts(&text, "}}");
    Reading *fresh = read_job_text(text_string(&text));
    expect_mistake(fresh, "/vary", "\"vary\" has 101 entries; at most 100 are allowed");
    Reading *accepted = read_job_with(text_string(&text), &(ModelSource){.accepted = "m"});
    ck_assert_int_eq(accepted->status, OK);
    ck_assert_uint_eq(accepted->job.ensemble.design.n_axes, JOB_MAX_VARIED + 1);
    reading_free(fresh);
    reading_free(accepted);
    text_done(&text);
}
END_TEST

START_TEST(a_document_that_was_accepted_with_nothing_varied_is_still_a_plain_job)
{
    Reading *r = read_job_with("{" JOB "'vary':{}}", &(ModelSource){.accepted = "m"});

    ck_assert_msg(r->status == OK, "%s", r->error.message);
    ck_assert(!r->job.design);
    reading_free(r);
}
END_TEST

START_TEST(all_mistakes_of_an_ensemble_are_told_at_once)
{
    Reading *r = read_job_text(
        "{" JOB "'ensemble':{'design':{'kind':'sobol','count':0,'ranges':{'parameters.l':{'from':2,"
        "'to':1}}},'keep':'x','reduce':{'a':{'take':'max','of':1},'b':{'take':'b'}},'timeout':-1}"
        "}");
    ck_assert_uint_eq(r->diag.total, 6);
    reading_free(r);
}
END_TEST

/* The last path of a grid runs fastest, and reductions are columns in their order. */
START_TEST(the_order_of_paths_and_reductions_is_part_of_the_request)
{
    static const char *const PAIRS[][2] = {
        {"{" JOB "'vary':{'parameters.l':[1,2],'initial.q.x':[1,2]}}",
         "{" JOB "'vary':{'initial.q.x':[1,2],'parameters.l':[1,2]}}"},
        {DESIGN("'kind':'lhs','count':2,'ranges':{'parameters.l':{'from':1,'to':2},"
                "'initial.q.x':{'from':1,'to':2}}"),
         DESIGN("'kind':'lhs','count':2,'ranges':{'initial.q.x':{'from':1,'to':2},"
                "'parameters.l':{'from':1,'to':2}}")},
        {"{" JOB "'vary':{'parameters.l':[1]},'ensemble':{'reduce':{'a':{'take':'max','of':'x'},"
         "'b':{'take':'min','of':'x'}}}}",
         "{" JOB "'vary':{'parameters.l':[1]},'ensemble':{'reduce':{'b':{'take':'min','of':'x'},"
         "'a':{'take':'max','of':'x'}}}}"},
    };
    Reading *a = read_well(PAIRS[_i][0]), *again = read_well(PAIRS[_i][0]);
    Reading *b = read_well(PAIRS[_i][1]);
    ck_assert_str_eq(a->job.request_hash, again->job.request_hash);
    ck_assert_str_ne(a->job.request_hash, b->job.request_hash);
    reading_free(a);
    reading_free(again);
    reading_free(b);
}
END_TEST

SUITE(ensemble_document)
{
    TCase *tc = suite_case(suite, "ensemble");
    tcase_add_test(tc, lists_and_ranges_are_read);
    tcase_add_test(tc, lists_may_be_zipped);
    tcase_add_loop_test(tc, random_designs_are_read, 0, (int)LENGTH(KINDS));
    tcase_add_test(tc, normal_distributions_may_be_cut_off);
    tcase_add_test(tc, a_table_has_the_members_as_they_stand);
    tcase_add_test(tc, a_seed_that_is_not_given_follows_from_the_design);
    tcase_add_test(tc, what_is_kept_is_read);
    tcase_add_test(tc, reductions_are_read);
    tcase_add_loop_test(tc, a_wrong_ensemble_is_refused_at_its_place, 0, (int)LENGTH(WRONG));
    tcase_add_test(tc, a_document_that_was_accepted_keeps_its_long_lists);
    tcase_add_test(tc, a_document_that_was_accepted_with_nothing_varied_is_still_a_plain_job);
    tcase_add_test(tc, all_mistakes_of_an_ensemble_are_told_at_once);
    tcase_add_loop_test(tc, the_order_of_paths_and_reductions_is_part_of_the_request, 0, 3);
}
