#include "core/motion/present.h"

#include <stdlib.h>

#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/expr/print.h"

enum { ARENA_BYTES = 16 << 20 };

Status presentation_init(Presentation *p, const Model *model, Error *err)
{
    *p = (Presentation){.model = model};
    p->pool = expr_pool_clone(model->pool);
    p->arena = arena_new(ARENA_BYTES);
    return p->pool && p->arena ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");
}

void presentation_done(Presentation *p)
{
    expr_pool_free(p->pool);
    arena_free(p->arena);
    free(p->items);
    free(p->text_names);
    free(p->latex_names);
    *p = (Presentation){0};
}

Expr presentation_symbol(Presentation *p, const char *text, const char *latex)
{
    const size_t k = p->n_symbols;
    size_t capacity = p->symbols_capacity;

    if (!grow_array(&p->text_names, &capacity, k + 1, sizeof *p->text_names) ||
        !grow_array(&p->latex_names, &p->symbols_capacity, k + 1, sizeof *p->latex_names)) {
        p->failed = true;
        return EXPR_NONE;
    }
    p->text_names[k] = arena_strdup(p->arena, text);
    p->latex_names[k] = arena_strdup(p->arena, latex);
    p->failed = p->failed || !p->text_names[k] || !p->latex_names[k];
    p->n_symbols++;
    return expr_symbol(p->pool, p->model->first_free + (uint32_t)k);
}

const char *presentation_latex(Presentation *p, const char *name)
{
    Text text = TEXT_INIT;

    print_latex_name(name, &text);
    const char *latex = arena_strdup(p->arena, text_string(&text));
    text_done(&text);
    p->failed = p->failed || !latex;
    return latex ? latex : name;
}

void presentation_add(Presentation *p, const char *role, const char *name, Expr lhs, Expr rhs)
{
    if (!grow_array(&p->items, &p->capacity, p->n + 1, sizeof *p->items)) {
        p->failed = true;
        return;
    }
    PresentedEquation *item = &p->items[p->n++];
    *item = (PresentedEquation){
        .role = role, .name = arena_strdup(p->arena, name), .lhs = lhs, .rhs = rhs};
    p->failed = p->failed || !item->name;
}

Status presentation_status(const Presentation *p, Error *err)
{
    if (p->failed)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    return expr_pool_status(p->pool, err);
}
