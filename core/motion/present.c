/* Collects the equations and names that a formulation prints. */
#include "core/motion/present.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/expr/print/print.h"

enum { ARENA_BYTES = 16 << 20 };

Status presentation_init(Presentation *p, const Model *model, Error *err)
{
    size_t n_names;

    *p = (Presentation){.model = model};
    p->pool = expr_pool_clone(model->pool);
    p->arena = arena_new(ARENA_BYTES);
    p->model_names = model_print_names(model, PRINT_LATEX, &n_names);
    return p->pool && p->model_names ? arena_status(p->arena, err)
                                     : error_set(err, ERR_NO_MEMORY, "out of memory");
}

void presentation_done(Presentation *p)
{
    expr_pool_free(p->pool);
    arena_free(p->arena);
    free(p->model_names);
    *p = (Presentation){0};
}

/* Space for one more than n elements: the array itself, or, if n is a power of two, a copy of twice
 * its size. */
static void *presentation_room(Arena *arena, void *array, size_t n, size_t size)
{
    if (n & (n - 1))
        return array;
    void *larger = arena_alloc(arena, n ? 2 * n : 1, size);
    if (larger && n)
        memcpy(larger, array, n * size);
    return larger;
}

Expr presentation_symbol(Presentation *p, const char *text, const char *latex)
{
    const size_t k = p->n_symbols;

    p->text_names = presentation_room(p->arena, p->text_names, k, sizeof *p->text_names);
    p->latex_names = presentation_room(p->arena, p->latex_names, k, sizeof *p->latex_names);
    if (arena_failed(p->arena))
        return EXPR_NONE;
    p->text_names[k] = arena_strdup(p->arena, text);
    p->latex_names[k] = arena_strdup(p->arena, latex);
    p->n_symbols++;
    return expr_symbol(p->pool, p->model->sym.first_free + (uint32_t)k);
}

Expr presentation_name(Presentation *p, const char *role, const char *text, const char *latex,
                       Expr value)
{
    if (expr_is_zero(p->pool, value))
        return value;
    Expr symbol = presentation_symbol(p, text, latex);
    presentation_add(p, role, text, symbol, value);
    return expr_is_const(p->pool, value, NULL) ? value : symbol;
}

const char *presentation_latex(Presentation *p, const char *name)
{
    Text text = TEXT_INIT;

    print_latex_name(name, &text);
    const char *latex = arena_strdup(p->arena, text_string(&text));
    text_done(&text);
    return latex ? latex : name;
}

const char *presentation_model_latex(const Presentation *p, Expr symbol)
{
    return p->model_names[expr_node(p->pool, symbol).symbol];
}

void presentation_add(Presentation *p, const char *role, const char *name, Expr lhs, Expr rhs)
{
    p->items = presentation_room(p->arena, p->items, p->n, sizeof *p->items);
    if (arena_failed(p->arena))
        return;
    p->items[p->n++] = (PresentedEquation){
        .role = role, .name = arena_strdup(p->arena, name), .lhs = lhs, .rhs = rhs};
}

Status presentation_status(const Presentation *p, Error *err)
{
    const Status status = arena_status(p->arena, err);
    return status == OK ? expr_pool_status(p->pool, err) : status;
}
