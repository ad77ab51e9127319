/* The words that the language has by itself: for its parser, and for those who list them. */
#ifndef CORE_EXPR_WORDS_H
#define CORE_EXPR_WORDS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum ExprWordKind {
    WORD_VARIABLE,
    WORD_CONSTANT,
    WORD_DERIVATIVE,
    WORD_CHOICE,
    WORD_CONNECTIVE, /* of conditions */
    WORD_QUANTITY,   /* of a computed motion: NAME(x) or NAME() in observables and events */
    WORD_FUNCTION,
} ExprWordKind;

typedef struct ExprWord {
    const char *name;
    ExprWordKind kind;
    const char *arguments; /* "y, x"; empty: there are none; NULL: no parentheses follow it */
    const char *meaning;
    bool reserved; /* no document may give the name to anything else */
} ExprWord;

/* All of them, those with arguments first; for ever. */
size_t expr_words(const ExprWord **ret_words);

#endif
