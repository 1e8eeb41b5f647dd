/** Models from files and texts, and numbers from tables. */
#pragma once

#include "memory.h"
#include "model_file.h"
#include "reduced.h"
#include "sal_test.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MODEL_TEXT = 1 << 17 };

static inline sal_model_file *parse_model(const char *text)
{
  sal_model_file *file;

  sal_err_clear();
  if (sal_model_file_parse("model.yaml", text, &file) != SAL_OK)
    fprintf(stderr, "%s\n", sal_err_message());
  return file;
}

/* A file of sweeps/models. */
static inline sal_model_file *read_model(const char *name)
{
  static char text[MODEL_TEXT];
  char path[512];

  snprintf(path, sizeof path, "%s/../../sweeps/models/%s", SAL_TEST_DATA, name);
  FILE *f = fopen(path, "r");
  CU_ASSERT_PTR_NOT_NULL_FATAL(f);
  text[fread(text, 1, sizeof text - 1, f)] = '\0';
  fclose(f);
  sal_model_file *file = parse_model(text);
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  return file;
}

/* The parameters, options and states of a model when no others are given. */
static inline void preset(const sal_model *m, double param[], double y[])
{
  for (int i = 0; i < m->n_param; ++i) param[i] = m->param[i].preset;
  for (int i = 0; i < m->n_option; ++i) param[m->n_param + i] = 0;
  for (int i = 0; i < m->n_state; ++i) y[i] = m->state[i].preset;
}

/* A solver of its own for a model, with preset parameters; without the chain, so that all that the joints'
 * equations have can be looked at. */
typedef struct {
  sal_reduced *r;
  double *memory, param[SAL_MAX_PARAM];
} solver;

static inline solver open_solver(const sal_model_file *file)
{
  const sal_model *m = sal_model_file_model(file);
  const sal_system *s = sal_model_file_system(file);
  solver out = {.memory = sal_alloc(sal_reduced_words(s), sizeof *out.memory)};

  for (int i = 0; i < m->n_param; ++i) out.param[i] = m->param[i].preset;
  out.r = sal_reduced_open(s, out.memory, out.param);
  sal_reduced_leave_chain(out.r);
  return out;
}

static inline void close_solver(solver *s) { sal_free(s->memory); }

/* Numbers of a quantity in a table of tests/data. */
static inline int read_numbers(const char *file, const char *quantity, int most, double out[])
{
  char path[512], name[64];
  int n, found = 0;
  FILE *f;

  snprintf(path, sizeof path, "%s/%s", SAL_TEST_DATA, file);
  f = fopen(path, "r");
  CU_ASSERT_PTR_NOT_NULL_FATAL(f);
  for (int c = fgetc(f); c != EOF && c != '\n';) c = fgetc(f);
  while (!found && fscanf(f, "%63s %d", name, &n) == 2)
    for (int i = 0; i < n; ++i) {
      double x;
      if (fscanf(f, "%lf", &x) != 1) break;
      if (strcmp(name, quantity) == 0 && i < most) out[i] = x, found = n;
    }
  fclose(f);
  return found;
}
