/* Jobs run beside each other have the bits that they have alone: all rows, the evidence, how they
 * end; for every system of the catalog, with events, impacts, corners, singular configurations,
 * failures and very different lengths. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/documents/catalog.h"
#include "api/json/reader.h"
#include "core/base/random.h"
#include "tests/api/reading.h"
#include "tests/suite.h"

enum { MEMBERS = 11, STOPPED = 3, FIGURES = 80, MESSAGE = 300, ASKED = 6 };

/* What is left of a job. */
typedef struct Record {
    bool ran;
    uint64_t rows, sum; /* how many left, and a sum of their bits and order */
    size_t n_figures;
    double figures[FIGURES];
    char message[MESSAGE];
} Record;

/* Jobs that are one but for numbers. */
typedef struct Members {
    const char *name;
    Arena *arena;
    Compiled *compiled;
    JobSpec specs[MEMBERS];
    size_t n_reduce, n;
    const CoordinateText *coordinates; /* n */
    Record alone[MEMBERS], beside[MEMBERS];
    /* under way */
    size_t next;
    bool stops; /* the member STOPPED, as soon as it is asked whether to go on */
    LaneWork work;
    Simulation *simulations[MEMBERS];
    SimulationSink sinks[MEMBERS];
} Members;

/* Simulations that the queue has given, and how many it had when the first row came. */
static size_t given, given_before_rows;

static Status take_rows(void *self, int table, const double *rows, size_t n_rows, Error *err)
{
    Record *record = self;

    (void)err;
    given_before_rows = given_before_rows ? given_before_rows : given;
    for (size_t i = 0; i < n_rows; i++, record->rows++) {
        uint64_t bits;
        memcpy(&bits, &rows[i], sizeof bits);
        record->sum = (record->sum ^ bits ^ (uint64_t)table) * 1099511628211u + 1;
    }
    return OK;
}

static void add(Record *record, double figure)
{
    ck_assert_uint_lt(record->n_figures, FIGURES);
    record->figures[record->n_figures++] = figure;
}

static void take_result(Record *record, const SimulationResult *result, size_t n_reduce)
{
    record->ran = true;
    add(record, (double)result->end.status);
    add(record, result->end.t);
    add(record, (double)result->samples);
    add(record, (double)result->steps.accepted);
    add(record, (double)result->steps.rejected);
    add(record, (double)result->steps.evaluations);
    add(record, (double)result->steps.jacobians);
    add(record, (double)result->steps.switches);
    add(record, (double)result->steps.events);
    add(record, (double)result->n_singular);
    add(record, (double)result->n_warnings);
    add(record, (double)result->projection.count);
    add(record, result->projection.max_position);
    add(record, result->projection.rms_velocity);
    add(record, result->energy.initial);
    add(record, result->energy.final);
    add(record, result->energy.balance_max);
    add(record, result->energy.work);
    add(record, result->energy.projection_work);
    add(record, result->energy.impact_work);
    add(record, result->condition.constraints_max);
    add(record, result->condition.rcond_min);
    add(record, result->steps.longest);
    add(record, result->projection.max_velocity);
    add(record, result->projection.rms_position);
    add(record, result->energy.max_drift);
    add(record, result->energy.balance_scaled);
    add(record, (double)result->features.met);
    for (size_t k = 0; k < result->n_constraints && k < 4; k++)
        add(record, result->constraints[k].max);
    for (size_t k = 0; k < result->n_constraints && k < 4; k++) {
        add(record, result->constraints[k].rms);
        add(record, result->constraints[k].max_absolute);
    }
    for (size_t i = 0; i < result->final.n && i < 5; i++) {
        add(record, result->final.q[i]);
        add(record, result->final.v[i]);
    }
    for (size_t i = 0; i < n_reduce; i++)
        add(record, result->reduced[i]);
    if (result->end.message)
        snprintf(record->message, sizeof record->message, "%s", result->end.message);
}

