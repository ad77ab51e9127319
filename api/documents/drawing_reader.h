/* Private to api/documents: the texts of a scene and of figures, gathered while both are read. */
#ifndef API_DOCUMENTS_DRAWING_READER_H
#define API_DOCUMENTS_DRAWING_READER_H

#include "api/documents/read.h"

/* A name that other parts of the scene may refer to. */
typedef struct SceneName {
    const char *name;
    JsonValue in; /* of a frame: the frame that it is given in */
    bool is_frame;
} SceneName;

typedef struct DrawingReader {
    JsonReader *json;
    size_t space; /* coordinates of a point: 2 or 3 */
    bool sampled; /* curves and surfaces have been replaced by their points */
    DrawingTexts found;
    const cJSON **places; /* found.n: of the texts in the tree */
    size_t room;          /* of the lists of `found` */
    JsonValue *matrices;  /* n_matrices: of rotations */
    size_t n_matrices, matrices_room;
    SceneName *names;
    size_t n_names;
    size_t n_values, n_bytes; /* of texts, samples counted one by one */
} DrawingReader;

/* Reads both; an absent value is fine. Mistakes go to the reader's diagnostics. */
void drawing_reader_read(DrawingReader *x, JsonValue scene, JsonValue figures);

/* Texts of curves and surfaces. The samples of `text` are those with values in place of the
 * variables. */
typedef struct SampleRange {
    char variable; /* 's' of curves, 'u' and 'v' of surfaces */
    const char *from, *to;
    size_t samples; /* >= 2 */
} SampleRange;

enum { SAMPLE_RANGES = 2 };

/* Appends the text at sample at[n] of the ranges. */
void sample_text(const char *text, const SampleRange *ranges, size_t n, const size_t *at,
                 Text *out);
/* Appends the text with 1 for each variable: offsets stay those of the text. */
void sample_plain(const char *text, const SampleRange *ranges, size_t n, Text *out);
/* Reads "range" and "samples" of a curve (one range) or a surface (two). False after a mistake. */
bool sample_ranges_read(DrawingReader *x, JsonValue item, SampleRange *ret, size_t n);
/* Replaces "point", "range" and "samples" of curves and surfaces in a scene without mistakes by
 * their "points". */
Status scene_sample(cJSON *scene, Arena *arena, Error *err) MUST_CHECK;

/* A number or a text of the drawing. */
void drawing_number(DrawingReader *x, JsonValue value, bool condition);

#endif
