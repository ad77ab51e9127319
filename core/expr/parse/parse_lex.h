/* Text to tokens. Private to core/expr. */
#ifndef CORE_EXPR_PARSE_LEX_H
#define CORE_EXPR_PARSE_LEX_H

#include <stddef.h>

typedef enum TokenKind {
    TOKEN_END,
    TOKEN_NUMBER,
    TOKEN_NAME,
    TOKEN_PLUS,
    TOKEN_MINUS,
    TOKEN_TIMES,
    TOKEN_DIVIDE,
    TOKEN_POWER,
    TOKEN_OPEN,
    TOKEN_CLOSE,
    TOKEN_COMMA,
    TOKEN_ASSIGN, /* = */
    TOKEN_LT,
    TOKEN_LE,
    TOKEN_GT,
    TOKEN_GE,
    TOKEN_EQ,
    TOKEN_NE,
    TOKEN_NOT,
    TOKEN_AND,
    TOKEN_OR,
    TOKEN_STAR_STAR, /* **, && and || are not operators: the right one is suggested */
    TOKEN_AND_AND,
    TOKEN_OR_OR,
    TOKEN_TEXT, /* in quotes, only from lex_next_column() */
    TOKEN_BAD,  /* anything else: one character, or a run of bytes beyond ASCII */
} TokenKind;

typedef struct Token {
    TokenKind kind;
    size_t offset, length; /* in the text */
    double value;          /* of TOKEN_NUMBER; infinite if it is too large */
} Token;

/* The token at or after `offset`; TOKEN_END at the end of the text. */
Token lex_next(const char *text, size_t length, size_t offset);
/* The same with names joined by dots, and texts in quotes. */
Token lex_next_column(const char *text, size_t length, size_t offset);

#endif
