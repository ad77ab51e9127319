/* Job documents: what is read, what is refused where, and what is one request. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/documents/catalog.h"
#include "api/json/reader.h"
#include "core/integrate/methods.h"
#include "tests/api/reading.h"
#include "tests/suite.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])
#define MODEL "'model':{'coordinates':['x','y'],'lagrangian':'dot(x)^2/2+dot(y)^2/2'}"
#define INITIAL "'initial':{'q':{'x':1}}"
#define TIME "'time':{'end':1}"
#define BASE MODEL "," INITIAL "," TIME
#define LEAST_ACTION "{'formulation':'least-action'," MODEL

START_TEST(a_small_job_has_the_documented_defaults)
{
    Reading *r = read_job_text("{" BASE "}");
    ck_assert_msg(r->status == OK, "%s", r->error.message);
    const JobInput *job = &r->job;

    ck_assert_str_eq(job->spec.formulation, "lagrange-dalembert");
    ck_assert(job->spec.initial.t == 0 && job->spec.time.end == 1);
    ck_assert_int_eq(job->spec.time.kind, TIME_SAMPLES);
    ck_assert_uint_eq(job->spec.time.samples, 201);
    ck_assert_int_eq(job->spec.initial.consistency, CONSISTENCY_REQUIRE);
    ck_assert(job->spec.integrator.rtol == 1e-10 && job_spec_atol(&job->spec) == 1e-12 &&
              job->spec.integrator.projection);
    ck_assert_str_eq(job->spec.integrator.method, "auto");
    ck_assert_str_eq(job->labels, "{}");
    ck_assert(job->cache && job->priority == 0 && job->timeout == 0);
    ck_assert_uint_eq(job->n_warnings, 0);
    ck_assert_str_eq(job->model.document.lagrangian.pointer, "/model/lagrangian");
    reading_free(r);
}
END_TEST

START_TEST(every_member_is_read)
{
    Reading *r = read_job_text(
        "{" MODEL ",'parameters':{'m':2},'formulation':'lagrange-dalembert',"
        "'initial':{'t':'1/4','q':{'x':'pi/3','y':-2},'v':{'y':1e-3},'consistency':'project'},"
        "'time':{'end':'-2*pi','every':0.5},"
        "'integrator':{'method':'dop853','rtol':1e-14,'atol':1e-300,'projection':false,"
        "'max_steps':1000000000000,'max_step':0.5,'nominal':{'dot(x)':2}},'observe':{'s':'dot(x)','"
        "e':'energy()'},"
        "'events':[{'name':'a','when':'x'},{'name':'b','when':'y','direction':'falling',"
        "'terminal':true,'set':{'dot(y)':'-dot(y)'}}],"
        "'analyses':['energy',{'name':'energy'}],'compare':[],'accuracy':false,'sensitivities':[],"
        "'ensemble':{},"
        "'timeout':1.5,'priority':-1000,'labels':{'b':'2','a':''},'cache':false}");
    ck_assert_msg(r->status == OK, "%s", r->error.message);
    const JobSpec *spec = &r->job.spec;

    ck_assert(spec->parameters[0].value == 2 && spec->initial.t == 0.25);
    ck_assert(fabs(spec->initial.q[0].value - acos(0.5)) < 1e-15);
    ck_assert_str_eq(spec->initial.q[0].pointer, "/initial/q/x");
    ck_assert(spec->initial.q[1].value == -2 && spec->initial.v[0].value == 1e-3);
    ck_assert_int_eq(spec->initial.consistency, CONSISTENCY_PROJECT);
    ck_assert_int_eq(spec->time.kind, TIME_EVERY);
    ck_assert(spec->time.every == 0.5 && fabs(spec->time.end + 2 * acos(-1)) < 1e-15);
    ck_assert(spec->integrator.rtol == 1e-14 && spec->integrator.atol == 1e-300 &&
              !spec->integrator.projection);
    ck_assert_uint_eq(spec->integrator.max_steps, 1000000000000);
    ck_assert(spec->integrator.max_step == 0.5);
    ck_assert(spec->integrator.n_nominal == 1 && spec->integrator.nominal[0].value == 2);
    ck_assert_str_eq(spec->integrator.nominal[0].pointer, "/integrator/nominal/dot(x)");
    ck_assert_uint_eq(spec->n_observe, 2);
    ck_assert_str_eq(spec->observe[1].name, "e");
    ck_assert_str_eq(spec->observe[1].pointer, "/observe/e");
    ck_assert_uint_eq(spec->n_events, 2);
    ck_assert_str_eq(spec->events[0].when.pointer, "/events/0/when");
    ck_assert(spec->events[0].direction == 0 && !spec->events[0].terminal);
    ck_assert(spec->events[1].direction == -1 && spec->events[1].terminal);
    ck_assert_str_eq(spec->events[1].set[0].name, "dot(y)");
    ck_assert_str_eq(spec->events[1].set[0].pointer, "/events/1/set/dot(y)");
    ck_assert(!r->job.design);
    ck_assert(r->job.timeout == 1.5 && r->job.priority == -1000 && !r->job.cache);
    ck_assert_str_eq(r->job.labels, "{\"a\":\"\",\"b\":\"2\"}");
    reading_free(r);
}
END_TEST

START_TEST(instants_are_read_in_either_direction)
{
    Reading *r = read_job_text("{" MODEL "," INITIAL ",'time':{'at':[0,'-1/2',-3]}}");
    ck_assert_msg(r->status == OK, "%s", r->error.message);
    ck_assert_int_eq(r->job.spec.time.kind, TIME_AT);
    ck_assert_uint_eq(r->job.spec.time.n_at, 3);
    ck_assert(r->job.spec.time.at[1] == -0.5 && r->job.spec.time.at[2] == -3);
    reading_free(r);
    r = read_job_text("{" MODEL ",'initial':{'t':2},'time':{'at':[3,4]}}");
    ck_assert_int_eq(r->status, OK);
    reading_free(r);
}
END_TEST

static const struct {
    const char *text, *pointer, *fragment;
} WRONG[] = {
    {"[]", "", "must be a job (an object), not a list"},
    {"{}", "", "\"model\" is missing"},
    {"{}", "", "\"initial\" is missing; write \"initial\": {} to start at zero and at rest"},
    {"{}", "", "\"time\" is missing"},
    {"{'intial':{}," BASE "}", "/intial", "did you mean \"initial\"?"},
    {"{'name':'x','title':'y','job':{" BASE "}}", "/job", "post only the value of \"job\""},
    {"{'Time':{}," BASE "}", "/Time", "did you mean \"time\"?"},
    {"{'model':[]," INITIAL "," TIME "}", "/model", "not a list"},
    {"{'model':{'coordinates':['x'],'lagrange':'1'}," INITIAL "," TIME "}", "/model",
     "\"lagrangian\" is missing"},
    {"{'model':{'coordinates':['x','y'],'lagrangian':'1','id':'z'}," INITIAL "," TIME "}",
     "/model/id", "unknown member"},
    {"{'model':{'catalog':'no-such-system'}," INITIAL "," TIME "}", "/model/catalog",
     "no system \"no-such-system\""},
    {"{'model':{'catalog':7}," INITIAL "," TIME "}", "/model/catalog", "not 7"},
    {"{'model':{'catalog':'x','name':'y'}," INITIAL "," TIME "}", "/model/name", "unknown member"},
    {"{'model':{'id':'x'}," INITIAL "," TIME "}", "/model/id", "no stored models"},
    {"{'parameters':{'m':'1'}," BASE "}", "/parameters/m", "a number, not \"1\""},
    {"{'formulation':'Lagrange'," BASE "}", "/formulation", "must be one of lagrange-dalembert"},
    {"{'formulation':'lagrange-dalambert'," BASE "}", "/formulation",
     "did you mean \"lagrange-dalembert\"?"},
    {"{'formulation':1," BASE "}", "/formulation", "not 1"},
    /* initial */
    {"{" MODEL "," TIME ",'initial':[]}", "/initial", "not a list"},
    {"{" MODEL "," TIME ",'initial':{'x':1}}", "/initial/x", "known members: t, q, v"},
    {"{" MODEL "," TIME ",'initial':{'vary':1}}", "/initial/vary",
     "write it at the top level of the document"},
    {"{" MODEL "," TIME ",'initial':{'q':{'x':true}}}", "/initial/q/x", "not true"},
    {"{" MODEL "," TIME ",'initial':{'q':[1,2]}}", "/initial/q", "an object of numbers"},
    {"{" MODEL "," TIME ",'initial':{'v':{'x':'1/0'}}}", "/initial/v/x", ""},
    {"{" MODEL "," TIME ",'initial':{'v':{'x':'y+1'}}}", "/initial/v/x", ""},
    {"{" MODEL "," TIME ",'initial':{'t':null}}", "/initial/t", "not null"},
    {"{" MODEL "," TIME ",'initial':{'consistency':'requires'}}", "/initial/consistency",
     "did you mean \"require\"?"},
    {"{" MODEL "," TIME ",'initial':{'hold':'x'}}", "/initial/hold", "a list of coordinates"},
    {"{" MODEL "," TIME ",'initial':{'hold':['x',1]}}", "/initial/hold/1", "not 1"},
    {"{" MODEL "," TIME ",'initial':{'mu':1}}", "/initial/mu", "or \"momentum\", not 1"},
    {"{" MODEL "," TIME ",'initial':{'mu':'momenta'}}", "/initial/mu", "not \"momenta\""},
    {"{" MODEL "," TIME ",'initial':{'mu':[1,null]}}", "/initial/mu/1", "not null"},
    {"{" MODEL "," TIME ",'initial':{'chart':[]}}", "/initial/chart", "not a list"},
    {"{" MODEL "," TIME ",'initial':{'chart':{'a':1}}}", "/initial/chart/a", "known members: q, v"},
    {"{" MODEL "," TIME ",'initial':{'chart':{'q':{'a':1}},'q':{'x':1}}}", "/initial/q",
     "cannot be mixed"},
    {"{" MODEL "," TIME ",'initial':{'chart':{},'v':{'x':1}}}", "/initial/v", "cannot be mixed"},
    /* boundary */
    {"{" MODEL ",'boundary':{'start':{'t':0},'end':{'t':1}}}", "/boundary",
     "\"formulation\": \"least-action\""},
    {"{'formulation':'least-action'," BASE "}", "/formulation", "takes a boundary problem"},
    {LEAST_ACTION "," INITIAL ",'boundary':{'start':{'t':0},'end':{'t':1}}}", "/initial",
     "exclude each other"},
    {LEAST_ACTION ",'boundary':[]}", "/boundary", "not a list"},
    {LEAST_ACTION ",'boundary':{'start':{'t':0}}}", "/boundary", "\"end\" is missing"},
    {LEAST_ACTION ",'boundary':{'start':{},'end':{'t':1}}}", "/boundary/start", "\"t\" is missing"},
    {LEAST_ACTION ",'boundary':{'start':{'t':0,'v':{}},'end':{'t':1}}}", "/boundary/start/v",
     "known members: t, q"},
    {LEAST_ACTION ",'boundary':{'start':{'t':'2-1'},'end':{'t':1}}}", "/boundary/end/t",
     "must be later than the start"},
    {LEAST_ACTION ",'boundary':{'start':{'t':0,'q':{'x':null}},'end':{'t':1}}}",
     "/boundary/start/q/x", "not null"},
    {LEAST_ACTION ",'boundary':{'start':{'t':0},'end':{'t':1},'guesses':{}}}", "/boundary/guesses",
     "a list of guesses"},
    {LEAST_ACTION ",'boundary':{'start':{'t':0},'end':{'t':1},'guesses':[{}]}}",
     "/boundary/guesses/0", "\"v\" is missing"},
    {LEAST_ACTION ",'boundary':{'start':{'t':0},'end':{'t':1},'guesses':[{'q':{}}]}}",
     "/boundary/guesses/0/q", "unknown member"},
    {LEAST_ACTION ",'boundary':{'start':{'t':0,'chart':{'q':{}}},'end':{'t':1}}}", "/boundary/end",
     "cannot be mixed"},
    {LEAST_ACTION ",'boundary':{'start':{'t':0},'end':{'t':1,'chart':{'q':{}}}}}",
     "/boundary/end/chart", "cannot be mixed"},
    {LEAST_ACTION ",'boundary':{'start':{'t':0,'q':{},'chart':{'q':{}}},'end':{'t':1,'chart':"
                  "{'q':{}}}}}",
     "/boundary/start/q", "cannot be mixed"},
    {LEAST_ACTION ",'boundary':{'start':{'t':0,'chart':{'v':{}}},'end':{'t':1,'chart':{'q':{}}}}}",
     "/boundary/start/chart/v", "unknown member"},
    {LEAST_ACTION ",'boundary':{'start':{'t':0,'chart':{'q':{}}},'end':{'t':1,'chart':{'q':{}}},"
                  "'guesses':[{'v':{}}]}}",
     "/boundary/guesses/0", "cannot be mixed"},
    {LEAST_ACTION ",'boundary':{'start':{'t':0},'end':{'t':1}},'time':{'end':2}}", "/time/end",
     "the path ends at boundary.end.t, which is 1"},
    {LEAST_ACTION ",'boundary':{'start':{'t':0},'end':{'t':1}},'time':{'at':[0.5,2]}}", "/time/at",
     "beyond the end"},
    {LEAST_ACTION ",'boundary':{'start':{'t':0},'end':{'t':1}},'compare':['lagrange-dalembert']}",
     "/compare", "no motion to compare"},
    /* time */
    {"{" MODEL "," INITIAL ",'time':5}", "/time", "must be an object, not 5"},
    {"{" MODEL "," INITIAL ",'time':{}}", "/time", "\"end\" is missing"},
    {"{" MODEL "," INITIAL ",'time':{'samples':10}}", "/time", "\"end\" is missing"},
    {"{" MODEL "," INITIAL ",'time':{'end':1,'sample':10}}", "/time/sample",
     "did you mean \"samples\"?"},
    {"{" MODEL "," INITIAL ",'time':{'end':1,'dt':0.1}}", "/time/dt", "did you mean \"every\"?"},
    {"{" MODEL "," INITIAL ",'time':{'end':1,'samples':'many'}}", "/time/samples",
     "\"time.samples\" must be an integer of at least 2, not \"many\""},
    {"{" MODEL "," INITIAL ",'time':{'end':1,'samples':1}}", "/time/samples", "at least 2, not 1"},
    {"{" MODEL "," INITIAL ",'time':{'end':1,'samples':2.5}}", "/time/samples", "not 2.5"},
    {"{" MODEL "," INITIAL ",'time':{'end':1,'samples':1e10}}", "/time/samples",
     "at most 1000000000"},
    {"{" MODEL "," INITIAL ",'time':{'end':1,'samples':1e300}}", "/time/samples", "integer"},
    {"{" MODEL "," INITIAL ",'time':{'end':0}}", "/time/end", "must differ from initial.t"},
    {"{" MODEL ",'initial':{'t':'2*2'},'time':{'end':4}}", "/time/end", "which is 4"},
    {"{" MODEL "," INITIAL ",'time':{'end':1,'every':0}}", "/time/every", "positive number, not 0"},
    {"{" MODEL "," INITIAL ",'time':{'end':-1,'every':-0.1}}", "/time/every",
     "direction follows from time.end"},
    {"{" MODEL "," INITIAL ",'time':{'end':1,'every':0.1,'samples':3}}", "/time",
     "exclude each other"},
    {"{" MODEL "," INITIAL ",'time':{'end':1,'at':[1]}}", "/time", "excludes all other members"},
    {"{" MODEL "," INITIAL ",'time':{'at':[]}}", "/time/at", "at least one"},
    {"{" MODEL "," INITIAL ",'time':{'at':3}}", "/time/at", "not 3"},
    {"{" MODEL "," INITIAL ",'time':{'at':[1,3,2]}}", "/time/at/2", "2 does not follow 3"},
    {"{" MODEL "," INITIAL ",'time':{'at':[1,1]}}", "/time/at/1", "1 does not follow 1"},
    {"{" MODEL "," INITIAL ",'time':{'at':[-1,1]}}", "/time/at/0", "-1 does not follow 0"},
    {"{" MODEL "," INITIAL ",'time':{'at':[1,'two']}}", "/time/at/1", ""},
    {"{" MODEL "," INITIAL ",'time':{'at':[1,null]}}", "/time/at/1", "\"time.at[1]\" must be"},
    /* integrator */
    {"{" BASE ",'integrator':'dop853'}", "/integrator", "must be an object"},
    {"{" BASE ",'integrator':{'method':'dopri'}}", "/integrator/method", "must be one of auto"},
    {"{" BASE ",'integrator':{'method':'dop835'}}", "/integrator/method",
     "did you mean \"dop853\"?"},
    {"{" BASE ",'integrator':{'method':'taylor'}}", "/integrator/method",
     "\"taylor\" is not available in this version"},
    {"{" BASE ",'integrator':{'rtol':1e-16}}", "/integrator/rtol", "in [1e-15, 0.1], not 1e-16"},
    {"{" BASE ",'integrator':{'rtol':1}}", "/integrator/rtol", "in [1e-15, 0.1]"},
    {"{" BASE ",'integrator':{'rtol':'1e-9'}}", "/integrator/rtol", "not \"1e-9\""},
    {"{" BASE ",'integrator':{'atol':0}}", "/integrator/atol", "a positive number, not 0"},
    {"{" BASE ",'integrator':{'projection':1}}", "/integrator/projection", "true or false, not 1"},
    {"{" BASE ",'integrator':{'max_steps':0}}", "/integrator/max_steps", "from 1 to 10^12"},
    {"{" BASE ",'integrator':{'max_step':0}}", "/integrator/max_step", "a positive number, not 0"},
    {"{" BASE ",'integrator':{'max_step':'1'}}", "/integrator/max_step", "a positive number"},
    {"{" BASE ",'integrator':{'nominal':1}}", "/integrator/nominal", "an object"},
    {"{" BASE ",'integrator':{'nominal':{'x':'1'}}}", "/integrator/nominal/x", "a number"},
    {"{" BASE ",'integrator':{'method':'rk4'}}", "/integrator", "\"step\" is missing"},
    {"{" BASE ",'integrator':{'method':'rk4','step':-1}}", "/integrator/step", "positive"},
    {"{" BASE ",'integrator':{'step':0.1}}", "/integrator/step", "chooses its steps itself"},
    {"{" BASE ",'integrator':{'tol':1}}", "/integrator/tol", "unknown member"},
    /* observe, events */
    {"{" BASE ",'observe':['x']}", "/observe", "not a list"},
    {"{" BASE ",'observe':{'s':1}}", "/observe/s", "not 1"},
    {"{" BASE ",'observe':{'':'x'}}", "/observe/", "must not be empty"},
    {"{" BASE ",'events':{}}", "/events", "a list of events"},
    {"{" BASE ",'events':['x']}", "/events/0", "an object with \"name\" and \"when\""},
    {"{" BASE ",'events':[{'when':'x'}]}", "/events/0", "\"name\" is missing"},
    {"{" BASE ",'events':[{'name':'a'}]}", "/events/0", "\"when\" is missing"},
    {"{" BASE ",'events':[{'name':'','when':'x'}]}", "/events/0/name", "a name"},
    {"{" BASE ",'events':[{'name':'a','when':'x'},{'name':'a','when':'y'}]}", "/events/1/name",
     "two events have the name"},
    {"{" BASE ",'events':[{'name':'a','when':'x','direction':'up'}]}", "/events/0/direction",
     "one of falling, any, rising"},
    {"{" BASE ",'events':[{'name':'a','when':'x','terminal':'yes'}]}", "/events/0/terminal",
     "true or false"},
    {"{" BASE ",'events':[{'name':'a','when':'x','set':{'x':0}}]}", "/events/0/set/x", "not 0"},
    {"{" BASE ",'events':[{'name':'a','when':'x','then':{}}]}", "/events/0/then", "unknown member"},
    /* what later versions do */
    {"{" BASE ",'analyses':'energy'}", "/analyses", "a list of analyses"},
    {"{" BASE ",'analyses':[{}]}", "/analyses/0", "\"name\" is missing"},
    {"{" BASE ",'compare':'hamel'}", "/compare", "a list of formulations"},
    {"{" BASE ",'compare':['newton']}", "/compare/0", "must be one of lagrange-dalembert"},
    {"{" BASE ",'compare':['lagrange-dalembert']}", "/compare/0", "the formulation of the job"},
    {"{" BASE ",'accuracy':'yes'}", "/accuracy", "true or false, not \"yes\""},
    {"{" BASE ",'sensitivities':[3]}", "/sensitivities/0", "path"},
    /* the service's members */
    {"{" BASE ",'timeout':0}", "/timeout", "positive number of seconds, not 0"},
    {"{" BASE ",'timeout':'60'}", "/timeout", "not \"60\""},
    {"{" BASE ",'priority':1001}", "/priority", "from -1000 to 1000"},
    {"{" BASE ",'priority':0.5}", "/priority", "not 0.5"},
    {"{" BASE ",'cache':'yes'}", "/cache", "true or false"},
    {"{" BASE ",'labels':[]}", "/labels", "not a list"},
    {"{" BASE ",'labels':{'a':1}}", "/labels/a", "must be text, not 1"},
    {"{" BASE ",'labels':{'':'x'}}", "/labels/", "1 to 63 bytes"},
    {"{" BASE ",'labels':{'"
     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa':''}}",
     "/labels/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "this one 64"},
};