static Simulation *prepare(const Members *m, size_t k)
{
    static Diagnostics diag;
    Arena *arena = arena_new((size_t)16 << 20);
    Simulation *simulation = NULL;
    Error err = {0};

    diagnostics_init(&diag, arena);
    const Status status = simulation_new(m->compiled, &m->specs[k], NULL, &diag, &simulation, &err);
    arena_free(arena);
    return status == OK ? simulation : NULL;
}

static Status stop(void *self, Error *err)
{
    (void)self;
    return error_set(err, ERR_CANCELLED, "enough");
}

static Status next(void *self, size_t lane, Simulation **ret, const SimulationSink **ret_sink,
                   Error *err)
{
    Members *m = self;
    (void)lane;
    (void)err;
    *ret = NULL;
    while (m->next < MEMBERS && !*ret) {
        const size_t k = m->next++;
        *ret = m->simulations[k] = prepare(m, k);
        given += *ret != NULL;
        m->sinks[k] = (SimulationSink){.self = &m->beside[k], .rows = take_rows};
        if (m->stops && k == STOPPED)
            m->sinks[k].poll = stop;
        *ret_sink = &m->sinks[k];
    }
    return OK;
}

static Status ended(void *self, Simulation *simulation, const SimulationResult *result, Error *err)
{
    Members *m = self;
    size_t k = 0;
    (void)err;
    while (m->simulations[k] != simulation)
        k++;
    take_result(&m->beside[k], result, m->n_reduce);
    simulation_free(simulation);
    m->simulations[k] = NULL;
    return OK;
}

static void run_alone(Members *m)
{
    for (size_t k = 0; k < MEMBERS; k++) {
        const SimulationSink sink = {.self = &m->alone[k], .rows = take_rows};
        Simulation *simulation = prepare(m, k);
        SimulationResult result;
        Error err = {0};
        if (!simulation)
            continue;
        ck_assert_msg(simulation_run(simulation, &sink, &result, &err) == OK, "%s: %s", m->name,
                      err.message);
        take_result(&m->alone[k], &result, m->n_reduce);
        simulation_free(simulation);
    }
}

static void run_beside(Members *m, size_t lanes)
{
    const SimulationQueue queue = {.self = m, .next = next, .ended = ended, .work = &m->work};
    Error err = {0};

    memset(m->beside, 0, sizeof m->beside);
    m->next = given = given_before_rows = 0;
    ck_assert_msg(simulations_run(&queue, lanes, &err) == OK, "%s: %s", m->name, err.message);
}

static NamedValue *spread(Arena *arena, const NamedValue *values, size_t n, Random *random,
                          double absolute)
{
    NamedValue *moved = ARENA_NEW(arena, n, NamedValue);
    for (size_t i = 0; i < n; i++) {
        moved[i] = values[i];
        moved[i].value += 1e-3 * (fabs(values[i].value) + absolute) * random_uniform(random, -1, 1);
    }
    return moved;
}

/* Initial states and parameters are spread, and some members are much longer than others. */
static void vary(Members *m, const JobSpec *spec)
{
    Random random;
    random_init(&random, 17);
    for (size_t k = 0; k < MEMBERS; k++) {
        JobSpec *job = &m->specs[k];
        *job = *spec;
        if (!spec->boundary.given)
            job->initial.consistency = CONSISTENCY_PROJECT;
        job->initial.q = spread(m->arena, spec->initial.q, spec->initial.n_q, &random, 1);
        job->initial.v = spread(m->arena, spec->initial.v, spec->initial.n_v, &random, 1);
        job->initial.chart_q =
            spread(m->arena, spec->initial.chart_q, spec->initial.n_chart_q, &random, 1);
        job->initial.chart_v =
            spread(m->arena, spec->initial.chart_v, spec->initial.n_chart_v, &random, 1);
        job->parameters = spread(m->arena, spec->parameters, spec->n_parameters, &random, 0);
        if (k % 4 != 1)
            job->time.end =
                spec->initial.t + (spec->time.end - spec->initial.t) / (double)(k % 3 + 2);
    }
}

