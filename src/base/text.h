/** Text for messages: strings that grow, lists of names, plurals, and the name that was meant. */
#pragma once

#include "err.h"
#include "text_characters.h"
#include <stddef.h>
#include <stdint.h>

/** A string that grows; all zero is an empty one. */
typedef struct {
  char *string; /* NUL-terminated, NULL while empty */
  size_t length, room;
  bool lost; /* memory ran out: some text is missing */
} sal_text;

void sal_text_add(sal_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** Adds n bytes as they are. */
void sal_text_append(sal_text *text, const char *bytes, size_t n);
/** Adds the names with `between` between them; names end with NULL. */
void sal_text_join(sal_text *text, const char *between, const char *const names[]);
/** The string, now the caller's (sal_free); text is empty again.  NULL when memory ran out. */
char *sal_text_take(sal_text *text);
void sal_text_free(sal_text *text);

/** A copy to be freed with sal_free; NULL when memory ran out. */
char *sal_text_copy(const char *string);

enum { SAL_TEXT_NUMBER = 32 };
/** The shortest decimal that reads back as the same double; "nan", "inf". */
const char *sal_text_number(double value, char text[SAL_TEXT_NUMBER]);

/** Ending of the noun after a count: "" for 1, "s" for others. */
const char *sal_text_plural(int64_t n);

/** Columns of a table that n names take, at least `least`. */
int sal_text_width(int least, int n, char *const names[]);

/** Fails where a text has a character that sal_text_forbidden finds; `where` heads the message. */
sal_err sal_text_check(const char *where, const char *text);

/** Copies the first item of a list by commas, cut to its room; the items after it, NULL: none. */
const char *sal_text_item(const char *list, size_t room, char item[]);

/** Marks the names that a list by commas has, all where it is NULL.  Names end with NULL; SAL_ERR_USAGE for others. */
sal_err sal_text_mark(const char *where, const char *what, const char *list,
                      const char *const names[], bool marked[]);

/** The place of `word` among names, which end with NULL; -1: it is none of them. */
int sal_text_rank(const char *word, const char *const names[]);

/** The name that `word` is most likely a misspelling of, or NULL: the fewest insertions, deletions,
 *  substitutions and swaps of neighbours, at most a third of the length; capitals do not count.
 *  The first of equals wins; names end with NULL. */
const char *sal_text_nearest(const char *word, const char *const names[]);

/** Fails with "WHERE: unknown WHAT 'FOUND'; allowed: A, B; did you mean 'A'?". */
sal_err sal_text_unknown(sal_err code, const char *where, const char *what, const char *found,
                         const char *const names[]);
