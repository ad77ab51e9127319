/* The models of a store, for jobs that name one by its id. */
#ifndef API_STORED_MODELS_H
#define API_STORED_MODELS_H

#include "api/documents/documents.h"

/* Borrows the store. */
ModelSource stored_models(Store *store);

#endif
