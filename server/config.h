/* The daemon's configuration: one table of keys.
 *
 * A key `max-body` is the flag --max-body, the variable DALEMBERT_MAX_BODY and the line
 * `max-body = 8M` of a configuration file. Flags win over the environment, that over the file,
 * that over the default. */
#ifndef SERVER_CONFIG_H
#define SERVER_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/status.h"
#include "core/base/text.h"

typedef struct Config {
    Arena *arena; /* owns the texts */
    const char *config_file;
    const char *listen, *data, *auth, *hosts, *cors_origins, *log_level, *upgrade, *evaluator;
    const char *webhooks, *webhook_secret_file, *webhook_allow;
    uint64_t workers, request_threads;
    uint64_t max_body, max_queue, max_samples, max_steps, max_event_rows, max_result;
    uint64_t max_members, max_ensemble_bytes;
    uint64_t disk_reserve, max_connections, max_waiters, max_attempts, cached_models;
    uint64_t worker_nice, compute_threads, max_computations, request_memory, download_memory;
    double compute_timeout;
    double keep_deleted, job_timeout, max_job_timeout, max_wait, request_timeout, write_timeout;
    double drain_delay, shutdown_grace;
    uint64_t webhook_attempts;
    double webhook_timeout, webhook_retry, webhook_max_age;
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

/* Sets one key from its text; `where` says where it came from, for the message. */
Status config_set(Config *config, const char *name, const char *value, const char *where,
                  Error *err) MUST_CHECK;

/* Lines `key = value`, `#` begins a comment. */
Status config_read_file(Config *config, const char *path, Error *err) MUST_CHECK;

/* The value of a numeric key, for printing and limits. */
double config_number(const Config *config, const ConfigKey *key);

typedef enum ConfigAction {
    CONFIG_RUN,
    CONFIG_PRINT,
    CONFIG_CHECK,
    CONFIG_HELP,
} ConfigAction;

/* The whole way: file, environment, flags argv[0..argc). */
Status config_load(Config *config, int argc, char *const *argv, ConfigAction *ret_action,
                   Error *err) MUST_CHECK;

/* A line for each DALEMBERT_ variable of the environment that nothing reads: a typing error. */
void config_stray_variables(Text *out);

void config_print(const Config *config, Text *out); /* as a configuration file */
void config_help(Text *out);                        /* the flags */

#endif
