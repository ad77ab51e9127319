/* Steps of several drives in the lanes of one step: states go in, results come back. */
#include "core/integrate/batched_step.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/integrate/combine.h"
#include "core/program/compile/columns.h"

/* A step of all lanes together takes as long as the steps of this many lanes alone (measured:
 * bench/peers). It changes no result. */
enum { TOGETHER_COST = 6 };

/* One lane in the step under way. */
typedef struct Place {
    Drive *drive; /* NULL: free */
    bool going;   /* the pulse has not stopped it */
    bool joined;  /* its step is attempted with the others' */
    bool here;    /* the lane has where the drive's next step starts */
    bool at_end;  /* the rates at the end of its step are asked for */
    bool dense;   /* so is its dense output */
    bool cruised; /* nothing but a step has happened to it */
} Place;

struct BatchedStep {
    const BatchedSystem *system;
    OdeSystem rates;      /* as the method sees the system */
    OdeStep step;         /* of all lanes */
    OdeObserver observer; /* asks those of the drives */
    FastPath fast_path;
    Place *places;
    bool *chosen;     /* [lanes] scratch */
    size_t n_apart;   /* of those that go along, who do not take the fast path */
    size_t n_cruised; /* in the last step */
    bool *moved;      /* [lanes] scratch: the next step starts at the end of this one */
    bool filled;      /* every lane has a state, be it one that nobody uses any more */
    bool stopped;     /* some drive has been, since that was looked at last */
    bool any_dense;   /* somebody wants the dense output of this step */
    /* evaluations of a lane that the dense output of all took in this step; 0: it is not made */
    uint64_t dense;
    double **columns; /* [lanes] scratch */
    uint64_t *before; /* [lanes]: evaluations counted before the attempt */
    void *memory;
};

static size_t lay_out(BatchedStep *l, void *memory)
{
    const size_t lanes = l->step.lanes;
    Cutter cutter = {.memory = memory};

    ode_step_lay_out(&l->step, l->system->method, &cutter);
    l->places = cut(&cutter, lanes, sizeof *l->places);
    l->chosen = cut(&cutter, lanes, sizeof *l->chosen);
    l->moved = cut(&cutter, lanes, sizeof *l->moved);
    l->columns = cut(&cutter, lanes, sizeof *l->columns);
    l->before = cut(&cutter, lanes, sizeof *l->before);
    return cutter.used;
}

/* True: no lane needs a decision of its own drive. */
static bool all_fast_path(const BatchedStep *l)
{
    return l->fast_path.n == l->step.lanes;
}

/* Asks each drive that goes along whether to go on; if none does, the attempt stops. */
static Status poll_drives(void *self, Error *err)
{
    BatchedStep *l = self;
    bool any = false;

    for (size_t k = 0; k < l->step.lanes; k++) {
        if (!l->places[k].joined)
            continue;
        OdePulse *pulse = &l->places[k].drive->step.pulse;
        const OdeObserver *observer = pulse->observer;
        if (pulse->status == OK && observer && observer->poll)
            pulse->status = observer->poll(observer->self, &pulse->error);
        any |= pulse->status == OK;
        l->stopped |= pulse->status != OK;
    }
    return any ? OK : error_set(err, ERR_CANCELLED, "all have been stopped");
}

Status batched_step_new(const BatchedSystem *system, size_t lanes, BatchedStep **ret_batched_step,
                        Error *err)
{
    BatchedStep *l = alloc_array(1, sizeof *l);

    assert(lanes % COMBINE_BLOCK == 0);
    if (!l)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    l->system = system;
    l->rates = (OdeSystem){
        .self = system->self, .dim = system->dim, .extra = system->extra, .rates = system->rates};
    l->step = (OdeStep){.system = &l->rates,
                        .lanes = lanes,
                        .dim = system->dim,
                        .rows = system->dim + system->extra,
                        .rtol = system->rtol,
                        .atol = system->atol};
    /* all arrays in one block, aligned for vectors */
    l->memory = alloc_array(lay_out(l, NULL) + CUT_ALIGNMENT, 1);
    if (!l->memory) {
        free(l);
        return error_set(err, ERR_NO_MEMORY, "no memory for %zu lanes of %zu states", lanes,
                         system->dim + system->extra);
    }
    lay_out(l, (char *)l->memory + (CUT_ALIGNMENT - (uintptr_t)l->memory % CUT_ALIGNMENT));
    system->method->start(&l->step);
    const Status status =
        fast_path_init(&l->fast_path, system->fast_path, &l->step, system->method, err);
    if (status != OK) {
        batched_step_free(l);
        return status;
    }
    /* a long attempt asks the observers of all drives whether to go on */
    l->observer = (OdeObserver){.self = l, .poll = poll_drives};
    l->step.pulse =
        (OdePulse){.observer = &l->observer, .last = clock_seconds(), .interval = 1, .left = 1};
    *ret_batched_step = l;
    return OK;
}

