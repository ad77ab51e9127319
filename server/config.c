/* The configuration: one table of keys, filled from a file, the environment and the flags; a later
 * source wins. The same table prints and explains them. */
#include "server/config.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/diagnostics.h"
#include "core/base/number.h"
#include "server/processors.h"

#define KEY(member) offsetof(Config, member)

static const ConfigKey KEYS[] = {
    {"config", CONFIG_TEXT, KEY(config_file), "", 0, 0, false, "file of lines `key = value`"},
    {"listen", CONFIG_TEXT, KEY(http.listen), "127.0.0.1:8080", 0, 0, false,
     "ADDRESS:PORT; port 0 takes a free one and prints it"},
    {"metrics-listen", CONFIG_TEXT, KEY(http.metrics_listen), "", 0, 0, false,
     "ADDRESS:PORT of a second listener, for /metrics alone and without a key; empty: none"},
    {"data", CONFIG_TEXT, KEY(store.data), "./dalembert-data", 0, 0, false,
     "data directory; created when missing"},
    {"upgrade", CONFIG_TEXT, KEY(store.upgrade), "plain", 0, 0, false,
     "upgrade of a data directory of an older format: plain (migrate it), copy (migrate it, and "
     "keep the copy dalembert.db.format-N)"},
    {"auth", CONFIG_TEXT, KEY(http.auth), "loopback", 0, 0, false,
     "access to the service: loopback (this machine, no key), keys (clients with a key), none "
     "(everybody)"},
    {"first-key-file", CONFIG_TEXT, KEY(http.first_key_file), "", 0, 0, false,
     "with --auth keys: file with the token of the first key, taken while the store has never "
     "had a key"},
    {"rate", CONFIG_COUNT, KEY(http.rate), "600", 0, 1e9, true,
     "requests of one key in a minute; more are answered 429; 0: no limit"},
    {"hosts", CONFIG_TEXT, KEY(http.hosts), "", 0, 0, false,
     "host names that the service answers to, comma separated; empty: the names of its address; *: "
     "any name, behind a proxy that checks it"},
    {"trusted-proxies", CONFIG_TEXT, KEY(http.trusted_proxies), "", 0, 0, false,
     "addresses of reverse proxies whose X-Forwarded-For and X-Request-Id are believed, comma "
     "separated, such as 127.0.0.1, 10.1.0.0/16, fd00::/8"},
    {"cors-origin", CONFIG_TEXT, KEY(http.cors_origins), "", 0, 0, false,
     "origins whose pages may use the service, comma separated"},
    {"log-level", CONFIG_TEXT, KEY(log_level), "info", 0, 0, false, "error, warning, info, debug"},
    {"log-format", CONFIG_TEXT, KEY(log_format), "logfmt", 0, 0, false,
     "lines of the log: logfmt (key=value), json (one object a line, with the same fields)"},
    {"workers", CONFIG_COUNT, KEY(jobs.workers), "0", 0, 1024, true,
     "worker threads, each of which runs one job; 0: one for each processor the daemon may use"},
    {"worker-nice", CONFIG_COUNT, KEY(jobs.worker_nice), "10", 0, 19, false,
     "nice value of worker threads, so that requests go first when processors are short; 0: none"},
    {"request-threads", CONFIG_COUNT, KEY(http.request_threads), "32", 1, 512, false,
     "threads that answer requests"},
    {"compute-threads", CONFIG_COUNT, KEY(http.compute_threads), "2", 1, 256, false,
     "threads for requests that compute for long, such as equations of large models, batches, "
     "plots and statistics; other requests do not wait for them"},
    {"max-computations", CONFIG_COUNT, KEY(http.max_computations), "64", 1, 10000, true,
     "requests on compute threads and waiting for one; more are answered 503"},
    {"compute-timeout", CONFIG_SECONDS, KEY(http.compute_timeout), "30", 0.01, 3600, true,
     "timeout of a request on a compute thread or waiting for one; then it is answered 503, to be "
     "sent again"},
    {"max-body", CONFIG_BYTES, KEY(http.max_body), "8M", 1024, 1e9, true,
     "size of a request body, after expansion if it is compressed"},
    {"request-memory", CONFIG_BYTES, KEY(http.request_memory), "256M", 1024, 1e15, true,
     "memory for reading large bodies at the same time, estimated from their text; more are "
     "answered 503"},
    {"download-memory", CONFIG_BYTES, KEY(http.download_memory), "64M", 0, 1e15, true,
     "memory for downloads to read ahead; downloads without it read in small pieces"},
    {"keep-deleted", CONFIG_SECONDS, KEY(store.keep_deleted), "2592000", 0, 1e10, true,
     "time that deleted jobs are reported to clients that follow changes; 0: for ever"},
    {"keep", CONFIG_SECONDS, KEY(store.keep), "0", 0, 1e10, true,
     "time that jobs are kept after they succeeded or were cancelled; then they are deleted; 0: "
     "for "
     "ever"},
    {"keep-failed", CONFIG_SECONDS, KEY(store.keep_failed), "0", 0, 1e10, true,
     "how long failed jobs are kept after their end, in seconds; 0: for ever"},
    {"keep-bytes", CONFIG_BYTES, KEY(store.keep_bytes), "0", 0, 1e15, true,
     "size of the stored data beyond which the oldest finished jobs are deleted; 0: any size"},
    {"max-queue", CONFIG_COUNT, KEY(jobs.max_queue), "100000", 1, 1e9, true, "jobs in the queue"},
    {"max-samples", CONFIG_COUNT, KEY(jobs.max_samples), "10000000", 2, 1e12, true,
     "samples of a trajectory"},
    {"max-steps", CONFIG_COUNT, KEY(jobs.max_steps), "1000000000", 1, 1e15, true,
     "integration steps of a job"},
    {"max-event-rows", CONFIG_COUNT, KEY(jobs.max_event_rows), "1000000", 1, 1e12, true,
     "rows of an event table"},
    {"max-result", CONFIG_BYTES, KEY(jobs.max_result), "2G", 1024, 1e15, true,
     "size of a trajectory, 8 bytes for each number"},
    {"max-members", CONFIG_COUNT, KEY(jobs.max_members), "10000000", 1, 4294967296.0, true,
     "members of an ensemble"},
    {"max-ensemble-bytes", CONFIG_BYTES, KEY(jobs.max_ensemble_bytes), "4G", 1024, 1e15, true,
     "size of the results of an ensemble, 8 bytes for each number, without its events"},
    {"disk-reserve", CONFIG_BYTES, KEY(store.disk_reserve), "64M", 0, 1e15, true,
     "space kept free on the disk for deletions and ends of jobs: below it new jobs are refused"},
    {"job-timeout", CONFIG_SECONDS, KEY(jobs.timeout), "600", 1e-3, 1e9, true,
     "timeout of a job that sets none"},
    {"max-job-timeout", CONFIG_SECONDS, KEY(jobs.max_timeout), "86400", 1e-3, 1e9, true,
     "longest timeout of a job"},
    {"max-wait", CONFIG_SECONDS, KEY(http.max_wait), "60", 0, 3600, true,
     "longest time that a request may wait for a job"},
    {"request-timeout", CONFIG_SECONDS, KEY(http.request_timeout), "60", 1, 86400, true,
     "timeout for the arrival of a request"},
    {"write-timeout", CONFIG_SECONDS, KEY(http.write_timeout), "3600", 1, 1e7, true,
     "timeout for the departure of an answer; a download may pause within it"},
    {"max-connections", CONFIG_COUNT, KEY(http.max_connections), "1000", 1, 100000, true,
     "open connections"},
    {"max-waiters", CONFIG_COUNT, KEY(http.max_waiters), "500", 0, 100000, true,
     "requests that wait for a job at the same time"},
    {"max-attempts", CONFIG_COUNT, KEY(jobs.max_attempts), "5", 1, 1000, true,
     "runs of a job that end with the death of the process, after which the job fails"},
    {"evaluator", CONFIG_TEXT, KEY(evaluator), "native", 0, 0, false,
     "evaluator of equations: native (machine code for equations that are evaluated often, if the "
     "system allows it), interpreter; the numbers are the same to the bit"},
    {"cached-models", CONFIG_COUNT, KEY(http.cached_models), "128", 1, 4096, false,
     "compiled models kept in memory, fewer if they take more than 2M on average"},
    {"webhooks", CONFIG_TEXT, KEY(webhooks.mode), "off", 0, 0, false,
     "whether jobs may ask the service to call a URL when they end (\"notify\"): on, off"},
    {"webhook-secret-file", CONFIG_TEXT, KEY(webhooks.secret_file), "", 0, 0, false,
     "file with a line whsec_BASE64, the secret that signs the calls, or two lines while receivers "
     "change to another secret; empty: the calls are not signed"},
    {"webhook-allow", CONFIG_TEXT, KEY(webhooks.allow), "", 0, 0, false,
     "addresses that may be called besides the public internet, comma separated, such as "
     "127.0.0.1, 10.1.0.0/16, fd00::/8"},
    {"webhook-timeout", CONFIG_SECONDS, KEY(webhooks.timeout), "10", 0.01, 600, true,
     "timeout for the answer of a receiver"},
    {"webhook-attempts", CONFIG_COUNT, KEY(webhooks.attempts), "15", 1, 1000, true,
     "calls without a 2xx answer, after which a notification is given up"},
    {"webhook-retry", CONFIG_SECONDS, KEY(webhooks.retry), "5", 0.001, 21600, true,
     "time before the second call, doubled for each later call, up to 6 hours"},
    {"webhook-max-age", CONFIG_SECONDS, KEY(webhooks.max_age), "259200", 0, 1e9, true,
     "time after the end of a job beyond which its notification is not sent again"},
    {"drain-delay", CONFIG_SECONDS, KEY(drain_delay), "0", 0, 3600, false,
     "time after SIGTERM in which /readyz answers 503 before connections are refused; behind a "
     "load balancer more than the interval of its probes"},
    {"shutdown-grace", CONFIG_SECONDS, KEY(shutdown_grace), "2", 0, 3600, false,
     "time after SIGTERM in which running jobs may end before they go back to the queue"},
};

