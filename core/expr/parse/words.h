/* The built-in words of the language, for the parser and for lists of words. */
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
    const char *arguments; /* "y, x"; empty: no arguments; NULL: no parentheses */
    const char *meaning;
    bool reserved; /* no document may redefine it */
} ExprWord;

/* All words, those with arguments first; static. */
size_t expr_words(const ExprWord **ret_words);

#endif