START_TEST(a_wrong_job_is_refused_at_its_place)
{
    Reading *r = read_job_text(WRONG[_i].text);
    ck_assert(r->is_json);
    expect_mistake(r, WRONG[_i].pointer, WRONG[_i].fragment);
    reading_free(r);
}
END_TEST

START_TEST(initial_multipliers_are_read_in_three_ways)
{
    Reading *r = read_job_text("{" MODEL "," TIME ",'initial':{'mu':[1,'x - dot(y)']}}");
    ck_assert_msg(r->status == OK, "%s", r->error.message);
    ck_assert(r->job.spec.initial.mu_given && !r->job.spec.initial.mu_momentum);
    ck_assert_uint_eq(r->job.spec.initial.n_mu, 2);
    ck_assert(r->job.spec.initial.mu[0].value == 1 && !r->job.spec.initial.mu[0].text);
    ck_assert(!r->job.spec.initial.mu[1].name);
    ck_assert_str_eq(r->job.spec.initial.mu[1].text, "x - dot(y)");
    ck_assert_str_eq(r->job.spec.initial.mu[1].pointer, "/initial/mu/1");
    reading_free(r);
    r = read_job_text("{" MODEL "," TIME ",'initial':{'mu':{'rolling':-0.5}}}");
    ck_assert_uint_eq(r->job.spec.initial.n_mu, 1);
    ck_assert_str_eq(r->job.spec.initial.mu[0].name, "rolling");
    ck_assert(r->job.spec.initial.mu[0].value == -0.5);
    reading_free(r);
    r = read_job_text("{" MODEL "," TIME ",'initial':{'mu':'momentum'}}");
    ck_assert(r->job.spec.initial.mu_given && r->job.spec.initial.mu_momentum);
    reading_free(r);
    r = read_job_text("{" BASE "}");
    ck_assert(!r->job.spec.initial.mu_given);
    reading_free(r);
}
END_TEST

