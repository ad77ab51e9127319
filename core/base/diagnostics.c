/* The list of a document's mistakes, and the name that an unknown name was probably meant to be. */
#include "core/base/diagnostics.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

void diagnostics_init(Diagnostics *diag, Arena *arena)
{
    /* the items are written when they are added */
    diag->arena = arena;
    diag->count = diag->total = 0;
    diag->no_memory = false;
}

void diagnostics_add(Diagnostics *diag, const char *pointer, long offset, const char *hint,
                     const char *format, ...)
{
    char message[1024];
    va_list args;

    /* mistakes past the limit are only counted */
    diag->total++;
    if (diag->count == DIAGNOSTICS_MAX)
        return;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);

    /* the texts are copied; an item without memory is not counted */
    Diagnostic *item = &diag->items[diag->count];
    item->pointer = arena_strdup(diag->arena, pointer);
    item->message = arena_strdup(diag->arena, message);
    item->hint = hint ? arena_strdup(diag->arena, hint) : NULL;
    item->offset = offset;
    if (item->pointer && item->message && (item->hint || !hint))
        diag->count++;
    else
        diag->no_memory = true;
}

void diagnostics_no_memory(Diagnostics *diag, const char *pointer)
{
    diag->no_memory = true;
    diagnostics_add(diag, pointer, -1, NULL, "out of memory");
}

enum { NEAR_MAX = 48 }; /* longer names are not compared */

/* Edit distance with swaps of neighbors (optimal string alignment). */
static size_t edit_distance(const char *a, size_t n, const char *b, size_t m)
{
    size_t d[NEAR_MAX + 1][NEAR_MAX + 1];

    for (size_t i = 0; i <= n; i++)
        d[i][0] = i;
    for (size_t j = 0; j <= m; j++)
        d[0][j] = j;
    /* the cheapest of a substitution, a deletion, an insertion and a swap */
    for (size_t i = 1; i <= n; i++) {
        for (size_t j = 1; j <= m; j++) {
            size_t best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (d[i - 1][j] + 1 < best)
                best = d[i - 1][j] + 1;
            if (d[i][j - 1] + 1 < best)
                best = d[i][j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                d[i - 2][j - 2] + 1 < best)
                best = d[i - 2][j - 2] + 1;
            d[i][j] = best;
        }
    }
    return d[n][m];
}

/* A name that differs only in case: Theta for theta, G for g. */
static const char *in_other_case(const char *name, size_t length, const char *const *names,
                                 size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strlen(names[i]) == length && strncasecmp(names[i], name, length) == 0)
            return names[i];
    return NULL;
}

const char *nearest_name(const char *name, size_t length, const char *const *names, size_t n)
{
    const char *best = NULL;
    /* one slip in a short name, two in a longer one, none in a name of one letter */
    size_t limit = length < 2 ? 0 : length < 6 ? 1 : 2;

    if (length > NEAR_MAX)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        size_t m = strlen(names[i]);
        if (m > NEAR_MAX || m + limit < length || length + limit < m)
            continue;
        size_t distance = edit_distance(name, length, names[i], m);
        if (distance <= limit) {
            limit = distance;
            best = names[i];
            if (distance == 0)
                break;
            limit--;
        }
    }
    return best ? best : in_other_case(name, length, names, n);
}

void names_list(Text *out, const char *kinds, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n && i < NAMES_TOLD; i++)
        text_printf(out, "%s%s%.60s", i ? ", " : kinds, i ? "" : ": ", names[i]);
    if (n > NAMES_TOLD)
        text_printf(out, " and %zu more", n - NAMES_TOLD);
}

const char *names_hint(Diagnostics *diag, const char *name, const char *kinds,
                       const char *const *names, size_t n)
{
    const char *near = nearest_name(name, strlen(name), names, n);
    Text text = TEXT_INIT;

    if (near)
        text_printf(&text, "did you mean \"%.100s\"?", near);
    else
        names_list(&text, kinds, names, n);
    return text.length ? text_keep(&text, diag->arena) : NULL;
}
