/* Definitions may stand in any order and use each other. Each is parsed after those it uses. */
#include <stdint.h>
#include <stdlib.h>

#include "core/base/arena.h"
#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/model/build.h"

/* Uses between definitions: d uses used[first[d]] .. used[first[d + 1] - 1]. */
typedef struct Uses {
    const NameTable *names;
    size_t *first, *used;
    size_t n_used, capacity;
    bool failed;
} Uses;

/* A depth-first walk that keeps its own stack. */
typedef struct Walk {
    size_t *stack, *next; /* definitions on the way down, and the next use of each to look at */
    size_t depth;
    unsigned char *seen; /* of each definition */
    bool *circular;
} Walk;

enum { UNSEEN, ON_STACK, DONE };

static void found_name(void *self, const char *name, size_t length)
{
    Uses *uses = self;
    const NameEntry *entry = names_find(uses->names, name, length);

    if (!entry || entry->kind != NAME_DEFINITION)
        return;
    if (!grow_array(&uses->used, &uses->capacity, uses->n_used + 1, sizeof *uses->used)) {
        uses->failed = true;
        return;
    }
    uses->used[uses->n_used++] = entry->index;
}

/* Reports the cycle a -> b -> a, from stack[from] up; long ones are cut short. */
static void report_cycle(Builder *b, const Walk *walk, size_t from)
{
    enum { SHOWN = 8 };
    const NamedText *definitions = b->document->definitions;
    const NamedText *start = &definitions[walk->stack[from]];
    Text way = TEXT_INIT;

    for (size_t k = from; k < walk->depth && k < from + SHOWN; k++)
        text_printf(&way, "%.60s -> ", definitions[walk->stack[k]].name);
    if (walk->depth > from + SHOWN)
        text_puts(&way, "... -> ");
    text_printf(&way, "%.60s", start->name);
    diagnostics_add(b->diag, start->pointer, -1, NULL,
                    "the definition \"%.80s\" depends on itself: %s", start->name,
                    text_string(&way));
    text_done(&way);
}

static void meet_cycle(Builder *b, Walk *walk, size_t again)
{
    size_t from = walk->depth;
    bool known = false;

    while (walk->stack[from - 1] != again)
        from--;
    from--;
    for (size_t k = from; k < walk->depth; k++) {
        known = known || walk->circular[walk->stack[k]];
        walk->circular[walk->stack[k]] = true;
    }
    if (!known)
        report_cycle(b, walk, from);
}

/* A definition that failed to parse is replaced by a symbol, so that texts that use it are still
 * read without further mistakes. */
static void add_placeholder(Builder *b, const char *name, size_t index)
{
    Expr stand_in = expr_symbol(b->pool, b->model->sym.first_free + (uint32_t)index);
    if (!expr_scope_add_coordinate(b->scope, name, stand_in, stand_in, EXPR_NONE))
        b->no_memory = true;
}

static void define(Builder *b, size_t index, bool circular)
{
    const NamedText *text = &b->document->definitions[index];
    Dimension *dimension = &b->model->units.definitions[index];
    Expr value =
        circular ? EXPR_NONE : builder_parse_measured(b, text, PARSE_EXPRESSION, dimension);

    b->storage->definitions[index] = value;
    if (!names_owns(&b->names, text->name, NAME_DEFINITION, index))
        return;
    if (expr_is_none(value))
        add_placeholder(b, text->name, index);
    else if (!expr_scope_add(b->scope, text->name, value))
        b->no_memory = true;
    else
        expr_scope_measure(b->scope, *dimension);
}

static void walk_from(Builder *b, const Uses *uses, Walk *walk, size_t start)
{
    walk->stack[0] = start;
    walk->next[0] = uses->first[start];
    walk->seen[start] = ON_STACK;
    walk->depth = 1;
    while (walk->depth > 0) {
        size_t top = walk->stack[walk->depth - 1];
        size_t *next = &walk->next[walk->depth - 1];
        if (*next == uses->first[top + 1]) {
            define(b, top, walk->circular[top]);
            walk->seen[top] = DONE;
            walk->depth--;
            continue;
        }
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a counted use is there */
        size_t used = uses->used[(*next)++];
        if (walk->seen[used] == ON_STACK) {
            meet_cycle(b, walk, used);
        } else if (walk->seen[used] == UNSEEN) {
            walk->seen[used] = ON_STACK;
            walk->stack[walk->depth] = used;
            walk->next[walk->depth] = uses->first[used];
            walk->depth++;
        }
    }
}

static void walk_all(Builder *b, const Uses *uses)
{
    const size_t n = b->document->n_definitions;
    Arena scratch = {0};
    Walk walk = {
        .stack = arena_sizes(&scratch, n),
        .next = arena_sizes(&scratch, n),
        .seen = ARENA_NEW(&scratch, n, unsigned char),
        .circular = ARENA_NEW(&scratch, n, bool),
    };
    b->no_memory = arena_failed(&scratch);
    for (size_t d = 0; d < n && !arena_failed(&scratch); d++)
        if (walk.seen[d] == UNSEEN)
            walk_from(b, uses, &walk, d);
    arena_done(&scratch);
}

void build_definitions(Builder *b)
{
    const ModelDocument *document = b->document;
    const size_t n = document->n_definitions;
    Uses uses = {.names = &b->names, .first = alloc_array(n + 1, sizeof *uses.first)};

    b->storage->n_definitions = n;
    b->storage->definition_names = builder_alloc(b, n, sizeof *b->storage->definition_names);
    b->storage->definitions = builder_alloc(b, n, sizeof *b->storage->definitions);
    if (!uses.first)
        b->no_memory = true;
    /* list the definitions that each text names; those are parsed first */
    for (size_t d = 0; d < n && !b->no_memory; d++) {
        b->storage->definition_names[d] = builder_copy(b, document->definitions[d].name);
        expr_scan_names(document->definitions[d].text, found_name, &uses);
        uses.first[d + 1] = uses.n_used;
        b->no_memory = b->no_memory || uses.failed;
    }
    if (!b->no_memory)
        walk_all(b, &uses);
    free(uses.first);
    free(uses.used);
}
