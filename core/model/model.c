/* Names of a model's kinds and symbols, and its expressions that are continuous along motions. */
#include "core/model/model.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

const char *constraint_kind_name(ConstraintKind kind)
{
    static const char *const NAMES[] = {[CONSTRAINT_HOLONOMIC] = "holonomic",
                                        [CONSTRAINT_LINEAR] = "linear",
                                        [CONSTRAINT_AFFINE] = "affine",
                                        [CONSTRAINT_NONLINEAR] = "nonlinear"};
    return NAMES[kind];
}

/* Texts before and after a printed name, by format; C has an array and an index instead. */
typedef struct NamePattern {
    const char *before, *after;
    const char *latex_before, *latex_after;
    const char *array; /* in C */
} NamePattern;

static const NamePattern POSITION = {"", "", "", "", "q"};
static const NamePattern VELOCITY = {"dot(", ")", "\\dot{", "}", "v"};
static const NamePattern ACCELERATION = {"ddot(", ")", "\\ddot{", "}", "vdot"};
static const NamePattern PARAMETER = {"", "", "", "", "p"};
static const NamePattern MULTIPLIER = {"multiplier(", ")", "\\lambda_{", "}", "lambda"};
static const NamePattern CHART = {"", "", "", "", "x"};
static const NamePattern CHART_VELOCITY = {"dot(", ")", "\\dot{", "}", "xdot"};

/* The strings of all symbols one after the other, each with its zero byte. */
typedef struct NameWriter {
    PrintFormat format;
    Text text;
    size_t *starts;
    size_t n;
} NameWriter;

static void write_name(NameWriter *w, const NamePattern *pattern, const char *name, size_t index)
{
    w->starts[w->n++] = w->text.length;
    switch (w->format) {
    case PRINT_TEXT:
        text_printf(&w->text, "%s%s%s", pattern->before, name, pattern->after);
        break;
    case PRINT_LATEX:
        text_puts(&w->text, pattern->latex_before);
        print_latex_name(name, &w->text);
        text_puts(&w->text, pattern->latex_after);
        break;
    case PRINT_C:
        text_printf(&w->text, "%s[%zu]", pattern->array, index);
        break;
    }
    text_putc(&w->text, '\0');
}

static void write_names(NameWriter *w, const NamePattern *pattern, const char *const *names,
                        size_t n)
{
    for (size_t i = 0; i < n; i++)
        write_name(w, pattern, names[i], i);
}

/* In the order of the symbols' numbers. */
static void write_all(NameWriter *w, const Model *m)
{
    const char *const *coordinates = (const char *const *)m->names.coordinates;
    const char *const *chart = (const char *const *)m->given.chart.names;

    w->starts[w->n++] = w->text.length;
    text_append(&w->text, "t", 2);
    write_names(w, &POSITION, coordinates, m->n);
    write_names(w, &VELOCITY, coordinates, m->n);
    write_names(w, &ACCELERATION, coordinates, m->n);
    write_names(w, &PARAMETER, (const char *const *)m->names.params, m->n_params);
    for (size_t a = 0; a < m->r; a++)
        write_name(w, &MULTIPLIER, m->constraints[a].name, a);
    write_names(w, &CHART, chart, m->given.chart.n);
    write_names(w, &CHART_VELOCITY, chart, m->given.chart.n);
}

char **model_print_names(const Model *model, PrintFormat format, size_t *ret_n)
{
    const size_t n = model->sym.first_free;
    NameWriter w = {
        .format = format, .text = TEXT_INIT, .starts = alloc_array(n, sizeof *w.starts)};
    char **names = NULL;

    if (w.starts)
        write_all(&w, model);
    if (w.starts && text_ok(&w.text))
        names = malloc(n * sizeof *names + w.text.length);
    /* the strings follow the pointers in one block, for one free() */
    if (names) {
        char *strings = (char *)(names + n);
        memcpy(strings, w.text.data, w.text.length);
        for (size_t s = 0; s < n; s++)
            names[s] = strings + w.starts[s];
        *ret_n = n;
    }
    text_done(&w.text);
    free(w.starts);
    return names;
}

size_t model_expressions(const Model *m, Expr *ret)
{
    size_t count = 0;

    ret[count++] = m->L;
    for (size_t i = 0; i < m->n; i++)
        ret[count++] = m->F[i];
    for (size_t a = 0; a < m->r; a++) {
        ret[count++] = m->constraints[a].phi;
        if (m->constraints[a].kind == CONSTRAINT_HOLONOMIC)
            ret[count++] = m->constraints[a].f;
    }
    return count;
}

Status model_moves(const Model *m, const ExprPool *pool, Expr e, bool *ret_moves, Error *err)
{
    Status status = expr_uses(pool, &e, 1, &m->sym.t, 1, ret_moves, err);

    if (status == OK && !*ret_moves)
        status = expr_uses(pool, &e, 1, m->sym.q, m->n, ret_moves, err);
    if (status == OK && !*ret_moves)
        status = expr_uses(pool, &e, 1, m->sym.v, m->n, ret_moves, err);
    return status;
}

bool model_is_linear(const Model *m, const size_t *rows, size_t n_rows)
{
    for (size_t k = 0; k < n_rows; k++)
        if (m->constraints[rows ? rows[k] : k].kind == CONSTRAINT_NONLINEAR)
            return false;
    return true;
}

bool model_is_holonomic(const Model *m)
{
    return m->n_holonomic == m->r;
}

void model_continuous(const Model *m, ExprPool *pool, Expr *ret)
{
    const size_t n = m->n, r = m->r;

    for (size_t a = 0; a < r; a++) {
        const Constraint *c = &m->constraints[a];
        ret[a] = c->kind == CONSTRAINT_HOLONOMIC ? c->f : expr_const(pool, 0);
        ret[r + a] = c->phi;
    }
    memcpy(ret + 2 * r, m->p, n * sizeof *ret);
}
