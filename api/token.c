/* Tokens: base-62 digits of random bytes with a prefix and check digits. */
#include "api/token.h"

#include <string.h>
#include <zlib.h>

#include "db/uuid.h"

static const char PREFIX[] = "dlmb_";
static const char DIGITS[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
enum { PREFIX_LENGTH = 5, SECRET_BYTES = 32, SECRET_DIGITS = 43, CHECK_DIGITS = 6, BASE = 62 };
_Static_assert(PREFIX_LENGTH + SECRET_DIGITS + CHECK_DIGITS == TOKEN_LENGTH, "the parts");

/* The digits of a big-endian number, which is used up. */
static void put_digits(unsigned char *bytes, size_t n_bytes, char *ret_digits, size_t n_digits)
{
    for (size_t k = n_digits; k-- > 0;) {
        unsigned rest = 0;
        for (size_t i = 0; i < n_bytes; i++) {
            const unsigned value = rest << 8 | bytes[i];
            bytes[i] = (unsigned char)(value / BASE);
            rest = value % BASE;
        }
        ret_digits[k] = DIGITS[rest];
    }
}

static void put_check(const char *token, char *ret_digits)
{
    const uLong sum = crc32(0, (const Bytef *)token, PREFIX_LENGTH + SECRET_DIGITS);
    unsigned char bytes[] = {(unsigned char)(sum >> 24), (unsigned char)(sum >> 16),
                             (unsigned char)(sum >> 8), (unsigned char)sum};
    put_digits(bytes, sizeof bytes, ret_digits, CHECK_DIGITS);
}

void token_format(const unsigned char bytes[SECRET_BYTES], char ret_token[TOKEN_MAX])
{
    unsigned char left[SECRET_BYTES];
    memcpy(left, bytes, sizeof left);
    memcpy(ret_token, PREFIX, PREFIX_LENGTH);
    put_digits(left, sizeof left, ret_token + PREFIX_LENGTH, SECRET_DIGITS);
    put_check(ret_token, ret_token + PREFIX_LENGTH + SECRET_DIGITS);
    ret_token[TOKEN_LENGTH] = '\0';
}

Status token_make(char ret_token[TOKEN_MAX], Error *err)
{
    unsigned char bytes[SECRET_BYTES];
    const Status status = secure_random(bytes, sizeof bytes, err);
    if (status == OK)
        token_format(bytes, ret_token);
    return status;
}

bool token_well_formed(const char *text)
{
    char check[CHECK_DIGITS];
    if (strlen(text) != TOKEN_LENGTH || strncmp(text, PREFIX, PREFIX_LENGTH) != 0 ||
        strspn(text + PREFIX_LENGTH, DIGITS) != SECRET_DIGITS + CHECK_DIGITS)
        return false;
    put_check(text, check);
    return memcmp(check, text + PREFIX_LENGTH + SECRET_DIGITS, CHECK_DIGITS) == 0;
}

Hash token_hash(const char *token)
{
    return hash_bytes(token, TOKEN_LENGTH);
}
