/* Ten rounds of Philox4x32. */
#include "core/ensemble/philox.h"

#include <math.h>

Philox philox(Philox x, uint64_t key)
{
    /* rounds, multipliers and key increments: the reference's */
    enum { ROUNDS = 10 };
    uint32_t key0 = (uint32_t)key, key1 = (uint32_t)(key >> 32);

    for (int round = 0; round < ROUNDS; round++) {
        const uint64_t a = UINT64_C(0xD2511F53) * x.word[0], b = UINT64_C(0xCD9E8D57) * x.word[2];
        x = (Philox){{(uint32_t)(b >> 32) ^ x.word[1] ^ key0, (uint32_t)b,
                      (uint32_t)(a >> 32) ^ x.word[3] ^ key1, (uint32_t)a}};
        key0 += UINT32_C(0x9E3779B9);
        key1 += UINT32_C(0xBB67AE85);
    }
    return x;
}

double philox_uniform(uint64_t key, uint64_t k, uint32_t of)
{
    const Philox x = philox((Philox){{(uint32_t)k, (uint32_t)(k >> 32), of, 0}}, key);
    const uint64_t bits = (uint64_t)x.word[0] << 32 | x.word[1];

    return ldexp((double)(bits >> 12) + 0.5, -52);
}
