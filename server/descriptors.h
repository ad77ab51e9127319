/* How many file descriptors connections need. A connection needs one, sometimes two. The store, the
 * workers and the threads that answer need SPARE_DESCRIPTORS in all. */
#ifndef SERVER_DESCRIPTORS_H
#define SERVER_DESCRIPTORS_H

#include <stdint.h>

/* The second: the fewest connections with which it is worth to serve. */
enum { SPARE_DESCRIPTORS = 256, LEAST_CONNECTIONS = 32 };

static inline uint64_t descriptors_wanted(uint64_t connections)
{
    return 2 * connections + SPARE_DESCRIPTORS;
}

static inline uint64_t connections_fitting(uint64_t descriptors)
{
    return descriptors > SPARE_DESCRIPTORS ? (descriptors - SPARE_DESCRIPTORS) / 2 : 0;
}

#endif
