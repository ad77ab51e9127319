/* The owner of a model: its arena, its reference count, and the definitions, for further scopes. */
#ifndef CORE_MODEL_STORAGE_H
#define CORE_MODEL_STORAGE_H

#include <stdatomic.h>

#include "core/base/arena.h"
#include "core/model/model.h"

typedef struct ModelStorage {
    atomic_size_t references;
    Arena *arena; /* everything but the pool and this struct */
    Model model;
    size_t n_definitions;
    const char **definition_names;
    Expr *definitions;
} ModelStorage;

#endif
