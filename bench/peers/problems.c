/* The problems of problems.json: documents, exact final states (27 digits, rounded), and their
 * states in the quasi-coordinates of rates.h. */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/peers/peers.h"

#define REAL double
#define ZERO 0.0
#define RATES(name) hand_##name
#define SINE_COSINE(angle, sine, cosine) (*(sine) = sin(angle), *(cosine) = cos(angle))
#include "bench/peers/rates.h"

enum { PROBLEMS = 6 };

static const char PATH[] = "bench/peers/problems.json";

/* The state by hand of the model's state, and back at the end. */
typedef struct Form {
    size_t size;
    Rates *rates;
    void (*start)(const double *q, const double *v, double *y);
    void (*tell)(const double *y, double *q, double *v);
} Form;

static void start_p1(const double *q, const double *v, double *y)
{
    memcpy(y, q, 3 * sizeof *y);
    y[3] = v[0];
    y[4] = v[1];
}

static void start_p2(const double *q, const double *v, double *y)
{
    memcpy(y, q, 3 * sizeof *y);
    y[3] = v[0] * cos(q[2]) + v[1] * sin(q[2]);
    y[4] = v[2];
}

static void start_p3(const double *q, const double *v, double *y)
{
    memcpy(y, q, 5 * sizeof *y);
    y[5] = v[0] * cos(q[2]) + v[1] * sin(q[2]);
    y[6] = v[2];
}

static void start_p4(const double *q, const double *v, double *y)
{
    const double angle = q[1] - q[2];
    memcpy(y, q, 5 * sizeof *y);
    y[5] = v[0];
    y[6] = v[4] * cos(angle) - v[3] * sin(q[4]) * sin(angle);
}

static void start_p5(const double *q, const double *v, double *y)
{
    y[0] = q[0];
    y[1] = v[0];
}

static void start_p6(const double *q, const double *v, double *y)
{
    memcpy(y, q, 5 * sizeof *y);
    y[5] = v[3];
    y[6] = v[2] * cos(q[3]);
    y[7] = v[2] * sin(q[3]) + v[4];
}

/* The rates of what begins a state are the velocities of the model. */
#define TELL(name, n)                                              \
    static void tell_##name(const double *y, double *q, double *v) \
    {                                                              \
        double f[STATE_MOST];                                      \
        hand_##name(20, y, f);                                     \
        memcpy(q, y, (n) * sizeof *q);                             \
        memcpy(v, f, (n) * sizeof *v);                             \
    }
TELL(p1, 3)
TELL(p2, 3)
TELL(p3, 5)
TELL(p4, 5)
TELL(p5, 1)
TELL(p6, 5)

#define FORM(name, size) {size, hand_##name, start_##name, tell_##name},
static const Form FORMS[PROBLEMS] = {EACH_PROBLEM(FORM)};

static void fail(const char *what)
{
    fprintf(stderr, "bench: %s: %s\n", PATH, what);
    exit(EXIT_FAILURE);
}

static char *read_file(void)
{
    enum { MOST = 1 << 20 };
    FILE *file = fopen(PATH, "r");
    char *text = malloc(MOST);
    if (!file || !text)
        fail("cannot be read");
    text[fread(text, 1, MOST - 1, file)] = '\0';
    fclose(file);
    return text;
}

/* The members of state.q or .v, in their order. */
static size_t read_numbers(const cJSON *state, const char *name, double *values)
{
    const cJSON *item;
    size_t n = 0;

    cJSON_ArrayForEach(item, cJSON_GetObjectItem(state, name))
    {
        if (n == COORDINATES_MOST || !cJSON_IsNumber(item))
            fail("not such numbers");
        values[n++] = item->valuedouble;
    }
    return n;
}

static void read_problem(cJSON *item, size_t index, Problem *ret)
{
    double q[COORDINATES_MOST], v[COORDINATES_MOST];
    const cJSON *final = cJSON_GetObjectItem(item, "final");
    const Form *form = &FORMS[index];
    cJSON *document = cJSON_CreateObject();

    *ret = (Problem){.id = cJSON_GetStringValue(cJSON_GetObjectItem(item, "id")),
                     .index = index,
                     .end = cJSON_GetNumberValue(cJSON_GetObjectItem(final, "t")),
                     .size = form->size,
                     .rates = form->rates,
                     .tell = form->tell};
    read_numbers(cJSON_GetObjectItem(item, "initial"), "q", q);
    read_numbers(cJSON_GetObjectItem(item, "initial"), "v", v);
    form->start(q, v, ret->start);
    ret->n = read_numbers(final, "q", ret->exact_q);
    if (!ret->id || read_numbers(final, "v", ret->exact_v) != ret->n)
        fail("an incomplete problem");
    cJSON_AddItemToObject(document, "model", cJSON_DetachItemFromObject(item, "model"));
    cJSON_AddItemToObject(document, "initial", cJSON_DetachItemFromObject(item, "initial"));
    ret->document = cJSON_PrintUnformatted(document);
    cJSON_Delete(document);
}

size_t problems_read(const Problem **ret_problems)
{
    static Problem problems[PROBLEMS];
    char *text = read_file();
    cJSON *all = cJSON_Parse(text);

    free(text);
    if (cJSON_GetArraySize(all) != PROBLEMS)
        fail("six problems are expected");
    for (int k = 0; k < PROBLEMS; k++)
        read_problem(cJSON_GetArrayItem(all, k), (size_t)k, &problems[k]);
    *ret_problems = problems;
    return PROBLEMS; /* ids live in `all` */
}

static double scaled_error(const double *values, const double *exact, size_t n)
{
    double error = 0;
    for (size_t i = 0; i < n; i++)
        error = fmax(error, fabs(values[i] - exact[i]) / fmax(1, fabs(exact[i])));
    return error;
}

double problem_error(const Problem *problem, const double *q, const double *v)
{
    return fmax(scaled_error(q, problem->exact_q, problem->n),
                scaled_error(v, problem->exact_v, problem->n));
}
