/* Printed equations are collected as items and as one text. If one is too long, a note takes its
 * place. */
#include "core/simulate/printing.h"

#include <ctype.h>
#include <string.h>

#include "core/base/memory.h"

/* Limits in bytes for one equation and for all items of a page. They are below MAX_WHOLE_BYTES,
 * so that headings and notes fit. Conventions. */
enum { MAX_EQUATION_BYTES = 200000, MAX_ITEMS_BYTES = 1500000 };

void printing_fail(Printing *p, Status status)
{
    if (p->status == OK)
        p->status = error_set(p->err, status, "%s",
                              status == ERR_NO_MEMORY ? "out of memory" : "printing failed");
}

static void printing_append(Printing *p, Expr e, size_t most, Text *out)
{
    if (p->status == OK)
        p->status = expr_print(p->pool, e, p->format, p->names, most, out, p->err);
}

/* Appends an expression to `whole`; ERR_LIMIT if it is too long. */
static void print_whole(Printing *p, Expr e)
{
    const bool before = p->status == OK;

    printing_append(p, e, MAX_EQUATION_BYTES, &p->whole);
    if (before && p->status == ERR_LIMIT)
        error_prefix(p->err, "an expression of the C function");
}

const char *printing_part_name(const Printing *p, size_t k)
{
    return arena_printf(p->arena, "w%zu", k);
}

void printing_parts(Printing *p, const Expr *parts, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        text_printf(&p->whole, "    const double w%zu = ", k);
        print_whole(p, parts[k]);
        text_puts(&p->whole, ";\n");
    }
}

void printing_array(Printing *p, const char *array, const Expr *values, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        text_printf(&p->whole, "    %s[%zu] = ", array, k);
        print_whole(p, values[k]);
        text_puts(&p->whole, ";\n");
    }
}

/* Replaces an item that is too long by a note. Other items are not affected. */
static void printing_write_note(Printing *p, size_t most)
{
    static const char *const OPEN[] = {
        [PRINT_TEXT] = "(", [PRINT_LATEX] = "\\text{", [PRINT_C] = "/* "};
    static const char *const CLOSE[] = {[PRINT_TEXT] = ")", [PRINT_LATEX] = "}", [PRINT_C] = " */"};

    text_reset(&p->one);
    text_printf(&p->one,
                "%sleft out: longer than the %zu bytes it may have here; another formulation may "
                "have fewer terms, and the function of format c writes common parts once%s",
                OPEN[p->format], most, CLOSE[p->format]);
    p->status = OK;
}

void printing_item(Printing *p, const char *role, const char *name, Expr lhs, Expr rhs)
{
    const size_t room = p->items_bytes < MAX_ITEMS_BYTES ? MAX_ITEMS_BYTES - p->items_bytes : 0;
    const size_t most = room < MAX_EQUATION_BYTES ? room : MAX_EQUATION_BYTES;

    if (p->status != OK)
        return;
    /* write the equation; if it is too long, write a note instead */
    printing_append(p, lhs, most, &p->one);
    if (!expr_is_none(rhs)) {
        text_puts(&p->one, " = ");
        printing_append(p, rhs, most, &p->one);
    }
    if (p->status == ERR_LIMIT)
        printing_write_note(p, most);
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
    p->items_bytes += p->one.length;
    text_reset(&p->one);
}

/* The heading of a role: from the table, else "dependent_velocity" -> "Dependent velocity". */
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

    /* k = n: the role has no heading of its own */
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
