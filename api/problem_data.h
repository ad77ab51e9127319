/* The rows of the tables of docs/reference/problems.md, made by tools/embed-problems.sh. */
#ifndef API_PROBLEM_DATA_H
#define API_PROBLEM_DATA_H

#include <stddef.h>

/* A code of both answers and failed jobs has two rows. */
typedef struct ProblemMeaning {
    const char *code;
    const char *of; /* "answer" or "job" */
    int status;
    const char *when, *remedy; /* prose with program words between ` */
} ProblemMeaning;

extern const ProblemMeaning PROBLEM_DATA[];
extern const size_t PROBLEM_DATA_COUNT;

#endif
