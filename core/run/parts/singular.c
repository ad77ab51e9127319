/* Passages across a loss of rank are looked for and judged. */
#include "core/run/parts/singular.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/model/evaluate.h"
#include "core/model/residuals.h"
#include "core/numeric/dense.h"

/* Distance of the singular configuration from the middle of a passage, in lengths of the passage,
 * up to which the passage is taken. No unit; convention. */
static const double MAX_CENTER_OFFSET = 0.03;
/* Singular value relative to the largest up to which a row counts as lost in the configuration.
 * Convention: the configuration itself is found to about that distance. */
static const double LOST_SINGULAR_VALUE = 1e-4;
/* The same along a path with errors of its own, as long as a passage is only looked for. No unit;
 * convention. */
static const double SUSPECT_SINGULAR_VALUE = 2e-2;
/* The same in units of rounding: the larger of both bounds decides. Convention. */
static const double HOLDING_ROUNDINGS = 8;
/* Margin of the rank relative to the widest so far, below which the rows are near to losing rank.
 * Convention. */
static const double NEAR_LOSS_FRACTION = 0.1;
/* Ratio of the scale of a multiplier to that of the largest reaction. Convention: near the
 * configuration a small error of the state is a large error of the multipliers of rows that become
 * dependent. */
static const double BLURRED_MULTIPLIER_RATIO = 100;
enum { CORRECTIONS = 4 };

Status singular_init(Singular *g, const Simulation *s, size_t size, SingularLocate *locate,
                     void *self, Arena *arena, Error *err)
{
    const size_t n = s->compiled->model->n, r = s->compiled->model->r, rank = s->start.report.rank;

    *g = (Singular){.s = s, .locate = locate, .self = self};
    if (rank == 0)
        return OK;
    const bool needed =
        rank_watch_is_needed(s->eval, s->times.t0, s->start.q, s->start.v, s->start.rows, rank);
    rank_watch_init(&g->watch, s->eval, needed ? s->start.rows : NULL, rank, arena);
    g->items = ARENA_NEW(arena, SINGULAR_ITEMS, SingularEvidence);
    const ArenaPiece pieces[] = {
        {&g->y, size + 1}, {&g->q, n},    {&g->v, n},          {&g->rows, r * n},
        {&g->residual, r}, {&g->step, n}, {&g->values, r + n}, {&g->first_scale, rank},
    };
    arena_pieces(arena, pieces, sizeof pieces / sizeof *pieces);
    return arena_status(arena, err);
}

/* Whether the motion ends there, and nothing happens to it that would ask how near its rank is to
 * being lost. */
static bool is_over(const Singular *g, double t)
{
    const Simulation *s = g->s;

    return t == s->times.end && s->n_events == 0 && s->motion->n_switches == 0 &&
           !s->motion->watches_dependent;
}

void singular_step(Singular *g, double t, const double *y, bool jumped)
{
    const double *q, *v;

    if (!singular_watches(g))
        return;
    if (!is_over(g, t)) {
        g->locate(g->self, t, y, &q, &v);
        rank_watch_start(&g->watch, t, q, v, jumped);
    }
    if (jumped)
        singular_leave(g);
    /* a run may end in a passage but before the configuration */
    if (!g->waiting || (t - g->found.t) / g->arc->h < 0)
        return;
    g->waiting = false;
    if (!g->loses_rank)
        return;
    if (g->count < SINGULAR_ITEMS)
        g->items[g->count] = g->found;
    g->count++;
}

bool singular_suspects(Singular *g, double t, const double *y, double ahead)
{
    const double *q, *v;

    g->locate(g->self, t, y, &q, &v);
    return rank_watch_suspects(&g->watch, t, q, v, ahead);
}

double singular_horizon(Singular *g, double *ret_margin)
{
    *ret_margin = rank_watch_margin(&g->watch);
    return rank_watch_horizon(&g->watch);
}

static void locate_on(Singular *g, const OdeArc *arc, double theta, const double **ret_q,
                      const double **ret_v)
{
    arc->state(arc, theta, g->y);
    if (arc->smooth) {
        *ret_q = g->y;
        *ret_v = g->y + g->s->compiled->model->n;
        return;
    }
    g->locate(g->self, arc->t + theta * arc->h, g->y, ret_q, ret_v);
}

typedef struct ArcWay {
    Singular *g;
    const OdeArc *arc;
} ArcWay;

static void way_along(void *self, double theta, double *ret_t, const double **ret_q,
                      const double **ret_v)
{
    const ArcWay *way = self;
    *ret_t = way->arc->t + theta * way->arc->h;
    locate_on(way->g, way->arc, theta, ret_q, ret_v);
}