enum { N_KEYS = sizeof KEYS / sizeof KEYS[0], VARIABLE_MAX = 64 };

const ConfigKey *config_keys(size_t *ret_n)
{
    *ret_n = N_KEYS;
    return KEYS;
}

static void *member(Config *config, const ConfigKey *key)
{
    return (char *)config + key->offset;
}

static const void *config_value(const Config *config, const ConfigKey *key)
{
    return (const char *)config + key->offset;
}

static const ConfigKey *find_key(const char *name, size_t length)
{
    for (size_t i = 0; i < N_KEYS; i++)
        if (strlen(KEYS[i].name) == length && strncmp(KEYS[i].name, name, length) == 0)
            return &KEYS[i];
    return NULL;
}

static const char *nearest_key(const char *name, size_t length)
{
    const char *names[N_KEYS];
    for (size_t i = 0; i < N_KEYS; i++)
        names[i] = KEYS[i].name;
    return nearest_name(name, length, names, N_KEYS);
}

/* Reads a number. A size may end in K, M or G (powers of 1024), with or without B or iB behind it;
 * seconds may end in s. */
static bool parse_number(const ConfigKey *key, const char *text, double *ret)
{
    double value;
    size_t length = strlen(text), used = number_parse(text, length, &value);
    if (used == 0)
        return false;
    const char *rest = text + used;
    /* the unit */
    if (key->type == CONFIG_BYTES && *rest) {
        static const char UNITS[] = "KMG";
        const char *unit = strchr(UNITS, toupper((unsigned char)*rest));
        if (!unit)
            return false;
        value = ldexp(value, 10 * (int)(unit - UNITS + 1));
        rest++;
        if (strcmp(rest, "iB") == 0 || strcmp(rest, "B") == 0)
            rest += strlen(rest);
    } else if (key->type == CONFIG_SECONDS && strcmp(rest, "s") == 0) {
        rest++;
    }
    /* no other text may follow, and counts are whole */
    if (*rest || !isfinite(value))
        return false;
    if (key->type != CONFIG_SECONDS && value != floor(value))
        return false;
    *ret = value;
    return true;
}