void batched_step_free(BatchedStep *l)
{
    if (!l)
        return;
    fast_path_done(&l->fast_path);
    free(l->memory);
    free(l);
}

void batched_step_put(BatchedStep *l, size_t lane, Drive *drive)
{
    if (fast_path_has(&l->fast_path, lane))
        fast_path_leave(&l->fast_path, lane);
    l->places[lane] = (Place){.drive = drive};
    l->n_cruised = 0;
}

/* Of the chosen lanes, an array of each one's own step; `member`: its offset there. */
static double **columns_of(BatchedStep *l, size_t member)
{
    for (size_t k = 0; k < l->step.lanes; k++) {
        l->columns[k] = NULL;
        if (l->chosen[k])
            memcpy(&l->columns[k], (const char *)&l->places[k].drive->step + member,
                   sizeof l->columns[k]);
    }
    return l->columns;
}

/* `fill`: the other lanes, unless they take the fast path, get the numbers of the first chosen one:
 * steps of numbers that are not finite, or far off, would be slow. */
static void send(BatchedStep *l, double *rows, size_t n, size_t member, bool fill)
{
    double **columns = columns_of(l, member), *first = NULL;

    for (size_t k = 0; k < l->step.lanes && !first; k++)
        first = columns[k];
    for (size_t k = 0; fill && k < l->step.lanes; k++)
        columns[k] = columns[k] || fast_path_has(&l->fast_path, k) ? columns[k] : first;
    columns_put(rows, n, l->step.lanes, (const double *const *)columns);
}

static void receive(BatchedStep *l, const double *rows, size_t member)
{
    columns_take(rows, l->step.rows, l->step.lanes, columns_of(l, member));
}

/* Chooses those that take part and whose lanes need a start, or new weights of the error. */
static bool choose_changed(BatchedStep *l, bool weights)
{
    bool any = false;

    for (size_t k = 0; k < l->step.lanes; k++) {
        const Place *place = &l->places[k];
        l->chosen[k] = false;
        if (!place->joined || fast_path_has(&l->fast_path, k))
            continue;
        l->chosen[k] = !place->here || (weights && place->drive->step.sizes.reweighed);
        place->drive->step.sizes.reweighed &= !weights;
        any |= l->chosen[k];
    }
    return any;
}

static void send_starts(BatchedStep *l)
{
    OdeStep *step = &l->step;
    const bool fill = !l->filled;

    if (l->n_apart == 0)
        return;
    if (choose_changed(l, false)) {
        send(l, step->y, step->rows, offsetof(OdeStep, y), fill);
        send(l, step->rates, step->rows, offsetof(OdeStep, rates), fill);
        send(l, step->carry, step->rows, offsetof(OdeStep, carry), fill);
    }
    /* sizes and rounding errors, for the tolerance */
    if (choose_changed(l, true)) {
        send(l, step->sizes.size, step->dim, offsetof(OdeStep, sizes.size), fill);
        send(l, step->sizes.unsized, step->dim, offsetof(OdeStep, sizes.unsized), fill);
        send(l, step->rounding.noise, step->dim, offsetof(OdeStep, rounding.noise), fill);
        send(l, step->rounding.carried, step->dim, offsetof(OdeStep, rounding.carried), fill);
    }
    l->filled = true;
}

