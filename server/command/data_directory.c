/* The data directory of commands beside `serve`: that of a daemon in the same environment. */
#include "server/command/data_directory.h"

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
