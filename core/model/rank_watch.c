/* Rank along a motion: Weyl's inequality for singular values from state to state (G. W. Stewart,
 * J. Sun, Matrix Perturbation Theory, 1990, section IV.4). */
#include "core/model/rank_watch.h"

#include <math.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/model/evaluate.h"
#include "core/model/watch_limits.h"
#include "core/numeric/vectors.h"

/* Shortest sub-interval of the search, relative to the interval searched. A convention. */
static const double MIN_INTERVAL = 0x1p-8;
/* The rank is clearly full if the smallest singular value of B exceeds the first and all rows of B
 * are shorter than the second. B has no unit. Conventions. */
static const double CLEAR_SINGULAR_VALUE = 1e-2, CLEAR_ROW_LENGTH = 4;
/* Size of a coefficient relative to the length of its row. A larger coefficient that depends on
 * parameters alone keeps the row from vanishing. A convention. */
static const double LASTING_COEFFICIENT = 1e-2;

/* The matrices at the start of a motion, for entries that stay constant. */
typedef struct Start {
    const Model *model;
    const double *M, *A; /* n x n, r x n */
} Start;

static bool is_number(const Model *m, size_t row, size_t i)
{
    return expr_is_const(m->pool, m->A[row * m->n + i], NULL);
}

/* Whether the other rows never contain velocity i. */
static bool is_alone(const Start *s, const size_t *rows, size_t n_rows, size_t k, size_t i)
{
    const size_t n = s->model->n;
    bool alone = true;

    for (size_t other = 0; other < n_rows && alone; other++) {
        const size_t at = rows[other] * n + i;
        alone = other == k || (s->model->fixed.A[at] && s->A[at] == 0);
    }
    return alone;
}

/* Whether coefficient i, a function of parameters alone, is a large part of the row, in the metric
 * of the diagonal of M. A small one that only keeps nearly equal points apart does not count. */
static bool counts(const Start *s, size_t row, size_t i)
{
    const size_t n = s->model->n;
    const double *A = s->A + row * n;
    double square = 0;

    for (size_t j = 0; j < n; j++)
        square += A[j] * A[j] / fabs(s->M[j * n + j]);
    return A[i] * A[i] / fabs(s->M[i * n + i]) > LASTING_COEFFICIENT * LASTING_COEFFICIENT * square;
}

/* Whether only this row contains some velocity, with a constant coefficient. */
static bool has_own_velocity(const Start *s, const size_t *rows, size_t n_rows, size_t k)
{
    const size_t n = s->model->n, row = rows[k];
    bool own = false;

    for (size_t i = 0; i < n && !own; i++)
        own = s->model->fixed.A[row * n + i] && s->A[row * n + i] != 0 &&
              is_alone(s, rows, n_rows, k, i) && (is_number(s->model, row, i) || counts(s, row, i));
    return own;
}

static bool stays_independent(const Start *s, const size_t *rows, size_t n_rows)
{
    const size_t n = s->model->n;
    bool fixed = true, own = true;

    for (size_t k = 0; k < n_rows; k++) {
        for (size_t i = 0; i < n; i++)
            fixed = fixed && s->model->fixed.A[rows[k] * n + i];
        own = own && has_own_velocity(s, rows, n_rows, k);
    }
    return fixed || own;
}

bool rank_watch_is_needed(ModelEval *eval, double t, const double *q, const double *v,
                          const size_t *rows, size_t n_rows)
{
    const size_t n = eval->model->n;

    if (eval->model->fixed.A_turns)
        return false;
    const double *M = evaluate_at(eval, &eval->linear, t, q, v);
    const Start s = {eval->model, M, M + n * n};

    return !stays_independent(&s, rows, n_rows);
}

void rank_watch_init(RankWatch *w, ModelEval *eval, const size_t *rows, size_t n_rows, Arena *arena)
{
    const size_t n = eval->model->n;

    *w = (RankWatch){.eval = eval, .rows = rows, .n_rows = n_rows};
    if (!rows)
        return;
    const ArenaPiece pieces[] = {
        {&w->row_scale, n_rows},  {&w->longest, n_rows},
        {&w->column_scale, n},    {&w->before, n_rows * n},
        {&w->after, n_rows * n},  {&w->inner, n_rows * n},
        {&w->middle, n_rows * n}, {&w->gram, n_rows * n_rows},
        {&w->column, n_rows},     {&w->mass, n},
        {&w->seen, n_rows * n},   {&w->here, n_rows * n},
        {&w->past, n_rows * n},   {&w->state, 2 * n},
    };
    arena_pieces(arena, pieces, sizeof pieces / sizeof *pieces);
    w->seen_t = w->t_past = w->t_before = NAN;
}