START_TEST(a_state_in_the_chart_is_read)
{
    Reading *r = read_job_text("{" MODEL ",'initial':{'t':1,'chart':{'q':{'a':'pi'},'v':{'a':2}}},"
                               "'time':{'end':2}}");
    ck_assert_msg(r->status == OK, "%s", r->error.message);
    ck_assert(r->job.spec.initial.in_chart && r->job.spec.initial.t == 1);
    ck_assert_str_eq(r->job.spec.initial.chart_q[0].pointer, "/initial/chart/q/a");
    ck_assert(r->job.spec.initial.n_chart_v == 1 && r->job.spec.initial.chart_v[0].value == 2);
    ck_assert_uint_eq(r->job.spec.initial.n_q, 0);
    reading_free(r);
}
END_TEST

START_TEST(a_boundary_problem_has_its_times_from_its_ends)
{
    Reading *r =
        read_job_text(LEAST_ACTION ",'boundary':{'start':{'t':'1/2','q':{'x':1}},'end':{'t':2,"
                                   "'q':{'y':'sqrt(4)'}},'guesses':[{'v':{'x':1}},{'v':{}}]},"
                                   "'time':{'samples':7}}");
    const JobSpec *spec = &r->job.spec;
    if (!formulation_find("least-action")) {
        expect_mistake(r, "/formulation", "not available in this version");
        ck_assert_uint_eq(r->diag.total, 1);
        reading_free(r);
        return;
    }
    ck_assert_msg(r->status == OK, "%s", r->error.message);
    ck_assert(spec->boundary.given && spec->initial.t == 0.5 && spec->time.end == 2);
    ck_assert_uint_eq(spec->time.samples, 7);
    ck_assert(spec->boundary.end.q[0].value == 2);
    ck_assert_uint_eq(spec->boundary.n_guesses, 2);
    ck_assert(spec->boundary.guesses[0].v[0].value == 1 && spec->boundary.guesses[1].n_v == 0);
    reading_free(r);
}
END_TEST