static void receive_ends(BatchedStep *l)
{
    /* lanes on the fast path keep their ends in the shared rows */
    if (l->n_apart == 0)
        return;
    for (size_t k = 0; k < l->step.lanes; k++)
        l->chosen[k] = l->places[k].joined && !fast_path_has(&l->fast_path, k);
    receive(l, l->step.y_new, offsetof(OdeStep, y_new));
    receive(l, l->step.carry_new, offsetof(OdeStep, carry_new));
    for (size_t k = 0; k < l->step.lanes; k++) {
        if (!l->chosen[k])
            continue;
        OdeStep *one = &l->places[k].drive->step;
        one->error[0] = l->step.error[k];
        one->evaluations[0] += l->step.evaluations[k] - l->before[k];
    }
}

static bool shares(const BatchedStep *l, size_t lane)
{
    const Drive *drive = l->places[lane].drive;
    return drive->method == l->system->method && !drive->lane.stiffness.watched &&
           l->system->join(l->system->self, lane);
}

/* A drive may take the fast path from its start, if the sizes of all components are given. */
static void start_new(BatchedStep *l, size_t lane)
{
    Drive *drive = l->places[lane].drive;

    if (drive && drive->step.sizes.given && drive->lane.start.fresh && shares(l, lane) &&
        drive_begin(drive))
        fast_path_start(&l->fast_path, lane, drive);
}

static void propose_alone(BatchedStep *l, size_t lane)
{
    Place *place = &l->places[lane];
    Drive *drive = place->drive;

    place->going = drive && drive_propose(drive) && drive->step.active[0];
    place->joined = place->going && shares(l, lane);
}

/* The drives choose their steps; those that share them may go together. Returns whether they do:
 * few that are left in many lanes go alone, and the bits are the same. */
static bool propose(BatchedStep *l)
{
    const size_t lanes = l->step.lanes;
    size_t n = 0;

    /* new drives may take the fast path at once */
    for (size_t k = 0; !all_fast_path(l) && k < lanes; k++)
        if (!fast_path_has(&l->fast_path, k))
            start_new(l, k);
    fast_path_propose(&l->fast_path);
    for (size_t k = 0; all_fast_path(l) && k < lanes; k++)
        l->places[k].going = l->places[k].joined = true;
    if (all_fast_path(l))
        return true;
    for (size_t k = 0; k < lanes; k++) {
        if (fast_path_has(&l->fast_path, k))
            l->places[k].going = l->places[k].joined = true;
        else
            propose_alone(l, k);
        n += l->places[k].joined;
    }
    /* if few steps are shared, every lane goes alone */
    const bool together = n > 0 && n * TOGETHER_COST >= lanes;
    for (size_t k = 0; k < lanes && !together; k++) {
        if (!fast_path_has(&l->fast_path, k))
            continue;
        fast_path_leave(&l->fast_path, k);
        propose_alone(l, k);
    }
    return together;
}

/* `together`: else each is alone. */
static void take_places(BatchedStep *l, bool together)
{
    OdeStep *step = &l->step;
    const Drive *first = NULL;

    l->n_apart = 0;
    if (all_fast_path(l)) {
        /* all lanes take the fast path: copy their steps */
        memcpy(step->h, l->fast_path.course.h_new, step->lanes * sizeof *step->h);
        memset(step->active, true, step->lanes * sizeof *step->active);
        memset(l->chosen, true, step->lanes * sizeof *l->chosen);
        return;
    }
    for (size_t k = 0; k < step->lanes; k++) {
        Place *place = &l->places[k];
        place->joined = place->joined && together;
        l->n_apart += place->joined && !fast_path_has(&l->fast_path, k);
        first = place->joined && !first ? place->drive : first;
        l->chosen[k] = step->active[k] = place->joined;
    }
    /* times and steps; a lane that takes no part has the step 0 */
    for (size_t k = 0; k < step->lanes && first; k++) {
        const Drive *drive = l->chosen[k] ? l->places[k].drive : first;
        if (fast_path_has(&l->fast_path, k)) {
            step->h[k] = l->fast_path.course.h_new[k];
            continue;
        }
        if (l->chosen[k] || !l->filled)
            step->t[k] = drive->step.t[0];
        step->h[k] = l->chosen[k] ? drive->step.h[0] : 0;
    }
}

/* After an evaluation for all lanes: those that were stopped in it are out. */
static void drop_stopped(BatchedStep *l)
{
    for (size_t k = 0; l->stopped && k < l->step.lanes; k++) {
        Place *place = &l->places[k];
        if (!place->joined || place->drive->step.pulse.status == OK)
            continue;
        place->going = place->joined = l->chosen[k] = false;
        if (fast_path_has(&l->fast_path, k))
            fast_path_leave(&l->fast_path, k);
    }
    l->stopped = false;
    l->step.pulse.status = OK;
}