static void check_same(const Members *m, size_t lanes)
{
    for (size_t k = 0; k < MEMBERS; k++) {
        const Record *a = &m->alone[k], *b = &m->beside[k];
        if (m->stops && k == STOPPED) {
            ck_assert_int_eq((int)b->figures[0], ERR_CANCELLED);
            ck_assert_double_lt(b->figures[1], a->figures[1]);
            continue;
        }
        ck_assert_msg(a->ran == b->ran, "%s, %zu lanes: member %zu did not run", m->name, lanes, k);
        for (size_t i = 0; i < a->n_figures; i++)
            ck_assert_msg(memcmp(&a->figures[i], &b->figures[i], sizeof(double)) == 0,
                          "%s, %zu lanes: member %zu, figure %zu is %.17g, not %.17g", m->name,
                          lanes, k, i, b->figures[i], a->figures[i]);
        ck_assert_msg(a->rows == b->rows && a->sum == b->sum,
                      "%s, %zu lanes: member %zu has other rows", m->name, lanes, k);
        ck_assert_msg(strcmp(a->message, b->message) == 0, "%s: %s, not %s", m->name, b->message,
                      a->message);
    }
}

/* Parameters that the job leaves alone are written out, so that they can be varied. */
static void write_parameters(JobSpec *spec, const ModelDocument *document)
{
    if (spec->n_parameters > 0)
        return;
    spec->parameters = document->parameters;
    spec->n_parameters = document->n_parameters;
}

static size_t run_all(Members *m)
{
    static const size_t LANES[] = {8, 16, 32};
    size_t ran = 0;

    memset(m->alone, 0, sizeof m->alone);
    run_alone(m);
    for (size_t i = 0; i < sizeof LANES / sizeof *LANES; i++) {
        run_beside(m, LANES[i]);
        check_same(m, LANES[i]);
    }
    for (size_t k = 0; k < MEMBERS; k++)
        ran += m->alone[k].ran;
    return ran;
}

/* Members of one job. */
static void read_job(Members *m, const char *name, const char *text)
{
    static Diagnostics diag;
    JobInput input;
    Error err = {0};

    memset(m, 0, sizeof *m);
    m->name = name;
    m->arena = arena_new((size_t)32 << 20);
    diagnostics_init(&diag, m->arena);
    Status status = job_input_read(text, strlen(text), NULL, m->arena, &diag, &input, NULL, &err);
    ck_assert_msg(status == OK, "%s: %s", name, diag.count ? diag.items[0].message : err.message);
    status = compiled_new(&input.model.document, input.spec.formulation, &diag, &m->compiled, &err);
    ck_assert_msg(status == OK, "%s: %s", name, err.message);
    write_parameters(&input.spec, &input.model.document);
    m->coordinates = input.model.document.coordinates;
    m->n = input.model.document.n_coordinates;
    vary(m, &input.spec);
}

/* Things that happen to members, or are taken of their motion: another part of them in each
 * turn. */
static void ask_more(Members *m, unsigned turn)
{
    const char *x = m->coordinates[turn % m->n].name, *y = m->coordinates[m->n - 1].name;
    const char *turned = arena_printf(m->arena, "%s*dot(%s)", y, x);
    const struct {
        ReduceTake take;
        const char *of;
    } asked[ASKED] = {{REDUCE_MAX, x},
                      {REDUCE_MEAN, arena_printf(m->arena, "%s*dot(%s)", x, y)},
                      {REDUCE_MIN, arena_printf(m->arena, "dot(%s)*dot(%s)", x, y)},
                      {REDUCE_RMS, arena_printf(m->arena, "dot(%s)", y)},
                      {REDUCE_LAST, y},
                      {REDUCE_DRIFT, turned}};
    ReduceSpec *reduce = ARENA_NEW(m->arena, ASKED, ReduceSpec);

    for (size_t i = 0; turn % 4 != 1 && i < ASKED; i++)
        if (turn % 7 == 0 || turn % 7 == i)
            reduce[m->n_reduce++] = (ReduceSpec){.name = arena_printf(m->arena, "reduced %zu", i),
                                                 .of = {.text = asked[i].of, .pointer = "/of"},
                                                 .take = asked[i].take,
                                                 .pointer = "/reduce"};
    for (size_t k = 0; k < MEMBERS; k++) {
        JobSpec *job = &m->specs[k];
        const double span = job->time.end - job->initial.t;
        EventSpec *events = ARENA_NEW(m->arena, job->n_events + 2, EventSpec);
        size_t n = job->n_events;
        for (size_t i = 0; i < n; i++)
            events[i] = job->events[i];
        if (turn % 4 != 2)
            events[n++] = (EventSpec){.name = "crosses",
                                      .when = {.text = asked[1].of, .pointer = "/when"},
                                      .pointer = "/events"};
        if (turn % 3 == 0)
            events[n++] = (EventSpec){.name = "ticks",
                                      .kind = EVENT_EVERY,
                                      .every = fabs(span) / 7,
                                      .pointer = "/events"};
        job->events = events;
        job->n_events = n;
        job->integrator.max_step = turn % 3 == 1 ? fabs(span) / 50 : 0;
        job->reduce = reduce;
        job->n_reduce = m->n_reduce;
    }
}

