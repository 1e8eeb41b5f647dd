/** Numbers by planes of bytes. */
#include "journal_pack.h"

void sal_shuffle(int64_t n, size_t size, const void *value, void *planes)
{
  const unsigned char *from = value;
  unsigned char *to = planes;

  for (size_t b = 0; b < size; ++b)
    for (int64_t i = 0; i < n; ++i) *to++ = from[(size_t)i * size + b];
}

void sal_shuffle_back(int64_t n, size_t size, const void *planes, void *value)
{
  const unsigned char *from = planes;
  unsigned char *to = value;

  for (size_t b = 0; b < size; ++b)
    for (int64_t i = 0; i < n; ++i) to[(size_t)i * size + b] = *from++;
}