static void attempt_together(BatchedStep *l)
{
    OdeStep *step = &l->step;

    send_starts(l);
    memcpy(l->before, step->evaluations, step->lanes * sizeof *l->before);
    step->scratch.place = l->system->place(l->system->self);
    (void)l->system->method->attempt(step);
    drop_stopped(l);
    receive_ends(l);
}

static void count_work(const BatchedStep *l, bool together)
{
    LaneWork *work = l->system->work;

    if (!work)
        return;
    work->together += together;
    for (size_t k = 0; k < l->step.lanes; k++) {
        work->shared += l->places[k].joined;
        work->alone += l->places[k].going && !l->places[k].joined;
    }
}

static void attempt(BatchedStep *l)
{
    OdeStep *step = &l->step;

    const bool together = propose(l);
    take_places(l, together);
    count_work(l, together);
    if (together)
        attempt_together(l);
    /* ends of lanes on the fast path */
    bool any = all_fast_path(l);
    if (any) {
        memset(l->chosen, false, step->lanes * sizeof *l->chosen);
        memcpy(step->scratch.times, l->fast_path.course.t_new,
               step->lanes * sizeof *step->scratch.times);
    }
    /* attempt the others alone, and collect the ends within the tolerance */
    for (size_t k = 0; !all_fast_path(l) && k < step->lanes; k++) {
        Place *place = &l->places[k];
        const bool cruises = fast_path_has(&l->fast_path, k);
        if (place->going && !place->joined)
            place->going = place->drive->method->attempt(&place->drive->step);
        l->chosen[k] = place->joined && !cruises && step->error[k] <= 1;
        if (cruises)
            step->scratch.times[k] = l->fast_path.course.t_new[k];
        else
            step->scratch.times[k] = place->joined ? place->drive->lane.t_new : step->t[k];
        any = any || l->chosen[k] || cruises;
    }
    /* corrections of all these ends in one evaluation */
    if (any && l->system->ends)
        l->system->ends(l->system->self, step->scratch.times, step->y_new, l->chosen);
    fast_path_correct(&l->fast_path);
}

/* Lanes of the fast path that something may happen to go on alone, as if judged alone. */
static void leave_fast_path(BatchedStep *l)
{
    const int64_t *left = fast_path_judge(&l->fast_path);
    bool any = false;

    drop_stopped(l);
    l->dense = l->fast_path.dense;
    for (size_t k = 0; left && k < l->step.lanes; k++) {
        Place *place = &l->places[k];
        l->chosen[k] = left[k] && fast_path_has(&l->fast_path, k);
        if (!l->chosen[k])
            continue;
        fast_path_drop(&l->fast_path, k);
        /* at a sample inside the step */
        place->going = drive_running(place->drive);
        if (!place->going)
            continue;
        place->at_end = drive_judge(place->drive);
        if (l->fast_path.told[k])
            l->fast_path.runs->forget(l->fast_path.runs->self, k);
        /* it has been counted: look() does so once more */
        place->drive->step.evaluations[0]--;
        any = true;
    }
    if (any)
        receive(l, l->step.rates_new, offsetof(OdeStep, rates_new));
}

/* Rates at the ends of good steps, evaluated at once for those that go together. */
static void evaluate_ends(BatchedStep *l)
{
    OdeStep *step = &l->step;
    bool any = false, alone = false;

    l->dense = 0;
    /* the ends that their own drives find good enough, as corrected there, go back to the lanes */
    for (size_t k = 0; !all_fast_path(l) && k < step->lanes; k++) {
        Place *place = &l->places[k];
        place->at_end =
            !fast_path_has(&l->fast_path, k) && place->going && drive_judge(place->drive);
        l->chosen[k] = place->at_end && place->joined;
        alone |= l->chosen[k];
        if (l->chosen[k])
            step->scratch.times[k] = place->drive->step.scratch.times[0];
    }
    if (alone)
        send(l, step->y_new, step->rows, offsetof(OdeStep, y_new), true);
    /* and those that take the fast path */
    for (size_t k = 0; k < step->lanes; k++) {
        l->chosen[k] = (alone && l->chosen[k]) || fast_path_goes(&l->fast_path, k);
        any |= l->chosen[k];
    }
    if (!any)
        return;
    (void)ode_rates(step, step->scratch.times, step->y_new, step->rates_new, l->chosen);
    drop_stopped(l);
    /* the former get their rates; of the latter those that something may happen to go on alone */
    for (size_t k = 0; alone && k < step->lanes; k++)
        l->chosen[k] = l->chosen[k] && !fast_path_has(&l->fast_path, k);
    if (alone)
        receive(l, step->rates_new, offsetof(OdeStep, rates_new));
    if (l->fast_path.n > 0)
        leave_fast_path(l);
}