/* The number of members that ran; *ret_cruised grows by their steps that were decided together,
 * *ret_asked by those of members that are asked for more. */
static size_t check_job(const char *name, const char *text, unsigned turn, uint64_t *ret_cruised,
                        uint64_t *ret_asked)
{
    static Members members;
    Members *m = &members;

    read_job(m, name, text);
    const size_t ran = run_all(m);
    /* without samples in between most steps are decided together, where nothing else is to be
     * told */
    for (size_t k = 0; k < MEMBERS; k++)
        m->specs[k].time.samples = 2;
    m->work = (LaneWork){0};
    ck_assert_uint_eq(run_all(m), ran);
    *ret_cruised += m->work.cruised;
    for (size_t k = 0; k < MEMBERS; k++)
        m->specs[k].time.samples = turn % 2 ? 40 : 2;
    ask_more(m, turn);
    m->work = (LaneWork){0};
    ck_assert_msg(run_all(m) + 2 >= ran, "%s: members with more do not run", m->name);
    *ret_asked += m->work.cruised;
    compiled_unref(m->compiled);
    arena_free(m->arena);
    return ran;
}

START_TEST(every_catalog_system_has_the_bits_it_has_alone)
{
    uint64_t cruised = 0, asked = 0;
    size_t n, ran = 0;
    const CatalogEntry *entries = catalog_entries(&n);

    // NOLINTNEXTLINE(misc-redundant-expression): elsewhere a fifth
    size_t apart = n / SUITE_DRAWS(n), beside = 4 * apart;
    for (size_t i = (size_t)_i * apart; i < n; i += beside) {
        static Diagnostics diag;
        Arena *arena = arena_new((size_t)16 << 20);
        cJSON *tree;
        Error err = {0};
        diagnostics_init(&diag, arena);
        ck_assert_int_eq(json_parse(entries[i].text, entries[i].size, &diag, &tree, NULL, &err),
                         OK);
        cJSON *job = cJSON_GetObjectItemCaseSensitive(tree, "job");
        cJSON_AddItemToObject(job, "analyses", cJSON_CreateArray());
        char *text = cJSON_PrintUnformatted(job);
        ran += check_job(entries[i].name, text, (unsigned)i, &cruised, &asked);
        cJSON_free(text);
        cJSON_Delete(tree);
        arena_free(arena);
    }
    ck_assert_uint_ge(ran, n / beside * MEMBERS * 3 / 4);
    ck_assert_uint_ge(cruised, n / beside * 100);
    ck_assert_uint_ge(asked, cruised / 2);
}
END_TEST

