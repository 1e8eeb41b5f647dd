/** Command line, starts and report of the comparison with MuJoCo. */
#include "task.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *program = "";

void task_refuse(const char *format, ...)
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

/* Is `word` this key with a value that fits?  A key with another value ends the program. */
static bool set(const task_key *key, const char *word)
{
  const size_t length = strlen(key->name);
  char *rest = NULL;

  if (strncmp(word, key->name, length) != 0 || word[length] != '=') return false;
  const char *value = word + length + 1;
  if (key->kind == TASK_WORD) {
    *(const char **)key->to = value;
    return true;
  }
  const double number = strtod(value, &rest);
  const bool whole = number >= 0 && number <= 1e9 && number == (int)number;
  if (rest == value || *rest || (key->kind == TASK_WHOLE && !whole))
    task_refuse("%s: a %s number is expected", word, key->kind == TASK_WHOLE ? "whole" : "real");
  if (key->kind == TASK_WHOLE)
    *(int *)key->to = (int)number;
  else
    *(double *)key->to = number;
  return true;
}

static bool set_one_of(const task_key *key, const char *word)
{
  for (; key->name; ++key)
    if (set(key, word)) return true;
  return false;
}

static void read_starts(const char *path, task *t)
{
  FILE *file = fopen(path, "r");
  char line[256];

  if (!file) task_refuse("cannot read %s", path);
  while (fgets(line, sizeof line, file)) {
    task_start *s = &t->start[t->n_start];
    if (t->n_start < TASK_STARTS && sscanf(line, "%d,%lf,%lf", &s->id, &s->z, &s->th) == 3)
      ++t->n_start;
  }
  fclose(file);
  if (!t->n_start) task_refuse("%s has no line \"id,z0,theta0\"", path);
}

void task_read(int argc, char *argv[], const task_key own[], task *t)
{
  const char *starts = NULL;
  const task_key both[] = {
      {"n", TASK_WHOLE, &t->n},       {"K", TASK_REAL, &t->stiffness},
      {"C", TASK_REAL, &t->damping},  {"t_end", TASK_REAL, &t->t_end},
      {"dt", TASK_REAL, &t->dt},      {"reps", TASK_WHOLE, &t->reps},
      {"starts", TASK_WORD, &starts}, {NULL, TASK_WORD, NULL},
  };
  const char *name = strrchr(argv[0], '/');

  program = name ? name + 1 : argv[0];
  *t = (task){.n = 2, .reps = 1, .stiffness = 200, .damping = 8, .t_end = 2, .dt = 0.002};
  t->hopper = argc > 1 && strcmp(argv[1], "hopper") == 0;
  if (argc < 2 || !(t->hopper || strcmp(argv[1], "plate") == 0))
    task_refuse("usage: %s plate|hopper KEY=VALUE...", program);
  for (int i = 2; i < argc; ++i)
    if (!set_one_of(both, argv[i]) && !set_one_of(own, argv[i]))
      task_refuse("%s: no such key", argv[i]);
  if (t->n < 1 || t->reps < 1 || t->dt <= 0 || t->t_end <= 0 || t->stiffness <= 0)
    task_refuse("n, reps, dt, t_end and K must be positive");
  if (t->hopper) {
    t->n = 1;
    t->damping = 0;
  } else if (starts) {
    read_starts(starts, t);
  } else {
    task_refuse("the plate needs starts=FILE");
  }
}

void task_plate_header(void) { puts("start,cpu,wrong,x,z,th,vx,vz,w"); }

void task_plate_line(int id, double cpu, int wrong, const double y[PLATE_STATES])
{
  printf("%d,%.9g,%d", id, cpu, wrong);
  for (int i = 0; i < PLATE_STATES; ++i) printf(",%.17g", y[i]);
  putchar('\n');
}

void task_hopper_header(double cpu, int wrong) { printf("%.9g,%d\n", cpu, wrong); }
