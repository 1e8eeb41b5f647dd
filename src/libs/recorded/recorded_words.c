/** Words of recorded files. */
#include "recorded_words.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

char *sal_recorded_word(char **text)
{
  char *word = *text + strspn(*text, " \t\r");

  if (!*word) return NULL;
  char *end = word + strcspn(word, " \t\r");
  *text = *end ? end + 1 : end;
  *end = '\0';
  return word;
}

char *sal_recorded_value(char *word)
{
  char *equals = strchr(word, '=');

  if (!equals) return NULL;
  *equals = '\0';
  return equals + 1;
}

bool sal_recorded_number(const char *word, double *out)
{
  char *end;

  *out = strtod(word, &end);
  return end != word && *end == '\0' && isfinite(*out);
}

uint64_t sal_recorded_checksum(const char *text)
{
  uint64_t sum = 14695981039346656037U;

  for (; *text; ++text) sum = (sum ^ (unsigned char)*text) * 1099511628211U;
  return sum;
}
