/** The 13 parameter sets of Table 2 (Dallas, Machairas, Papadopoulos) and what is known of them
 *  (tests/data/dallas/README.md).
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETS = 13, SET_GRID = 100, SET_STATES = 4, SET_MAX_EVENT = 120 };

/** b, m1, k, f; no damper in the leg, and the literal adhesion. */
static const double set_param[SETS][7] = {
    {1951, 20.00, 22.8, 0.051, 0}, {1951, 10.40, 22.8, 0.051, 0}, {1951, 1.88, 22.8, 0.010, 0},
    {550, 1.88, 22.8, 0.051, 0},   {1951, 1.88, 22.8, 0.051, 0},  {1951, 1.88, 22.8, 0.155, 0},
    {1951, 0.80, 22.8, 0.051, 0},  {1951, 1.88, 22.8, 0.300, 0},  {19275, 1.88, 22.8, 0.051, 0},
    {1951, 1.88, 240.5, 0.051, 0}, {38000, 1.88, 22.8, 0.051, 0}, {1951, 1.88, 480.0, 0.051, 0},
    {1951, 1.88, 1.0, 0.051, 0},
};
static const double set_initial[SET_STATES] = {0.5, 0, 1.5, 0};
static const double set_span = 50;
/** Touchdowns and lift-offs of each set. */
static const int set_events[SETS] = {29, 16, 4, 11, 11, 16, 8, 16, 11, 82, 17, 108, 1};

/** A row of events.csv. */
typedef struct {
  bool closes;
  double t, y[SET_STATES];
} set_event;

/** Content of the certified files. */
typedef struct {
  double grid[SETS][SET_GRID + 1][SET_STATES]; /* at t = 0.5 i */
  set_event event[SETS][SET_MAX_EVENT];
  int n_event[SETS];
} set_reference;

/** Opens a file of tests/data/dallas after its line of titles; aborts when there is none. */
static inline FILE *set_file(const char *name)
{
  char path[4096], titles[256];
  FILE *file;

  snprintf(path, sizeof path, SAL_TEST_DATA "/dallas/%s", name);
  file = fopen(path, "r");
  if (!file || !fgets(titles, sizeof titles, file)) {
    fprintf(stderr, "%s: cannot be read\n", path);
    abort();
  }
  return file;
}

/** The certified files; static storage, read at the first call. */
static inline const set_reference *set_read(void)
{
  static set_reference all;
  int set;
  double t, y[SET_STATES];
  char type[16];

  if (all.n_event[0] > 0) return &all;
  FILE *file = set_file("grid.csv");
  while (fscanf(file, "%d,%lf,%lf,%lf,%lf,%lf", &set, &t, y, y + 1, y + 2, y + 3) == 6)
    memcpy(all.grid[set - 1][(int)(2 * t + 0.5)], y, sizeof y);
  fclose(file);
  file = set_file("events.csv");
  while (fscanf(file, "%d,%15[^,],%lf,%lf,%lf,%lf,%lf", &set, type, &t, y, y + 1, y + 2, y + 3) ==
         7) {
    set_event *e = &all.event[set - 1][all.n_event[set - 1]++];
    *e = (set_event){.closes = strcmp(type, "touchdown") == 0, .t = t};
    memcpy(e->y, y, sizeof y);
  }
  fclose(file);
  return &all;
}
