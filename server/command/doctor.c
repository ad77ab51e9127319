/* dalembert doctor: looks at everything around a service that can stop it, and says how to mend
 * it. It changes nothing. */
#include <errno.h>
#include <inttypes.h>
#include <microhttpd.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/json/writer.h"
#include "api/net/ip.h"
#include "core/base/clock.h"
#include "db/look.h"
#include "server/command/args.h"
#include "server/command/commands.h"
#include "server/config.h"
#include "server/descriptors.h"
#include "server/http/address.h"
#include "server/processors.h"

static const char USAGE[] =
    "usage: dalembert doctor [--json] [FLAGS of `dalembert serve`]\n"
    "\n"
    "Looks at everything around a service that can stop it: settings, access, file descriptors,\n"
    "memory, clock, libraries, disk, data directory and keys. Run it as the user of the service,\n"
    "with the same flags and the same environment. It changes nothing, and a service may be\n"
    "running. One line for each: ok, warning, or FAULT with the mend. --json prints one document.\n"
    "\n"
    "`dalembert verify` reads the data, `dalembert selftest` checks the numbers.\n"
    "\n"
    "Exit status 0: no fault (there may be warnings); 1: a fault; 2: usage.\n";

/* Memory of the parts that have no flag of their own. */
static const double MODEL_BYTES = 2 << 20;      /* of a compiled model, on average at most */
static const double CONNECTION_BYTES = 1 << 16; /* of a connection (CONNECTION_MEMORY) */
static const double MACHINE_CODE_BYTES = 64 << 20;
static const double MIB = 1 << 20;

enum { PATH_MOST = 4096 + 20 };

typedef enum Finding { FINE, WARNING, FAULT, FINDINGS } Finding;

typedef struct Doctor {
    Config config;
    size_t count[FINDINGS];
    bool as_json;
    JsonWriter *writer; /* within the array of findings */
} Doctor;

static void PRINTF_LIKE(4, 5)
    say(Doctor *doctor, Finding finding, const char *what, const char *format, ...)
{
    static const char *const WORDS[] = {"ok", "warning", "FAULT"};
    static const char *const LEVELS[] = {"ok", "warning", "fault"};
    char message[2 * PATH_MOST + 400];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    doctor->count[finding]++;
    /* a line, or an object */
    if (!doctor->as_json)
        printf("%-8s %-12s %s\n", WORDS[finding], what, message);
    json_open_object(doctor->writer);
    json_member_string(doctor->writer, "level", LEVELS[finding]);
    json_member_string(doctor->writer, "name", what);
    json_member_string(doctor->writer, "message", message);
    json_close_object(doctor->writer);
}

static void look_at_settings(Doctor *doctor)
{
    Text stray = TEXT_INIT;
    Error err = {0};
    if (serve_check(&doctor->config, &err) != OK)
        say(doctor, FAULT, "settings", "%s", err.message);
    else
        say(doctor, FINE, "settings", "all values are valid");
    /* variables that nobody reads */
    config_stray_variables(&stray);
    if (stray.length)
        say(doctor, WARNING, "settings", "%.*s", (int)strcspn(text_string(&stray), "\n"),
            text_string(&stray));
    text_done(&stray);
}

/* The proxies whose header fields name the client. A proxy on this machine connects from the
 * loopback address. */
static void look_at_proxies(Doctor *doctor, const Address *address)
{
    const HttpConfig *http = &doctor->config.http;
    const char *here = address->storage.ss_family == AF_INET6 ? "::1" : "127.0.0.1";
    IpRules proxies;
    Ip peer;
    if (ip_rules_read(http->trusted_proxies, doctor->config.arena, &proxies, NULL) != OK ||
        !ip_parse(here, strlen(here), &peer))
        return; /* the settings have said so */
    if (address->loopback && proxies.n_allowed == 0 && *http->hosts)
        say(doctor, WARNING, "proxies",
            "--hosts lists names, so a proxy seems to be in front, but none is trusted: the log "
            "and the limit of wrong keys take all its clients for one; set --trusted-proxies %s",
            here);
    else if (proxies.n_allowed == 0)
        say(doctor, FINE, "proxies", "none is trusted; a client has the address it connects from");
    else if (address->loopback && !ip_listed(&proxies, &peer))
        say(doctor, WARNING, "proxies",
            "only this machine reaches %s, and --trusted-proxies %s does not list it, so header "
            "fields of a proxy are ignored: add %s",
            http->listen, http->trusted_proxies, here);
    else
        say(doctor, FINE, "proxies", "%s may name the client and the id of a request",
            http->trusted_proxies);
}

