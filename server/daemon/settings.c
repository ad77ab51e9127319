/* Whether the settings of the daemon fit together. */
#include <stdlib.h>
#include <string.h>

#include "core/program/program.h"
#include "server/daemon/service.h"

static Status split_origins(Service *service, Error *err)
{
    char *list = arena_strdup(service->config.arena, service->config.http.cors_origins);
    char *rest = NULL;
    if (!list)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    for (char *item = strtok_r(list, ", ", &rest); item; item = strtok_r(NULL, ", ", &rest)) {
        if (!strstr(item, "://"))
            return error_set(err, ERR_INVALID,
                             "cors-origin: \"%.80s\" is no origin, such as https://example.org",
                             item);
        if (service->n_origins == ORIGINS_MAX)
            return error_set(err, ERR_INVALID, "cors-origin: more than %d origins", ORIGINS_MAX);
        service->origins[service->n_origins++] = item;
    }
    return OK;
}

static Status check_access(Service *service, Error *err)
{
    const Config *config = &service->config;
    const char *auth = config->http.auth;
    Address address;
    Status status = OK;
    /* the addresses of both listeners */
    if (*config->http.metrics_listen)
        status = address_parse(config->http.metrics_listen, &address, err);
    if (status != OK)
        error_prefix(err, "metrics-listen");
    else
        status = address_parse(config->http.listen, &address, err);
    if (status != OK)
        return status;
    /* whether they fit the kind of access */
    if (strcmp(auth, "none") != 0 && strcmp(auth, "loopback") != 0 && strcmp(auth, "keys") != 0)
        return error_set(err, ERR_INVALID, "auth must be loopback, keys or none, not \"%.40s\"",
                         auth);
    if (*config->http.first_key_file && strcmp(auth, "keys") != 0)
        return error_set(
            err, ERR_INVALID,
            "first-key-file has no effect with --auth %s: set --auth keys, or leave it "
            "out",
            auth);
    if (!address.loopback && strcmp(auth, "loopback") == 0)
        return error_set(
            err, ERR_INVALID,
            "%s can be reached from other machines: set --auth keys to let clients with "
            "a key use the service, or --auth none to let everybody use it, or bind a "
            "loopback address",
            config->http.listen);
    /* the proxies and the names of the service */
    status =
        ip_rules_read(config->http.trusted_proxies, config->arena, &service->access.proxies, err);
    if (status != OK) {
        error_prefix(err, "trusted-proxies");
        return status;
    }
    return host_rules_make(config->http.hosts, config->http.listen, &address, config->arena,
                           &service->access.hosts, err);
}

static Status check_webhooks(Service *service, Error *err)
{
    const Config *config = &service->config;
    if (strcmp(config->webhooks.mode, "on") != 0 && strcmp(config->webhooks.mode, "off") != 0)
        return error_set(err, ERR_INVALID, "webhooks must be on or off, not \"%.40s\"",
                         config->webhooks.mode);
    service->webhook_rules.on = strcmp(config->webhooks.mode, "on") == 0;
    Status status =
        ip_rules_read(config->webhooks.allow, config->arena, &service->webhook_rules.ips, err);
    if (status != OK)
        error_prefix(err, "webhook-allow");
    else if (*config->webhooks.secret_file)
        status = secrets_read(config->webhooks.secret_file, &service->secrets, err);
    return status;
}

/* Checks the settings alone, without the resources of this machine. */
Status service_check(Service *service, Error *err)
{
    const Config *config = &service->config;
    if (!log_level_parse(config->log_level, &service->log.level))
        return error_set(err, ERR_INVALID, "log-level must be error, warning, info or debug");
    if (!log_format_parse(config->log_format, &service->log.format))
        return error_set(err, ERR_INVALID, "log-format must be logfmt or json, not \"%.40s\"",
                         config->log_format);
    if (strcmp(config->store.upgrade, "plain") != 0 && strcmp(config->store.upgrade, "copy") != 0)
        return error_set(err, ERR_INVALID, "upgrade must be plain or copy, not \"%.40s\"",
                         config->store.upgrade);
    if (!program_use_evaluator(config->evaluator))
        return error_set(err, ERR_INVALID, "evaluator must be native or interpreter, not \"%.40s\"",
                         config->evaluator);
    Status status = split_origins(service, err);
    if (status == OK)
        status = check_webhooks(service, err);
    return status == OK ? check_access(service, err) : status;
}
