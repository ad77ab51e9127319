/* dalembert catalog: the built-in systems. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/catalog.h"
#include "api/documents/peek.h"
#include "core/base/diagnostics.h"
#include "core/numeric/numeric.h"
#include "server/command_args.h"
#include "server/commands.h"

static const char USAGE[] = "usage: dalembert catalog [NAME]\n"
                            "\n"
                            "Lists the built-in systems, or prints the ready job of one:\n"
                            "\n"
                            "    dalembert catalog two-wheeled-carriage-generic > job.json\n"
                            "    dalembert simulate job.json\n";

static int list_entries(void)
{
    size_t n, width = 0;
    const CatalogEntry *entries = catalog_entries(&n);

    for (size_t i = 0; i < n; i++)
        if (strlen(entries[i].name) > width)
            width = strlen(entries[i].name);
    for (size_t i = 0; i < n; i++) {
        Arena *arena = arena_new(1 << 20);
        const char *title =
            arena ? document_text(entries[i].text, entries[i].size, "/title", arena) : NULL;
        printf("%-*s  %s\n", (int)width, entries[i].name, title ? title : "");
        arena_free(arena);
    }
    return EXIT_SUCCESS;
}

/* Behind the string that starts at the quote p. */
static const char *skip_string(const char *p)
{
    for (p++; *p != '"'; p++)
        if (*p == '\\')
            p++;
    return p + 1;
}

/* Behind the array or object that starts at p. */
static const char *skip_nested(const char *p)
{
    int depth = 0;
    do {
        if (*p == '"') {
            p = skip_string(p);
            continue;
        }
        depth += (*p == '{' || *p == '[') - (*p == '}' || *p == ']');
        p++;
    } while (depth > 0);
    return p;
}

/* The object that is the member `name` of the outermost object, as it is written; NULL when there
 * is none. The text is valid JSON. */
static const char *find_object(const char *text, const char *name, size_t *ret_length)
{
    size_t length = strlen(name);
    const char *p = strchr(text, '{');

    for (p++; *p && *p != '}';) {
        if (*p == '{' || *p == '[') {
            p = skip_nested(p);
        } else if (*p == '"') {
            const char *start = p + 1;
            p = skip_string(p);
            if ((size_t)(p - 1 - start) != length || memcmp(start, name, length) != 0)
                continue;
            p += strspn(p, " \t\r\n");
            if (*p != ':')
                continue;
            p += 1 + strspn(p + 1, " \t\r\n");
            if (*p != '{')
                continue;
            *ret_length = (size_t)(skip_nested(p) - p);
            return p;
        } else {
            p++;
        }
    }
    return NULL;
}

static int print_entry(const char *name)
{
    const CatalogEntry *entry = catalog_find(name);
    size_t n, length;

    if (!entry) {
        const CatalogEntry *entries = catalog_entries(&n);
        const char *near = NULL;
        for (size_t i = 0; i < n && !near; i++)
            near = nearest_name(name, strlen(name), &entries[i].name, 1);
        fprintf(stderr, "the catalog has no system \"%s\"%s%s%s\n", name,
                near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
        return EXIT_USAGE;
    }
    const char *job = find_object(entry->text, "job", &length);
    if (!job)
        return EXIT_JOB_FAILED;
    /* one level of indentation less */
    for (const char *p = job; p < job + length; p++) {
        fputc(*p, stdout);
        if (*p == '\n')
            p += strncmp(p + 1, "  ", 2) == 0 ? 2 : 0;
    }
    fputc('\n', stdout);
    return EXIT_SUCCESS;
}

int command_catalog(int argc, char **argv)
{
    const CommandUsage usage = {.text = USAGE, .most = 1};
    const char *name;

    numeric_init();
    int status = command_args(argc, argv, &usage, &name);
    if (status != COMMAND_GOES_ON)
        return status;
    status = name ? print_entry(name) : list_entries();
    return fflush(stdout) == 0 ? status : EXIT_JOB_FAILED;
}