START_TEST(what_another_job_would_say_is_not_missing)
{
    Reading *r = read_job_text("{'ensemble':{'members_of':{'job':'J'}},'time':{'end':80}}");
    expect_mistake(r, "/ensemble/members_of", "post the document to the service");
    ck_assert_uint_eq(r->diag.total, 1);
    reading_free(r);
}
END_TEST

/* The names of the document format; a version need not have them all. */
static const char *const FORMULATIONS[] = {"lagrange-dalembert", "hamel",       "voronec",
                                           "chaplygin",          "hamiltonian", "vakonomic",
                                           "intrinsic",          "moving-frame"};

START_TEST(every_formulation_is_read_or_not_yet_available)
{
    const char *name = FORMULATIONS[_i];
    for (int as_second = 0; as_second < 2; as_second++) {
        Text text = TEXT_INIT;
        text_printf(&text,
                    as_second && _i > 0 ? "{" BASE ",'compare':['%s']}"
                                        : "{" BASE ",'formulation':'%s'}",
                    name);
        Reading *r = read_job_text(text_string(&text));
        if (formulation_find(name))
            ck_assert_msg(r->status == OK, "%s: %s", name, r->error.message);
        else
            expect_mistake(r, as_second ? "/compare/0" : "/formulation", "not available");
        reading_free(r);
        text_done(&text);
    }
}
END_TEST

