/** Indices of families, and texts in which they are numbers: for members.c. */
#pragma once

#include "document.h"
#include "text.h"

enum { SAL_MEMBERS_NAMES = 64, SAL_MEMBERS_WORD = 64 };
/** Counts of a text / members of a family / members in all. */
enum { SAL_MEMBERS_COUNTS = 4, SAL_MEMBERS_MOST = 1024, SAL_MEMBERS_ALL = 8192 };

/** An index and its value, inside those around it. */
typedef struct sal_index {
  char name[SAL_MEMBERS_WORD];
  int value;
  const struct sal_index *outer;
} sal_index;

/** A document whose families are being written out: its counts, and the members that there are of each name. */
typedef struct {
  sal_document *document;
  int n_count, n_name, members;
  const char *count[SAL_MEMBERS_COUNTS];
  double value[SAL_MEMBERS_COUNTS];
  struct {
    char name[SAL_MEMBERS_WORD];
    int lo, hi;
  } family[SAL_MEMBERS_NAMES];
  size_t bytes; /* written so far */
  int node;     /* that is being read, for messages */
} sal_members;

/** The family of that name; -1: there is none. */
int sal_members_find(const sal_members *f, const char *name);
/** Its members are also lo .. hi. */
void sal_members_widen(sal_members *f, int family, int lo, int hi);
/** A text NAME(INDEX) that stands for a member of a family there is. */
void sal_members_note(sal_members *f, const char *text);
/** "i in 1..n - 1": the index, inside b, and its bounds. */
sal_err sal_members_range(const sal_members *f, const sal_index *b, const char *text,
                          sal_index *index, int *lo, int *hi);
/** The text with its members by number and its sums written out; a number where it is made of numbers, indices and
 *  counts alone. */
sal_err sal_members_rewrite(sal_members *f, const sal_index *b, const char *text, sal_text *out);