Status config_set(Config *config, const char *name, const char *value, const char *where,
                  Error *err)
{
    const ConfigKey *key = find_key(name, strlen(name));
    if (!key) {
        const char *near = nearest_key(name, strlen(name));
        return error_set(err, ERR_INVALID, "%s: unknown key \"%.60s\"%s%s%s", where, name,
                         near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
    }
    if (key->type == CONFIG_TEXT) {
        char *copy = arena_strdup(config->arena, value);
        if (!copy)
            return error_set(err, ERR_NO_MEMORY, "out of memory");
        *(const char **)member(config, key) = copy;
        return OK;
    }
    /* all other types are numbers: seconds, bytes or counts */
    double number;
    if (!parse_number(key, value, &number))
        return error_set(err, ERR_INVALID, "%s: %s must be a %s, not \"%.60s\"", where, key->name,
                         key->type == CONFIG_BYTES     ? "size such as 8M"
                         : key->type == CONFIG_SECONDS ? "number of seconds"
                                                       : "whole number",
                         value);
    if (number < key->least || number > key->most)
        return error_set(err, ERR_INVALID, "%s: %s must be between %.15g and %.15g, not %s", where,
                         key->name, key->least, key->most, value);
    if (key->type == CONFIG_SECONDS)
        *(double *)member(config, key) = number;
    else
        *(uint64_t *)member(config, key) = (uint64_t)number;
    return OK;
}

Status config_bytes_parse(const char *value, const char *where, uint64_t *ret_bytes, Error *err)
{
    static const ConfigKey BYTES = {.type = CONFIG_BYTES};
    double number;
    if (!parse_number(&BYTES, value, &number) || number < 0 || number > 1e15)
        return error_set(err, ERR_INVALID, "%s must be a size such as 8M, not \"%.60s\"", where,
                         value);
    *ret_bytes = (uint64_t)number;
    return OK;
}

double config_number(const Config *config, const ConfigKey *key)
{
    if (key->type == CONFIG_SECONDS)
        return *(const double *)config_value(config, key);
    return (double)*(const uint64_t *)config_value(config, key);
}

Status config_init(Config *config, Error *err)
{
    *config = (Config){.arena = arena_new((size_t)1 << 20)};
    if (!config->arena)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < N_KEYS; i++) {
        Status status = config_set(config, KEYS[i].name, KEYS[i].fallback, "default", err);
        if (status != OK)
            return status;
    }
    return OK;
}