START_TEST(only_as_many_labels_as_stated)
{
    for (int n = 32; n <= 33; n++) {
        Text text = TEXT_INIT;
        text_puts(&text, "{" BASE ",'labels':{");
        for (int i = 0; i < n; i++)
            text_printf(&text, "%s'k%d':'v'", i ? "," : "", i);
        text_puts(&text, "}}");
        Reading *r = read_job_text(text_string(&text));
        if (n == 32)
            ck_assert_int_eq(r->status, OK);
        else
            expect_mistake(r, "/labels", "at most 32");
        reading_free(r);
        text_done(&text);
    }
}
END_TEST

START_TEST(mistakes_of_all_parts_are_told_at_once)
{
    Reading *r = read_job_text("{'model':{'coordinates':['x'],'lagrangian':'dot(x)^2/2-thta'},"
                               "'initial':{'q':{'x':[]}},'time':{'end':1,'samples':0},'vary':[1],"
                               "'prority':1}");
    expect_mistake(r, "/model/lagrangian", "thta");
    expect_mistake(r, "/initial/q/x", "not a list");
    expect_mistake(r, "/time/samples", "at least 2");
    expect_mistake(r, "/vary", "an object by path");
    expect_mistake(r, "/prority", "did you mean \"priority\"?");
    ck_assert_uint_eq(r->diag.total, 5);
    reading_free(r);
}
END_TEST

