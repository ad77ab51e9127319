/* The data directory of a daemon, for the daemon and for commands beside it. */
#ifndef SERVER_DATA_DIRECTORY_H
#define SERVER_DATA_DIRECTORY_H

#include "core/base/status.h"
#include "db/store.h"
#include "server/config.h"

/* Reads the configuration that `serve` has in the same environment; its store.data is `given`,
 * unless that is NULL. Release with config_done() in any case. */
Status data_directory_find(const char *given, Config *config, Error *err) MUST_CHECK;

/* How the service opens this directory; an older format is copied first if `upgrade` says so. The
 * texts belong to the configuration. */
StoreOptions data_directory_options(const Config *config);

#endif
