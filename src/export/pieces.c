/** Words by a list of what they may have: what is not in it is dangerous somewhere. */
#define SAL_EXPORT_PIECES_C
#include "dialect.h"
#include <string.h>

/* Neither quotes, backslashes and line ends, nor what opens a comment (% { / *) or a trigraph (?), nor a byte beyond ASCII. */
static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              " _-+.,()[]";

sal_export_word sal_pieces_clean(const char *text)
{
  sal_export_word word = {""};
  const size_t most = sizeof word.letter - 1;
  size_t n = 0;

  for (; n < most && text[n]; ++n)
    word.letter[n] = (char)(strchr(allowed, text[n]) ? text[n] : '_');
  if (text[n]) memset(word.letter + most - 2, '.', 2);
  return word;
}

void sal_pieces_add(sal_text *out, int n, const sal_export_piece piece[])
{
  for (int i = 0; i < n; ++i) sal_text_append(out, piece[i].code, (size_t)piece[i].length);
}

void sal_pieces_add_word(sal_text *out, sal_export_word word)
{
  sal_text_add(out, "%s", word.letter);
}

void sal_pieces_add_whole(sal_text *out, int value) { sal_text_add(out, "%d", value); }
