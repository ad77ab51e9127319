/* The daemon's configuration: one table of keys.
 *
 * A key `max-body` is the flag --max-body, the variable DALEMBERT_MAX_BODY and the line `max-body =
 * 8M` of a configuration file. Flags win over the environment, the environment over the file, and
 * the file over the defaults. */
#ifndef SERVER_CONFIG_H
#define SERVER_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/status.h"
#include "core/base/text.h"

/* Access to the service, and limits of requests. */
typedef struct HttpConfig {
    const char *listen, *metrics_listen, *auth, *first_key_file, *hosts, *cors_origins;
    const char *trusted_proxies;
    uint64_t rate, request_threads, max_connections, max_waiters, max_body, request_memory;
    uint64_t download_memory, cached_models, compute_threads, max_computations;
    double compute_timeout, max_wait, request_timeout, write_timeout;
} HttpConfig;

/* Jobs, and the limits of one job. */
typedef struct JobsConfig {
    uint64_t workers, worker_nice, max_queue, max_attempts;
    uint64_t max_samples, max_steps, max_event_rows, max_result, max_members, max_ensemble_bytes;
    double timeout, max_timeout;
} JobsConfig;

typedef struct StoreConfig {
    const char *data, *upgrade;
    uint64_t disk_reserve, keep_bytes;
    double keep_deleted, keep, keep_failed;
    bool accept_loss; /* of this start: a flag, but no variable and no line of a file */
} StoreConfig;

typedef struct WebhooksConfig {
    const char *mode, *secret_file, *allow;
    uint64_t attempts;
    double timeout, retry, max_age;
} WebhooksConfig;

typedef struct Config {
    Arena *arena; /* owns the texts */
    const char *config_file, *log_level, *log_format, *evaluator;
    HttpConfig http;
    JobsConfig jobs;
    StoreConfig store;
    WebhooksConfig webhooks;
    double drain_delay, shutdown_grace;
} Config;

typedef enum ConfigType { CONFIG_TEXT, CONFIG_COUNT, CONFIG_BYTES, CONFIG_SECONDS } ConfigType;

typedef struct ConfigKey {
    const char *name;
    ConfigType type;
    size_t offset; /* of the member of Config */
    const char *fallback;
    double least, most; /* of numbers */
    bool published;     /* in GET /v1/limits */
    const char *help;
} ConfigKey;

const ConfigKey *config_keys(size_t *ret_n);

/* Starts with the defaults. ERR_NO_MEMORY. */
Status config_init(Config *config, Error *err) MUST_CHECK;
void config_done(Config *config);

/* Sets one key from its text; `where` names the source for the message. */
Status config_set(Config *config, const char *name, const char *value, const char *where,
                  Error *err) MUST_CHECK;

/* Reads a size such as 8M, as keys of the type CONFIG_BYTES have it. */
Status config_bytes_parse(const char *value, const char *where, uint64_t *ret_bytes,
                          Error *err) MUST_CHECK;

/* Reads lines `key = value`; `#` begins a comment. */
Status config_read_file(Config *config, const char *path, Error *err) MUST_CHECK;

/* The value of a numeric key, for printing and limits. */
double config_number(const Config *config, const ConfigKey *key);

typedef enum ConfigAction {
    CONFIG_RUN,
    CONFIG_PRINT,
    CONFIG_CHECK,
    CONFIG_HELP,
} ConfigAction;

/* Reads all sources: file, environment, flags argv[0..argc). */
Status config_load(Config *config, int argc, char *const *argv, ConfigAction *ret_action,
                   Error *err) MUST_CHECK;

/* Adds a line for each unknown DALEMBERT_ variable of the environment: a typing error. */
void config_stray_variables(Text *out);

void config_print(const Config *config, Text *out); /* as a configuration file */
void config_help(Text *out);                        /* the flags */

#endif
