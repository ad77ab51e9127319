/* Secrets read from their file, and signatures made with them, by Nettle. */
#include "server/notify/signature.h"

#include <errno.h>
#include <nettle/base64.h>
#include <nettle/hmac.h>
#include <stdio.h>
#include <string.h>

static const char PREFIX[] = "whsec_";

/* Reads one line, without its end. */
static Status read_secret(const char *line, const char *path, Secrets *secrets, Error *err)
{
    static const char WANTED[] =
        "a line \"whsec_\" and 24 to 64 random bytes as base64, as made by: printf "
        "'whsec_%s\\n' \"$(openssl rand -base64 32)\"";
    const size_t before = sizeof PREFIX - 1, length = strlen(line);
    unsigned char bytes[BASE64_DECODE_LENGTH(200)];
    struct base64_decode_ctx context;
    size_t n = sizeof bytes;

    /* decode the secret */
    base64_decode_init(&context);
    if (strncmp(line, PREFIX, before) != 0 || length - before > 200 || strpbrk(line, " \t") ||
        !base64_decode_update(&context, &n, bytes, length - before, line + before) ||
        !base64_decode_final(&context) || n < SECRET_MIN_BYTES || n > SECRET_MAX_BYTES)
        return error_set(err, ERR_INVALID, "webhook-secret-file: '%.200s' must hold %s", path,
                         WANTED);
    /* keep it */
    if (secrets->n == SECRETS_MAX)
        return error_set(err, ERR_INVALID, "webhook-secret-file: '%.200s' has more than %d lines",
                         path, SECRETS_MAX);
    memcpy(secrets->items[secrets->n].bytes, bytes, n);
    secrets->items[secrets->n++].length = n;
    return OK;
}

Status secrets_read(const char *path, Secrets *ret_secrets, Error *err)
{
    FILE *file = fopen(path, "re");
    Secrets secrets = {0};
    Status status = OK;
    char line[512];
    if (!file)
        return error_set(err, ERR_IO, "webhook-secret-file: cannot read '%.200s': %s", path,
                         strerror(errno));
    /* one secret a line */
    while (status == OK && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (*line)
            status = read_secret(line, path, &secrets, err);
    }
    if (status == OK && (ferror(file) || secrets.n == 0))
        status = error_set(err, ERR_INVALID, "webhook-secret-file: '%.200s' is empty", path);
    fclose(file);
    if (status == OK)
        *ret_secrets = secrets;
    return status;
}

void secrets_of_tenant(const Secrets *secrets, const char *tenant, Secrets *ret_secrets)
{
    static const char BEFORE[] = "tenant:";
    *ret_secrets = *secrets;
    if (strcmp(tenant, "default") == 0)
        return;
    for (size_t i = 0; i < secrets->n; i++) {
        struct hmac_sha256_ctx context;
        hmac_sha256_set_key(&context, secrets->items[i].length, secrets->items[i].bytes);
        hmac_sha256_update(&context, sizeof BEFORE - 1, (const uint8_t *)BEFORE);
        hmac_sha256_update(&context, strlen(tenant), (const uint8_t *)tenant);
        ret_secrets->items[i].length = SHA256_DIGEST_SIZE;
        hmac_sha256_digest(&context, SHA256_DIGEST_SIZE, ret_secrets->items[i].bytes);
    }
}

void secrets_write(const Secrets *secrets, Text *out)
{
    for (size_t i = 0; i < secrets->n; i++) {
        char text[BASE64_ENCODE_RAW_LENGTH(SECRET_MAX_BYTES)];
        const size_t length = secrets->items[i].length;
        base64_encode_raw(text, length, secrets->items[i].bytes);
        text_puts(out, PREFIX);
        text_append(out, text, BASE64_ENCODE_RAW_LENGTH(length));
        text_putc(out, '\n');
    }
}

void secrets_sign(const Secrets *secrets, const char *id, const char *timestamp, const char *body,
                  size_t size, Text *out)
{
    for (size_t i = 0; i < secrets->n; i++) {
        struct hmac_sha256_ctx context;
        uint8_t digest[SHA256_DIGEST_SIZE];
        char text[BASE64_ENCODE_RAW_LENGTH(SHA256_DIGEST_SIZE)];
        hmac_sha256_set_key(&context, secrets->items[i].length, secrets->items[i].bytes);
        hmac_sha256_update(&context, strlen(id), (const uint8_t *)id);
        hmac_sha256_update(&context, 1, (const uint8_t *)".");
        hmac_sha256_update(&context, strlen(timestamp), (const uint8_t *)timestamp);
        hmac_sha256_update(&context, 1, (const uint8_t *)".");
        hmac_sha256_update(&context, size, (const uint8_t *)body);
        hmac_sha256_digest(&context, sizeof digest, digest);
        base64_encode_raw(text, sizeof digest, digest);
        text_puts(out, i > 0 ? " v1," : "v1,");
        text_append(out, text, sizeof text);
    }
}