START_TEST(an_unknown_member_does_not_hide_mistakes_in_the_expressions)
{
    Reading *r = read_job_text("{'model':{'coordinates':['x'],'lagrangian':'dot(x)^2/2-thta',"
                               "'forcs':{}},'initial':{},'time':{'end':1}}");
    expect_mistake(r, "/model/forcs", "did you mean \"forces\"?");
    expect_mistake(r, "/model/lagrangian", "thta");
    reading_free(r);
    r = read_model_text("{'coordinates':['x'],'lagrangian':'dot(x)^2/2-thta','forcs':{}}");
    expect_mistake(r, "/forcs", "unknown member");
    expect_mistake(r, "/lagrangian", "thta");
    reading_free(r);
}
END_TEST

START_TEST(a_fixed_step_is_read_and_useless_tolerances_are_remarked)
{
    Reading *r = read_job_text("{" BASE ",'integrator':{'method':'rk4','step':0.25,'rtol':1e-3}}");
    ck_assert_msg(r->status == OK, "%s", r->error.message);
    ck_assert(r->job.spec.integrator.step == 0.25);
    ck_assert_uint_eq(r->job.n_warnings, 1);
    ck_assert_ptr_nonnull(strstr(r->job.warnings[0], "fixed step"));
    reading_free(r);
}
END_TEST