/* M and A at a state. */
static const double *matrices(const RankWatch *w, double t, const double *q, const double *v)
{
    return evaluate_at(w->eval, &w->eval->linear, t, q, v);
}

/* Fills B from rows that are stored contiguously. */
static void fill(const RankWatch *w, const double *rows, double *B)
{
    const size_t n = w->eval->model->n;

    for (size_t k = 0; k < w->n_rows; k++)
        for (size_t i = 0; i < n; i++)
            B[k * n + i] = w->row_scale[k] * w->column_scale[i] * rows[k * n + i];
}

/* B at a state. */
static void evaluate(const RankWatch *w, double t, const double *q, const double *v, double *B)
{
    const size_t n = w->eval->model->n;
    const double *A = matrices(w, t, q, v) + n * n;

    for (size_t k = 0; k < w->n_rows; k++)
        memcpy(B + k * n, A + w->rows[k] * n, n * sizeof *B);
    fill(w, B, B);
}

/* Whether M and A were last evaluated at (q, v), up to a small fraction of the distance from the
 * state before. A projection ends with a correction after which they need no new evaluation. */
static bool evaluated_near(const RankWatch *w, double t, const double *q, const double *v)
{
    const size_t n = w->eval->model->n;
    const double *in = w->eval->linear.in;
    double off_q = 0, off_v = 0, way_q = 0, way_v = 0;

    if (in[0] != t)
        return false;
    for (size_t i = 0; i < n; i++) {
        off_q += (in[1 + i] - q[i]) * (in[1 + i] - q[i]);
        off_v += (in[1 + n + i] - v[i]) * (in[1 + n + i] - v[i]);
        way_q += (w->state[i] - q[i]) * (w->state[i] - q[i]);
        way_v += (w->state[n + i] - v[i]) * (w->state[n + i] - v[i]);
    }
    return off_q <= NEAR_STATE_SQUARE * way_q && off_v <= NEAR_STATE_SQUARE * way_v;
}

/* Keeps the matrices from which B and its scales are computed. */
static void see(RankWatch *w, double t, const double *q, const double *v)
{
    const size_t n = w->eval->model->n;
    const double *M = evaluated_near(w, t, q, v) ? w->eval->linear.out : matrices(w, t, q, v);

    for (size_t i = 0; i < n; i++) {
        const double mass = fabs(M[i * n + i]);
        w->scaled = w->scaled && mass == w->mass[i];
        w->mass[i] = mass;
    }
    for (size_t k = 0; k < w->n_rows; k++)
        memcpy(w->seen + k * n, M + (n + w->rows[k]) * n, n * sizeof *M);
    w->seen_t = t;
}

/* B B^T = L L^T, into w->gram. False if B has lost rank, within rounding. */
static bool factor(RankWatch *w, const double *B)
{
    const size_t n = w->eval->model->n, r = w->n_rows;

    for (size_t i = 0; i < r; i++) {
        double *row = w->gram + i * r;
        for (size_t j = 0; j <= i; j++) {
            const double *other = w->gram + j * r;
            const double rest = vector_dot(B + i * n, B + j * n, n) - vector_dot(row, other, j);
            if (j < i)
                row[j] = rest / other[j];
            else if (rest > 0)
                row[i] = sqrt(rest);
            else
                return false;
        }
    }
    return true;
}

/* 1 / |B^+| in the Frobenius norm: at most the smallest singular value, and at least that over the
 * square root of n_rows. */
static double margin(RankWatch *w, const double *B)
{
    const size_t r = w->n_rows;
    double *x = w->column, sum = 0;

    if (!factor(w, B))
        return 0;
    for (size_t k = 0; k < r; k++) {
        for (size_t i = k; i < r; i++) {
            const double *row = w->gram + i * r;
            x[i] = ((i == k) - vector_dot(row + k, x + k, i - k)) / row[i];
            sum += x[i] * x[i];
        }
    }
    return 1 / sqrt(sum);
}

static double distance(const RankWatch *w, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < w->n_rows * w->eval->model->n; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

/* Scales: 1 over the square root of the mass; a coordinate without mass takes the largest mass. */
static void scale_columns(RankWatch *w)
{
    const size_t n = w->eval->model->n;
    double largest = 0;

    if (w->scaled)
        return;
    w->scaled = true;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, w->mass[i]);
    if (!(largest > 0))
        largest = 1;
    for (size_t i = 0; i < n; i++)
        w->column_scale[i] = 1 / sqrt(w->mass[i] > 0 ? w->mass[i] : largest);
}

