/* The rows of the tables of docs/reference/problems.md, made by tools/embed-problems.sh. */
#ifndef API_PROBLEM_DATA_H
#define API_PROBLEM_DATA_H

#include <stddef.h>

/* A code that both an answer and a failed job have stands here twice. */
typedef struct ProblemMeaning {
    const char *code;
    const char *of; /* "answer" or "job" */
    int status;
    const char *when, *remedy; /* texts with words of programs between ` */
} ProblemMeaning;

extern const ProblemMeaning PROBLEM_DATA[];
extern const size_t PROBLEM_DATA_COUNT;

#endif
