/* Text to tokens: the longest symbol, number or name at this place. */
#include "core/expr/parse/parse_lex.h"

#include <stdbool.h>
#include <string.h>

#include "core/base/number.h"

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Longer ones first, because the first match is taken. */
static const struct {
    const char *text;
    TokenKind kind;
} SYMBOLS[] = {
    {"**", TOKEN_STAR_STAR}, {"&&", TOKEN_AND_AND}, {"||", TOKEN_OR_OR}, {"<=", TOKEN_LE},
    {">=", TOKEN_GE},        {"==", TOKEN_EQ},      {"!=", TOKEN_NE},    {"+", TOKEN_PLUS},
    {"-", TOKEN_MINUS},      {"*", TOKEN_TIMES},    {"/", TOKEN_DIVIDE}, {"^", TOKEN_POWER},
    {"(", TOKEN_OPEN},       {")", TOKEN_CLOSE},    {",", TOKEN_COMMA},  {"=", TOKEN_ASSIGN},
    {"<", TOKEN_LT},         {">", TOKEN_GT},
};

static const struct {
    const char *text;
    TokenKind kind;
} WORDS[] = {{"not", TOKEN_NOT}, {"and", TOKEN_AND}, {"or", TOKEN_OR}};

static TokenKind name_kind(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++)
        if (WORDS[i].text[0] == name[0] && strlen(WORDS[i].text) == length &&
            memcmp(WORDS[i].text, name, length) == 0)
            return WORDS[i].kind;
    return TOKEN_NAME;
}

static Token symbol_token(const char *text, size_t length, size_t offset)
{
    for (size_t i = 0; i < sizeof SYMBOLS / sizeof SYMBOLS[0]; i++) {
        if (SYMBOLS[i].text[0] != text[offset])
            continue;
        size_t n = strlen(SYMBOLS[i].text);
        if (n <= length - offset && memcmp(SYMBOLS[i].text, text + offset, n) == 0)
            return (Token){.kind = SYMBOLS[i].kind, .offset = offset, .length = n};
    }
    size_t end = offset + 1;
    while ((unsigned char)text[offset] >= 0x80 && end < length && (unsigned char)text[end] >= 0x80)
        end++;
    return (Token){.kind = TOKEN_BAD, .offset = offset, .length = end - offset};
}

Token lex_next(const char *text, size_t length, size_t offset)
{
    while (offset < length && is_space(text[offset]))
        offset++;
    if (offset >= length)
        return (Token){.kind = TOKEN_END, .offset = length};

    Token token = {.kind = TOKEN_NUMBER, .offset = offset};
    /* a point starts a number only before a digit */
    char next = offset + 1 < length ? text[offset + 1] : ' ';
    if (is_digit(text[offset]) || (text[offset] == '.' && is_digit(next))) {
        token.length = number_parse(text + offset, length - offset, &token.value);
        return token;
    }
    if (!is_letter(text[offset]))
        return symbol_token(text, length, offset);
    while (offset < length && (is_letter(text[offset]) || is_digit(text[offset])))
        offset++;
    token.length = offset - token.offset;
    token.kind = name_kind(text + token.offset, token.length);
    return token;
}

/* The end of a name that continues after a dot with a letter; x.5 is two tokens. */
static size_t joined_end(const char *text, size_t length, size_t end)
{
    while (end + 1 < length && text[end] == '.' && is_letter(text[end + 1]))
        for (end += 2; end < length && (is_letter(text[end]) || is_digit(text[end]));)
            end++;
    return end;
}

Token lex_next_column(const char *text, size_t length, size_t offset)
{
    Token token = lex_next(text, length, offset);
    const size_t end = token.offset + token.length;

    if (token.kind == TOKEN_BAD && text[token.offset] == '"') {
        const char *quote = memchr(text + end, '"', length - end);
        if (quote)
            token = (Token){.kind = TOKEN_TEXT,
                            .offset = token.offset,
                            .length = (size_t)(quote - text) + 1 - token.offset};
    } else if (token.kind != TOKEN_NUMBER && token.length > 0 && is_letter(text[token.offset]) &&
               joined_end(text, length, end) > end) {
        token.kind = TOKEN_NAME;
        token.length = joined_end(text, length, end) - token.offset;
    }
    return token;
}
