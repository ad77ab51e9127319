/* The printed form of Hamel's equations: the frame, its object of anholonomity, the quasi-momenta,
 * the equations of motion term by term, and the multipliers along the complement. */
#include <string.h>

#include "core/motion/hamel/frame.h"

typedef struct Printed {
    Presentation *out;
    ExprPool *pool;
    Arena scratch;
    Frame frame;
    Expr *w, *wdot; /* m */
    Expr *V;        /* n: the velocities at (q, w) */
    Expr *p;        /* n: dL/dw^k = X_k . L_v there */
    Expr *p_names;  /* n: their symbols */
    Expr *R;        /* (n + 1) x (n + 1) x n: R^k_ij, index 0: X_0 + d/dt */
    Expr *rates;    /* q, t, w: of the motion */
    Expr *symbols;  /* n + 1 + m */
    Expr L, *F;     /* at V */
    Expr *bracket;  /* n: work */
} Printed;

static Expr *anholonomity(const Printed *h, size_t i, size_t j)
{
    const size_t n = h->frame.n;
    return h->R + (i * (n + 1) + j) * n;
}

static Status printed_init(Printed *h, Error *err)
{
    const size_t n = h->frame.n, m = h->frame.m;

    h->w = ARENA_NEW(&h->scratch, m, Expr);
    h->wdot = ARENA_NEW(&h->scratch, m, Expr);
    h->V = ARENA_NEW(&h->scratch, n, Expr);
    h->p = ARENA_NEW(&h->scratch, n, Expr);
    h->p_names = ARENA_NEW(&h->scratch, n, Expr);
    h->F = ARENA_NEW(&h->scratch, n, Expr);
    h->symbols = ARENA_NEW(&h->scratch, n + 1 + m, Expr);
    h->rates = ARENA_NEW(&h->scratch, n + 1 + m, Expr);
    h->bracket = ARENA_NEW(&h->scratch, n, Expr);
    h->R = ARENA_NEW(&h->scratch, (n + 1) * (n + 1) * n, Expr);
    return arena_status(&h->scratch, err);
}

static void take_symbols(Printed *h)
{
    const size_t n = h->frame.n, m = h->frame.m;

    for (size_t k = 0; k < m; k++)
        h->w[k] = presentation_symbol(h->out, "w(@)", "w^{@}", &h->frame.names[k]);
    for (size_t k = 0; k < m; k++)
        h->wdot[k] = presentation_symbol(h->out, "dot(w(@))", "\\dot{w}^{@}", &h->frame.names[k]);
    /* rates of the coordinates, of time and of the quasi-velocities */
    frame_velocity(&h->frame, h->w, h->V);
    for (size_t i = 0; i < n; i++) {
        h->symbols[i] = h->frame.model->sym.q[i];
        h->rates[i] = h->V[i];
    }
    h->symbols[n] = h->frame.model->sym.t;
    h->rates[n] = expr_const(h->pool, 1);
    for (size_t k = 0; k < m; k++) {
        h->symbols[n + 1 + k] = h->w[k];
        h->rates[n + 1 + k] = h->wdot[k];
    }
}

/* e, or e with products multiplied out if that is shorter in print. */
static Expr shorter(const Printed *h, Expr e)
{
    enum { MOST = 20000 };
    const PrintNames no_names = {NULL, 0};
    Text text = TEXT_INIT;
    Expr expanded, result = e;

    expr_expand(h->pool, &e, 1, &expanded);
    if (!expr_is_none(expanded)) {
        bool fits = expr_print(h->pool, e, PRINT_TEXT, no_names, MOST, &text, NULL) == OK;
        const size_t length = fits ? text.length : MOST;
        text_reset(&text);
        if (expr_print(h->pool, expanded, PRINT_TEXT, no_names, MOST, &text, NULL) == OK &&
            text.length < length)
            result = expanded;
    }
    text_done(&text);
    return result;
}

/* L, F and p at v = V. */
static void take_model(Printed *h)
{
    const Model *model = h->frame.model;
    const size_t n = h->frame.n;

    for (size_t k = 0; k < n; k++)
        h->p[k] = expr_dot(h->pool, n, h->frame.X + k * n, model->p);
    expr_substitute(h->pool, h->p, n, model->sym.v, h->V, n, h->p);
    expr_substitute(h->pool, model->F, n, model->sym.v, h->V, n, h->F);
    expr_substitute(h->pool, &model->L, 1, model->sym.v, h->V, n, &h->L);
    for (size_t k = 0; k < n; k++)
        h->p[k] = shorter(h, h->p[k]);
    h->L = shorter(h, h->L);
}