/* The step of one drive is reported. If the drive goes on from the end of a shared step, its lane
 * goes there; if the step is to be taken again, the lane stays. */
static void settle(BatchedStep *l, size_t lane)
{
    Place *place = &l->places[lane];

    place->here = place->going && drive_settle(place->drive) && place->joined;
    l->moved[lane] = place->here && place->drive->step.t[0] != l->step.t[lane];
}

/* With the rates at the end of its step, a drive looks at its guards and settles, unless it wants
 * the dense output: lane by lane, because the data of all drives do not fit into the cache. */
static void look(BatchedStep *l, size_t lane)
{
    Place *place = &l->places[lane];

    place->dense = false;
    if (fast_path_has(&l->fast_path, lane)) {
        place->here = true;
        return;
    }
    if (place->at_end && place->joined)
        place->drive->step.evaluations[0]++;
    else if (place->at_end)
        place->going = place->going && drive_evaluate_end(place->drive);
    if (place->at_end && place->going)
        drive_check_end(place->drive);
    place->at_end = false; /* the next step may be one of the fast path, which asks by itself */
    place->dense = place->going && drive_look(place->drive);
    l->any_dense |= place->dense;
    if (!place->dense)
        settle(l, lane);
}

static void make_dense(BatchedStep *l)
{
    const OdeMethod *method = l->system->method;
    OdeStep *step = &l->step;
    bool any = false;

    for (size_t k = 0; k < step->lanes; k++) {
        const Place *place = &l->places[k];
        l->chosen[k] = place->dense && place->joined && method->dense_prepare;
        any |= l->chosen[k];
    }
    memcpy(l->before, step->evaluations, step->lanes * sizeof *l->before);
    /* once for all lanes; where the fast path has made it, it is counted alone */
    if (any && l->dense > 0) {
        ode_count(step, l->chosen, l->dense);
    } else if (any) {
        (void)method->dense_prepare(step, l->chosen);
        drop_stopped(l);
    }
    for (size_t k = 0; k < step->lanes; k++) {
        Place *place = &l->places[k];
        if (!place->dense)
            continue;
        if (l->chosen[k]) {
            method->take_dense(step, k, &place->drive->step);
            place->drive->step.evaluations[0] += step->evaluations[k] - l->before[k];
        } else {
            place->going = place->going && drive_make_dense(place->drive);
        }
        settle(l, k);
    }
}

void batched_step_step(BatchedStep *l)
{
    attempt(l);
    evaluate_ends(l);
    l->any_dense = false;
    memset(l->moved, false, l->step.lanes * sizeof *l->moved);
    for (size_t k = 0; k < l->step.lanes; k++)
        look(l, k);
    if (l->any_dense)
        make_dense(l);
    /* accept the step: lanes on the fast path first, then all that moved */
    const size_t cruised = fast_path_take(&l->fast_path, l->moved);
    if (l->system->work)
        l->system->work->cruised += cruised;
    ode_go_on(&l->step, l->moved);
    fast_path_settle(&l->fast_path);
    /* lanes to which nothing but a step happened may take the fast path from here on */
    l->n_cruised = l->fast_path.n;
    for (size_t k = 0; k < l->step.lanes; k++) {
        l->places[k].cruised = fast_path_has(&l->fast_path, k);
        if (l->places[k].here && !l->places[k].cruised)
            fast_path_enter(&l->fast_path, k, l->places[k].drive);
    }
}

bool batched_step_cruised(const BatchedStep *l, size_t lane)
{
    return l->places[lane].cruised;
}

bool batched_step_all_cruised(const BatchedStep *l)
{
    return l->n_cruised == l->step.lanes;
}
