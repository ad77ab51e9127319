/* References to a model: the last one that is dropped releases it. */
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
    /* whoever drops the last reference sees all that the others did before they dropped theirs */
    if (atomic_fetch_sub_explicit(&storage->references, 1, memory_order_acq_rel) != 1)
        return;
    if (model->sharp.pool != model->pool)
        expr_pool_free(model->sharp.pool);
    expr_pool_free(model->pool);
    arena_free(storage->arena);
    free(storage);
}
