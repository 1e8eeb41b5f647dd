/** Parts that both programs of this comparison share: the command line, the starts and the report.
 *
 *      PROGRAM plate|hopper KEY=VALUE...
 *
 *  Keys of both: n, K, C (of the whole bed, or of the leg), t_end, dt, reps, starts (a file with
 *  lines "id,z0,theta0"; plate only).  A wrong use ends the program with a message.
 */
#pragma once

#include <stdbool.h>

enum { TASK_STARTS = 1024, PLATE_STATES = 6 };

typedef struct {
  int id;
  double z, th; /* height [m] and slope [rad] at rest over the middle of the bed */
} task_start;

typedef struct {
  bool hopper;
  int n, reps, n_start; /* contacts; timed runs, of which the shortest counts; starts */
  double stiffness, damping, t_end, dt;
  task_start start[TASK_STARTS];
} task;

/** One key of a program: where its value goes. */
typedef struct {
  const char *name;
  enum { TASK_WORD, TASK_WHOLE, TASK_REAL } kind;
  void *to; /* const char **, int * or double * */
} task_key;

/** Reads the command line; `own` are the keys of this program, ended by one without a name. */
void task_read(int argc, char *argv[], const task_key own[], task *t);

/** Ends the program: "PROGRAM: MESSAGE". */
void task_refuse(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/** CSV of the plate, one line a start: id, CPU seconds, what went wrong (a count), final state x,
 *  z, th, vx, vz, w. */
void task_plate_header(void);
void task_plate_line(int id, double cpu, int wrong, const double y[PLATE_STATES]);

/** The hopper: CPU seconds and what went wrong in the first line; then z at dt, 2 dt, ..., one a
 *  line. */
void task_hopper_header(double cpu, int wrong);
