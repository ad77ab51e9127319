/* A scope: a hash table of names, coordinates and forms, and suggestions for unknown names. */
#include "core/expr/parse/parse_scope.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/hash.h"
#include "core/base/memory.h"
#include "core/expr/graph/function.h"

enum { FIRST_TABLE = 64 };

static bool same_text(const char *a, const char *b, size_t length)
{
    return strlen(a) == length && memcmp(a, b, length) == 0;
}

ExprScope *expr_scope_new(void)
{
    ExprScope *scope = alloc_array(1, sizeof *scope);

    if (!scope)
        return NULL;
    scope->table_size = FIRST_TABLE;
    scope->table = alloc_array(scope->table_size, sizeof *scope->table);
    if (!scope->table) {
        expr_scope_free(scope);
        return NULL;
    }
    return scope;
}

void expr_scope_free(ExprScope *scope)
{
    if (!scope)
        return;
    arena_done(&scope->texts);
    free(scope->names);
    free(scope->table);
    free(scope->coordinates);
    free(scope->forms);
    free(scope->hints);
    free(scope);
}

bool expr_name_valid(const char *text)
{
    static const char FIRST[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    static const char MORE[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

    return strspn(text, FIRST) > 0 && text[strspn(text, MORE)] == '\0';
}

bool expr_name_reserved(const char *name)
{
    const ExprWord *words;
    size_t n = expr_words(&words);

    for (size_t i = 0; i < n; i++)
        if (strcmp(words[i].name, name) == 0)
            return words[i].reserved;
    return false;
}

const ExprWord *scope_form_word(const char *name, size_t length)
{
    const ExprWord *words;
    size_t n = expr_words(&words);

    for (size_t i = 0; i < n; i++)
        if (words[i].kind == WORD_QUANTITY && same_text(words[i].name, name, length))
            return &words[i];
    return NULL;
}

/* The place of the name in the table, or the empty place for it. */
static size_t scope_place(const ExprScope *scope, const char *name, size_t length)
{
    size_t place = (size_t)hash_quick(name, length) & (scope->table_size - 1);

    while (scope->table[place] != 0 &&
           !same_text(scope->names[scope->table[place] - 1].name, name, length))
        place = (place + 1) & (scope->table_size - 1);
    return place;
}

const ScopeName *scope_find(const ExprScope *scope, const char *name, size_t length)
{
    uint32_t found = scope->table[scope_place(scope, name, length)];
    return found ? &scope->names[found - 1] : NULL;
}

static bool scope_grow(ExprScope *scope)
{
    size_t size = 2 * scope->table_size;
    uint32_t *table = alloc_array(size, sizeof *table);

    if (!table)
        return false;
    free(scope->table);
    scope->table = table;
    scope->table_size = size;
    for (size_t i = 0; i < scope->n_names; i++) {
        const char *name = scope->names[i].name;
        table[scope_place(scope, name, strlen(name))] = (uint32_t)(i + 1);
    }
    return true;
}

static bool add_name(ExprScope *scope, const char *name, Expr value, const char *broken)
{
    const ScopeName added = {.name = arena_strdup(&scope->texts, name),
                             .value = value,
                             .kinds = scope->kinds,
                             .broken = broken ? arena_strdup(&scope->texts, broken) : NULL};
    if (arena_failed(&scope->texts) ||
        !grow_array(&scope->names, &scope->names_capacity, scope->n_names + 1, sizeof(ScopeName)) ||
        (2 * (scope->n_names + 1) > scope->table_size && !scope_grow(scope)))
        return false;
    size_t place = scope_place(scope, name, strlen(name));
    scope->names[scope->n_names++] = added;
    if (scope->table[place] == 0)
        scope->table[place] = (uint32_t)scope->n_names;
    return true;
}

bool expr_scope_add(ExprScope *scope, const char *name, Expr value)
{
    return add_name(scope, name, value, NULL);
}

bool expr_scope_add_broken(ExprScope *scope, const char *name, const char *reason)
{
    return add_name(scope, name, EXPR_NONE, reason);
}

bool expr_scope_add_hint(ExprScope *scope, const char *name, const char *hint)
{
    if (!grow_array(&scope->hints, &scope->hints_capacity, scope->n_hints + 1, sizeof(ScopeHint)))
        return false;
    scope->hints[scope->n_hints++] = (ScopeHint){arena_strdup(&scope->texts, name), hint};
    return !arena_failed(&scope->texts);
}

const char *scope_hint(const ExprScope *scope, const char *name, size_t length)
{
    for (size_t k = 0; k < scope->n_hints; k++)
        if (same_text(scope->hints[k].name, name, length))
            return scope->hints[k].hint;
    return NULL;
}

bool expr_scope_has(const ExprScope *scope, const char *name)
{
    return scope_find(scope, name, strlen(name)) != NULL;
}

void expr_scope_list_as(ExprScope *scope, const char *kinds)
{
    scope->kinds = kinds;
}

void scope_list(const ExprScope *scope, Text *out)
{
    const char *told[NAMES_TOLD];

    for (size_t k = 0, end; k < scope->n_names; k = end) {
        const char *kinds = scope->names[k].kinds;
        for (end = k; end < scope->n_names && scope->names[end].kinds == kinds; end++)
            if (end - k < NAMES_TOLD)
                told[end - k] = scope->names[end].name;
        if (kinds && out->length)
            text_puts(out, "; ");
        if (kinds)
            names_list(out, kinds, told, end - k);
    }
}

bool expr_scope_add_coordinate(ExprScope *scope, const char *name, Expr position, Expr velocity,
                               Expr acceleration)
{
    if (!grow_array(&scope->coordinates, &scope->coordinates_capacity, scope->n_coordinates + 1,
                    sizeof(ScopeCoordinate)) ||
        !expr_scope_add(scope, name, position))
        return false;
    scope->coordinates[scope->n_coordinates++] =
        (ScopeCoordinate){position, velocity, acceleration};
    return true;
}

bool expr_scope_set_time(ExprScope *scope, Expr time)
{
    scope->time = time;
    return true;
}

void expr_scope_measure(ExprScope *scope, Dimension dimension)
{
    if (scope->n_names)
        scope->names[scope->n_names - 1].dimension = dimension;
}

void expr_scope_measure_form(ExprScope *scope, Dimension dimension)
{
    if (scope->n_forms)
        scope->forms[scope->n_forms - 1].dimension = dimension;
}

void expr_scope_measure_time(ExprScope *scope, Dimension dimension)
{
    scope->time_dimension = dimension;
}

void expr_scope_forgive_dimensions(ExprScope *scope)
{
    scope->forgives = true;
}

static bool add_form(ExprScope *scope, const char *form, const char *argument, Expr value,
                     const char *broken)
{
    if (!grow_array(&scope->forms, &scope->forms_capacity, scope->n_forms + 1, sizeof(ScopeForm)))
        return false;
    scope->forms[scope->n_forms++] =
        (ScopeForm){.form = arena_strdup(&scope->texts, form),
                    .argument = argument ? arena_strdup(&scope->texts, argument) : NULL,
                    .value = value,
                    .broken = broken ? arena_strdup(&scope->texts, broken) : NULL};
    return !arena_failed(&scope->texts);
}

bool expr_scope_add_form(ExprScope *scope, const char *form, const char *argument, Expr value)
{
    return add_form(scope, form, argument, value, NULL);
}

bool expr_scope_add_broken_form(ExprScope *scope, const char *form, const char *reason)
{
    return add_form(scope, form, NULL, EXPR_NONE, reason);
}

const ScopeForm *scope_find_form(const ExprScope *scope, const char *form, size_t form_length,
                                 const char *argument, size_t argument_length)
{
    for (size_t i = 0; i < scope->n_forms; i++) {
        const ScopeForm *known = &scope->forms[i];
        if (!same_text(known->form, form, form_length))
            continue;
        const bool any = known->argument && strcmp(known->argument, "*") == 0;
        if (argument
                ? any || (known->argument && same_text(known->argument, argument, argument_length))
                : !known->argument)
            return known;
    }
    return NULL;
}

bool scope_is_coordinate(const ExprScope *scope, const char *name, size_t length)
{
    const ScopeName *found = scope_find(scope, name, length);

    for (size_t i = 0; i < scope->n_coordinates && found; i++)
        if (expr_same(scope->coordinates[i].position, found->value))
            return true;
    return false;
}

bool scope_has_form(const ExprScope *scope, const char *form, size_t length)
{
    for (size_t i = 0; i < scope->n_forms; i++)
        if (same_text(scope->forms[i].form, form, length))
            return true;
    return false;
}

/* Keeps the nearer of the best name so far and one more. */
static void nearer(const char *name, size_t length, const char *candidate, const char **best)
{
    const char *both[] = {*best ? *best : candidate, candidate};
    const char *found = nearest_name(name, length, both, 2);
    if (found)
        *best = found;
}

/* The k-th candidate for the meaning of an unknown word; NULL behind the last. */
static const char *candidate(const ExprScope *scope, size_t k, bool called)
{
    const ExprWord *words;
    const size_t n_words = expr_words(&words);

    if (called)
        return k < n_words && words[k].arguments ? words[k].name : NULL;
    if (k < scope->n_names)
        return scope->names[k].name;
    if (k == scope->n_names)
        return "pi";
    return k == scope->n_names + 1 && !expr_is_none(scope->time) ? "t" : NULL;
}

const char *scope_but_for_case(const ExprScope *scope, const char *name, size_t length, bool called)
{
    const char *word = candidate(scope, 0, called);

    for (size_t k = 1; word; word = candidate(scope, k++, called))
        if (strlen(word) == length && strncasecmp(word, name, length) == 0)
            return word;
    return NULL;
}

const char *scope_nearest(const ExprScope *scope, const char *name, size_t length, bool called)
{
    const char *best = NULL, *word = candidate(scope, 0, called);

    for (size_t k = 1; word; word = candidate(scope, k++, called))
        nearer(name, length, word, &best);
    return best;
}

void scope_list_arguments(const ExprScope *scope, const char *form, size_t length, Text *out)
{
    const char *told[NAMES_TOLD];
    size_t n = 0;

    for (size_t i = 0; i < scope->n_forms; i++)
        if (scope->forms[i].argument && same_text(scope->forms[i].form, form, length)) {
            if (n < NAMES_TOLD)
                told[n] = scope->forms[i].argument;
            n++;
        }
    names_list(out, "known here", told, n);
}

const char *scope_nearest_argument(const ExprScope *scope, const char *form, size_t form_length,
                                   const char *name, size_t length)
{
    const char *best = NULL;

    for (size_t i = 0; i < scope->n_forms; i++)
        if (scope->forms[i].argument && same_text(scope->forms[i].form, form, form_length))
            nearer(name, length, scope->forms[i].argument, &best);
    return best;
}
