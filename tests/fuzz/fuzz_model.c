/* A model document, from its bytes to its equations. */
#include <string.h>

#include "api/documents/documents.h"
#include "core/numeric/numeric.h"
#include "core/simulate.h"
#include "tests/fuzz/fuzz.h"

enum { ARENA_BYTES = 64 << 20 };

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    numeric_init();
    return 0;
}

static void check_structure(Compiled *compiled, Arena *arena)
{
    Structure structure;
    Text text = TEXT_INIT;
    Error err = {0};
    REQUIRE(compiled_structure(compiled, arena, &structure, &err) == OK, "%s", err.message);
    REQUIRE(structure.rank <= structure.n_constraints && structure.rank <= structure.coordinates,
            "rank %zu", structure.rank);
    REQUIRE(structure.objection ||
                structure.degrees_of_freedom == structure.coordinates - structure.rank,
            "%zu degrees of freedom", structure.degrees_of_freedom);
    structure_write(&text, &structure, compiled_model(compiled));
    require_json(text.data, text.length, "the structure report");
    text_done(&text);
}

static void check_equations(const Compiled *compiled, Arena *arena)
{
    for (int format = PRINT_TEXT; format <= PRINT_C; format++) {
        PrintedEquations equations;
        Text text = TEXT_INIT;
        Error err = {0};
        Diagnostics *diag = arena_alloc(arena, 1, sizeof *diag);
        if (!diag)
            return;
        diagnostics_init(diag, arena);
        Status status =
            compiled_print(compiled, (PrintFormat)format, arena, diag, &equations, &err);
        REQUIRE(status == OK || status == ERR_LIMIT, "%s", err.message);
        if (status == OK) {
            equations_write(&text, &equations, (PrintFormat)format, "lagrange-dalembert");
            require_json(text.data, text.length, "the equations");
        }
        text_done(&text);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Arena *arena = arena_new(ARENA_BYTES);
    Diagnostics diag;
    ModelInput input;
    Compiled *compiled = NULL;
    bool is_json;
    Error err = {0};

    REQUIRE(arena, "out of memory");
    diagnostics_init(&diag, arena);
    Status status =
        model_input_read((const char *)data, size, arena, &diag, &input, &is_json, &err);
    if (status == OK)
        status = compiled_new(&input.document, NULL, &diag, &compiled, &err);
    if (status == OK) {
        check_structure(compiled, arena);
        check_equations(compiled, arena);
    } else {
        REQUIRE(status == ERR_INVALID || status == ERR_LIMIT, "%s: %s", status_text(status),
                err.message);
        require_mistakes(data, size, &diag);
    }
    compiled_unref(compiled);
    arena_free(arena);
    return 0;
}
