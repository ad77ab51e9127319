/* Random states, drawn as a whole or number by number, and values of expressions at them. */
#include "core/motion/draw.h"

#include <math.h>

#include "core/base/finite.h"
#include "core/model/kinds.h"

enum { SEED = 1897 }; /* any will do */

static double *symbol(Draw *draw, Expr e)
{
    return &draw->symbols[expr_node(draw->pool, e).symbol];
}

Status draw_init(Draw *draw, const MotionQuestion *question, const ExprPool *pool, Arena *arena,
                 Error *err)
{
    const Model *model = question->model;

    *draw = (Draw){.question = question, .pool = pool, .width = 1};
    draw->symbols = arena_doubles(arena, model->sym.first_free);
    draw->size = arena_doubles(arena, model->n);
    draw->speed = arena_doubles(arena, model->n);
    Status status = arena_status(arena, err);
    if (status == OK)
        status = kinds_of_parameters(model, question->params, draw->size, &draw->time, err);
    if (status != OK)
        return status;
    for (size_t i = 0; i < model->n; i++)
        draw->speed[i] = draw->size[i] / draw->time;
    /* a known state gives better sizes than the parameters alone */
    if (question->eval) {
        const ModelPoint point = model_point(question->eval, question->t, question->q, question->v);
        kinds_scales(model, point.M, question->q, question->v, draw->time, draw->size, draw->speed);
    }
    random_init(&draw->random, SEED);
    for (size_t i = 0; i < model->n_params; i++)
        *symbol(draw, model->sym.params[i]) = question->params[i];
    return OK;
}

void draw_coordinate(Draw *draw, size_t i)
{
    *symbol(draw, draw->question->model->sym.q[i]) =
        draw->question->q[i] +
        draw->size[i] * random_uniform(&draw->random, -draw->width, draw->width);
}

void draw_velocity(Draw *draw, size_t i)
{
    *symbol(draw, draw->question->model->sym.v[i]) = draw->speed[i] * random_normal(&draw->random);
}

void draw_time(Draw *draw)
{
    *symbol(draw, draw->question->model->sym.t) =
        draw->question->t + draw->time * random_uniform(&draw->random, 0, draw->width);
}

void draw_anew(Draw *draw)
{
    draw_time(draw);
    for (size_t i = 0; i < draw->question->model->n; i++) {
        draw_coordinate(draw, i);
        draw_velocity(draw, i);
    }
}

void draw_place(Draw *draw, double t, const double *q)
{
    *symbol(draw, draw->question->model->sym.t) = t;
    for (size_t i = 0; i < draw->question->model->n; i++)
        *symbol(draw, draw->question->model->sym.q[i]) = q[i];
}

bool draw_eval(Draw *draw, const Expr *roots, size_t n, double *ret_values)
{
    const bool finite = expr_eval(draw->pool, roots, n, draw->symbols, ret_values, NULL) == OK &&
                        all_finite(ret_values, n);

    if (!finite)
        draw->width *= 0.8;
    return finite;
}
