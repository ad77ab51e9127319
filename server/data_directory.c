/* The data directory of commands beside `serve`: that of a daemon in the same environment. */
#include "server/data_directory.h"

#include <string.h>

Status data_directory_find(const char *given, Config *config, Error *err)
{
    ConfigAction action;
    Status status = config_init(config, err);
    if (status == OK)
        status = config_load(config, 0, NULL, &action, err);
    if (status == OK && given)
        status = config_set(config, "data", given, "--data", err);
    return status;
}

StoreOptions data_directory_options(const Config *config)
{
    return (StoreOptions){.directory = config->store.data,
                          .max_queued = config->jobs.max_queue,
                          .keep_deleted_ms = (uint64_t)(config->store.keep_deleted * 1e3),
                          .max_attempts = (unsigned)config->jobs.max_attempts,
                          .disk_reserve = config->store.disk_reserve,
                          .copy_old = strcmp(config->store.upgrade, "copy") == 0,
                          .accept_loss = config->store.accept_loss};
}