void config_done(Config *config)
{
    arena_free(config->arena);
    config->arena = NULL;
}

static char *config_trim(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
    return text;
}

static Status set_line(Config *config, char *line, const char *where, Error *err)
{
    line[strcspn(line, "#")] = '\0';
    char *name = config_trim(line);
    if (*name == '\0')
        return OK;
    char *equals = strchr(name, '=');
    if (!equals)
        return error_set(err, ERR_INVALID, "%s: expected `key = value`", where);
    *equals = '\0';
    return config_set(config, config_trim(name), config_trim(equals + 1), where, err);
}

Status config_read_file(Config *config, const char *path, Error *err)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return error_set(err, ERR_IO, "cannot read %s: %s", path, strerror(errno));
    Status status = OK;
    char line[1024], where[512];
    for (int number = 1; status == OK && fgets(line, sizeof line, file); number++) {
        snprintf(where, sizeof where, "%.400s line %d", path, number);
        status = set_line(config, line, where, err);
    }
    fclose(file);
    return status;
}

static void variable_name(const ConfigKey *key, char *ret, size_t size)
{
    snprintf(ret, size, "DALEMBERT_%s", key->name);
    for (char *p = ret; *p; p++)
        *p = (char)(*p == '-' ? '_' : toupper((unsigned char)*p));
}

