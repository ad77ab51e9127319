/* The digest of a job that has ended: a few key figures for lists. */
#include "api/documents/documents.h"

#include <cjson/cJSON.h>

#include "api/json/writer.h"

VerdictCounts verdicts_count(const Verdict *verdicts, size_t n)
{
    VerdictCounts counts = {0};

    for (size_t k = 0; k < n; k++) {
        const Verdict *verdict = &verdicts[k];
        const bool predicted = verdict->predicted == PREDICTED_YES;
        counts.yes += predicted;
        counts.no += verdict->predicted == PREDICTED_NO;
        counts.undecided += verdict->predicted == PREDICTED_UNDECIDED;
        counts.disagree += predicted && verdict->observed && !verdict->conserved && !verdict->apart;
    }
    return counts;
}

void job_digest_write(Text *out, const JobDigest *digest)
{
    JsonWriter writer, *w = &writer;

    json_writer_init(w, out);
    json_open_object(w);
    json_member_unsigned(w, "steps", digest->steps);
    json_member_number(w, "worst_residual", digest->worst_residual);
    json_member_number(w, "energy_balance", digest->energy_balance);
    /* an ensemble has no verdicts of its own */
    if (digest->verdicts) {
        json_member_object(w, "verdicts");
        json_member_unsigned(w, "yes", digest->verdicts->yes);
        json_member_unsigned(w, "no", digest->verdicts->no);
        json_member_unsigned(w, "undecided", digest->verdicts->undecided);
        json_member_unsigned(w, "disagree", digest->verdicts->disagree);
        json_close_object(w);
    } else {
        json_member_raw(w, "verdicts", NULL);
    }
    json_member_number(w, "wall_s", digest->wall_s);
    json_member_string(w, "ended_by", digest->ended_by);
    json_close_object(w);
}

const char *job_digest_ended_by(const char *digest, Arena *arena)
{
    cJSON *tree = digest ? cJSON_Parse(digest) : NULL;
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItem(tree, "ended_by"));
    const char *copy = name ? arena_strdup(arena, name) : NULL;

    cJSON_Delete(tree);
    return copy;
}
