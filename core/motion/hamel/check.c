/* Whether Hamel's equations apply: affine constraints, and a frame that fits them. */
#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/model/kinds.h"
#include "core/motion/draw.h"
#include "core/motion/hamel/frame.h"
#include "core/numeric/vectors.h"

enum { CHECKED_STATES = 8, ATTEMPTS = 64 };

/* The frame at one state. */
typedef struct Look {
    const MotionQuestion *question;
    Draw draw;
    double *fields; /* n_frame x n */
    double *basis;  /* n_frame x n, for orthogonalization */
    double *q, *v;  /* n */
} Look;

static Status look_init(Look *look, const MotionQuestion *question, Arena *arena, Error *err)
{
    const Model *model = question->model;

    *look = (Look){.question = question};
    look->fields = arena_doubles(arena, model->given.n_frame * model->n);
    look->basis = arena_doubles(arena, model->given.n_frame * model->n);
    look->q = arena_doubles(arena, model->n);
    look->v = arena_doubles(arena, model->n);
    return draw_init(&look->draw, question, model->pool, arena, err);
}

/* The fields at (q, t); false if they are not finite there. */
static bool look_at(Look *look, double t, const double *q)
{
    const Model *model = look->question->model;
    bool finite = true;

    draw_place(&look->draw, t, q);
    for (size_t k = 0; k < model->given.n_frame && finite; k++)
        finite = draw_eval(&look->draw, model->given.frame[k].components, model->n,
                           look->fields + k * model->n);
    return finite;
}

static double length_of(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum = hypot(sum, x[i]);
    return sum;
}

/* The sine by which field k leaves constraint a: |A_a X_k| over the lengths. */
static double leaving(const Look *look, const double *A, size_t a, size_t k)
{
    const size_t n = look->question->model->n;
    const double *row = A + a * n, *field = look->fields + k * n;
    const double size = length_of(row, n) * length_of(field, n);

    return size > 0 ? fabs(vector_dot(row, field, n)) / size : 0;
}

static const char *frame_pointer(const Diagnostics *diag, size_t field)
{
    const char *pointer = arena_printf(diag->arena, "/model/frame/%zu", field);
    return pointer ? pointer : "/model/frame";
}

/* Reports the field and constraint that disagree most; true if none does. */
static bool tangent_at(const Look *look, double t, const double *q, const double *v,
                       Diagnostics *diag)
{
    const MotionQuestion *question = look->question;
    const Model *model = question->model;
    const MotionOptions *options = question->options;
    ModelPoint point = model_point(question->eval, t, q, v);
    double worst = ACCURACY_COMPARED;
    size_t field = 0, row = model->r;

    /* find the pair of field and constraint that is furthest from tangent */
    for (size_t k = 0; k < model->n - options->n_rows; k++)
        for (size_t a = 0; a < options->n_rows; a++) {
            double off = leaving(look, point.A, options->rows[a], k);
            if (off > worst) {
                worst = off;
                field = k;
                row = options->rows[a];
            }
        }
    if (row == model->r)
        return true;
    diagnostics_add(diag, frame_pointer(diag, field), -1,
                    "the first fields span the velocities that the constraints allow; an affine "
                    "part of the constraints is not theirs",
                    "the field %.80s is not tangent to the constraint %.80s: A X is %.3g of "
                    "|A| |X| at an admissible state",
                    model->given.frame[field].name, model->constraints[row].name, worst);
    return false;
}

/* The part of field k orthogonal to those before: the sine of its angle to their span. */
static double new_direction(Look *look, size_t k)
{
    const size_t n = look->question->model->n;
    double *x = look->basis + k * n;
    const double size = length_of(look->fields + k * n, n);

    memcpy(x, look->fields + k * n, n * sizeof *x);
    /* orthogonalize twice, because of rounding */
    for (int pass = 0; pass < 2; pass++)
        for (size_t l = 0; l < k; l++) {
            const double along = vector_dot(x, look->basis + l * n, n);
            for (size_t i = 0; i < n; i++)
                x[i] -= along * look->basis[l * n + i];
        }
    double rest = length_of(x, n);
    for (size_t i = 0; i < n && rest > 0; i++)
        x[i] /= rest;
    return size > 0 ? rest / size : 0;
}