START_TEST(symmetries_are_read)
{
    Reading *r = read_job_text("{'model':{'coordinates':['x'],'lagrangian':'dot(x)^2/2',"
                               "'symmetries':[{'name':'s','generator':{'x':'1'}}]},"
                               "'initial':{},'time':{'end':1}}");
    ck_assert_msg(r->status == OK, "%s", r->error.message);
    ck_assert_uint_eq(r->job.n_warnings, 0);
    ck_assert_uint_eq(r->job.model.document.n_symmetries, 1);
    reading_free(r);
}
END_TEST

static const struct {
    const char *a, *b;
    bool same;
} REQUESTS[] = {
    {"{" BASE "}", "{ " TIME "," MODEL "," INITIAL "}", true},
    {"{" BASE "}", "{" BASE ",'labels':{'a':'b'},'priority':3,'timeout':7,'cache':false}", true},
    {"{" MODEL "," INITIAL ",'time':{'end':10}}", "{" MODEL "," INITIAL ",'time':{'end':1e1}}",
     true},
    {"{" BASE "}", "{" MODEL "," INITIAL ",'time':{'end':1.5}}", false},
    {"{" BASE "}", "{" BASE ",'observe':{'s':'x'}}", false},
    /* columns come in the order of the document */
    {"{" BASE ",'observe':{'s':'x','r':'y'}}", "{" BASE ",'observe':{'r':'y','s':'x'}}", false},
};

START_TEST(a_request_is_known_by_what_its_answer_depends_on)
{
    Reading *a = read_job_text(REQUESTS[_i].a), *b = read_job_text(REQUESTS[_i].b);
    ck_assert(a->status == OK && b->status == OK);
    ck_assert_int_eq(strcmp(a->job.request_hash, b->job.request_hash) == 0, REQUESTS[_i].same);
    reading_free(a);
    reading_free(b);
}
END_TEST

static Status fake_stored(void *self, const char *id, Arena *arena, const char **ret_text,
                          size_t *ret_size, Error *err)
{
    static const char TEXT[] =
        "{\"coordinates\":[\"x\",\"y\"],\"lagrangian\":\"dot(x)^2/2+dot(y)^2/2\"}";
    (void)self, (void)arena;
    if (strcmp(id, "broken") == 0)
        return error_set(err, ERR_IO, "the disk is gone");
    if (strcmp(id, "good") != 0)
        return error_set(err, ERR_NOT_FOUND, "no such model");
    *ret_text = TEXT;
    *ret_size = sizeof TEXT - 1;
    return OK;
}

START_TEST(a_stored_model_is_the_same_as_an_inline_one)
{
    const ModelSource source = {NULL, fake_stored, NULL, NULL};
    Reading *stored = read_job_with("{'model':{'id':'good'}," INITIAL "," TIME "}", &source);
    Reading *inline_one = read_job_text("{" BASE "}");
    ck_assert_msg(stored->status == OK, "%s", stored->error.message);
    ck_assert_str_eq(stored->job.model.id, inline_one->job.model.id);
    ck_assert_str_eq(stored->job.request_hash, inline_one->job.request_hash);
    ck_assert_uint_eq(stored->job.model.document.n_coordinates, 2);
    reading_free(stored);
    reading_free(inline_one);

    Reading *missing = read_job_with("{'model':{'id':'bad'}," INITIAL "," TIME "}", &source);
    expect_mistake(missing, "/model/id", "no model has the id");
    reading_free(missing);
    Reading *broken = read_job_with("{'model':{'id':'broken'}," INITIAL "," TIME "}", &source);
    ck_assert_int_eq(broken->status, ERR_IO);
    reading_free(broken);
}
END_TEST