static double find_along(Singular *g, const OdeArc *arc, double most, double tiny)
{
    ArcWay way = {g, arc};
    return rank_watch_find(&g->watch, way_along, &way, most, tiny);
}

double singular_find(Singular *g, const OdeArc *arc, double most)
{
    return find_along(g, arc, most, SUSPECT_SINGULAR_VALUE);
}

/* How far it is from the start of the passage to g->q, in the metric of the watch. */
static double way_here(const Singular *g)
{
    const RankWatch *w = &g->watch;
    double square = 0;

    for (size_t i = 0; i < g->s->compiled->model->n; i++) {
        const double d = (g->q[i] - w->state[i]) / w->rows.now.column_scale[i];
        square += d * d;
    }
    return sqrt(square);
}

/* Whether f vanishes at g->q for all holonomic rows in use; g->residual: in the scale of the rows,
 * which makes it a length. Near the configuration f is quadratic: where it is less than
 * ACCURACY_SUMMED of the way, the branches of the constraints come as close to each other as the
 * root of ACCURACY_SUMMED. */
static bool residuals_vanish(Singular *g, double t)
{
    const Model *m = g->s->compiled->model;
    const RankWatch *w = &g->watch;
    const double *parts = evaluate_at(g->s->eval, &g->s->eval->residuals, t, g->q, g->v);
    const double *f = parts + RESIDUAL_F * m->r, *rounding = parts + RESIDUAL_F_ROUNDING * m->r;
    const double bound = ACCURACY_SUMMED * way_here(g);
    bool vanish = true;

    for (size_t k = 0; k < w->rows.n_rows; k++) {
        const size_t a = w->rows.rows[k];
        const bool counts = m->constraints[a].kind == CONSTRAINT_HOLONOMIC;
        const double unsure =
            HOLDING_ROUNDINGS * DBL_EPSILON * w->rows.now.row_scale[k] * rounding[a];
        g->residual[k] = counts ? w->rows.now.row_scale[k] * f[a] : 0;
        vanish = vanish && fabs(g->residual[k]) <= fmax(bound, unsure);
    }
    return vanish;
}

/* The rows `used` at (q, v), n_used of them, in the scales of the watch; NULL: the first ones as
 * they are but for the scales of the columns. */
static void take_rows(Singular *g, double t, const size_t *used, size_t n_used)
{
    const size_t n = g->s->compiled->model->n;
    const RankWatch *w = &g->watch;
    const double *A = evaluate_at(g->s->eval, &g->s->eval->linear, t, g->q, g->v) + n * n;

    for (size_t k = 0; k < n_used; k++)
        for (size_t i = 0; i < n; i++)
            g->rows[k * n + i] = (used ? w->rows.now.row_scale[k] : 1) *
                                 w->rows.now.column_scale[i] * A[(used ? used[k] : k) * n + i];
}

static bool rows_vanish(const Singular *g)
{
    double square = 0;

    for (size_t i = 0; i < g->watch.rows.n_rows * g->s->compiled->model->n; i++)
        square += g->rows[i] * g->rows[i];
    return square <= LOST_SINGULAR_VALUE * LOST_SINGULAR_VALUE;
}

/* Moves q so that the constraints hold as far as the remaining rank can decide. Any residual left
 * then is one of the constraints themselves. */
static bool holds(Singular *g, double t)
{
    const size_t n = g->s->compiled->model->n;
    const RankWatch *w = &g->watch;

    for (int pass = 0; pass < CORRECTIONS && !residuals_vanish(g, t); pass++) {
        take_rows(g, t, w->rows.rows, w->rows.n_rows);
        if (rows_vanish(g))
            return false;
        if (dense_least_norm(g->rows, w->rows.n_rows, n, g->residual, LOST_SINGULAR_VALUE, g->step,
                             NULL) != OK)
            return false;
        for (size_t i = 0; i < n; i++)
            g->q[i] -= w->rows.now.column_scale[i] * g->step[i];
    }
    return residuals_vanish(g, t);
}

/* How many singular values of g->rows count, and the smallest of all: beside the largest, and
 * beside 1, the length that rows have where the passage begins. */
static bool rank_there(Singular *g, size_t n_rows, size_t *ret_rank, double *ret_smallest)
{
    const size_t n = g->s->compiled->model->n, count = n_rows < n ? n_rows : n;

    if (dense_singular_values(g->rows, n_rows, n, g->values, NULL) != OK)
        return false;
    const double size = fmax(g->values[0], 1);
    *ret_rank = 0;
    for (size_t k = 0; k < count; k++)
        *ret_rank += g->values[k] > LOST_SINGULAR_VALUE * size;
    *ret_smallest = g->values[count - 1] / size;
    return true;
}