static Status read_environment(Config *config, Error *err)
{
    for (size_t i = 0; i < N_KEYS; i++) {
        char name[VARIABLE_MAX];
        variable_name(&KEYS[i], name, sizeof name);
        const char *value = getenv(name);
        Status status = value && *value ? config_set(config, KEYS[i].name, value, name, err) : OK;
        if (status != OK)
            return status;
    }
    return OK;
}

/* Variables of the examples and the tests. */
static const char *const OTHER_VARIABLES[] = {"DALEMBERT_URL", "DALEMBERT_BIN"};
/* Kubernetes sets these in every container beside a service named dalembert. */
static const char *const FOREIGN_PREFIXES[] = {"DALEMBERT_SERVICE_", "DALEMBERT_PORT"};

static bool variable_is_known(const char *name, char (*keys)[VARIABLE_MAX])
{
    for (size_t i = 0; i < sizeof OTHER_VARIABLES / sizeof *OTHER_VARIABLES; i++)
        if (strcmp(name, OTHER_VARIABLES[i]) == 0)
            return true;
    for (size_t i = 0; i < sizeof FOREIGN_PREFIXES / sizeof *FOREIGN_PREFIXES; i++)
        if (strncmp(name, FOREIGN_PREFIXES[i], strlen(FOREIGN_PREFIXES[i])) == 0)
            return true;
    for (size_t i = 0; i < N_KEYS; i++)
        if (strcmp(name, keys[i]) == 0)
            return true;
    return false;
}

void config_stray_variables(Text *out)
{
    extern char **environ;
    char keys[N_KEYS][VARIABLE_MAX];
    const char *names[N_KEYS];
    /* the variables of the keys */
    for (size_t i = 0; i < N_KEYS; i++) {
        variable_name(&KEYS[i], keys[i], sizeof keys[i]);
        names[i] = keys[i];
    }
    /* look for others */
    for (char **entry = environ; *entry; entry++) {
        char name[VARIABLE_MAX];
        if (strncmp(*entry, "DALEMBERT_", strlen("DALEMBERT_")) != 0)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(*entry, "="), *entry);
        if (variable_is_known(name, keys))
            continue;
        const char *near = nearest_name(name, strlen(name), names, N_KEYS);
        text_printf(out, "the environment variable %s is unknown%s%s%s\n", name,
                    near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
    }
}

typedef struct Flag {
    const ConfigKey *key; /* NULL: it was an action */
    const char *value;
    ConfigAction action;
    bool accept_loss;
} Flag;

static const char TRY_HELP[] = "`dalembert serve --help` lists the flags";

