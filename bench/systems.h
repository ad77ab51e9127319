/* Catalog systems as programs. */
#ifndef BENCH_SYSTEMS_H
#define BENCH_SYSTEMS_H

#include <stddef.h>

#include "core/motion/motion.h"

typedef struct System {
    const char *name;
    const Program *rates; /* of the motion */
    const double *params; /* the document's */
    void *self;
} System;

/* The systems named on the command line, or a choice that covers small and large, with and without
 * elementary functions. */
size_t systems_count(int argc, char **argv);
/* Reads models/NAME.json and derives its equations; exits with a message on failure. */
System system_load(size_t index, int argc, char **argv);
void system_done(System *system);

#endif
