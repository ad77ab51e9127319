/* A motion watched for features narrower than its steps: access to steps of a state that begins
 * with the motion's, as q, v and accelerations. */
#include "core/linear/watch.h"

#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/model/kinds.h"

void watch_done(Watch *watch)
{
    features_done(&watch->features);
}

const double *watch_state_inside(void *self, const OdeArc *arc, double theta)
{
    Watch *w = self;
    const size_t n = w->model->n;
    const double *q = w->inside, *v = w->inside + n;

    arc->state(arc, theta, w->inside);
    w->seen[0] = arc->t + theta * arc->h;
    if (!w->motion->plain) {
        const MotionPoint point = motion_eval_point(w->equations, w->seen[0], w->inside);
        q = point.q;
        v = point.v;
    }
    memcpy(w->seen + 1, q, n * sizeof *q);
    memcpy(w->seen + 1 + n, v, n * sizeof *v);
    return w->seen;
}

static const double *accelerations_inside(void *self, const OdeArc *arc, double theta)
{
    Watch *w = self;
    arc->state(arc, theta, w->inside);
    return motion_eval_point(w->equations, arc->t + theta * arc->h, w->inside).vdot;
}

static const double *accelerations_at_end(void *self, const OdeArc *arc, double theta)
{
    Watch *w = self;

    if (!w->motion->plain)
        return accelerations_inside(self, arc, theta);
    arc->rates(arc, theta, w->inside);
    return w->inside + w->model->n;
}

/* Converts tolerances of the state to q and v, to first order. */
static void carry_tolerances(Watch *w, double t, double *y, const double *tolerances, double *ret)
{
    const size_t n = w->model->n;
    double *q = w->seen + 1, *v = q + n;

    memset(ret, 0, 2 * n * sizeof *ret);
    MotionPoint point = motion_eval_point(w->equations, t, y);
    memcpy(q, point.q, n * sizeof *q);
    memcpy(v, point.v, n * sizeof *v);
    /* the change of q and v by the tolerance of each component */
    for (size_t k = 0; k < w->motion->dim; k++) {
        const double value = y[k];
        y[k] += tolerances[k];
        point = motion_eval_point(w->equations, t, y);
        y[k] = value;
        for (size_t i = 0; i < n; i++) {
            ret[i] += fabs(point.q[i] - q[i]);
            ret[n + i] += fabs(point.v[i] - v[i]);
        }
    }
}

/* Tolerances for an integration that knows the sizes of its state. */
static void take_tolerances(void *self, const OdeArc *arc, double *ret_told, double *ret_resting,
                            double *ret_noise)
{
    Watch *w = self;
    const size_t size = 2 * w->model->n * sizeof *ret_told;
    double *told = w->tolerances, *resting = told + w->rows, *noise = resting + w->rows;

    arc->tolerances(arc, told, resting, noise);
    if (w->motion->plain) {
        memcpy(ret_told, told, size);
        memcpy(ret_resting, resting, size);
        memcpy(ret_noise, noise, size);
        return;
    }
    arc->state(arc, 1, w->inside);
    carry_tolerances(w, arc->t + arc->h, w->inside, told, ret_told);
    carry_tolerances(w, arc->t + arc->h, w->inside, resting, ret_resting);
    carry_tolerances(w, arc->t + arc->h, w->inside, noise, ret_noise);
}

/* Tolerances from the sizes on the step. */
static void take_resting(void *self, const OdeArc *arc, double *ret_told, double *ret_resting,
                         double *ret_noise)
{
    Watch *w = self;
    const size_t n = w->model->n;

    (void)arc;
    memset(ret_noise, 0, 2 * n * sizeof *ret_noise);
    for (size_t part = 0; part < 2 * n; part += n) {
        for (size_t i = 0; i < n; i++)
            w->sizes[i] = path_size(&w->features.path, 1 + part + i);
        for (size_t i = 0; i < n; i++)
            ret_told[part + i] = ret_resting[part + i] =
                ACCURACY_COMPUTED * kinds_largest(w->model, w->sizes, i);
    }
}

Status watch_init(Watch *watch, const WatchSpec *spec, Arena *arena, Error *err)
{
    const size_t n = spec->model->n;

    /* the state's layout, then arrays */
    *watch = (Watch){.model = spec->model,
                     .motion = spec->motion,
                     .equations = spec->equations,
                     .rows = spec->rows};
    const ArenaPiece pieces[] = {{&watch->inside, spec->rows},
                                 {&watch->seen, 1 + 2 * n},
                                 {&watch->tolerances, 3 * spec->rows},
                                 {&watch->sizes, n}};
    arena_pieces(arena, pieces, sizeof pieces / sizeof *pieces);
    Status status = arena_status(arena, err);
    /* features of the model */
    const FeatureSpec features = {
        .model = spec->model,
        .params = spec->params,
        .look = {.state = watch_state_inside,
                 .at_end = accelerations_at_end,
                 .accelerations = spec->beside ? NULL : accelerations_inside,
                 .tolerances = spec->sized ? take_tolerances : take_resting,
                 .self = watch},
        .rtol = spec->rtol,
        .norms = spec->norms,
        .n_norms = spec->n_norms};
    return status == OK ? features_init(&watch->features, &features, arena, err) : status;
}

bool watch_may_pass(void *self, const OdeArc *ends)
{
    Watch *w = self;
    return w->features.n > 0 && features_may_pass(&w->features, ends);
}

OdePassed watch_find_passed(void *self, const OdeArc *arc, double *ret_from, double *ret_length)
{
    Watch *w = self;
    return w->features.n > 0 && features_passed(&w->features, arc, ret_from, ret_length)
               ? ODE_FEATURE
               : ODE_NOTHING;
}

OdeWatch watch_system(Watch *watch)
{
    if (watch->features.n == 0)
        return (OdeWatch){0};
    return (OdeWatch){.self = watch, .may_pass = watch_may_pass, .passed = watch_find_passed};
}

bool watch_is_blind(const Watch *watch)
{
    return watch->features.undecided > 0 || watch->features.n < watch->features.of;
}

void watch_report(const Watch *watch, Arena *arena, Value *record)
{
    const Features *features = &watch->features;
    if (features->of == 0)
        return;
    Value *found = value_add(arena, record, "features", VALUE_RECORD);
    value_add_count(arena, found, "watched", features->n);
    value_add_count(arena, found, "of", features->of);
    value_add_count(arena, found, "met", (size_t)features->found);
    value_add_count(arena, found, "undecided", (size_t)features->undecided);
}
