/* Collects the equations and names that a formulation prints. */
#include "core/motion/present.h"

#include <string.h>

#include "core/base/text.h"
#include "core/expr/print/print.h"

enum { ARENA_BYTES = 16 << 20 };

Status presentation_init(Presentation *p, const Model *model, Error *err)
{
    *p = (Presentation){.model = model};
    p->pool = expr_pool_clone(model->pool);
    p->arena = arena_new(ARENA_BYTES);
    return p->pool ? arena_status(p->arena, err) : error_set(err, ERR_NO_MEMORY, "out of memory");
}

void presentation_done(Presentation *p)
{
    expr_pool_free(p->pool);
    arena_free(p->arena);
    *p = (Presentation){0};
}

/* Space for one more than n elements: if n is a power of two, a copy of twice the size. */
static void *presentation_room(Arena *arena, void *array, size_t n, size_t size)
{
    if (n & (n - 1))
        return array;
    void *larger = arena_alloc(arena, n ? 2 * n : 1, size);
    if (larger && n)
        memcpy(larger, array, n * size);
    return larger;
}

/* The form with a name for each @, in LaTeX if requested. */
static const char *presentation_fill(Presentation *p, const char *form, const char *const *names,
                                     bool latex)
{
    Text text = TEXT_INIT;

    for (; *form; form++) {
        if (*form != '@' || !names)
            text_putc(&text, *form);
        else if (latex)
            print_latex_name(*names++, &text);
        else
            text_puts(&text, *names++);
    }
    const char *filled = arena_strdup(p->arena, text_string(&text));
    text_done(&text);
    return filled;
}

Expr presentation_symbol(Presentation *p, const char *text, const char *latex,
                         const char *const *names)
{
    const size_t k = p->n_symbols;

    p->text_names = presentation_room(p->arena, p->text_names, k, sizeof *p->text_names);
    p->latex_names = presentation_room(p->arena, p->latex_names, k, sizeof *p->latex_names);
    if (arena_failed(p->arena))
        return EXPR_NONE;
    p->text_names[k] = presentation_fill(p, text, names, false);
    p->latex_names[k] = presentation_fill(p, latex, names, true);
    p->n_symbols++;
    return expr_symbol(p->pool, p->model->sym.first_free + (uint32_t)k);
}

Expr presentation_name(Presentation *p, const char *role, const char *text, const char *latex,
                       const char *const *names, Expr value)
{
    if (expr_is_zero(p->pool, value))
        return value;
    Expr symbol = presentation_symbol(p, text, latex, names);
    if (!arena_failed(p->arena))
        presentation_add(p, role, p->text_names[p->n_symbols - 1], symbol, value);
    return expr_is_const(p->pool, value, NULL) ? value : symbol;
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
