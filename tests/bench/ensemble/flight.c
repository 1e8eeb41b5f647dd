/** Command line, rows and report. */
#include "flight.h"
#include "clock.h"
#include "memory.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAST 0.05 /* [s] of CPU time that a figure rests on */

static const char *program = "";

void flight_refuse(const char *format, ...)
{
  va_list args;

  fprintf(stderr, "%s: ", program);
  va_start(args, format);
  /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): va_start is lost when this is inlined */
  vfprintf(stderr, format, args);
  va_end(args);
  fputc('\n', stderr);
  exit(2);
}

static double number(const char *word)
{
  char *rest = NULL;
  const double value = strtod(word, &rest);

  if (rest == word || *rest || !isfinite(value)) flight_refuse("%s: a number is expected", word);
  return value;
}

static int whole(const char *word)
{
  const double value = number(word);

  if (value < 0 || value > 1e9 || value != (int)value)
    flight_refuse("%s: a whole number is expected", word);
  return (int)value;
}

static void read_rows(const char *path, flight_task *t)
{
  FILE *file = fopen(path, "r");
  char line[256];
  int n = 0;

  if (!file) flight_refuse("cannot read %s", path);
  while (n < t->n && fgets(line, sizeof line, file)) {
    flight_row *r = &t->row[n];
    n += sscanf(line, "%*d,%lf,%lf,%lf,%lf", &r->b, &r->m1, &r->k, &r->f) == 4;
  }
  fclose(file);
  if (n < t->n) flight_refuse("%s has %d rows \"id,b,m1,k,f\", not %d", path, n, t->n);
}

void flight_read(int argc, char *argv[], flight_task *t)
{
  enum { METHOD = 1, STRATEGY, TOLERANCE, ROWS, N, ENDS, WIDTH, SHIFT };
  const char *name = strrchr(argv[0], '/');

  program = name ? name + 1 : argv[0];
  if (argc <= ENDS || argc > SHIFT + FLIGHT_STATES)
    flight_refuse(
        "usage: %s METHOD switch|event TOLERANCE ROWS.csv N ENDS.csv [WIDTH|alone [Y1 V1 Y2 V2]]",
        program);
  *t = (flight_task){.method = argv[METHOD],
                     .ends = argv[ENDS],
                     .event = strcmp(argv[STRATEGY], "event") == 0,
                     .tolerance = number(argv[TOLERANCE]),
                     .alone = argc > WIDTH && strcmp(argv[WIDTH], "alone") == 0,
                     .width = 1,
                     .n = whole(argv[N]),
                     .copies = 1,
                     .initial = {0.5, 0, 1.5, 0}};
  if (!t->event && strcmp(argv[STRATEGY], "switch") != 0)
    flight_refuse("%s: switch or event is expected", argv[STRATEGY]);
  if (argc > WIDTH && !t->alone) t->width = whole(argv[WIDTH]);
  if (t->n < 1 || t->tolerance <= 0) flight_refuse("N and TOLERANCE must be positive");
  for (int i = SHIFT; i < argc; ++i) t->initial[i - SHIFT] += number(argv[i]);
  t->row = sal_alloc((size_t)t->n, sizeof *t->row);
  t->end = sal_alloc((size_t)t->n, sizeof *t->end);
  t->attempts = sal_alloc((size_t)t->n, sizeof *t->attempts);
  if (!t->row || !t->end || !t->attempts) flight_refuse("no memory for %d rows", t->n);
  read_rows(argv[ROWS], t);
}

hopper flight_begin(const flight_task *t, int i, double y[])
{
  const flight_row *r = &t->row[i];
  const double c = FLIGHT_FOUR_PI2 - r->m1;

  memcpy(y, t->initial, sizeof t->initial);
  return (hopper){.b = r->b, .m1 = r->m1, .f = r->f, .c = c, .ck = c * r->k, .held = t->event};
}

void flight_finish(flight_task *t, int i, const hopper *p, const double y[], bool wrong,
                   flight_work *work)
{
  work->rhs += (double)p->rhs;
  work->wrong += wrong;
  for (int j = 0; j < FLIGHT_STATES; ++j) t->end[i][j] = wrong ? NAN : y[j];
}

static void write_ends(const flight_task *t)
{
  FILE *file = fopen(t->ends, "w");

  if (!file) flight_refuse("cannot write %s", t->ends);
  fputs("attempts,y1,v1,y2,v2\n", file);
  for (int i = 0; i < t->n; ++i)
    fprintf(file, "%.0f,%.17g,%.17g,%.17g,%.17g\n", t->attempts[i], t->end[i][0], t->end[i][1],
            t->end[i][2], t->end[i][3]);
  if (fclose(file)) flight_refuse("cannot write %s", t->ends);
}

/* A short first pass only warms the caches: what a long run sees. */
int flight_run(flight_task *t, flight_pass *pass, void *context)
{
  double began = sal_clock_cpu(), spent;
  flight_work work = {0};
  int n = 1;

  pass(t, context, &work);
  spent = sal_clock_cpu() - began;
  if (spent < LEAST) {
    began = sal_clock_cpu();
    n = 0;
    do {
      work = (flight_work){0};
      pass(t, context, &work);
      spent = sal_clock_cpu() - began;
      ++n;
    } while (spent < LEAST);
  }
  const double per = 1.0 / t->copies;
  printf("cpu=%.9g steps=%.0f failed=%.0f rhs=%.0f jacobians=%.0f events=%.0f wrong=%.0f\n",
         spent / n * per, work.steps * per, work.failed * per, work.rhs * per, work.jacobians * per,
         work.events * per, work.wrong * per);
  write_ends(t);
  sal_free(t->row);
  sal_free(t->end);
  sal_free(t->attempts);
  return 0;
}