/* Who may use the service, over which address and under which names. */
static void look_at_access(Doctor *doctor)
{
    const HttpConfig *http = &doctor->config.http;
    Address address;
    if (address_parse(http->listen, &address, NULL) != OK)
        return; /* the settings have said so */
    if (address.loopback)
        say(doctor, FINE, "access", "%s: this machine alone", http->listen);
    else if (strcmp(http->auth, "none") == 0)
        say(doctor, WARNING, "access",
            "%s can be reached from other machines, and --auth none lets everybody use it: set "
            "--auth keys",
            http->listen);
    else if (*http->trusted_proxies)
        say(doctor, FINE, "access",
            "%s speaks plain HTTP with the trusted proxies; let nobody else reach it",
            http->listen);
    else
        say(doctor, WARNING, "access",
            "%s speaks plain HTTP, so keys can be read on the way: put a proxy with TLS in front, "
            "and bind a loopback address or set --trusted-proxies",
            http->listen);
    look_at_proxies(doctor, &address);
    /* names */
    if (*http->hosts)
        say(doctor, FINE, "hosts", "answers to %s", http->hosts);
    else if (address.loopback)
        say(doctor, FINE, "hosts", "answers to localhost and the loopback addresses");
    else
        say(doctor, WARNING, "hosts",
            "without --hosts requests that name the service get 403, only numeric addresses are "
            "answered: list the names with --hosts");
}

static void look_at_descriptors(Doctor *doctor)
{
    const uint64_t connections = doctor->config.http.max_connections;
    const uint64_t want = descriptors_wanted(connections);
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        say(doctor, WARNING, "descriptors", "cannot read the limit: %s", strerror(errno));
        return;
    }
    /* the service raises the soft limit itself */
    const uint64_t have = limit.rlim_max, fits = connections_fitting(have);
    if (have >= want)
        say(doctor, FINE, "descriptors", "%" PRIu64 " for %" PRIu64 " connections", want,
            connections);
    else
        say(doctor, fits < LEAST_CONNECTIONS ? FAULT : WARNING, "descriptors",
            "the hard limit of %" PRIu64 " allows %" PRIu64 " connections, not %" PRIu64
            ": raise it to %" PRIu64 " (ulimit -Hn, LimitNOFILE= of systemd, docker run --ulimit "
            "nofile=), or lower --max-connections",
            have, fits, connections, want);
}

static void look_at_memory(Doctor *doctor)
{
    const HttpConfig *http = &doctor->config.http;
    const double have = memory_available() / MIB;
    const double want = ((double)http->request_memory + (double)http->download_memory +
                         (double)http->cached_models * MODEL_BYTES +
                         (double)http->max_connections * CONNECTION_BYTES + MACHINE_CODE_BYTES) /
                        MIB;
    if (want <= have)
        say(doctor, FINE, "memory", "%.0f MiB; requests, connections and models take up to %.0f",
            have, want);
    else
        say(doctor, WARNING, "memory",
            "there are %.0f MiB, but requests, connections and models may take %.0f: raise the "
            "limit, or lower --request-memory, --cached-models or --max-connections",
            have, want);
}

static void look_at_clock(Doctor *doctor)
{
    char now[CLOCK_TEXT_MAX];
    int64_t released = 0;
    const double before = clock_seconds();
    clock_format(clock_unix_ms(), now);
    (void)clock_parse(DALEMBERT_RELEASED, &released);
    if (clock_unix_ms() < released)
        say(doctor, FAULT, "clock",
            "it says %s, which is before this release (%.10s): set it (timedatectl set-ntp true); "
            "keys expire and jobs are kept by it",
            now, DALEMBERT_RELEASED);
    else if (clock_seconds() < before)
        say(doctor, FAULT, "clock", "the monotonic clock runs backwards: deadlines cannot be kept");
    else
        say(doctor, FINE, "clock", "%s, after this release (%.10s)", now, DALEMBERT_RELEASED);
}

static void look_at_libraries(Doctor *doctor)
{
    bool old;
    const char *sqlite = store_sqlite_version(&old);
    say(doctor, old ? FAULT : FINE, "libraries", "SQLite %s, libmicrohttpd %s%s", sqlite,
        MHD_get_version(),
        old ? ": this SQLite is older than that of the build; install the newer one" : "");
}

static void look_at_disk(Doctor *doctor)
{
    const StoreConfig *store = &doctor->config.store;
    const double reserve = (double)store->disk_reserve;
    StoreSpace space;
    Error err = {0};
    if (store_space_of(store->data, &space, &err) != OK) {
        say(doctor, FAULT, "disk", "%s", err.message);
        return;
    }
    const double room = (double)space.free;
    if (room < reserve)
        say(doctor, FAULT, "disk",
            "%.0f MiB are free, fewer than --disk-reserve (%.0f MiB), so new jobs are refused: "
            "free space, delete old jobs (--keep), or lower the reserve",
            room / MIB, reserve / MIB);
    else if (room < 2 * reserve || room < (double)space.total / 10)
        say(doctor, WARNING, "disk",
            "%.0f of %.0f MiB are free; below --disk-reserve (%.0f MiB) new jobs are refused: "
            "free space, or delete old jobs (--keep)",
            room / MIB, (double)space.total / MIB, reserve / MIB);
    else
        say(doctor, FINE, "disk", "%.0f MiB are free, the reserve is %.0f MiB", room / MIB,
            reserve / MIB);
}

