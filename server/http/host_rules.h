/* The host names that the service answers to: the list of --hosts, or names from the address. */
#ifndef SERVER_HOST_RULES_H
#define SERVER_HOST_RULES_H

#include "api/host.h"
#include "core/base/arena.h"
#include "server/http/address.h"

/* `list` is the value of --hosts. If it is empty: on the loopback interface the names of this
 * machine, on every interface localhost and all numeric addresses; always the name in --listen. The
 * rules live in the arena. ERR_INVALID with a message that names the wrong item. */
Status host_rules_make(const char *list, const char *listen, const Address *address, Arena *arena,
                       HostRules *ret_rules, Error *err) MUST_CHECK;

#endif
