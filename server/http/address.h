/* ADDRESS:PORT: "127.0.0.1:8080", "[::1]:0", "localhost:8080". */
#ifndef SERVER_ADDRESS_H
#define SERVER_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "core/base/status.h"

enum { ADDRESS_TEXT_MAX = 80 };

typedef struct Address {
    struct sockaddr_storage storage;
    socklen_t length;
    bool loopback;
    bool everywhere; /* every address of this machine */
} Address;

Status address_parse(const char *text, Address *ret_address, Error *err) MUST_CHECK;
/* "127.0.0.1:8080", fit for a URL. */
void address_format(const Address *address, char ret_text[ADDRESS_TEXT_MAX]);

#endif