/* A file of the directory: usable by this user, by nobody else, and of the directory's owner. */
static void look_at_file(Doctor *doctor, const char *name, uid_t owner)
{
    char path[PATH_MOST];
    struct stat info;
    snprintf(path, sizeof path, "%s/%s", doctor->config.store.data, name);
    if (stat(path, &info) != 0)
        return;
    if (info.st_uid != owner)
        say(doctor, FAULT, "files",
            "'%s' belongs to user %u, the directory to user %u: chown %u '%s'", path,
            (unsigned)info.st_uid, (unsigned)owner, (unsigned)owner, path);
    else if (access(path, R_OK | W_OK) != 0)
        say(doctor, FAULT, "files",
            "user %u cannot read and write '%s': run as user %u, or chmod 600 '%s'",
            (unsigned)geteuid(), path, (unsigned)owner, path);
    else if (info.st_mode & 077)
        say(doctor, WARNING, "files", "other users can open '%s': chmod 600 '%s'", path, path);
}

static void look_at_directory(Doctor *doctor)
{
    static const char *const FILES[] = {"dalembert.db", "dalembert.db-wal", "dalembert.db-shm",
                                        "dalembert.lock"};
    const char *data = doctor->config.store.data;
    const size_t before = doctor->count[WARNING] + doctor->count[FAULT];
    struct stat info;
    if (stat(data, &info) != 0) {
        say(doctor, errno == ENOENT ? FINE : FAULT, "directory", "'%s': %s%s", data,
            strerror(errno), errno == ENOENT ? "; the service makes it" : "");
        return;
    }
    if (!S_ISDIR(info.st_mode))
        say(doctor, FAULT, "directory", "'%s' is no directory: give another one with --data", data);
    else if (access(data, R_OK | W_OK | X_OK) != 0)
        say(doctor, FAULT, "directory", "user %u cannot write in '%s': run as user %u, or chown it",
            (unsigned)geteuid(), data, (unsigned)info.st_uid);
    else if (info.st_mode & 077)
        say(doctor, WARNING, "directory", "other users can look into '%s': chmod 700 '%s'", data,
            data);
    for (size_t k = 0; k < sizeof FILES / sizeof *FILES; k++)
        look_at_file(doctor, FILES[k], info.st_uid);
    if (doctor->count[WARNING] + doctor->count[FAULT] == before)
        say(doctor, FINE, "directory", "'%s' and its files are for their owner alone", data);
}

/* Whether --auth keys finds one. A service that runs has found one. */
static void look_at_keys(Doctor *doctor, const StoreLook *look)
{
    const HttpConfig *http = &doctor->config.http;
    if (strcmp(http->auth, "keys") != 0 || look->keys < 0)
        return;
    if (look->keys_in_force > 0)
        say(doctor, FINE, "keys", "%" PRId64 " in force", look->keys_in_force);
    else if (look->keys == 0 && *http->first_key_file)
        say(doctor, FINE, "keys", "the start takes the first one from '%s'", http->first_key_file);
    else
        say(doctor, FAULT, "keys",
            "no key is in force, so `serve --auth keys` does not start: make one with `dalembert "
            "keys create NAME --scopes read,write,metrics,admin`%s",
            look->keys == 0 ? ", or give a token with --first-key-file" : "");
}

/* A database of an older format, and the room that the next start needs to change it. */
static void look_at_upgrade(Doctor *doctor, const StoreLook *look)
{
    const StoreConfig *store = &doctor->config.store;
    const bool copies = strcmp(store->upgrade, "copy") == 0;
    const double want = (double)look->upgrade_bytes + (copies ? (double)look->copy_bytes : 0);
    StoreSpace space;
    if (look->upgrade_bytes > 0 && store_space_of(store->data, &space, NULL) == OK &&
        (double)space.free < want)
        say(doctor, FAULT, "store",
            "format %d; the change to %d needs %.1f MiB free%s, and the disk has %.1f: free space, "
            "or move the directory to a larger disk",
            look->format, look->newest, want / MIB, copies ? " with the copy of --upgrade" : "",
            (double)space.free / MIB);
    else
        say(doctor, WARNING, "store",
            "format %d; the next start changes it to %d, which older programs refuse: make a "
            "backup, or use --upgrade copy",
            look->format, look->newest);
}

