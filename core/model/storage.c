/* References to a model: dropping the last one frees it. */
#include "core/model/storage.h"

#include <stdlib.h>

Model *model_ref(const Model *model)
{
    ModelStorage *storage = model->storage;
    atomic_fetch_add_explicit(&storage->references, 1, memory_order_relaxed);
    return &storage->model;
}

void model_unref(Model *model)
{
    if (!model)
        return;
    ModelStorage *storage = model->storage;
    /* the thread that drops the last reference sees all writes before the other drops */
    if (atomic_fetch_sub_explicit(&storage->references, 1, memory_order_acq_rel) != 1)
        return;
    if (model->sharp.pool != model->pool)
        expr_pool_free(model->sharp.pool);
    expr_pool_free(model->pool);
    arena_free(storage->arena);
    free(storage);
}