START_TEST(an_accepted_job_has_the_model_that_was_kept_for_it)
{
    static const char *const REFERENCES[] = {
        "{'id':'deleted'}", "{'catalog':'vertical-rolling-disk'}", "{'catalog':'renamed'}"};
    const ModelSource source = {NULL, fake_stored, "good", NULL};
    Reading *inline_one = read_job_text("{" BASE "}");
    for (size_t i = 0; i < 3; i++) {
        char text[400];
        snprintf(text, sizeof text, "{'model':%s," INITIAL "," TIME "}", REFERENCES[i]);
        Reading *kept = read_job_with(text, &source);
        ck_assert_msg(kept->status == OK, "%s: %s", REFERENCES[i], kept->error.message);
        ck_assert_str_eq(kept->job.model.id, inline_one->job.model.id);
        ck_assert(kept->job.model.elsewhere);
        reading_free(kept);
    }
    ck_assert(!inline_one->job.model.elsewhere);
    reading_free(inline_one);

    /* one that was accepted before models were kept */
    const ModelSource older = {NULL, fake_stored, "not kept", NULL};
    Reading *found = read_job_with("{'model':{'id':'good'}," INITIAL "," TIME "}", &older);
    ck_assert_msg(found->status == OK, "%s", found->error.message);
    reading_free(found);
}
END_TEST

START_TEST(every_catalog_job_is_read_without_mistakes)
{
    size_t n;
    const CatalogEntry *entries = catalog_entries(&n);

    for (size_t i = 0; i < n; i++) {
        static Diagnostics diag;
        Arena *arena = arena_new((size_t)16 << 20);
        JobInput whole, by_name;
        bool is_json;
        Error err = {0};
        cJSON *tree;
        diagnostics_init(&diag, arena);
        ck_assert_int_eq(json_parse(entries[i].text, entries[i].size, &diag, &tree, NULL, &err),
                         OK);
        cJSON *job = cJSON_GetObjectItemCaseSensitive(tree, "job");
        char *text = cJSON_PrintUnformatted(job);
        Status status =
            job_input_read(text, strlen(text), NULL, arena, &diag, &whole, &is_json, &err);
        ck_assert_msg(status == OK, "%s: %s", entries[i].name, err.message);

        char *reference = arena_printf(
            arena, "{\"model\":{\"catalog\":\"%s\"},\"initial\":{},\"time\":{\"end\":1}}",
            entries[i].name);
        status = job_input_read(reference, strlen(reference), NULL, arena, &diag, &by_name,
                                &is_json, &err);
        ck_assert_msg(status == OK, "%s: %s", entries[i].name, err.message);
        ck_assert_uint_eq(by_name.model.document.n_coordinates, whole.model.document.n_coordinates);
        cJSON_free(text);
        cJSON_Delete(tree);
        arena_free(arena);
    }
}
END_TEST

START_TEST(a_misspelt_catalog_name_gets_a_suggestion)
{
    size_t n;
    const CatalogEntry *entries = catalog_entries(&n);
    if (n == 0)
        return;
    Text text = TEXT_INIT;
    text_printf(&text, "{'model':{'catalog':'%sx'}," INITIAL "," TIME "}", entries[0].name);
    Reading *r = read_job_text(text_string(&text));
    expect_mistake(r, "/model/catalog", entries[0].name);
    expect_mistake(r, "/model/catalog", "did you mean");
    reading_free(r);
    text_done(&text);
}
END_TEST

SUITE(job_document)
{
    TCase *tc = suite_case(suite, "job");
    tcase_add_test(tc, a_small_job_has_the_documented_defaults);
    tcase_add_test(tc, every_member_is_read);
    tcase_add_test(tc, instants_are_read_in_either_direction);
    tcase_add_loop_test(tc, a_wrong_job_is_refused_at_its_place, 0, (int)LENGTH(WRONG));
    tcase_add_test(tc, initial_multipliers_are_read_in_three_ways);
    tcase_add_test(tc, a_state_in_the_chart_is_read);
    tcase_add_test(tc, a_boundary_problem_has_its_times_from_its_ends);
    tcase_add_test(tc, what_another_job_would_say_is_not_missing);
    tcase_add_loop_test(tc, every_formulation_is_read_or_not_yet_available, 0,
                        (int)LENGTH(FORMULATIONS));
    tcase_add_test(tc, only_as_many_labels_as_stated);
    tcase_add_test(tc, mistakes_of_all_parts_are_told_at_once);
    tcase_add_test(tc, an_unknown_member_does_not_hide_mistakes_in_the_expressions);
    tcase_add_test(tc, a_fixed_step_is_read_and_useless_tolerances_are_remarked);
    tcase_add_test(tc, symmetries_are_read);
    tcase_add_loop_test(tc, a_request_is_known_by_what_its_answer_depends_on, 0,
                        (int)LENGTH(REQUESTS));
    tcase_add_test(tc, a_stored_model_is_the_same_as_an_inline_one);
    tcase_add_test(tc, an_accepted_job_has_the_model_that_was_kept_for_it);
    tcase_add_test(tc, every_catalog_job_is_read_without_mistakes);
    tcase_add_test(tc, a_misspelt_catalog_name_gets_a_suggestion);
}
