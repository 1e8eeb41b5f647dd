/** Certified final states of the plate on its springs (tests/data/anderson). */
#pragma once

#include "registry.h"
#include "sal_test.h"
#include <stdlib.h>
#include <string.h>

enum { PLATE_STATES = 6, PLATE_PARAMS = 14, PLATE_MOST = 16 };

/* A row of the data: a start and what is known of its end after 2 s. */
typedef struct {
  double param[PLATE_PARAMS], start[PLATE_STATES], end[PLATE_STATES];
  int n_touch, n_release;
} plate_case;

static inline void plate_presets(double n, double param[])
{
  const sal_model *m = sal_registry_model("plate");

  for (int i = 0; i < PLATE_PARAMS; ++i) param[i] = m->param[i].preset;
  param[0] = n;
}

static inline bool parse_plate_case(char *line, plate_case *row)
{
  enum {
    ID,
    NC,
    TOTAL_K,
    TOTAL_C,
    Z0,
    THETA0,
    END,
    N_TOUCH = END + PLATE_STATES,
    N_RELEASE,
    COLUMNS
  };
  double value[COLUMNS];
  char *at = line;

  for (int i = 0; i < COLUMNS; ++i) {
    char *behind;
    value[i] = strtod(at, &behind);
    if (behind == at || *behind != ',') return false;
    at = behind + 1;
  }
  *row = (plate_case){.start = {[1] = value[Z0], [2] = value[THETA0]},
                      .n_touch = (int)value[N_TOUCH],
                      .n_release = (int)value[N_RELEASE]};
  plate_presets(value[NC], row->param);
  memcpy(row->end, value + END, sizeof row->end);
  return row->param[1] == value[TOTAL_K] && row->param[2] == value[TOTAL_C];
}

static inline int read_plate_cases(const char *name, plate_case row[])
{
  char path[512], line[1024];
  int n = 0;
  FILE *f = (snprintf(path, sizeof path, "%s/anderson/%s", SAL_TEST_DATA, name), fopen(path, "r"));

  CU_ASSERT_PTR_NOT_NULL_FATAL(f);
  CU_ASSERT_PTR_NOT_NULL(fgets(line, sizeof line, f)); /* the names of the columns */
  while (n < PLATE_MOST && fgets(line, sizeof line, f))
    CU_ASSERT_FATAL(parse_plate_case(line, &row[n++]));
  fclose(f);
  return n;
}
