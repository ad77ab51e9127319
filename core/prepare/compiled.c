/* A model compiled once for all threads, and its equations, derived at first use. */
#include "core/prepare/compiled.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/stop_token.h"
#include "core/prepare/corners.h"

/* Takes over the reference to the model. */
static Status compile_model(Model *model, const Formulation *formulation, Compiled **ret_compiled,
                            Error *err)
{
    Compiled *compiled = alloc_array(1, sizeof *compiled);
    if (!compiled) {
        model_unref(model);
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    }
    atomic_init(&compiled->references, 1);
    pthread_mutex_init(&compiled->lock, NULL);
    compiled->formulation = formulation;
    compiled->model = model;
    compiled->recall = recall_new();
    /* corners are NULL if the model has none */
    Status status = compiled->recall ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");
    if (status == OK)
        status = model_programs_new(model, &compiled->programs, err);
    if (status == OK)
        status = corners_compile(model, &compiled->corners, err);
    status = stop_token_settle(status, err);
    if (status == OK)
        *ret_compiled = compiled;
    else
        compiled_unref(compiled);
    return status;
}

Status compiled_new(const ModelDocument *document, const char *formulation, Diagnostics *diag,
                    Compiled **ret_compiled, Error *err)
{
    const char *name = formulation ? formulation : "lagrange-dalembert";
    const Formulation *found = formulation_find(name);
    if (!found) {
        const char *const *names;
        size_t n = formulation_names(&names);
        diagnostics_add(diag, "/formulation", -1, names_hint(diag, name, "formulations", names, n),
                        "unknown formulation \"%s\"", name);
        return error_set(err, ERR_INVALID, "unknown formulation \"%s\"", name);
    }

    Model *model = NULL;
    Status status = model_build(document, diag, &model, err);
    if (status == OK)
        status = compile_model(model, found, ret_compiled, err);
    return status == OK ? OK : stop_token_settle(status, err);
}

Status compiled_in(const Compiled *compiled, const char *formulation, Compiled **ret_compiled,
                   Error *err)
{
    const Formulation *found = formulation_find(formulation);
    if (!found)
        return error_set(err, ERR_NOT_FOUND, "unknown formulation \"%s\"", formulation);
    return compile_model(model_ref(compiled->model), found, ret_compiled, err);
}

Compiled *compiled_ref(Compiled *compiled)
{
    atomic_fetch_add(&compiled->references, 1);
    return compiled;
}

void compiled_unref(Compiled *compiled)
{
    if (!compiled || atomic_fetch_sub(&compiled->references, 1) != 1)
        return;
    /* the last reference: free both lists, then the rest */
    while (compiled->variants) {
        Variant *next = compiled->variants->next;
        motion_free(compiled->variants->motion);
        free(compiled->variants);
        compiled->variants = next;
    }
    while (compiled->step_ends) {
        StepEndKept *next = compiled->step_ends->next;
        step_end_free(compiled->step_ends->end);
        free(compiled->step_ends);
        compiled->step_ends = next;
    }
    recall_free(compiled->recall);
    program_free(compiled->corners);
    model_programs_free(compiled->programs);
    model_unref(compiled->model);
    pthread_mutex_destroy(&compiled->lock);
    free(compiled);
}

const Model *compiled_model(const Compiled *compiled)
{
    return compiled->model;
}

const char *compiled_formulation(const Compiled *compiled)
{
    return compiled->formulation->name;
}

bool compiled_motion_fits(const Motion *motion, MotionClass class_of_motion,
                          const MotionOptions *options, MotionClass kind)
{
    const size_t bytes = options->n_rows * sizeof *options->rows;
    return class_of_motion == kind && motion->n_rows == options->n_rows &&
           motion->choice == options->choice &&
           (bytes == 0 || (memcmp(motion->rows, options->rows, bytes) == 0 &&
                           memcmp(motion->dependent, options->dependent, bytes) == 0));
}

Status compiled_motion(Compiled *compiled, const MotionOptions *options, MotionClass kind,
                       const Motion **ret_motion, Error *err)
{
    return compiled_motion_in(compiled, compiled->formulation, options, kind, ret_motion, err);
}

Status compiled_motion_in(Compiled *compiled, const Formulation *formulation,
                          const MotionOptions *options, MotionClass kind, const Motion **ret_motion,
                          Error *err)
{
    Status status = stop_token_lock(&compiled->lock, err);
    if (status != OK)
        return status;

    /* one that was derived before, else a new one, which is kept */
    Variant *variant = compiled->variants;
    while (variant && !(variant->motion->formulation == formulation &&
                        compiled_motion_fits(variant->motion, variant->kind, options, kind)))
        variant = variant->next;
    if (!variant) {
        Motion *motion = NULL;
        status = motion_best(compiled->model, formulation, options, kind, &motion, err);
        status = stop_token_settle(status, err);
        variant = status == OK ? alloc_array(1, sizeof *variant) : NULL;
        if (variant) {
            *variant = (Variant){.next = compiled->variants, .kind = kind, .motion = motion};
            compiled->variants = variant;
        } else {
            motion_free(motion);
            if (status == OK)
                status = error_set(err, ERR_NO_MEMORY, "out of memory");
        }
    }
    if (status == OK)
        *ret_motion = variant->motion;
    pthread_mutex_unlock(&compiled->lock);
    return status;
}

bool compiled_step_end_fits(const StepEnd *end, const StepEndOptions *options)
{
    const StepEndOptions *own = &end->options;
    const size_t bytes = options->n_rows * sizeof *options->rows;

    return own->n_rows == options->n_rows &&
           (bytes == 0 || (own->metric.mass_for_positions == options->metric.mass_for_positions &&
                           own->metric.mass_for_velocities == options->metric.mass_for_velocities &&
                           own->mass_positive == options->mass_positive &&
                           own->matrices.all == options->matrices.all &&
                           own->matrices.changing == options->matrices.changing &&
                           memcmp(own->rows, options->rows, bytes) == 0));
}

Status compiled_step_end(Compiled *compiled, const StepEndOptions *options, const StepEnd **ret_end,
                         Error *err)
{
    Status status = stop_token_lock(&compiled->lock, err);
    if (status != OK)
        return status;

    StepEndKept *kept = compiled->step_ends;
    while (kept && !compiled_step_end_fits(kept->end, options))
        kept = kept->next;
    if (!kept) {
        StepEnd *end = NULL;
        status = step_end_new(compiled->model, options, &end, err);
        /* a derivation that was told to stop may be unusable: it is not kept */
        status = stop_token_settle(status, err);
        kept = status == OK ? alloc_array(1, sizeof *kept) : NULL;
        if (kept) {
            *kept = (StepEndKept){.next = compiled->step_ends, .end = end};
            compiled->step_ends = kept;
        } else {
            step_end_free(end);
            if (status == OK)
                status = error_set(err, ERR_NO_MEMORY, "out of memory");
        }
    }
    if (status == OK)
        *ret_end = kept->end;
    pthread_mutex_unlock(&compiled->lock);
    return status;
}
