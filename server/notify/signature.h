/* Signatures of notifications, as https://www.standardwebhooks.com defines them: HMAC-SHA256 (RFC
 * 2104) of "ID.TIMESTAMP.BODY", which proves the sender and the time. */
#ifndef SERVER_NOTIFY_SIGNATURE_H
#define SERVER_NOTIFY_SIGNATURE_H

#include <stddef.h>

#include "core/base/status.h"
#include "core/base/text.h"

/* Two, while receivers change from one secret to the other. */
enum { SECRETS_MAX = 2, SECRET_MIN_BYTES = 24, SECRET_MAX_BYTES = 64 };

typedef struct Secrets {
    struct {
        unsigned char bytes[SECRET_MAX_BYTES];
        size_t length;
    } items[SECRETS_MAX];
    size_t n; /* 0: nothing is signed */
} Secrets;

/* A file of lines "whsec_BASE64". ERR_INVALID, ERR_IO. */
Status secrets_read(const char *path, Secrets *ret_secrets, Error *err) MUST_CHECK;

/* The secrets of a tenant: of each one its HMAC-SHA256 of "tenant:NAME". So a tenant that knows its
 * own secret cannot sign for another one. The default tenant has the secrets themselves. */
void secrets_of_tenant(const Secrets *secrets, const char *tenant, Secrets *ret_secrets);
/* Appends a line "whsec_BASE64" for each. */
void secrets_write(const Secrets *secrets, Text *out);

/* Appends "v1,BASE64", one for each secret, separated by spaces. */
void secrets_sign(const Secrets *secrets, const char *id, const char *timestamp, const char *body,
                  size_t size, Text *out);

#endif
