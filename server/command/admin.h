/* Commands of administrators: `keys` and `tenants`. */
#ifndef SERVER_COMMAND_ADMIN_H
#define SERVER_COMMAND_ADMIN_H

#include "api/routes/routes.h"

/* A data directory that no daemon uses, or a running service. NULL: not given. */
typedef struct AdminPlace {
    const char *data;
    const char *url, *key_file;
} AdminPlace;

/* The options of a place, for CommandUsage. */
#define ADMIN_OPTIONS(place)                                                    \
    {"--data", NULL, &(place).data, NULL}, {"--url", NULL, &(place).url, NULL}, \
    {                                                                           \
        "--key-file", NULL, &(place).key_file, NULL                             \
    }
#define ADMIN_USAGE                                                                            \
    "WHERE is a data directory that no daemon uses, or a running service:\n"                   \
    "--data DIR      the directory; without it that of `dalembert serve` with the same "       \
    "environment\n"                                                                            \
    "                (DALEMBERT_DATA, DALEMBERT_CONFIG). If it has no store, `create`\n"       \
    "                makes one; the other verbs refuse it.\n"                                  \
    "--url URL --key-file FILE\n"                                                              \
    "                the service, and a file with the token of a key with the scope admin\n\n" \
    "Exit status 0, or 1 with the reason on standard error.\n"

/* The same request for the handler here and for the service at a URL. */
typedef struct AdminRequest {
    const char *command; /* in messages */
    const char *method, *path;
    const char *name; /* the parameter of the path, or NULL */
    ApiHandler handler;
    bool makes_store; /* in a directory that has none; other requests refuse such a directory */
    Text body;        /* empty: none */
    const char *done; /* printed if the answer has no body */
} AdminRequest;

/* Prints the answer, or the reason why there is none. Returns the status of the process. */
int admin_run(const AdminPlace *place, const AdminRequest *request, Arena *arena);
/* Prints what is wrong. Returns the status of the process. */
int admin_complain(const char *command, const char *what);

#endif
