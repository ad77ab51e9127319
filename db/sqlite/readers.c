/* A pool of read-only connections, borrowed for one call each. */
#include "db/sqlite/sqlite_store.h"

#include <string.h>

static const char SETTINGS[] = "PRAGMA trusted_schema = OFF;"
                               "PRAGMA query_only = ON;"
                               "PRAGMA cache_size = -4096;";

Status readers_open(ReaderPool *pool, const char *path, Error *err)
{
    for (size_t i = 0; i < READERS; i++) {
        Connection *reader = &pool->connections[i];
        Status status = connection_open(reader, path, false, err);
        if (status == OK)
            status = connection_script(reader, SETTINGS, err);
        if (status != OK)
            return status;
        pool->idle[pool->n_idle++] = reader;
    }
    return OK;
}

void readers_close(ReaderPool *pool)
{
    for (size_t i = 0; i < READERS; i++)
        connection_close(&pool->connections[i]);
    pool->n_idle = 0;
}

Connection *reader_take(Store *store)
{
    ReaderPool *pool = &store->readers;
    pthread_mutex_lock(&pool->mutex);
    while (pool->n_idle == 0)
        pthread_cond_wait(&pool->returned, &pool->mutex);
    Connection *reader = pool->idle[--pool->n_idle];
    pthread_mutex_unlock(&pool->mutex);
    return reader;
}

void reader_give(Store *store, Connection *reader)
{
    ReaderPool *pool = &store->readers;
    if (reader->damaged)
        atomic_fetch_add(&store->activity.damaged, 1);
    reader->damaged = false;
    pthread_mutex_lock(&pool->mutex);
    pool->idle[pool->n_idle++] = reader;
    pthread_cond_signal(&pool->returned);
    pthread_mutex_unlock(&pool->mutex);
}
