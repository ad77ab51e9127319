/* A model as a client wrote it: plain texts and numbers, each with its place in the document.
 *
 * The reader of a document fills it; model_build() borrows it for the call only. Pointers are RFC
 * 6901 and go into diagnostics. Counts of 0 go with NULL arrays. */
#ifndef CORE_MODEL_DOCUMENT_H
#define CORE_MODEL_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct NamedText {
    const char *name; /* NULL if the document gave none */
    const char *text;
    const char *pointer;      /* of the text */
    const char *name_pointer; /* of the name; NULL: use pointer */
} NamedText;

typedef struct NamedValue {
    const char *name;
    double value;
    const char *pointer;
} NamedValue;

typedef struct UnitText {
    const char *text; /* NULL: none */
    const char *pointer;
} UnitText;

typedef struct CoordinateText {
    const char *name;
    double period; /* 0: none */
    UnitText unit;
    const char *pointer;
} CoordinateText;

/* A vector field by coordinate. */
typedef struct FieldText {
    const char *name;
    const char *pointer;
    const NamedText *components;
    size_t n_components;
} FieldText;

typedef struct ChartText {
    const char *pointer; /* NULL: no chart */
    const CoordinateText *coordinates;
    size_t n_coordinates;
    const NamedText *map;
    size_t n_map;
    double clock;
} ChartText;

typedef struct ModelDocument {
    const char *name;        /* "" when missing */
    const char *description; /* "" when missing */
    const CoordinateText *coordinates;
    size_t n_coordinates;
    const NamedValue *parameters;
    size_t n_parameters;
    const UnitText *parameter_units; /* n_parameters; NULL: none has one */
    const NamedText *definitions;
    size_t n_definitions;
    NamedText lagrangian; /* name NULL */
    const NamedText *constraints;
    size_t n_constraints;
    const NamedText *forces; /* name: the coordinate */
    size_t n_forces;
    const FieldText *symmetries;
    size_t n_symmetries;
    const NamedText *base; /* name: a coordinate; text NULL */
    size_t n_base;
    const FieldText *frame;
    size_t n_frame;
    ChartText chart;
    /* The model was accepted before, perhaps by a version that ignored units. Then mistakes in
     * units are only a warning, and the units are not used. */
    bool accepted;
} ModelDocument;

#endif