static const char *const HARD[][2] = {
    {"steps that end at samples",
     "{'model': {'name': 's', 'coordinates': ['x', 'y', 'th'], 'lagrangian': '(dot(x)^2 + "
     "dot(y)^2 + dot(th)^2)/2 + 0.3*dot(th)*(dot(y)*cos(th) - dot(x)*sin(th))', "
     "'constraints': ['dot(y)*cos(th) - dot(x)*sin(th)']}, 'initial': {'q': {'x': 0.3, 'y': 1, "
     "'th': 0.4}, 'v': {'x': 0.9, 'y': 0.4, 'th': 0.7}}, 'time': {'end': 4, 'samples': 257}, "
     "'integrator': {'rtol': 1e-5, 'atol': 1e-5, 'max_step': 0.03125}, 'analyses': []}"},
    {"a sleigh with dry friction, and events",
     "{'model': {'name': 's', 'coordinates': ['x', 'y', 'th'], 'parameters': {'a': 0.3},"
     "'lagrangian': '(dot(x)^2 + dot(y)^2)/2 + a*dot(th)*(dot(y)*cos(th) - dot(x)*sin(th)) + "
     "0.3*dot(th)^2 - "
     "0.2*sin(x)', 'constraints': ['dot(y)*cos(th) - dot(x)*sin(th)'],"
     "'forces': {'th': '-0.05*sign(dot(th)) + 0.3*cos(t)'}},"
     "'initial': {'q': {'x': 0.3, 'y': 1, 'th': 0.4}, 'v': {'x': 0.9210609940028851, 'y': "
     "0.3894183423086505, "
     "'th': 0.7}}, 'time': {'end': 9, 'samples': 50}, 'observe': {'force': 'multiplier(c1)'},"
     "'events': [{'name': 'turns', 'when': 'dot(th)'}, {'name': 'each', 'every': 0.7},"
     "{'name': 'far', 'when': 'x - 2.1', 'terminal': true}], 'analyses': []}"},
    {"a ball that comes to rest",
     "{'model': {'name': 'b', 'coordinates': ['x', 'y'], 'parameters': {'g': 9.81, 'e': 0.8}, "
     "'lagrangian': '(dot(x)^2 + dot(y)^2)/2 - g*y'}, 'initial': {'q': {'x': 0, 'y': 1}, 'v': "
     "{'x': 1, 'y': 0}},"
     "'time': {'end': 6, 'samples': 40}, 'analyses': [],"
     "'events': [{'name': 'floor', 'when': 'y', 'direction': 'falling', 'set': {'dot(y)': "
     "'-e*dot(y)'}}]}"},
    {"an observable that ends at a sample inside a step",
     "{'model': {'name': 'b', 'coordinates': ['x', 'y'], 'lagrangian': '(dot(x)^2 + dot(y)^2)/2 - "
     "9.81*y', 'constraints': ['x^2 + y^2 - 1']}, 'initial': {'q': {'x': 1, 'y': 0}, 'v': {'x': "
     "0, 'y': 0.3}}, 'time': {'end': 4, 'samples': 201}, 'observe': {'root': 'sqrt(0.97 + y)'}, "
     "'analyses': []}"},
    {"a blow-up", "{'model': {'name': 'u', 'coordinates': ['x'], 'parameters': {'k': 6}, "
                  "'lagrangian': 'dot(x)^2/2 + k*x^3/3'},"
                  "'initial': {'q': {'x': 1}, 'v': {'x': 1}}, 'time': {'end': 5, 'samples': 11}, "
                  "'analyses': []}"},
    {"a linkage through its singular configurations",
     "{'model': {'name': 'p', 'coordinates': ['b', 'c', 'd'], 'parameters': {'p': 0.9, 'w': 1.2},"
     "'lagrangian': '0.7*dot(b)^2/2 + 0.4*dot(d)^2 + 0.3*dot(c)^2 + 0.2*cos(b - c)*dot(b)*dot(c) - "
     "0.3*sin(b)', "
     "'constraints': ['p*cos(b) + w*cos(c) - p*cos(d) = w', 'p*sin(b) + w*sin(c) = p*sin(d)']},"
     "'initial': {'q': {'b': 1, 'c': 0, 'd': 1}, 'v': {'b': -2, 'c': 0, 'd': -2}},"
     "'time': {'end': 4, 'samples': 30}, 'analyses': []}"},
    {"dependent velocities that change",
     "{'model': {'name': 'r', 'coordinates': ['x', 'y', 'th'], 'parameters': {'m': 1, 'g': 0.1},"
     "'lagrangian': 'm*(dot(x)^2 + dot(y)^2)/2 + dot(th)^2/4 - g*x',"
     "'constraints': ['dot(y)*cos(th) - dot(x)*sin(th)']}, 'formulation': 'voronec',"
     "'initial': {'q': {'x': 0, 'y': 0, 'th': 0.2}, 'v': {'x': 1, 'th': 1.3}},"
     "'time': {'end': 6, 'samples': 30}, 'analyses': []}"},
    {"equations by way of a mass matrix that degenerates",
     "{'model': {'name': 'sphere in a rotating cylinder', 'coordinates': ['z', 'ga', 'ph', 'ps', "
     "'th'],"
     " 'parameters': {'r': 2.0, 'a': 0.5, 'I': 0.1, 'Om': 2.5, 'g': 1.0},"
     " 'lagrangian': "
     "'(r^2*dot(ga)^2+dot(z)^2)/2+I/"
     "2*(dot(th)^2+dot(ph)^2+dot(ps)^2+2*dot(ph)*dot(ps)*cos(th))-g*z',"
     " 'constraints': ['r*dot(ga)+a*(dot(ph)+dot(ps)*cos(th))-(r+a)*Om',"
     " 'dot(z)+a*(dot(ps)*sin(th)*cos(ga-ph)+dot(th)*sin(ga-ph))']}, 'initial': {'t': 0, 'q': "
     "{'z': 0.0,"
     " 'ga': 2.3, 'ph': 0.5, 'ps': 0.1, 'th': 1.9}, 'v': {'z': 0.03730816330842319, 'ga': 3.0,"
     " 'ph': 0.7586316534908026, 'ps': 0.8, 'th': 0.1}}, 'time': {'end': 60, 'samples': 60}, "
     "'analyses': []}"},
    {"fixed steps", "{'model': {'name': 'o', 'coordinates': ['x', 'y'], 'parameters': {'k': 1.5}, "
                    "'lagrangian': '(dot(x)^2 + dot(y)^2)/2 - k*(x^2 + y^2 + x^2*y)/2'}, "
                    "'initial': {'q': {'x': 0.3, 'y': 0.1}, 'v': {'x': 0, 'y': 0.4}}, 'time': "
                    "{'end': 5, 'samples': 77},"
                    "'integrator': {'method': 'rk4', 'step': 0.01}, 'events': [{'name': 'axis', "
                    "'when': 'y'}], 'analyses': []}"},
    {"a stiff method",
     "{'model': {'name': 'o', 'coordinates': ['x'], 'parameters': {'k': 100}, "
     "'lagrangian': 'dot(x)^2/2 - k*x^2/2', 'forces': {'x': '-30*dot(x)'}}, "
     "'initial': {'q': {'x': 0.3}, 'v': {'x': 0}}, 'time': {'end': 2, 'samples': 9},"
     "'integrator': {'method': 'bdf', 'rtol': 1e-7, 'atol': 1e-9}, 'analyses': []}"},
    {"columns of sensitivities",
     "{'model': {'name': 'w', 'coordinates': ['x', 'y', 'z'], 'parameters': {'k': 1}, "
     "'lagrangian': '(dot(x)^2 + dot(y)^2 + dot(z)^2)/2 - k*z', 'constraints': ['dot(z) + "
     "x*dot(y)']},"
     "'initial': {'q': {'x': 0.1, 'y': 0, 'z': 0}, 'v': {'x': 0.7, 'y': 1, 'z': -0.1}},"
     "'time': {'end': 3, 'samples': 9}, 'sensitivities': ['parameters.k'], 'analyses': []}"},
    {"a second opinion",
     "{'model': {'name': 'w', 'coordinates': ['x', 'y', 'z'], 'parameters': {'k': 1}, "
     "'lagrangian': '(dot(x)^2 + dot(y)^2 + dot(z)^2)/2 - k*z', 'constraints': ['dot(z) + "
     "x*dot(y)']},"
     "'initial': {'q': {'x': 0.1, 'y': 0, 'z': 0}, 'v': {'x': 0.7, 'y': 1, 'z': -0.1}},"
     "'time': {'end': 3, 'samples': 9}, 'compare': ['voronec'], 'analyses': []}"},
};