/* Reads the flag at argv[*i] with its value, which may be the next argument. */
static Status read_flag(int argc, char *const *argv, int *i, Flag *ret, Error *err)
{
    static const struct {
        const char *name;
        ConfigAction action;
    } ACTIONS[] = {{"--print-config", CONFIG_PRINT},
                   {"--check-config", CONFIG_CHECK},
                   {"--help", CONFIG_HELP},
                   {"-h", CONFIG_HELP}};
    const char *text = argv[*i];
    /* flags without a value */
    if (strcmp(text, "--accept-loss") == 0) {
        *ret = (Flag){.action = CONFIG_RUN, .accept_loss = true};
        return OK;
    }
    for (size_t k = 0; k < sizeof ACTIONS / sizeof ACTIONS[0]; k++)
        if (strcmp(text, ACTIONS[k].name) == 0) {
            *ret = (Flag){.action = ACTIONS[k].action};
            return OK;
        }
    if (strncmp(text, "--", 2) != 0)
        return error_set(err, ERR_INVALID, "unexpected argument \"%.80s\"; %s", text, TRY_HELP);
    /* --key=VALUE or --key VALUE */
    size_t length = strcspn(text + 2, "=");
    const ConfigKey *key = find_key(text + 2, length);
    if (!key) {
        const char *near = nearest_key(text + 2, length);
        if (near)
            return error_set(err, ERR_INVALID, "unknown flag %.80s; did you mean --%s?", text,
                             near);
        return error_set(err, ERR_INVALID, "unknown flag %.80s; %s", text, TRY_HELP);
    }
    const char *value = text[2 + length] == '=' ? text + 2 + length + 1 : NULL;
    if (!value) {
        if (*i + 1 >= argc)
            return error_set(err, ERR_INVALID, "--%s needs a value", key->name);
        value = argv[++*i];
    }
    *ret = (Flag){.key = key, .value = value, .action = CONFIG_RUN};
    return OK;
}

Status config_load(Config *config, int argc, char *const *argv, ConfigAction *ret_action,
                   Error *err)
{
    ConfigAction action = CONFIG_RUN;
    const char *file = getenv("DALEMBERT_CONFIG");
    Status status = OK;
    Flag flag;
    /* read the flags twice: first for the file that they name, then to override it */
    for (int i = 0; status == OK && i < argc; i++) {
        status = read_flag(argc, argv, &i, &flag, err);
        if (status == OK && flag.key && strcmp(flag.key->name, "config") == 0)
            file = flag.value;
    }
    if (status == OK && file && *file)
        status = config_read_file(config, file, err);
    if (status == OK)
        status = read_environment(config, err);
    for (int i = 0; status == OK && i < argc; i++) {
        status = read_flag(argc, argv, &i, &flag, err);
        if (status != OK)
            break;
        if (flag.accept_loss) {
            config->store.accept_loss = true;
            continue;
        }
        if (!flag.key) {
            action = flag.action;
            continue;
        }
        char where[64];
        snprintf(where, sizeof where, "--%s", flag.key->name);
        status = config_set(config, flag.key->name, flag.value, where, err);
    }
    if (status != OK)
        return status;
    /* 0 leaves the number to the machine */
    if (config->jobs.workers == 0)
        config->jobs.workers = processors_available();
    *ret_action = action;
    return OK;
}

void config_print(const Config *config, Text *out)
{
    for (size_t i = 0; i < N_KEYS; i++) {
        const ConfigKey *key = &KEYS[i];
        if (strcmp(key->name, "config") == 0)
            continue;
        text_printf(out, "# %s\n%s = ", key->help, key->name);
        if (key->type == CONFIG_TEXT)
            text_puts(out, *(const char *const *)config_value(config, key));
        else
            text_printf(out, "%.15g", config_number(config, key));
        text_putc(out, '\n');
    }
}

void config_help(Text *out)
{
    for (size_t i = 0; i < N_KEYS; i++) {
        char flag[48], variable[VARIABLE_MAX];
        snprintf(flag, sizeof flag, "--%s %s", KEYS[i].name,
                 KEYS[i].type == CONFIG_TEXT      ? "TEXT"
                 : KEYS[i].type == CONFIG_BYTES   ? "SIZE"
                 : KEYS[i].type == CONFIG_SECONDS ? "SECONDS"
                                                  : "N");
        variable_name(&KEYS[i], variable, sizeof variable);
        text_printf(out, "  %-27s %s", flag, KEYS[i].help);
        if (*KEYS[i].fallback)
            text_printf(out, " (default %s)", KEYS[i].fallback);
        text_printf(out, "\n  %-27s [%s]\n", "", variable);
    }
}