/* Rows of length one, all of them: other rows may make up for those in use. */
static bool all_rows_keep_rank(Singular *g, double t)
{
    const size_t n = g->s->compiled->model->n, r = g->s->compiled->model->r;
    size_t rank = 0;
    double smallest;

    if (r == g->watch.rows.n_rows)
        return false;
    take_rows(g, t, NULL, r);
    for (size_t a = 0; a < r; a++) {
        double square = 0;
        for (size_t i = 0; i < n; i++)
            square += g->rows[a * n + i] * g->rows[a * n + i];
        for (size_t i = 0; i < n && square > 0; i++)
            g->rows[a * n + i] /= sqrt(square);
    }
    return rank_there(g, r, &rank, &smallest) && rank >= g->watch.rows.n_rows;
}

bool singular_pass(Singular *g, const OdeArc *arc, double agreement)
{
    const size_t n = g->s->compiled->model->n;
    const double theta = find_along(g, arc, 1, LOST_SINGULAR_VALUE), t = arc->t + theta * arc->h;
    const double *q, *v;

    g->arc = NULL;
    g->waiting = g->loses_rank = false;
    if (isnan(theta)) { /* a false alarm: nothing is singular on the way */
        g->arc = arc;
        return true;
    }
    if (fabs(theta - 0.5) > MAX_CENTER_OFFSET)
        return false;
    locate_on(g, arc, theta, &q, &v);
    memcpy(g->q, q, n * sizeof *q);
    memcpy(g->v, v, n * sizeof *v);
    if (!holds(g, t))
        return false;
    take_rows(g, t, g->watch.rows.rows, g->watch.rows.n_rows);
    g->found = (SingularEvidence){.t = t, .agreement = agreement};
    if (!rank_there(g, g->watch.rows.n_rows, &g->found.rank, &g->found.smallest))
        return false;
    g->loses_rank = !all_rows_keep_rank(g, t);
    g->arc = arc;
    g->waiting = true;
    return true;
}

bool singular_near(const Singular *g)
{
    return singular_watches(g) && rank_watch_margin(&g->watch) < NEAR_LOSS_FRACTION;
}

double singular_distance(Singular *g, double t, const double *q, const double *v)
{
    const size_t n = g->s->compiled->model->n, n_rows = g->watch.rows.n_rows;
    const double *A = evaluate_at(g->s->eval, &g->s->eval->linear, t, q, v) + n * n;

    for (size_t k = 0; k < n_rows; k++) {
        double *row = g->rows + k * n, square = 0;
        for (size_t i = 0; i < n; i++) {
            row[i] = g->watch.rows.now.column_scale[i] * A[g->watch.rows.rows[k] * n + i];
            square += row[i] * row[i];
        }
        if (g->first_scale[k] == 0 && square > 0)
            g->first_scale[k] = 1 / sqrt(square);
        for (size_t i = 0; i < n; i++)
            row[i] *= g->first_scale[k];
    }
    return dense_singular_values(g->rows, n_rows, n, g->values, NULL) == OK ? g->values[n_rows - 1]
                                                                            : 0;
}

bool singular_is_clear(const Singular *g, double t)
{
    return g->watch.rows.n_rows == g->s->compiled->model->r && rank_watch_is_clear(&g->watch, t);
}

bool singular_multipliers_apart(const Simulation *s)
{
    bool apart = s->compiled->formulation->keeps_multipliers;

    for (size_t k = 0; k < s->start.report.rank; k++)
        apart =
            apart && s->compiled->model->constraints[s->start.rows[k]].kind == CONSTRAINT_HOLONOMIC;
    return apart;
}

void singular_weigh(const Singular *g, const double *mu, double *sizes)
{
    const RankWatch *w = &g->watch;
    double most = 0;

    for (size_t k = 0; k < w->rows.n_rows; k++)
        most = fmax(most, fabs(mu[k]) / w->rows.now.row_scale[k]);
    for (size_t k = 0; k < w->rows.n_rows; k++)
        sizes[k] = fmax(sizes[k], BLURRED_MULTIPLIER_RATIO * most * w->rows.now.row_scale[k]);
}

void singular_leave(Singular *g)
{
    g->arc = NULL;
    g->waiting = false;
}

bool singular_ends(const Singular *g, double t)
{
    return g->arc && t == g->arc->t + g->arc->h;
}
