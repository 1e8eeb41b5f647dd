/** Philox. */
#include "random.h"

void sal_random_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
  uint32_t a = counter[0], b = counter[1], c = counter[2], d = counter[3];

  for (uint32_t round = 0; round < 10; ++round) {
    const uint64_t p = (uint64_t)0xD2511F53U * a, q = (uint64_t)0xCD9E8D57U * c;
    a = (uint32_t)(q >> 32) ^ b ^ (key[0] + round * 0x9E3779B9U);
    b = (uint32_t)q;
    c = (uint32_t)(p >> 32) ^ d ^ (key[1] + round * 0xBB67AE85U);
    d = (uint32_t)p;
  }
  out[0] = a;
  out[1] = b;
  out[2] = c;
  out[3] = d;
}

double sal_random(uint64_t seed, uint64_t index, uint32_t component)
{
  const uint32_t counter[4] = {(uint32_t)index, (uint32_t)(index >> 32), component, 0};
  const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
  uint32_t out[4];

  sal_random_philox(counter, key, out);
  return (double)(((uint64_t)out[0] << 32 | out[1]) >> 11) * 0x1p-53;
}