static void look_at_database(Doctor *doctor, const StoreLook *look)
{
    const char *data = doctor->config.store.data;
    if (look->is_lost)
        say(doctor, FAULT, "store",
            "'%s/dalembert.db' is gone or empty, but dalembert.lock records commits: restore the "
            "directory from a backup, or start once with --accept-loss",
            data);
    else if (!look->has_database)
        say(doctor, FINE, "store", "there is none; the service makes it");
    else if (look->is_foreign)
        say(doctor, FAULT, "store",
            "'%s/dalembert.db' is no dalembert database: give another directory with --data, or "
            "restore a backup",
            data);
    else if (look->format > look->newest)
        say(doctor, FAULT, "store",
            "format %d was written by a newer dalembert; this one reads formats up to %d: install "
            "the newer one, or restore a backup",
            look->format, look->newest);
    else if (look->format > 0 && look->format < look->newest)
        look_at_upgrade(doctor, look);
    else
        say(doctor, FINE, "store", "format %d", look->format ? look->format : look->newest);
}

static void look_at_store(Doctor *doctor)
{
    StoreLook look;
    Error err = {0};
    if (store_look(doctor->config.store.data, &look, &err) != OK) {
        say(doctor, FAULT, "store", "%s", err.message);
        return;
    }
    if (look.in_use)
        say(doctor, FINE, "lock", "%s uses the directory; a second service cannot start on it",
            *look.owner ? look.owner : "a process");
    else
        say(doctor, FINE, "lock", "no service uses the directory");
    look_at_database(doctor, &look);
    look_at_keys(doctor, &look);
}

/* A file with a secret. */
static void look_at_secret(Doctor *doctor, const char *flag, const char *path)
{
    struct stat info;
    if (!*path)
        return;
    if (stat(path, &info) != 0 || access(path, R_OK) != 0)
        say(doctor, FAULT, "secrets", "--%s: cannot read '%s': %s", flag, path, strerror(errno));
    else if (info.st_mode & 077)
        say(doctor, WARNING, "secrets", "--%s: other users can open '%s': chmod 600 '%s'", flag,
            path, path);
    else
        say(doctor, FINE, "secrets", "--%s: '%s' is for its owner alone", flag, path);
}

static void look_at_all(Doctor *doctor)
{
    look_at_settings(doctor);
    look_at_access(doctor);
    look_at_secret(doctor, "first-key-file", doctor->config.http.first_key_file);
    look_at_secret(doctor, "webhook-secret-file", doctor->config.webhooks.secret_file);
    look_at_descriptors(doctor);
    look_at_memory(doctor);
    look_at_clock(doctor);
    look_at_libraries(doctor);
    look_at_disk(doctor);
    look_at_directory(doctor);
    look_at_store(doctor);
}

static int examine(Doctor *doctor)
{
    Text text = TEXT_INIT;
    JsonWriter writer;
    doctor->writer = &writer;
    json_writer_init(&writer, &text);
    json_open_object(&writer);
    json_member_string(&writer, "version", DALEMBERT_VERSION);
    json_member_array(&writer, "findings");
    look_at_all(doctor);
    json_close_array(&writer);
    /* the sum */
    json_member_unsigned(&writer, "faults", doctor->count[FAULT]);
    json_member_unsigned(&writer, "warnings", doctor->count[WARNING]);
    json_close_object(&writer);
    if (doctor->as_json)
        puts(text_string(&text));
    else
        printf("%zu faults, %zu warnings\n", doctor->count[FAULT], doctor->count[WARNING]);
    text_done(&text);
    return doctor->count[FAULT] ? EXIT_JOB_FAILED : EXIT_SUCCESS;
}

/* Takes --json out of the arguments, all others are those of `serve`; their number. */
static int take_json(int argc, char **argv, bool *ret_as_json)
{
    int n = 0;
    for (int i = 0; i < argc; i++)
        if (strcmp(argv[i], "--json") == 0)
            *ret_as_json = true;
        else
            argv[n++] = argv[i];
    return n;
}

int command_doctor(int argc, char **argv)
{
    Doctor doctor = {0};
    ConfigAction action = CONFIG_RUN;
    Error err = {0};
    int code = EXIT_SUCCESS;
    argc = take_json(argc, argv, &doctor.as_json);
    Status status = config_init(&doctor.config, &err);
    if (status == OK)
        status = config_load(&doctor.config, argc, argv, &action, &err);
    if (status != OK) {
        fprintf(stderr, "dalembert doctor: %s\n", err.message);
        code = EXIT_USAGE;
    } else if (action == CONFIG_HELP) {
        fputs(USAGE, stdout);
    } else {
        code = examine(&doctor);
    }
    config_done(&doctor.config);
    return code;
}
