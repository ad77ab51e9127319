/* The names that the service answers to, from --hosts or from the address it listens on. */
#include "server/http/host_rules.h"

#include <string.h>

enum { NAMES_MAX = 64 };

/* The names while they are collected. */
typedef struct Names {
    const char **items;
    size_t n;
} Names;

static Status check_name(const char *name, Error *err)
{
    size_t length;
    if (host_parse(name, &length) && length > 0 && name[length] == '\0')
        return OK;
    return error_set(err, ERR_INVALID,
                     "hosts: \"%.80s\" is no name or address, such as sims.example.org, 192.0.2.7 "
                     "or [::1] (without a port)",
                     name);
}

static Status read_list(char *list, HostRules *rules, Names *names, Error *err)
{
    char *rest = NULL;
    Status status = OK;
    for (char *item = strtok_r(list, ", ", &rest); item && status == OK;
         item = strtok_r(NULL, ", ", &rest)) {
        if (names->n == NAMES_MAX)
            return error_set(err, ERR_INVALID, "hosts: more than %d names", NAMES_MAX);
        if (strcmp(item, "*") == 0) {
            rules->anything = true;
        } else {
            status = check_name(item, err);
            names->items[names->n++] = item;
        }
    }
    return status;
}

/* `listen`: HOST:PORT as address_parse() takes it. */
static Status use_address(const char *listen, const Address *address, Arena *arena,
                          HostRules *rules, Names *names, Error *err)
{
    const size_t length = (size_t)(strrchr(listen, ':') - listen);
    const char *host = arena_strndup(arena, listen, length);
    if (!host)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    rules->any_address = address->everywhere;
    if (!address->everywhere)
        names->items[names->n++] = host;
    if (address->loopback || address->everywhere)
        names->items[names->n++] = "localhost";
    if (address->loopback) {
        names->items[names->n++] = "127.0.0.1";
        names->items[names->n++] = "[::1]";
    }
    return OK;
}

Status host_rules_make(const char *list, const char *listen, const Address *address, Arena *arena,
                       HostRules *ret_rules, Error *err)
{
    HostRules rules = {0};
    Names names = {arena_alloc(arena, NAMES_MAX, sizeof *names.items), 0};
    char *copy = arena_strdup(arena, list);
    if (!names.items || !copy)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    Status status = read_list(copy, &rules, &names, err);
    if (status == OK && names.n == 0 && !rules.anything)
        status = use_address(listen, address, arena, &rules, &names, err);
    rules.names = names.items;
    rules.n_names = names.n;
    if (status == OK)
        *ret_rules = rules;
    return status;
}