START_TEST(hard_motions_have_the_bits_they_have_alone)
{
    char *text = unquoted(HARD[_i][1]);
    uint64_t cruised = 0, asked = 0;
    ck_assert_uint_ge(check_job(HARD[_i][0], text, (unsigned)_i, &cruised, &asked), MEMBERS / 2);
    free(text);
}
END_TEST

START_TEST(one_that_is_stopped_is_no_one_elses)
{
    static Members members;
    Members *m = &members;
    char *text = unquoted(
        "{'model': {'name': 's', 'coordinates': ['x', 'y', 'th'], 'lagrangian': '(dot(x)^2 + "
        "dot(y)^2 + dot(th)^2)/2 + 0.3*dot(th)*(dot(y)*cos(th) - dot(x)*sin(th)) - x^2 - y^2', "
        "'constraints': ['dot(y)*cos(th) - dot(x)*sin(th)']}, 'initial': {'q': {'x': 0.3, 'y': 1, "
        "'th': 0.4}, 'v': {'x': 0.9, 'y': 0.4, 'th': 0.7}}, 'time': {'end': 400, 'samples': 2}, "
        "'analyses': []}");

    read_job(m, "a sleigh in a bowl", text);
    m->stops = true;
    ck_assert_uint_eq(run_all(m), MEMBERS);
    ck_assert_uint_gt(m->work.cruised, m->work.shared / 4);
    compiled_unref(m->compiled);
    arena_free(m->arena);
    free(text);
}
END_TEST

