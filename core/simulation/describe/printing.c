#include "core/simulation/describe/printing.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

enum { MAX_EQUATION_BYTES = 200000 };

void printing_fail(Printing *p, Status status)
{
    if (p->status == OK)
        p->status = error_set(p->err, status, "%s",
                              status == ERR_NO_MEMORY ? "out of memory" : "printing failed");
}

static void append(Printing *p, Expr e, Text *out)
{
    if (p->status == OK)
        p->status = expr_print(p->pool, e, p->format, p->names, MAX_EQUATION_BYTES, out, p->err);
}

void printing_whole(Printing *p, Expr e)
{
    append(p, e, &p->whole);
}

void printing_item(Printing *p, const char *role, const char *name, Expr lhs, Expr rhs)
{
    append(p, lhs, &p->one);
    if (!expr_is_none(rhs)) {
        text_puts(&p->one, " = ");
        append(p, rhs, &p->one);
    }
    if (p->status != OK)
        return;
    PrintedEquation item = {.name = arena_strdup(p->arena, name),
                            .role = arena_strdup(p->arena, role),
                            .text = arena_strdup(p->arena, text_string(&p->one))};
    if (!item.name || !item.role || !item.text || !text_ok(&p->one) ||
        !grow_array(&p->items, &p->capacity, p->n + 1, sizeof *p->items))
        printing_fail(p, ERR_NO_MEMORY);
    else
        p->items[p->n++] = item;
    text_reset(&p->one);
}

/* "dependent_velocity" -> "Dependent velocity", and the roles that have a better heading. */
static void write_heading(Printing *p, const char *role)
{
    static const struct {
        const char *role, *heading;
    } HEADINGS[] = {
        {"lagrangian", "Lagrangian"},
        {"force", "Generalised forces"},
        {"constraint", "Constraints"},
        {"motion", "Equations of motion"},
        {"constraint_acceleration", "Constraints, differentiated"},
        {"momentum", "Momenta"},
        {"energy", "Energy"},
    };
    const size_t n = sizeof HEADINGS / sizeof HEADINGS[0];
    size_t k = 0;

    while (k < n && strcmp(HEADINGS[k].role, role) != 0)
        k++;
    text_puts(&p->whole, p->format == PRINT_LATEX ? "\n\\paragraph{" : "\n");
    if (k < n) {
        text_puts(&p->whole, HEADINGS[k].heading);
    } else {
        text_putc(&p->whole, (char)toupper((unsigned char)role[0]));
        for (const char *c = role + 1; role[0] && *c; c++)
            text_putc(&p->whole, *c == '_' ? ' ' : *c);
    }
    text_puts(&p->whole, p->format == PRINT_LATEX ? "}\n" : "\n");
}

static void write_section(Printing *p, const char *role)
{
    write_heading(p, role);
    for (size_t i = 0; i < p->n; i++) {
        const PrintedEquation *item = &p->items[i];
        if (strcmp(item->role, role) != 0)
            continue;
        if (p->format == PRINT_LATEX)
            text_printf(&p->whole, "\\[ %s \\] %% %s\n", item->text, item->name);
        else
            text_printf(&p->whole, "  %s: %s\n", item->name, item->text);
    }
}

void printing_document(Printing *p, const char *title)
{
    text_printf(&p->whole, p->format == PRINT_LATEX ? "%% %s\n" : "%s\n", title);
    for (size_t i = 0; i < p->n; i++) {
        bool first = true;
        for (size_t k = 0; k < i && first; k++)
            first = strcmp(p->items[k].role, p->items[i].role) != 0;
        if (first)
            write_section(p, p->items[i].role);
    }
}
