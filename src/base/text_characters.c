/** UTF-8, and characters that no text may have. */
#include "text_characters.h"
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

int sal_text_character(const char *string)
{
  const unsigned char *s = (const unsigned char *)string;
  const int n = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;

  if (s[0] > 0xf4) return 0;
  for (int i = 1; i < n; ++i)
    if ((s[i] & 0xc0) != 0x80) return 0;
  if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f))
    return 0; /* overlong, surrogates */
  if ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f)) return 0;
  return n;
}

/* A byte that is not UTF-8 stands for itself, as it does for a terminal of 8 bits. */
static unsigned code_of(const char *s, int n)
{
  const unsigned first = (unsigned char)s[0];

  if (n == 2) return (first & 0x1f) << 6 | (s[1] & 0x3f);
  if (n == 3) return (first & 0xf) << 12 | (unsigned)(s[1] & 0x3f) << 6 | (s[2] & 0x3f);
  return n == 4 ? 0x10000 : first;
}

static const char *find_forbidden(const char *text, bool broken, unsigned *code)
{
  static const struct {
    unsigned first, last;
  } range[] = {{0, 0x1f}, {0x7f, 0x9f}, {0x2028, 0x202e}, {0x2066, 0x2069}};
  int n;

  for (; *text; text += n ? n : 1) {
    n = 1;
    if (*text >= ' ' && *text < 0x7f) continue;
    n = sal_text_character(text);
    *code = code_of(text, n);
    if (broken && n == 0) return text;
    if (strchr("\t\n", *text) || (*text == '\r' && text[1] == '\n')) continue;
    for (size_t i = 0; i < sizeof range / sizeof *range; ++i)
      if (*code >= range[i].first && *code <= range[i].last) return text;
  }
  return NULL;
}

const char *sal_text_forbidden(const char *text, unsigned *code)
{
  return find_forbidden(text, false, code);
}

void sal_text_clean(char text[])
{
  unsigned code;
  const char *from = text, *at;

  while ((at = find_forbidden(from, true, &code))) {
    const int bytes = sal_text_character(at);
    memmove(text, from, (size_t)(at - from));
    text += at - from;
    *text++ = '?';
    from = at + (bytes ? bytes : 1);
  }
  memmove(text, from, strlen(from) + 1);
}

void sal_text_plain(char string[])
{
  for (char *s = string; *s; ++s)
    if (strchr("\t\n\r", *s)) *s = ' ';
  sal_text_clean(string);
}