/* Moves A to the history: `here` becomes `past`, and the state just seen becomes `here`. */
static void keep(RankWatch *w, double t, bool jumped)
{
    double *past = w->past;

    if (jumped)
        w->t_past = NAN;
    else if (t != w->t_before)
        w->t_past = w->t_before;
    if (t != w->t_before) {
        w->past = w->here;
        w->here = past;
    }
    memcpy(w->here, w->seen, w->n_rows * w->eval->model->n * sizeof *w->seen);
}

/* The deviation |K| of B from the straight path to the last state, from the parabola through the
 * last three states: B = B0 + theta (B1 - B0) + theta (theta - 1) K. */
static double bend(const RankWatch *w)
{
    const size_t n = w->eval->model->n;
    const double h = w->seen_t - w->t_before, ratio = h / (w->t_before - w->t_past);
    double square = 0;

    for (size_t k = 0; k < w->n_rows; k++)
        for (size_t i = 0; i < n; i++) {
            const size_t at = k * n + i;
            const double K = w->row_scale[k] * w->column_scale[i] * ratio / (1 + ratio) *
                             (w->seen[at] - w->here[at] - ratio * (w->here[at] - w->past[at]));
            square += K * K;
        }
    return isfinite(square) ? sqrt(square) : 0;
}

void rank_watch_start(RankWatch *w, double t, const double *q, const double *v, bool jumped)
{
    const size_t n = w->eval->model->n;
    double shortest = 1;

    if (!w->rows)
        return;
    /* evaluate M and A after a jump, or if they were last seen at another time */
    if (jumped || t != w->seen_t)
        see(w, t, q, v);
    keep(w, t, jumped);
    scale_columns(w);
    /* scale each row to length one, and compare the length with the longest so far */
    for (size_t k = 0; k < w->n_rows; k++) {
        double square = 0;
        for (size_t i = 0; i < n; i++) {
            const double entry = w->seen[k * n + i] * w->column_scale[i];
            square += entry * entry;
        }
        const double length = sqrt(square);
        w->row_scale[k] = length > 0 ? 1 / length : 1;
        w->longest[k] = fmax(w->longest[k], length);
        shortest = fmin(shortest, length / w->longest[k]);
    }
    /* margin at the start of the step */
    fill(w, w->seen, w->before);
    w->margin_before = margin(w, w->before);
    w->margin = shortest * w->margin_before;
    w->widest = fmax(w->widest, w->margin);
    w->t_before = t;
    memcpy(w->state, q, n * sizeof *q);
    memcpy(w->state + n, v, n * sizeof *v);
}

void rank_watch_resume(RankWatch *w, double t, const double *state)
{
    const size_t n = w->eval->model->n;

    memcpy(w->seen, w->here, w->n_rows * n * sizeof *w->seen);
    fill(w, w->seen, w->before);
    w->scaled = true;
    w->seen_t = w->t_before = t;
    memcpy(w->state, state, 2 * n * sizeof *state);
}

bool rank_watch_suspects(RankWatch *w, double t, const double *q, const double *v, double ahead)
{
    if (!w->rows)
        return false;
    see(w, t, q, v);
    fill(w, w->seen, w->after);
    w->margin_after = margin(w, w->after);
    const double change = distance(w, w->before, w->after);
    w->rate = change / fabs(t - w->t_before);
    return !(w->margin_before + w->margin_after > 2 * change + bend(w) &&
             w->margin_after > (ahead + 0.5) * change);
}

bool rank_watch_is_clear(const RankWatch *w, double t)
{
    const size_t n = w->eval->model->n;
    bool clear = w->rows && w->seen_t == t && w->margin_after > CLEAR_SINGULAR_VALUE;

    for (size_t i = 0; clear && i < n; i++)
        clear = w->mass[i] > 0 && isfinite(w->mass[i]);
    for (size_t k = 0; clear && k < w->n_rows; k++)
        clear =
            vector_dot(w->after + k * n, w->after + k * n, n) < CLEAR_ROW_LENGTH * CLEAR_ROW_LENGTH;
    return clear;
}

double rank_watch_horizon(RankWatch *w)
{
    const double horizon = w->margin_before / w->rate;
    if (horizon < INFINITY)
        w->farthest = fmax(w->farthest, horizon);
    return w->margin < NOISE_MARGIN_RATIO * w->widest && horizon < NEAR_HORIZON_RATIO * w->farthest
               ? 0
               : horizon;
}

