/** Measures of a run: numbers made of its whole trajectory while it runs, such as the largest value of an expression.
 *
 *  They are those of the dense output, not of a mesh: extremes are sought on each step, integrals take eight points
 *  of Gauss in it, which are exact for squares of the polynomials of all methods, and the states at both sides of an
 *  event take part.  Each run is measured by itself at width 1, so that lanes, threads and company change no bit.
 */
#pragma once

#include "program.h"

typedef enum {
  SAL_MEASURED_MAX,
  SAL_MEASURED_MIN,
  SAL_MEASURED_MEAN,
  SAL_MEASURED_RMS,
  SAL_MEASURED_VALUE, /* at a time */
  SAL_MEASURED_COUNT, /* times that a contact closes */
  SAL_MEASURED_RATE,  /* the same, over the time */
  SAL_MEASURED_LOSS,  /* of an expression where a contact closes: before less after, the mean */
  SAL_MEASURED_LAST   /* the expression after a contact has closed, the last times, oldest first */
} sal_measured_kind;

enum { SAL_MEASURED_MOST = 64, SAL_MEASURED_COLUMNS = 1024 };

typedef struct {
  sal_measured_kind kind;
  int expression; /* its place among the results of the program; -1: none */
  int state;      /* the continuous state that the expression is; -1: another one, or none */
  int contact;    /* -1: none */
  double at;      /* the time of VALUE; of others that from which on the run counts */
  double size;    /* what one of the unit of its columns is in the unit of the expression */
  int column, n;  /* its columns: the first one, how many */
} sal_measured_term;

/** A measure as a user writes it; `where` heads the messages; text NULL: `name` is a preset. */
typedef struct {
  const char *where, *name, *text;
} sal_measured_text;

/** A column of results, for readers. */
typedef struct {
  const char *name, *unit, *what, *where; /* where: that of its text */
} sal_measured_column;

/** All of it is the maker's. */
typedef struct {
  int n, n_column, n_own; /* the first n_own are those of the model's text */
  bool plain;             /* all that is sought in steps are states: others are not needed there */
  const sal_measured_term *term;     /* [n] */
  const sal_measured_column *column; /* [n_column] */
  sal_flow_programs of;              /* n_guard 0: no expression has contacts in it */
  sal_program program;               /* all expressions, of parameters, states and time */
} sal_measured_list;

/** An accepted step, or the part of it ahead of an event. */
typedef struct {
  double t0, t1;
  void (*at)(const void *with, double t, double y[]); /* the state at a time in it */
  /* One of its continuous states at n times, and the range of it in the step, a bound; NULL: by `at` alone. */
  void (*one)(const void *with, int state, int n, const double t[], double out[]);
  void (*range)(const void *with, int state, double range[2]);
  const void *with;
  const bool *closed; /* [n_guard] in the step; see sal_measured_list.of */
} sal_measured_step;

/** Results of one run, the caller's.  value [sal_measured_words]: the results [n_column] first, then room. */
typedef struct {
  const sal_measured_list *list;
  const double *param; /* [n_param + n_option] of the run */
  double *value;
  void (*step)(void *with, const sal_measured_step *step); /* receives each step; may be NULL */
  void *with;
} sal_measured;

/** Does a step need the states that measures name, and no others? */
static inline bool sal_measured_plain(const sal_measured *m) { return m->list->plain && !m->step; }

static inline size_t sal_measured_words(const sal_measured_list *list)
{
  return (size_t)(list->n_column + 3 * list->n + list->program.n_out);
}

void sal_measured_begin(const sal_measured *m);
void sal_measured_take(const sal_measured *m, const sal_measured_step *step);
/** At an event: before all of it / for each contact that closes / after all of it. */
void sal_measured_before(const sal_measured *m, double t, const double y[], const bool closed[]);
void sal_measured_closes(const sal_measured *m, int contact, double t);
void sal_measured_after(const sal_measured *m, double t, const double y[], const bool closed[]);
/** At the end: results are NaN where the run has not come to its end, and those of contacts where its strategy looks
 *  for none. */
void sal_measured_end(const sal_measured *m, double t, bool finished, bool sees_contacts);