/* Of a member only the step to its end, and one that is tried again, is made alone: neither a start
 * nor samples inside steps take it out of the steps of all. */
START_TEST(starts_and_samples_take_no_one_out_of_the_steps_of_all)
{
    static const int SAMPLES[] = {2, 101};
    static Members members;
    Members *m = &members;
    char document[1024];
    snprintf(document, sizeof document,
             "{'model': {'name': 's', 'coordinates': ['x', 'y', 'th'], 'lagrangian': '(dot(x)^2 + "
             "dot(y)^2 + dot(th)^2)/2 + 0.3*dot(th)*(dot(y)*cos(th) - dot(x)*sin(th))', "
             "'constraints': ['dot(y)*cos(th) - dot(x)*sin(th)']}, 'initial': {'q': {'x': 0.3, "
             "'y': 1, 'th': 0.4}, 'v': {'x': 0.9, 'y': 0.4, 'th': 0.7}}, 'time': {'end': 5, "
             "'samples': %d}, 'integrator': {'atol': 1e-9}, 'analyses': []}",
             SAMPLES[_i]);
    char *text = unquoted(document);

    read_job(m, "a sleigh", text);
    ck_assert_uint_eq(run_all(m), MEMBERS);
    m->work = (LaneWork){0};
    run_beside(m, 8);
    /* all lanes are given a simulation before the first one starts */
    ck_assert_uint_eq(given_before_rows, 8);
    ck_assert_uint_gt(m->work.cruised, 5 * MEMBERS);
    ck_assert_uint_le(m->work.shared - m->work.cruised, MEMBERS);
    compiled_unref(m->compiled);
    arena_free(m->arena);
    free(text);
}
END_TEST

SUITE(simulations_run)
{
    TCase *tc = suite_case(suite, "simulations run");
    tcase_add_loop_test(tc, every_catalog_system_has_the_bits_it_has_alone, 0, 4);
    tcase_add_test(tc, one_that_is_stopped_is_no_one_elses);
    tcase_add_loop_test(tc, starts_and_samples_take_no_one_out_of_the_steps_of_all, 0, 2);
    tcase_add_loop_test(tc, hard_motions_have_the_bits_they_have_alone, 0,
                        sizeof HARD / sizeof *HARD);
}