double rank_watch_margin(const RankWatch *w)
{
    return w->margin / w->widest;
}

/* A path under search, and the part of it on which the rank is known to be full. */
typedef struct Look {
    RankWatch *watch;
    RankWay *way;
    void *self;
    double here, margin,
        largest;      /* the rank is full up to `here`; the margin there; the largest margin so
                         far */
    double *B, *next; /* at `here`, and at the point under test */
} Look;

static double margin_at(const Look *look, double theta)
{
    RankWatch *w = look->watch;
    const double *q, *v;
    double t;

    look->way(look->self, theta, &t, &q, &v);
    evaluate(w, t, q, v, look->next);
    return margin(w, look->next);
}

/* Whether B stays near enough to B at `here` up to theta to have full rank. look->next is B at
 * theta, `margin` its margin. B is also computed half-way, because it may return. */
static bool stays(Look *look, double theta, double margin)
{
    RankWatch *w = look->watch;
    const double both = look->margin + margin;
    double *const end = look->next;

    if (!(both > 2 * distance(w, look->B, end)))
        return false;
    look->next = w->middle;
    margin_at(look, look->here + (theta - look->here) / 2);
    look->next = end;
    return both > 2 * distance(w, look->B, w->middle) && both > 2 * distance(w, w->middle, end);
}

static void look_from(Look *look, double theta, double margin)
{
    double *old = look->B;
    look->B = look->next;
    look->next = old;
    look->here = theta;
    look->margin = margin;
    look->largest = fmax(look->largest, margin);
}

/* Advances over intervals with full rank; whether it reaches `most`. */
static bool march(Look *look, double most)
{
    double part = most - look->here;

    while (look->here < most) {
        part = fmin(part, most - look->here);
        const double next = margin_at(look, look->here + part);
        if (stays(look, look->here + part, next)) {
            look_from(look, look->here + part, next);
            part *= 2;
        } else if (part > MIN_INTERVAL * most) {
            part /= 2;
        } else {
            return false;
        }
    }
    return true;
}

/* Golden-section search for the smallest margin between a and c. */
static double closest(const Look *look, double a, double c, double *ret_margin)
{
    enum { SECTIONS = 32 };
    const double golden = 0.6180339887498949;
    double x = c - golden * (c - a), y = a + golden * (c - a);
    double at_x = margin_at(look, x), at_y = margin_at(look, y);

    /* keep the section with the smaller margin */
    for (int k = 0; k < SECTIONS; k++) {
        if (at_x < at_y) {
            c = y;
            y = x;
            at_y = at_x;
            x = c - golden * (c - a);
            at_x = margin_at(look, x);
        } else {
            a = x;
            x = y;
            at_x = at_y;
            y = a + golden * (c - a);
            at_y = margin_at(look, y);
        }
    }
    *ret_margin = fmin(at_x, at_y);
    return at_x < at_y ? x : y;
}

/* Descends from `here` until the margin grows again (*ret_beyond), at most to `most`. Returns the
 * point of the smallest margin, or NAN if the margin still falls at `most`. */
static double descend(Look *look, double most, double *ret_beyond, double *ret_margin)
{
    double last = look->margin, before = look->here, from = look->here;

    for (double part = MIN_INTERVAL * most;; part *= 2) {
        const double to = fmin(most, look->here + part), margin = margin_at(look, to);
        if (margin > last) {
            *ret_beyond = to;
            return closest(look, before, to, ret_margin);
        }
        if (to >= most)
            return NAN;
        before = from;
        from = to;
        last = margin;
    }
}

double rank_watch_find(RankWatch *w, RankWay *way, void *self, double most, double tiny)
{
    Look look = {.watch = w,
                 .way = way,
                 .self = self,
                 .margin = w->margin_before,
                 .largest = w->margin_before,
                 .B = w->inner,
                 .next = w->after};

    w->margin_after = 0; /* `after` is used as scratch */
    memcpy(look.B, w->before, w->n_rows * w->eval->model->n * sizeof *look.B);
    while (!march(&look, most)) {
        double beyond = most, smallest = NAN;
        const double theta = descend(&look, most, &beyond, &smallest);
        if (isnan(theta) || smallest <= tiny * look.largest)
            return theta;
        /* not small enough: continue where the margin grows again */
        look_from(&look, beyond, margin_at(&look, beyond));
    }
    return NAN;
}
