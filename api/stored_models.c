#include "api/stored_models.h"

static Status stored_models_get(void *self, const char *id, Arena *arena, const char **ret_text,
                                size_t *ret_size, Error *err)
{
    ModelRecord model;
    Status status = store_model_get(self, id, arena, &model, err);
    if (status == OK) {
        *ret_text = model.document;
        *ret_size = model.document_size;
    }
    return status;
}

ModelSource stored_models(Store *store)
{
    return (ModelSource){store, stored_models_get};
}