static void check_span(Look *look, Diagnostics *diag)
{
    const Model *model = look->question->model;

    for (size_t k = 0; k < model->given.n_frame; k++) {
        double sine = new_direction(look, k);
        if (sine > ACCURACY_COMPARED)
            continue;
        diagnostics_add(diag, frame_pointer(diag, k), -1, NULL,
                        "the frame does not span: at the initial state the field %.80s is a "
                        "combination of those before it (sine of the angle: %.3g)",
                        model->given.frame[k].name, sine);
        return;
    }
}

/* Moves a state by 0.3 of its sizes; 1 is added to a size of 0, and to all if `far`. */
static void step_aside(const MotionQuestion *question, bool far, double *q, double *v,
                       Random *random)
{
    const Model *model = question->model;

    for (size_t i = 0; i < model->n; i++) {
        const double size_q = kinds_largest(model, question->q, i);
        const double size_v = kinds_largest(model, question->v, i);
        q[i] += 0.3 * (far || size_q == 0 ? 1 + size_q : size_q) * random_normal(random);
        v[i] += 0.3 * (far || size_v == 0 ? 1 + size_v : size_v) * random_normal(random);
    }
}

/* Checks tangency at random admissible states near the initial one. */
static void check_tangency(Look *look, Diagnostics *diag)
{
    const MotionQuestion *question = look->question;
    const Model *model = question->model;
    double t, dq, dv;
    Random random;
    int checked = 0;

    random_init(&random, 24);
    for (int k = 0; k < ATTEMPTS && checked < CHECKED_STATES; k++) {
        memcpy(look->q, question->q, model->n * sizeof *look->q);
        memcpy(look->v, question->v, model->n * sizeof *look->v);
        /* the first state is the initial one itself */
        if (k > 0)
            step_aside(question, k % 2 == 1, look->q, look->v, &random);
        t = k > 0 ? question->t + 0.3 * random_normal(&random) : question->t;
        if (k > 0 && model_project(question->eval, t, look->q, look->v, question->options->rows,
                                   question->options->n_rows, &dq, &dv, NULL) != OK)
            continue;
        if (!look_at(look, t, look->q))
            continue;
        if (!tangent_at(look, t, look->q, look->v, diag))
            return;
        checked++;
    }
}

static Status check_frame(const MotionQuestion *question, Diagnostics *diag, Error *err)
{
    const Model *model = question->model;
    const size_t m = model->n - question->options->n_rows;
    Arena scratch = {0};
    Look look;

    if (model->given.n_frame != m && model->given.n_frame != model->n) {
        diagnostics_add(diag, "/model/frame", -1, "leave \"frame\" out to have one derived",
                        "the frame has %zu fields: the constraints leave %zu degrees of freedom of "
                        "%zu coordinates, so that it takes %zu or %zu",
                        model->given.n_frame, m, model->n, m, model->n);
        return OK;
    }
    /* their independence and tangency */
    Status status = look_init(&look, question, &scratch, err);
    if (status == OK && look_at(&look, question->t, question->q)) {
        check_span(&look, diag);
        check_tangency(&look, diag);
    } else if (status == OK) {
        diagnostics_add(diag, "/model/frame", -1, NULL,
                        "the frame's fields are not finite at the initial state");
    }
    arena_done(&scratch);
    return status;
}

Status hamel_check(const MotionQuestion *question, Diagnostics *diag, Error *err)
{
    const Model *model = question->model;
    const size_t before = diag->total;
    Status status = OK;

    /* report all nonlinear constraints; check a frame only if there is none */
    for (size_t k = 0; k < question->options->n_rows; k++) {
        const Constraint *c = &model->constraints[question->options->rows[k]];
        if (c->kind == CONSTRAINT_NONLINEAR)
            diagnostics_add(diag, "/formulation", -1,
                            "choose \"voronec\" or \"lagrange-dalembert\"",
                            "no quasi-velocities: the constraint %.80s is not linear in the "
                            "velocities, so that no frame spans the velocities it allows",
                            c->name);
    }
    if (diag->total == before && model->given.n_frame)
        status = check_frame(question, diag, err);
    if (status == OK && diag->total > before)
        status = error_set(err, ERR_INVALID, "Hamel's equations do not apply");
    return status;
}
