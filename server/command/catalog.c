/* dalembert catalog: lists the built-in systems, or prints the ready job of one of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/documents/catalog.h"
#include "api/documents/peek.h"
#include "core/base/diagnostics.h"
#include "core/numeric/numeric.h"
#include "server/command/args.h"
#include "server/command/commands.h"

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

static int print_entry(const char *name)
{
    const CatalogEntry *entry = catalog_find(name);
    size_t n, length;

    if (!entry) {
        const CatalogEntry *entries = catalog_entries(&n);
        const char *near = NULL;
        for (size_t i = 0; i < n && !near; i++)
            near = nearest_name(name, strlen(name), &entries[i].name, 1);
        fprintf(stderr, "the catalog has no system \"%s\"; %s%s%s\n", name,
                near ? "did you mean \"" : "`dalembert catalog` lists them", near ? near : "",
                near ? "\"?" : "");
        return EXIT_USAGE;
    }
    const char *job = document_object(entry->text, entry->size, "job", &length);
    if (!job)
        return EXIT_JOB_FAILED;
    /* remove one level of indentation */
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
    const CommandUsage usage = {.name = "catalog", .text = USAGE, .most = 1};
    const char *name;

    numeric_init();
    int status = command_args(argc, argv, &usage, &name);
    if (status != COMMAND_GOES_ON)
        return status;
    status = name ? print_entry(name) : list_entries();
    return fflush(stdout) == 0 ? status : EXIT_JOB_FAILED;
}