/* R^k_ij = theta^k([X_i, X_j]), antisymmetric in i and j. */
static void take_brackets(Printed *h)
{
    const size_t n = h->frame.n;

    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j <= n; j++) {
            Expr *ij = anholonomity(h, i, j), *ji = anholonomity(h, j, i);
            frame_bracket(&h->frame, i, j, h->bracket);
            frame_components(&h->frame, h->bracket, ij);
            for (size_t k = 0; k < n; k++) {
                ij[k] = shorter(h, ij[k]);
                ji[k] = expr_neg(h->pool, ij[k]);
            }
        }
}

static void print_frame(Printed *h)
{
    const Model *model = h->frame.model;
    const size_t n = h->frame.n;

    for (size_t i = 0; i < n; i++)
        presentation_add(h->out, "frame", model->names.coordinates[i], model->sym.v[i], h->V[i]);
    for (size_t k = 0; k < h->frame.r; k++)
        for (size_t i = 0; i < n; i++) {
            const size_t field = h->frame.m + k;
            const char *const names[] = {h->frame.names[field], model->names.coordinates[i]};
            (void)presentation_name(h->out, "complement", "Y[@](@)", "Y_{@}^{@}", names,
                                    h->frame.X[field * n + i]);
        }
}

/* From here on, symbols replace the components. */
static void print_anholonomity(Printed *h)
{
    const size_t n = h->frame.n;
    const char **fields = h->frame.names;

    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j <= n; j++)
            for (size_t k = 0; k < n; k++) {
                const char *const names[] = {fields[k], fields[i ? i - 1 : j - 1], fields[j - 1]};
                Expr value = presentation_name(
                    h->out, "anholonomity", i ? "R[@](@,@)" : "R[@](0,@)",
                    i ? "R^{@}_{@\\,@}" : "R^{@}_{0\\,@}", names, anholonomity(h, i, j)[k]);
                anholonomity(h, i, j)[k] = value;
                anholonomity(h, j, i)[k] = expr_neg(h->pool, value);
            }
}

static void print_momenta(Printed *h)
{
    for (size_t k = 0; k < h->frame.n; k++)
        h->p_names[k] = presentation_name(h->out, "quasi_momentum", "p(@)", "p_{@}",
                                          &h->frame.names[k], h->p[k]);
}

/* D/Dt p_k - X_k(L) + R^i_kj w^j p_i + R^i_k0 p_i, with all terms of D/Dt p_k. */
static Expr left_side(Printed *h, size_t k)
{
    const size_t n = h->frame.n, m = h->frame.m;
    Expr rate, slope;

    expr_directional(h->pool, &h->p[k], 1, h->symbols, h->rates, n + 1 + m, &rate);
    expr_directional(h->pool, &h->L, 1, h->symbols, h->frame.X + k * n, n, &slope);
    Expr sum = expr_sub(h->pool, rate, slope);
    for (size_t j = 0; j <= m; j++) {
        if (j == k + 1)
            continue;
        Expr along = expr_dot(h->pool, n, anholonomity(h, k + 1, j), h->p_names);
        sum = expr_add(h->pool, sum, j ? expr_mul(h->pool, h->w[j - 1], along) : along);
    }
    return shorter(h, sum);
}

static void print_motion(Printed *h)
{
    const size_t n = h->frame.n, m = h->frame.m, r = h->frame.r;

    for (size_t k = 0; k < m; k++) {
        Expr force = expr_dot(h->pool, n, h->frame.X + k * n, h->F);
        presentation_add(h->out, "hamel", h->frame.names[k], left_side(h, k), force);
    }
    for (size_t k = m; k < m + r; k++) {
        const char *name = h->frame.names[k];
        Expr lambda = presentation_symbol(h->out, "reaction(@)", "\\mathcal{R}_{@}", &name);
        Expr force = expr_dot(h->pool, n, h->frame.X + k * n, h->F);
        presentation_add(h->out, "frame_reaction", name, lambda,
                         expr_sub(h->pool, left_side(h, k), force));
    }
}

Status hamel_present(const Model *model, const MotionOptions *options, Presentation *presentation,
                     Error *err)
{
    Printed h = {.out = presentation, .pool = presentation->pool};
    Status status = frame_init(&h.frame, h.pool, presentation->arena, model, options, true, err);

    if (status == OK)
        status = printed_init(&h, err);
    if (status == OK) {
        /* derive what the page needs, then print it in order */
        take_symbols(&h);
        take_model(&h);
        take_brackets(&h);
        print_frame(&h);
        print_anholonomity(&h);
        print_momenta(&h);
        print_motion(&h);
        status = presentation_status(presentation, err);
    }
    frame_done(&h.frame);
    arena_done(&h.scratch);
    return status;
}
